"""Made-up expression values of genes that go together in blocks."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from fselect.datasets.dataset import Dataset, Truth
from fselect.datasets.synthetic.assembly import check_whole, start
from fselect.errors import InputError

__all__ = ["make_microarray"]


def make_microarray(
    n_samples: int = 100,
    n_features: int = 2000,
    *,
    n_relevant: int = 20,
    block_size: int = 10,
    correlation: float = 0.7,
    effect: float = 1.0,
    random_state: int | np.random.Generator | None = None,
) -> Dataset:
    r"""Make expression values of genes that go together in blocks, a few of which tell the class.

    The model: half the samples are cases. Genes form blocks of ``block_size``; within a class each is
    standard normal, genes of one block correlate by ρ = ``correlation``, genes of two blocks not at all:
    :math:`x = \sqrt{ρ}\, z_{block} + \sqrt{1-ρ}\, e`. In each of ``n_relevant`` blocks one gene, the
    relevant one, differs between the classes by ``effect`` standard deviations, up in some blocks and
    down in others; the other genes of the block differ by ρ times that. Given the relevant gene, the
    others of its block say nothing more about the class (their residual x − ρ·x_relevant has the same law
    in both classes and is independent of x_relevant): they are redundant, and can stand in for it.

    Genes are put in random order, so that position tells nothing.

    Parameters
    ----------
    n_samples : int, default=100
        Rows, 4 or more. With an odd number there is one more control.
    n_features : int, default=2000
        Genes.
    n_relevant : int, default=20
        Relevant genes, each in a block of its own.
    block_size : int, default=10
        Genes a block; the last block takes what is left.
    correlation : float, default=0.7
        Correlation within a block and a class, 0 ≤ ρ < 1; co-regulated genes often show about that.
    effect : float, default=1.0
        Difference of a relevant gene between classes, in standard deviations (Cohen's d).
    random_state : int, Generator or None, default=None
        Seed; ``None`` gives another table every time.

    Returns
    -------
    Dataset
        Labels "case" and "control", names gene_0001, …; ``truth`` holds the relevant genes, the redundant
        ones, the irrelevant ones, and the block of each relevant gene in ``groups``.

    Raises
    ------
    InputError
        A parameter out of range, or more relevant genes than blocks.

    Examples
    --------
    >>> data = make_microarray(60, 500, n_relevant=5, random_state=0)
    >>> data
    Dataset('microarray', 60 × 500, 2 classes)
    >>> len(data.truth.relevant), len(data.truth.redundant)
    (5, 45)
    """
    _check_sizes(n_samples, n_features, n_relevant, block_size)
    _check_strengths(correlation, effect)
    rng = start(random_state, "microarray")
    blocks = np.arange(n_features) // block_size
    y = np.where(rng.permutation(n_samples) < n_samples // 2, "case", "control")
    X = _correlated(rng, n_samples, blocks, correlation)
    shift = _shifts(rng, blocks, n_relevant, block_size, correlation, effect)
    X += np.where(y == "case", 0.5, -0.5)[:, None] * shift
    place = rng.permutation(n_features)
    values = np.empty_like(X)
    values[:, place] = X
    values.flags.writeable = False
    width = len(str(n_features))
    names = tuple(f"gene_{j:0{width}d}" for j in range(1, n_features + 1))
    truth = _truth(place, blocks, n_relevant, block_size)
    recipe = _recipe(n_relevant, block_size, correlation, effect, random_state)
    return Dataset(values, y, "microarray", names, truth=truth, recipe=recipe)


def _check_sizes(n_samples: int, n_features: int, n_relevant: int, block_size: int) -> None:
    sizes = {"n_samples": (n_samples, 4), "n_features": (n_features, 1), "block_size": (block_size, 1)}
    for word, (value, least) in {**sizes, "n_relevant": (n_relevant, 0)}.items():
        check_whole(word, value, least)
    n_blocks = -(-n_features // block_size)
    if n_relevant > n_blocks:
        have = f"{n_features} genes in blocks of {block_size} make {n_blocks}"
        raise InputError(f"n_relevant = {n_relevant} needs as many blocks, but {have}; take smaller blocks")


def _check_strengths(correlation: float, effect: float) -> None:
    if not 0 <= correlation < 1:
        raise InputError(f"correlation must be at least 0 and below 1, not {correlation!r}")
    if not (math.isfinite(effect) and effect >= 0):
        raise InputError(f"effect must be a number of at least 0, not {effect!r}")


def _correlated(rng: np.random.Generator, n_samples: int, blocks: np.ndarray, rho: float) -> np.ndarray:
    shared = rng.standard_normal((n_samples, int(blocks[-1]) + 1))
    X = rng.standard_normal((n_samples, len(blocks)))
    X *= math.sqrt(1 - rho)
    X += math.sqrt(rho) * shared[:, blocks]
    return X


def _shifts(
    rng: np.random.Generator, blocks: np.ndarray, n_relevant: int, block_size: int, rho: float, effect: float
) -> np.ndarray:
    signs = rng.choice([-1.0, 1.0], size=int(blocks[-1]) + 1)
    signs[n_relevant:] = 0.0
    first = np.arange(len(blocks)) % block_size == 0
    return effect * signs[blocks] * np.where(first, 1.0, rho)


def _truth(place: np.ndarray, blocks: np.ndarray, n_relevant: int, block_size: int) -> Truth:
    # The first gene of each of the first blocks is the relevant one, until the genes are shuffled.
    groups = {
        int(place[block * block_size]): tuple(sorted(place[blocks == block].tolist())) for block in range(n_relevant)
    }
    relevant = tuple(sorted(groups))
    redundant = {gene for group in groups.values() for gene in group} - set(relevant)
    irrelevant = tuple(sorted(place[blocks >= n_relevant].tolist()))
    return Truth(relevant, irrelevant, tuple(sorted(redundant)), {gene: groups[gene] for gene in relevant})


def _recipe(n_relevant: int, block_size: int, rho: float, effect: float, random_state: Any) -> dict[str, Any]:
    seed = int(random_state) if isinstance(random_state, (int, np.integer)) else None
    model = {"n_relevant": int(n_relevant), "block_size": int(block_size)}
    strengths = {"correlation": float(rho), "effect": float(effect)}
    return {"source": "make_microarray", **model, **strengths, "random_state": seed}
