"""The transformer is scikit-learn's own, and makes the study's features of the user's columns."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import skops.io

from fselect.errors import InputError
from fselect.registry.encoding import build_transformer, features_of, untransformed

RECIPE = {"levels": {"a": ["x", "y", "z"], "b": ["n", "y"], "c": ["False", "True"]}}


def test_any_mix_survives_skops_without_trusted_types():
    panel = build_transformer(features_of(["a=z", "n", "c", "b", "a=x"], RECIPE))
    packed = skops.io.dumps(panel)
    assert skops.io.get_untrusted_types(data=packed) == []
    table = pd.DataFrame({"n": [0.5, 1.5], "c": [True, False], "b": ["y", "n"], "a": ["x", "z"]})
    np.testing.assert_array_equal(skops.io.loads(packed).transform(table), [[0, 0.5, 1, 1, 1], [1, 1.5, 0, 0, 0]])


def test_a_number_column_called_like_an_indicator_is_itself():
    features = features_of(["a=w"], RECIPE)  # w is no level of a, so this is a column of that name
    assert (features[0].column, features[0].encoding) == ("a=w", "none")


def test_an_indicator_that_would_clash_with_a_column_keeps_both():
    panel = build_transformer(features_of(["a_x", "a=x"], RECIPE))
    assert len(set(panel.get_feature_names_out())) == 2
    np.testing.assert_array_equal(panel.transform(pd.DataFrame({"a": ["x"], "a_x": [3.0]})), [[3, 1]])


def test_a_table_without_names_is_refused():
    panel = build_transformer(features_of(["n", "m"], {}))
    with pytest.raises(ValueError, match="X has 3 features"):
        panel.transform(np.zeros((2, 3)))


def test_an_empty_set_is_refused():
    with pytest.raises(InputError, match="the set is empty"):
        build_transformer(())


def test_what_the_transformer_leaves_undone_is_said():
    assert untransformed({"options": {"clip": None, "log": None}}) is None
    assert untransformed({}) is None
    said = untransformed({"options": {"clip": [10, 16000], "log": 10.0}, "imputed": {"age": 2}})
    assert said.endswith("imputed missing values, then clipped values to [10, 16000], then took logarithms to base 10")
