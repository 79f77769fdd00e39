"""What every selection method offers to the protocols."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Protocol

import numpy as np

__all__ = ["Method"]


class Method(Protocol):
    """A selection method with its parameters, as the protocols call it.

    A class that is registered with `fselect.selectors.catalogue.method` offers `ALGORITHM_VERSION`, `parameters`
    and `support`; the other attributes are set by the registration.

    Attributes
    ----------
    ALGORITHM_VERSION : int
        Raised by hand when results may change, so that stored results of an earlier version are not reused.
    name : str
        The name in params.yaml and on the command line.
    bias : tuple of str
        Which biases `support` takes: ``"shape"``, ``"strength"``, both or none.
    tags : tuple of str
        Words for lists of methods.
    keeps_missing : bool
        Whether X may hold NaN.
    shared : tuple of str
        The keys of study files that set parameters of it: of n_features, step and penalty those that it knows.
    """

    ALGORITHM_VERSION: ClassVar[int]
    name: ClassVar[str]
    bias: ClassVar[tuple[str, ...]]
    tags: ClassVar[tuple[str, ...]]
    keeps_missing: ClassVar[bool]
    shared: ClassVar[tuple[str, ...]]

    @property
    def parameters(self) -> Mapping[str, Any]:
        """All parameters, defaults too, as JSON can hold them."""
        ...

    def support(
        self,
        X: np.ndarray,
        codes: np.ndarray,
        counts: np.ndarray,
        bias: np.ndarray | None,
        rng: np.random.Generator,
    ) -> np.ndarray:
        """Select features of a weighted sample.

        Parameters
        ----------
        X : ndarray of shape (n, d), float64
            The table.
        codes : ndarray of shape (n,), int64
            Classes 0 … C - 1.
        counts : ndarray of shape (n,)
            How often each row is in the sample; those with 0 are not.
        bias : ndarray of shape (d,), float64, or None
            Logarithms of the shrinkage β, or no bias.
        rng : numpy.random.Generator
            For methods that draw.

        Returns
        -------
        ndarray of shape (d,), bool
            The selected features.
        """
        ...
