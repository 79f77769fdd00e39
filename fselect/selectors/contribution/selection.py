"""Contribution selection as a scikit-learn estimator."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any, Self

import numpy as np
import pandas as pd
from sklearn.dummy import DummyClassifier
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from fselect.classifiers.column_parameters import column_parameters
from fselect.classifiers.failures import called, reason, told_columns
from fselect.errors import InputError
from fselect.selectors.contribution.history import contributions_table, rounds_table
from fselect.selectors.contribution.search import Found, search
from fselect.selectors.contribution.settings import Settings, Sought
from fselect.selectors.contribution.texts import find_texts
from fselect.selectors.estimator import TableSelector
from fselect.workers import check_jobs

__all__ = ["ContributionSelection"]

_KEPT = "selected_ and rounds_ hold what the search found, give another final_estimator"
"""How an error of a final classifier ends."""


class ContributionSelection(TableSelector):
    """Forward selection or backward elimination by the features' contributions to a classifier's accuracy.

    Features are players of a game whose payoff is the cross-validated accuracy of a classifier that sees only them;
    the folds are drawn once, so that the payoff is a function. Each round estimates the features' contributions,
    their Shapley values for coalitions of bounded size, and adds those that contribute most, or drops those that
    contribute least. Columns that are constant never take part; their contribution is 0.

    Parameters
    ----------
    estimator : {"auto", "naive_bayes", "c45", "c45_unpruned", "nearest_neighbour", "linear_svm"} or classifier, \
default "auto"
        The classifier inside the search, also any other with ``fit`` and ``predict``. ``"auto"`` takes of naive
        Bayes, C4.5 and the nearest neighbour the one of best cross-validated score on all features. Parameters that
        speak of single columns, as ``C45Classifier(nominal=["b", 3])``, mean columns of the X of ``fit``.
    direction : {"backward", "forward"}, default "backward"
        Drop from all, or add to none. Backward generalised better in the paper.
    step : int, default 1
        The most features that a round adds (the paper's s) or drops (p). 1 keeps redundancy lowest, more is faster.
    size : int, default 10
        Features in a permutation (l): as large as the interactions one hopes to see; 1 is a filter or, forward, the
        greedy wrapper. Where fewer can be selected, it is lowered to their number, and that is said.
    n_permutations : int, optional
        Permutations of a round (t). By default the smallest number with t · l / n > 5, n being the features that can
        still be added or dropped.
    draws : float, optional
        Draws a feature instead: t = ⌈draws · n / l⌉, so that t falls with the rounds.
    raise_permutations : bool, default True
        Whether a t with t · l / n ≤ 5 is raised, with a warning. Otherwise features without a draw are neither added
        nor dropped in that round.
    threshold : float, default 0.0
        Δ: contributions above it add, those below it drop. Higher gives smaller sets.
    addition : {"top", "greedy"}, default "top"
        Whether a forward round adds its best features, or one by one in falling order while each raises the payoff.
    final_phase : bool, default False
        Whether a forward search ends with the set, of those after its rounds, that is best for the final classifier.
    cv : int, default 10
        The most folds; there are no more than rows of the smallest class, and at least two.
    scoring : str or callable, default "accuracy"
        Payoff: a name or a scorer of scikit-learn; higher is better.
    final_estimator : str or classifier, optional
        The classifier that is trained on the selected features; by default the one inside.
    random_state : int, RandomState or None
        Source of folds, permutations and classifiers.
    n_jobs : int or None, default 1
        Workers for the permutations of a round, as in scikit-learn (-1 is all processors); the result is the same for
        any number.

    Attributes
    ----------
    support_ : ndarray of shape (n_features,), bool
        The selected features; none if no feature contributes or the payoff is constant, with a warning.
    selected_ : ndarray, int
        Their positions; of a forward search in the order in which they were added.
    rounds_ : DataFrame
        One row a round: see `fselect.selectors.contribution.history.rounds_table`.
    contributions_ : ndarray of shape (n_features,), float64
        Contributions of the first round; 0 for constant columns.
    standard_errors_ : ndarray of shape (n_features,), float64
        Theirs; 0 for constant columns.
    estimator_ : classifier
        The one inside, not fitted.
    final_estimator_ : classifier
        The final one, fitted on the selected features; the largest class if there are none.
    categories_ : dict of int to ndarray
        The values of columns of text, by position, in the order of the codes that classifiers see.
    classes_ : ndarray of shape (n_classes,)
        The labels.
    n_features_ : int
        Number of features that are selected.
    n_features_in_ : int
        Number of features seen.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if X was a frame.

    See Also
    --------
    fselect.selectors.contribution.shapley_values : Exact values of small games.
    fselect.selectors.contribution.contribution_values : The estimate, for any game.

    References
    ----------
    Cohen, Ruppin and Dror (2005), "Feature selection based on the Shapley value".

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> X, y = load_wine(return_X_y=True, as_frame=True)
    >>> search = ContributionSelection("naive_bayes", direction="forward", size=3, draws=60, random_state=0).fit(X, y)
    >>> X.columns[search.selected_[0]]
    'flavanoids'
    """

    def __init__(
        self,
        estimator: Any = "auto",
        *,
        direction: str = "backward",
        step: int = 1,
        size: int = 10,
        n_permutations: int | None = None,
        draws: float | None = None,
        raise_permutations: bool = True,
        threshold: float = 0.0,
        addition: str = "top",
        final_phase: bool = False,
        cv: int = 10,
        scoring: Any = "accuracy",
        final_estimator: Any = None,
        random_state: Any = None,
        n_jobs: int | None = 1,
    ) -> None:
        self.estimator = estimator
        self.direction = direction
        self.step = step
        self.size = size
        self.n_permutations = n_permutations
        self.draws = draws
        self.raise_permutations = raise_permutations
        self.threshold = threshold
        self.addition = addition
        self.final_phase = final_phase
        self.cv = cv
        self.scoring = scoring
        self.final_estimator = final_estimator
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any, *, X_test: Any = None, y_test: Any = None, folder: Any = None) -> Self:
        """Select features.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)
            Finite numbers; in a frame also text and categories, for classifiers that know nominal columns (those
            with a parameter ``nominal``, as C4.5 and naive Bayes, or ``categorical_features``). They see codes, -1
            for a value that is new. Categories that are numbers count as numbers, and booleans as 0 and 1, unless
            such a parameter names the column. Names of a frame's columns are kept.
        y : array-like of shape (n_samples,)
            Labels of two classes or more.
        X_test, y_test : array-like, optional
            Test rows: accuracy of the final classifier on them after each round is put into ``rounds_``. They
            decide nothing.
        folder : path, optional
            Where finished rounds are kept: the same fit goes on from there after an interruption. Scorers and
            classifiers of one's own are told from others by their code and all that it uses.

        Returns
        -------
        ContributionSelection
            The fitted selector.

        Raises
        ------
        InputError
            If the table, the labels or a parameter cannot be used, or the classifier fails on a subset of features.
            If only the final classifier fails, ``selected_``, ``support_`` and ``rounds_`` hold what the search found.

        Warns
        -----
        UserWarning
            If nothing is selected or the payoff says little, if too few permutations are raised or too long ones
            shortened, or rounds cannot be kept or taken up again.
        """
        self._texts = find_texts(X)
        X_, codes, weight = self._read(self._texts.coded(X), y, None, reset=True)
        X_test, y_test = self._test_rows(X_test, y_test)
        if folder is not None and self.random_state is None:
            why = "the next fit draws others, as random_state is None; give an integer"
            warnings.warn(f"rounds that are kept in folder are never taken from it: {why}", UserWarning, stacklevel=2)
        found = search(
            X_,
            codes,
            weight.astype(np.int64),
            self._sought(),
            seed=int(check_random_state(self.random_state).randint(2**31 - 1)),
            n_jobs=self.n_jobs,
            names=self._names(),
            texts=self._texts.mask(X_.shape[1]),
            classes=self.classes_,
            folder=None if folder is None else Path(folder),
        )
        self._keep(found, X_.shape[1])  # before any final fit, so that one that fails does not lose it
        if found.failed is not None:
            raise InputError(f"{found.failed} in the final phase; {_KEPT}") from found.failed
        labels = self.classes_[codes]
        self._final = column_parameters(
            found.final_estimator, X_.shape[1], self._names(), self._texts.mask(X_.shape[1])
        )
        self.final_estimator_ = self._model(X_, labels, found.selected)
        self.rounds_ = rounds_table(found.rounds, found.sets, self._tested(found, X_, labels, X_test, y_test))
        return self

    def _more_checks(self) -> None:
        self._sought()
        check_jobs(self.n_jobs)

    def _test_rows(self, X_test: Any, y_test: Any) -> tuple[np.ndarray | None, np.ndarray | None]:
        """Check the test rows before the search, not after."""
        if (X_test is None) != (y_test is None):
            raise InputError("X_test and y_test go together; give both or none")
        if X_test is None:
            return None, None
        table, labels = self._again(X_test), np.asarray(y_test)
        if labels.shape != (len(table),):
            raise InputError(
                f"y_test must hold a label for each of the {len(table)} rows of X_test, not {labels.shape}"
            )
        _check_shared(labels, self.classes_)
        return table, labels

    def _sought(self) -> Sought:
        names = ("direction", "step", "size", "n_permutations", "draws", "raise_permutations", "threshold", "addition")
        settings = Settings(**{name: getattr(self, name) for name in names})
        return Sought(settings, self.estimator, self.final_estimator, self.final_phase, self.cv, self.scoring)

    def _keep(self, found: Found, d: int) -> None:
        self._found = found
        self.categories_ = dict(self._texts.values)
        self.rounds_ = rounds_table(found.rounds, found.sets, None)
        self.__dict__.pop("final_estimator_", None)  # of an earlier fit
        self.estimator_ = found.estimator
        self.selected_ = np.array(found.selected, dtype=np.int64)
        self.support_ = np.isin(np.arange(d), self.selected_)
        self.n_features_ = int(self.support_.sum())
        first = found.rounds[0]
        self.contributions_, self.standard_errors_ = np.zeros(d), np.zeros(d)
        self.contributions_[first.candidates] = first.contributions.values
        self.standard_errors_[first.candidates] = first.contributions.standard_errors

    def _tested(
        self, found: Found, X: np.ndarray, labels: np.ndarray, table: np.ndarray | None, y_test: np.ndarray | None
    ) -> list[float] | None:
        if table is None:
            return None
        return [self._accuracy(self._model(X, labels, one), table, y_test, one) for one in found.sets]

    def _accuracy(self, model: Any, table: np.ndarray, labels: np.ndarray | None, columns: list[int]) -> float:
        try:
            return float(np.mean(model.predict(_narrow(table, columns)) == labels))
        except Exception as error:
            told = f"cannot predict X_test from {told_columns(np.sort(columns), self._names())}: {reason(error)}"
            raise InputError(f"the final classifier {called(model)} {told}; {_KEPT}") from error

    def _model(self, X: np.ndarray, labels: np.ndarray, columns: Any) -> Any:
        """Fit the final classifier on some columns; the largest class where there are none."""
        places = np.sort(np.asarray(columns, dtype=np.int64))
        model = self._final.narrowed(places) if len(places) else DummyClassifier(strategy="most_frequent")
        try:
            return model.fit(_narrow(X, places), labels)
        except Exception as error:
            told = f"{called(model)} fails on the selected {told_columns(places, self._names())}: {reason(error)}"
            raise InputError(f"the final classifier {told}; {_KEPT}") from error

    def _again(self, X: Any) -> np.ndarray:
        """Read another table with the columns of the first."""
        table: np.ndarray = validate_data(self, self._texts.coded(X), reset=False, dtype=np.float64)
        return table

    def _names(self) -> Any:
        return getattr(self, "feature_names_in_", None)

    @property
    def history_(self) -> pd.DataFrame:
        """One row a candidate of each round: see `fselect.selectors.contribution.history.contributions_table`."""
        check_is_fitted(self, "support_")
        names = getattr(self, "feature_names_in_", [f"x{column}" for column in range(self.n_features_in_)])
        return contributions_table(self._found.rounds, names)

    def predict(self, X: Any) -> np.ndarray:
        """Predict labels with the final classifier on the selected features.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)
            All features, as in ``fit``.

        Returns
        -------
        ndarray of shape (n_samples,)
            Labels; the largest class if nothing was selected.
        """
        check_is_fitted(self, "final_estimator_")
        table = self._again(X)
        predicted: np.ndarray = self.final_estimator_.predict(_narrow(table, self.selected_))
        return predicted


def _narrow(X: np.ndarray, columns: Any) -> np.ndarray:
    """The selected columns in rising order; a column of zeros where there are none."""
    return X[:, np.sort(np.asarray(columns, dtype=np.int64))] if len(columns) else np.zeros((len(X), 1))


def _check_shared(labels: np.ndarray, classes: np.ndarray) -> None:
    """Refuse test labels of another type, none of which could ever be predicted."""
    if not set(labels.tolist()) & set(classes.tolist()):
        told = f"{labels.tolist()[0]!r} is none of {', '.join(map(repr, classes.tolist()[:5]))}"
        raise InputError(f"no label of y_test is one of y: {told}; give both the same type")
