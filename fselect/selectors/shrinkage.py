"""The shrinkage vector β, which decides how dear each feature's weight is; in logarithms throughout.

Everything here has mean β = 1 (divided by the mean, not shifted: only then does a growing shape tend to no bias).
Small shapes spread β over hundreds of decades, which is why β itself never appears.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import gammaincinv, logsumexp

from fselect.classifiers.logistic import lift
from fselect.errors import InputError

__all__ = ["Prior", "attractiveness", "draw_log_shrinkage", "lift", "transfer_log_shrinkage", "with_prior"]


@dataclass(frozen=True)
class Prior:
    """Features that are known, or thought, to matter.

    Parameters
    ----------
    features : tuple of int
        Their column positions; the most relevant first if ranked.
    ranked : bool, default False
        Whether their order means something.

    Examples
    --------
    >>> Prior((4, 1), ranked=True).features
    (4, 1)
    """

    features: tuple[int, ...]
    ranked: bool = False

    def __post_init__(self) -> None:
        if not self.features:
            raise InputError("the prior names no feature; leave it out for a selection without prior")
        if len(set(self.features)) < len(self.features):
            twice = next(f for f in self.features if self.features.count(f) > 1)
            raise InputError(f"the prior names column {twice} twice; name each feature once")


def draw_log_shrinkage(n_features: int, shape: float | None, rng: np.random.Generator) -> np.ndarray:
    """Draw log β of independent β ~ Γ(shape, 1), divided by their mean.

    A β is U^(1/shape) times a draw of Γ(shape + 1, 1), whose logarithm exists for any shape. The generator
    gives the same uniform numbers whatever the shape is, so that draws of several shapes are paired.

    Parameters
    ----------
    n_features : int
        Number of features d.
    shape : float or None
        The shape α of the gamma law: small is a strong bias; None (or inf) is none.
    rng : numpy.random.Generator
        Gives 2 d uniform numbers, used or not.

    Returns
    -------
    ndarray of shape (n_features,), float64
        log β with mean β = 1.

    Raises
    ------
    InputError
        If the shape is not above 0.

    References
    ----------
    Hamer and Dupont (2019), "Explicit control of feature relevance and selection stability through Pareto
    optimality".

    Examples
    --------
    >>> log_beta = draw_log_shrinkage(1000, 0.01, np.random.default_rng(0))
    >>> round(float(np.exp(log_beta).mean()), 12), bool(log_beta.min() < -100)
    (1.0, True)
    >>> draw_log_shrinkage(3, None, np.random.default_rng(0))
    array([0., 0., 0.])
    """
    # 1 - [0, 1) is never 0, whose logarithm would end the draw
    powers, levels = 1.0 - rng.random((2, n_features))
    if shape is None or shape == np.inf:
        return np.zeros(n_features)
    if not shape > 0:
        raise InputError(f"a shape must be above 0 (or none for no bias), not {shape!r}")
    log_gamma = np.log(gammaincinv(shape + 1.0, np.minimum(levels, 1.0 - 2.0**-53)))
    return _mean_one(log_gamma + np.log(powers) / shape)


def with_prior(log_beta: np.ndarray, prior: Prior, rng: np.random.Generator) -> np.ndarray:
    """Give the smallest β to the features of a prior.

    Parameters
    ----------
    log_beta : ndarray of shape (d,), float64
        Draws, of which only the values matter, not the places.
    prior : Prior
        Ranked: the smallest β to the first feature, and so on. Else: the smallest β to these features in random
        order. The remaining β go to the remaining features in random order.
    rng : numpy.random.Generator
        Gives one order of the prior's features and one of the others, whatever β is, and ranked or not.

    Returns
    -------
    ndarray of shape (d,), float64
        The same values in other places.

    Raises
    ------
    InputError
        If the prior names a column that does not exist.

    Examples
    --------
    >>> prior = Prior((3, 0), ranked=True)
    >>> with_prior(np.array([0.0, -5.0, 1.0, -2.0]), prior, np.random.default_rng(0))[[3, 0]]
    array([-5., -2.])
    """
    known = np.array(prior.features, dtype=np.int64)
    d = log_beta.size
    if known.min() < 0 or known.max() >= d:
        wrong = known[(known < 0) | (known >= d)][0]
        raise InputError(f"the prior names column {wrong}, but there are columns 0 to {d - 1}")
    others = np.setdiff1d(np.arange(d), known)
    shuffled = rng.permutation(known)
    order = np.concatenate([known if prior.ranked else shuffled, rng.permutation(others)])
    out = np.empty(d)
    out[order] = np.sort(log_beta)
    return out


def attractiveness(history: np.ndarray) -> np.ndarray:
    """Tell how much the stability over past tasks gains if a feature is selected once more.

    It is ((N + 1)² / N) (s²_no - s²_yes), where s² is the variance p (1 - p) of the feature's selection over N + 1
    tasks without or with it, which is 2 p - 1, with p its share of the N past tasks.

    Parameters
    ----------
    history : ndarray of shape (N, d), bool
        A row a past task: what it selected.

    Returns
    -------
    ndarray of shape (d,), float64
        Between -1 (never selected) and 1 (always); 0 for all without past tasks.

    References
    ----------
    Hamer and Dupont (2019).

    Examples
    --------
    >>> attractiveness(np.array([[1, 0, 1], [1, 0, 0], [1, 0, 1]], dtype=bool))
    array([ 1.        , -1.        ,  0.33333333])
    """
    if len(history) == 0:
        return np.zeros(history.shape[1])
    return 2.0 * np.mean(history, axis=0) - 1.0


def transfer_log_shrinkage(history: np.ndarray, strength: float) -> np.ndarray:
    """Return log β of β = exp(-strength · attractiveness), divided by the mean.

    The exponential is decided here, because the paper's equation (7) is lost in print: it is 1 for strength 0,
    falls as the attractiveness rises, and is never negative. So is the division by the mean, as for every β:
    without it a strength of 8 just copies the first set.

    Parameters
    ----------
    history : ndarray of shape (N, d), bool
        A row a past task: what it selected.
    strength : float
        At least 0; 0 is no bias.

    Returns
    -------
    ndarray of shape (d,), float64
        log β with mean β = 1; zeros without past tasks.

    Raises
    ------
    InputError
        If the strength is negative or not finite.

    Examples
    --------
    >>> log_beta = transfer_log_shrinkage(np.array([[True, False, False]]), 1.0)
    >>> np.exp(log_beta).round(3)
    array([0.19 , 1.405, 1.405])
    """
    if not (strength >= 0 and np.isfinite(strength)):
        raise InputError(f"strength must be a finite number of at least 0, not {strength!r}")
    return _mean_one(-strength * attractiveness(history))


def _mean_one(log_beta: np.ndarray) -> np.ndarray:
    return log_beta - (logsumexp(log_beta) - np.log(log_beta.size))
