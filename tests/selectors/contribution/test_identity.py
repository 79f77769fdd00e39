"""Which functions and classifiers are the same search, and which only look so."""

from __future__ import annotations

import functools
import importlib
import os
import threading
import warnings

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_wine
from sklearn.metrics import accuracy_score, make_scorer, recall_score
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier

from fselect import ContributionSelection
from fselect.selectors.contribution.identity import identity

LOCK = threading.Lock()


def written(source, **globals_):
    """What a source defines as f, as if written in a notebook."""
    space = {"__name__": "__main__", **globals_}
    exec(source, space)
    return space["f"]


SAME = [
    ("f = lambda m, X, y: (m.predict(X) == y).mean()", {}),
    ("def f(m, X, y):\n    return helper(X) + 1", {"helper": written("def f(X): return X")}),
    ("class f:\n    def fit(self, X): return super().fit(X)\n    @property\n    def p(self): return f", {}),
    ("f = part(max, 3, key=abs)", {"part": functools.partial}),
    ("import numpy as np\ndef f(x): return np.mean([g(x) for g in (f, abs)])", {}),
]


@pytest.mark.parametrize(("source", "used"), SAME)
def test_the_same_source_written_again_is_the_same(source, used):
    assert identity(written(source, **used)) == identity(written("\n\n" + source, **used)) is not None


OTHER = [
    (written("f = lambda x: x > 1"), written("f = lambda x: x < 1")),
    (written("f = lambda x: x + 1"), written("f = lambda x: x + 1.0")),
    (written("f = lambda x, k=1: x"), written("f = lambda x, k=2: x")),
    (written("f = (lambda k: lambda x: x + k)(1)"), written("f = (lambda k: lambda x: x + k)(2)")),
    (written("f = lambda x: g(x)", g=written("f = lambda x: 1")), written("f = lambda x: g(x)", g=abs)),
    (written("f = lambda x: x[K]", K=1), written("f = lambda x: x[K]", K=2)),
    (written("class f:\n    def p(self): return 1"), written("class f:\n    def p(self): return 2")),
    (written("class f(B): pass", B=GaussianNB), written("class f(B): pass", B=DecisionTreeClassifier)),
    (functools.partial(max, 1), functools.partial(max, 2)),
    (make_scorer(recall_score, pos_label="p"), make_scorer(recall_score, pos_label="q")),
    (make_scorer(recall_score), make_scorer(accuracy_score)),
    (make_pipeline(GaussianNB()), make_pipeline(GaussianNB(var_smoothing=1e-3))),
    (GaussianNB(priors=np.arange(5000.0)), GaussianNB(priors=np.where(np.arange(5000) == 2500, -1, np.arange(5000.0)))),
    (np.random.RandomState(0), np.random.RandomState(1)),
    (functools.wraps(accuracy_score)(lambda *x: 1), functools.wraps(accuracy_score)(lambda *x: 2)),
]


@pytest.mark.parametrize(("one", "other"), OTHER)
def test_what_gives_other_results_is_another(one, other):
    assert None is not identity(one) != identity(other) is not None


def test_what_cannot_be_told_has_no_name():
    assert identity(written("f = lambda x: LOCK", LOCK=LOCK)) is None
    assert identity([LOCK]) is None


class Wrapping(ClassifierMixin, BaseEstimator):
    """Hands rows to another classifier."""

    def __init__(self, made=GaussianNB):
        self.made = made

    def fit(self, X, y):
        self.model_ = self.made().fit(X, y)
        self.classes_ = self.model_.classes_
        return self

    def predict(self, X):
        return self.model_.predict(X)


@pytest.fixture(scope="module")
def wine():
    X, y = load_wine(return_X_y=True)
    return X[::2, :5], y[::2]


def searched(wine, folder, **options):
    given = {"direction": "forward", "size": 2, "step": 2, "cv": 2, "random_state": 0, "estimator": "naive_bayes"}
    return ContributionSelection(**given | options).fit(*wine, folder=folder)


def recall_of(label):
    return lambda model, X, y: float((model.predict(X)[y == label] == label).mean())


def test_scorers_that_look_the_same_do_not_share_rounds(wine, tmp_path):
    for label in (1, 2, 1):
        shared = searched(wine, tmp_path, scoring=recall_of(label))
        alone = searched(wine, None, scoring=recall_of(label))
        assert shared.history_.equals(alone.history_)
    assert len(list(tmp_path.iterdir())) == 2  # the first was taken up again


def test_classifiers_of_one_name_do_not_share_rounds(wine, tmp_path):
    source = "class f(Wrapping):\n    def predict(self, X): return self.model_.predict({0})"
    for rows in ("X", "X[::-1]", "X"):
        searched(wine, tmp_path, estimator=written(source.format(rows), Wrapping=Wrapping)())
    assert len(list(tmp_path.iterdir())) == 2


def test_renamed_labels_are_another_search_for_a_scorer_that_sees_them(wine, tmp_path):
    X, y = wine
    for names in (["p", "q", "r"], ["q", "x", "z"]):
        searched((X, np.array(names)[y]), tmp_path, scoring=recall_of("q"))
    assert len(list(tmp_path.iterdir())) == 2


def test_a_scorer_that_cannot_be_told_from_others_keeps_no_rounds_and_that_is_said(wine, tmp_path):
    def guarded(model, X, y):
        with LOCK:
            return 0.5 + 0.001 * X.shape[1]

    with pytest.warns(UserWarning, match="no round is kept in folder, or taken from it: scoring guarded uses"):
        found = searched(wine, tmp_path, scoring=guarded)
    assert found.n_features_ > 0
    assert not list(tmp_path.iterdir())


def test_without_a_seed_a_folder_is_of_no_use_and_that_is_said(wine, tmp_path):
    with pytest.warns(UserWarning, match="never taken from it: the next fit draws others, as random_state is None"):
        searched(wine, tmp_path, random_state=None)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        searched(wine, tmp_path)


def test_a_module_of_ones_own_is_told_by_what_is_in_it(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    file = tmp_path / "own_metric.py"
    file.write_text("def recall(p, b):\n    return float((p == b).mean())\n")
    own_metric = importlib.import_module("own_metric")

    def score(model, A, b):
        return own_metric.recall(model.predict(A), b)

    before = identity(score)
    assert identity(score) == before
    monkeypatch.setattr(own_metric, "LIMIT", 2, raising=False)
    assert identity(score) != before
    file.write_text("def recall(p, b):\n    return float((p[b == 2] == 2).mean())\n")
    os.utime(file, (1, 1))
    importlib.reload(own_metric)
    monkeypatch.delattr(own_metric, "LIMIT")
    assert identity(score) != before
