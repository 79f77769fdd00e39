"""Recursive feature elimination on plain arrays: a ridge penalty that differs from feature to feature."""

from __future__ import annotations

import warnings
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from fselect.blas import threads_that_pay
from fselect.classifiers.logistic import make_sample
from fselect.datasets.sparse_tables import dense
from fselect.errors import InputError
from fselect.selectors.catalogue import method
from fselect.selectors.elimination.lean import eliminate_lean, lean_source
from fselect.selectors.elimination.loop import eliminate_columns
from fselect.selectors.elimination.ranking import put_in_order
from fselect.selectors.elimination.wide import Dropped

__all__ = ["Elimination", "RFEMethod", "eliminate"]


@dataclass(frozen=True, eq=False)
class Elimination:
    """What an elimination kept and in which order the rest went.

    Attributes
    ----------
    support : ndarray of shape (d,), bool
        The features that are left.
    ranking : ndarray of shape (d,), int64
        1 for these, 2 for the group dropped last, and so on.
    path : tuple of ndarray, int64
        The dropped columns, an array a round, in the order in which they went; sorted when first asked for.
    dropped : tuple of ndarray of shape (d - k,)
        Columns (int64), by round but in no order within it, logarithms of their weights then (NaN for
        constant columns), and rounds.
    """

    support: np.ndarray
    ranking: np.ndarray
    dropped: tuple[np.ndarray, np.ndarray, np.ndarray]

    @cached_property
    def path(self) -> tuple[np.ndarray, ...]:  # noqa: D102
        columns, _, rounds = self.dropped
        if not columns.size:
            return ()
        return tuple(np.split(put_in_order(*self.dropped), np.flatnonzero(np.diff(rounds)) + 1))


def eliminate(
    X: np.ndarray,
    codes: np.ndarray,
    counts: np.ndarray,
    *,
    n_features: int,
    step: float = 0.2,
    penalty: float,
    n_classes: int,
    log_shrinkage: np.ndarray | None = None,
    standardize: bool = True,
) -> Elimination:
    """Drop the features of least weight, a share of the remaining ones at a time, until n_features are left.

    Each round fits Σ c log(1 + exp(-y (w·x + b))) + λ Σ β w² to the remaining features and drops
    ``max(1, floor(step · m + 1e-9))`` of the m of them, never so many that fewer than n_features are left. The
    features are those of the exact optimum. Constant features go first; neighbours in |w| with a relative
    difference below 1e-9 are tied, and of those later columns go first (decided here, because the paper says
    nothing of ties, and copies of a column differ by rounding only).

    Parameters
    ----------
    X : ndarray or scipy.sparse.csr_array of shape (n, d), float64
        The table, finite. One that is sparse (a tenth of entries at most), or larger than 64 MB, is used where it is
        as far as that pays; all others, and what is left of these in the end, are copied row by row.
    codes : ndarray of shape (n,), int
        Classes 0 … n_classes - 1.
    counts : ndarray of shape (n,)
        How often each row is in the sample, or its weight; rows with 0 do not enter.
    n_features : int
        How many features are left, at least 1. From d on all features are, with a warning.
    step : float, default 0.2
        Share of the *remaining* features that go each time (the paper's 20 %).
    penalty : float
        λ, above 0.
    n_classes : int
        Number of classes; from 3 on each is fitted against the rest, and |w| is the root mean square.
    log_shrinkage : ndarray of shape (d,), optional
        Logarithms of the β, by default 0. They are lifted if the model would be without a ridge numerically
        (see `fselect.selectors.shrinkage.lift`).
    standardize : bool, default True
        Whether the weights are those of columns standardised over the sample.

    Returns
    -------
    Elimination
        The survivors, and the order in which the others went.

    Raises
    ------
    InputError
        If n_features is below 1, step not in (0, 1], λ not above 0, or a class without row.

    Warns
    -----
    UserWarning
        If n_features is not below d.

    References
    ----------
    Hamer and Dupont (2019), "Explicit control of feature relevance and selection stability through Pareto
    optimality".

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(40, 6))
    >>> codes = (X[:, 4] > 0).astype(int)
    >>> found = eliminate(X, codes, np.ones(40), n_features=1, penalty=1.0, n_classes=2)
    >>> np.flatnonzero(found.support), found.ranking
    (array([4]), array([4, 6, 2, 3, 1, 5]))
    """
    d = X.shape[1]
    _check_numbers(n_features, step, d)
    settings: dict[str, Any] = {"penalty": penalty, "n_classes": n_classes, "standardize": standardize}
    settings |= {"n_features": min(n_features, d), "step": float(step), "log_shrinkage": log_shrinkage}
    counts = np.asarray(counts, dtype=np.float64)
    source = lean_source(X, counts)
    with threads_that_pay(*X.shape):
        if source is None:
            gone, keys, rounds = _eliminate_plain(dense(X), codes, counts, **settings)
        else:
            gone, keys, rounds = eliminate_lean(source, codes, counts, **settings)
    ranking = np.ones(d, dtype=np.int64)
    n_rounds = int(rounds[-1]) + 1 if rounds.size else 0
    ranking[gone] = n_rounds + 1 - rounds
    return Elimination(ranking == 1, ranking, (gone, keys, rounds))


def _eliminate_plain(
    X: np.ndarray,
    codes: np.ndarray,
    counts: np.ndarray,
    *,
    n_features: int,
    step: float,
    penalty: float,
    n_classes: int,
    log_shrinkage: np.ndarray | None,
    standardize: bool,
) -> Dropped:
    """Eliminate with the whole sample laid out in memory."""
    sample = make_sample(
        X, codes, counts, penalty, n_classes=n_classes, log_beta=log_shrinkage, standardize=standardize
    )
    constants = np.flatnonzero(np.isneginf(sample.standardised.log_scale))[::-1].copy()
    return eliminate_columns(sample.columns, constants, sample.problems, n_features, step, n_rows=len(X))


def _check_numbers(n_features: int, step: float, d: int) -> None:
    if n_features < 1:
        raise InputError(f"the number of features to select must be at least 1, not {n_features}")
    if not 0 < step <= 1:
        raise InputError(f"step is the share of features that go each time, above 0 and at most 1, not {step}")
    if n_features >= d:
        warnings.warn(f"{n_features} features are asked for and there are {d}: all are kept", UserWarning, stacklevel=3)


@method("rfe", "embedded", "linear", bias=("shape", "strength"))
@dataclass(frozen=True)
class RFEMethod:
    """Recursive feature elimination with a logistic model whose ridge differs from feature to feature."""

    n_features: int
    step: float = 0.2
    penalty: float = 1.0
    standardize: bool = True
    ALGORITHM_VERSION: ClassVar[int] = 2
    takes_sparse: ClassVar[bool] = True

    @property
    def parameters(self) -> dict[str, Any]:
        """All parameters, as JSON can hold them."""
        return asdict(self)

    def support(
        self,
        X: np.ndarray,
        codes: np.ndarray,
        counts: np.ndarray,
        bias: np.ndarray | None,
        rng: np.random.Generator,
    ) -> np.ndarray:
        """Return the selected features; see `fselect.selectors.base.Method.support`."""
        return eliminate(
            X,
            codes,
            counts,
            n_features=self.n_features,
            step=self.step,
            penalty=self.penalty,
            n_classes=int(codes.max()) + 1,
            log_shrinkage=bias,
            standardize=self.standardize,
        ).support
