"""The experiment of Molina, Belanche & Nebot (2002): groups, families, sizes, algorithms, and what is decided here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from fselect.datasets import make_disjunction, make_gmonks, make_parity
from fselect.datasets.dataset import Dataset
from fselect.datasets.seeds import Stream, generator

__all__ = [
    "ALGORITHMS",
    "ALLOWANCE",
    "CUTS",
    "FAMILIES",
    "GROUPS",
    "RUNS",
    "STUDIES",
    "WEIGHTINGS",
    "WEIGHTS",
    "Point",
    "Problem",
    "make_data",
]

RUNS = 10
"""Independent samples of each point, as in the paper."""

ALLOWANCE = 60.0
"""Processor seconds of one search on one sample, after which its answer so far counts and is marked (decided here: on
single samples all but the backward wrapper needed less)."""

FAMILIES: dict[str, tuple[int, ...]] = {
    "parity": (4, 8, 16, 32),
    "disjunction": (5, 10, 15, 20),
    "gmonks": (6, 12, 18, 24),
}
"""Problems of each family: their numbers of relevant features, smallest first."""

_MAKERS: dict[str, Callable[..., Dataset]] = {
    "parity": make_parity,
    "disjunction": make_disjunction,
    "gmonks": make_gmonks,
}

GROUPS: dict[str, tuple[float, ...]] = {
    "irrelevance": tuple(i / 5 for i in range(11)),
    "redundance": tuple(i / 5 for i in range(11)),
    "sample-size": (0.25, 0.5, 0.75, 1.0, 1.25, 1.75, 2.0),
}
"""What is varied, and its values: irrelevant or redundant features a relevant one, or the sample's size k."""

ALGORITHMS = {
    "e-sfg": "E-SFG",
    "relief": "Relief",
    "c-sbg": "C-SBG",
    "sffg": "SFFG",
    "sfbg": "SFBG",
    "qbb": "QBB",
    "lvf": "LVF",
    "w-sfg": "W-SFG",
    "lvi": "LVI",
    "w-sbg": "W-SBG",
}
"""The ten algorithms, cheapest first, and what the paper calls them."""

WEIGHTINGS = ("e-sfg", "relief")
"""Those that give weights, which a rule cuts."""

CUTS = ("product", "half_mean")
"""Rules that cut weights: the one nearest to the paper's damaged formula, and this package's default."""

WEIGHTS: dict[str, tuple[int, int, int]] = {"3:2:1": (3, 2, 1), "6:2:1": (6, 2, 1)}
"""Weights of a relevant, an irrelevant and a redundant feature in the score; the paper gives only their order."""


@dataclass(frozen=True)
class Problem:
    """One problem in one group: what a line of figure 3 shows.

    Parameters
    ----------
    group : str
        A name of `GROUPS`.
    family : str
        A name of `FAMILIES`.
    n_relevant : int
        Relevant features.

    Examples
    --------
    >>> Problem("irrelevance", "parity", 8).name
    'irrelevance-parity-8'
    """

    group: str
    family: str
    n_relevant: int

    @property
    def name(self) -> str:
        """What it is called on the command line."""
        return f"{self.group}-{self.family}-{self.n_relevant}"

    def points(self) -> list[Point]:
        """Its points, by ratio or size of the sample."""
        return [_point(self, place, ratio) for place, ratio in enumerate(GROUPS[self.group])]


@dataclass(frozen=True)
class Point:
    """A problem at one value of what is varied.

    Parameters
    ----------
    problem : Problem
        Which.
    ratio : float
        The value.
    n_irrelevant, n_redundant, n_samples : int
        Sizes of its samples.
    """

    problem: Problem
    ratio: float
    n_irrelevant: int
    n_redundant: int
    n_samples: int


def _point(problem: Problem, place: int, ratio: float) -> Point:
    """Sizes: a fifth of the relevant features more each time, to the nearest whole number; |S| = 40 k N_T."""
    more, half = (2 * place * problem.n_relevant + 5) // 10, problem.n_relevant // 2
    others = {"irrelevance": (more, 0), "redundance": (0, more), "sample-size": (half, half)}[problem.group]
    k = ratio if problem.group == "sample-size" else 1.0
    return Point(problem, ratio, *others, int(40 * k * (problem.n_relevant + sum(others))))


def _problems() -> list[Problem]:
    """The small ones of all groups and families first."""
    return [
        Problem(group, family, sizes[rank])
        for rank in range(4)
        for group in GROUPS
        for family, sizes in FAMILIES.items()
    ]


STUDIES = {problem.name: problem for problem in _problems()}
"""The twelve problems in each of the three groups, by name, those that take longest last."""


def make_data(point: Point, run: int) -> Dataset:
    """Draw the sample of a point: the same for all algorithms, another one for each point and run.

    Parameters
    ----------
    point : Point
        Which.
    run : int
        Number of the run, from 0.

    Returns
    -------
    Dataset

    Examples
    --------
    >>> make_data(STUDIES["redundance-gmonks-6"].points()[5], 0)
    Dataset('gmonks-6-0-6', 480 × 12, 2 classes)
    """
    problem = point.problem
    rng = generator(run, Stream.SYNTHETIC, f"survey-{problem.name}-{point.ratio}")
    sizes = (problem.n_relevant, point.n_irrelevant, point.n_redundant)
    return _MAKERS[problem.family](*sizes, n_samples=point.n_samples, random_state=rng)
