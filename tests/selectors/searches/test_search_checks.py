"""scikit-learn's checks on every search and weighting."""

import warnings

from sklearn.utils.estimator_checks import parametrize_with_checks

from fselect import (
    ABB,
    LVF,
    LVI,
    LVW,
    QBB,
    BeamSearch,
    BranchAndBound,
    EntropyRanking,
    ExhaustiveSearch,
    FloatingSearch,
    Focus,
    PlusMinusSearch,
    Relief,
    ReliefF,
    SequentialSearch,
)

FEW = {"max_evaluations": 30}
SMALL = [
    SequentialSearch(n_features=2),
    SequentialSearch("backward", **FEW),
    FloatingSearch(n_features=2, **FEW),
    FloatingSearch("backward", **FEW),
    PlusMinusSearch(**FEW),
    BeamSearch(2, patience=2, **FEW),
    ExhaustiveSearch(max_features=2, **FEW),
    Focus(**FEW),
    ABB(**FEW),
    BranchAndBound(2, **FEW),
    LVF(max_tries=20),
    LVI(max_tries=20),
    LVW(measure="information", max_failures=3),
    QBB(max_tries=20, max_states=50),
    Relief(),
    ReliefF(k=3),
    EntropyRanking(),
]


@parametrize_with_checks(SMALL)
def test_the_checks_of_scikit_learn_pass(estimator, check):
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "the search was ended by")
        warnings.filterwarnings("ignore", "2 features are asked for")  # some of their tables have two columns or one
        check(estimator)
