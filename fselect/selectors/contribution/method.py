"""Contribution selection as a method of the catalogue: for studies and the command line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from fselect.errors import InputError
from fselect.selectors.catalogue import method
from fselect.selectors.contribution.settings import ALGORITHM_VERSION, CLASSIFIERS, Settings, Sought

if TYPE_CHECKING:
    import pandas as pd

    from fselect.selectors.contribution.search import Found

__all__ = ["ContributionMethod"]


@method("contribution", "wrapper", "game theory", own=("step",))
@dataclass(frozen=True)
class ContributionMethod:
    """Forward selection or backward elimination by the features' contributions (Shapley values) to accuracy."""

    estimator: str = "auto"
    direction: str = "backward"
    step: int = 1
    size: int = 10
    n_permutations: int | None = None
    draws: float | None = None
    raise_permutations: bool = True
    threshold: float = 0.0
    addition: str = "top"
    final_phase: bool = False
    cv: int = 10
    scoring: str = "accuracy"
    final_estimator: str | None = None
    ALGORITHM_VERSION: ClassVar[int] = ALGORITHM_VERSION
    resumable: ClassVar[bool] = True

    def __post_init__(self) -> None:
        self._sought()  # refuses parameters that mean nothing before any work starts
        if self.estimator not in ("auto", *CLASSIFIERS):
            raise InputError(f"there is no classifier {self.estimator!r}; there are auto, {', '.join(CLASSIFIERS)}")
        if self.final_estimator not in (None, *CLASSIFIERS):
            raise InputError(
                f"there is no final classifier {self.final_estimator!r}; there are {', '.join(CLASSIFIERS)}"
            )

    @property
    def parameters(self) -> dict[str, Any]:
        """All parameters, as JSON can hold them."""
        return asdict(self)

    def _sought(self) -> Sought:
        given = asdict(self)
        settings = Settings(**{field.name: given.pop(field.name) for field in fields(Settings)})
        return Sought(settings, **given)

    def support(
        self,
        X: np.ndarray,
        codes: np.ndarray,
        counts: np.ndarray,
        bias: np.ndarray | None,
        rng: np.random.Generator,
        *,
        names: Sequence[str] | None = None,
        folder: Path | None = None,
        on_history: Callable[[pd.DataFrame], object] | None = None,
    ) -> np.ndarray:
        """Return the selected features; see `fselect.selectors.base.Method.support`.

        Parameters
        ----------
        X, codes, counts, bias, rng
            As there; there is no bias.
        names : sequence of str, optional
            What columns are called in messages.
        folder : Path, optional
            Where finished rounds are kept, so that the same selection goes on from there.
        on_history : callable, optional
            Given the rounds as a table, features by position:
            see `fselect.selectors.contribution.history.contributions_table`.

        Returns
        -------
        ndarray of shape (d,), bool
        """
        found = self.found(X, codes, counts, rng, names=names, folder=folder)
        if on_history is not None:
            from fselect.selectors.contribution.history import contributions_table

            on_history(contributions_table(found.rounds, range(X.shape[1])))
        return np.isin(np.arange(X.shape[1]), found.selected)

    def found(
        self,
        X: np.ndarray,
        codes: np.ndarray,
        counts: np.ndarray,
        rng: np.random.Generator,
        *,
        names: Sequence[str] | None = None,
        folder: Path | None = None,
    ) -> Found:
        """Search, with all that is known of its rounds; see `support`."""
        from fselect.selectors.contribution.search import (
            search,
        )  # with scikit-learn, for which the catalogue does not wait

        seed = int(rng.integers(2**31 - 1))
        found = search(X, codes, counts, self._sought(), seed=seed, names=names, folder=folder)
        if found.failed is not None:
            raise found.failed
        return found
