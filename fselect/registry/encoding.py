"""How each feature of a set comes out of a column of the user's table, and the transformer that does it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import pandas as pd

from fselect.errors import InputError

__all__ = ["Feature", "build_transformer", "features_of", "prototype", "untransformed"]

BOOLEAN = ("False", "True")


@dataclass(frozen=True)
class Feature:
    """One feature of a set.

    Parameters
    ----------
    name : str
        Its name in the study.
    column : str
        The column of the table that it is made of.
    encoding : {"none", "boolean", "binary", "indicator"}
        ``none``: a number that is taken as it is; ``boolean``: true is 1; ``binary``: text, 1 for the second of two
        levels; ``indicator``: text, 1 for one level of several.
    levels : tuple of str
        All levels of a text column.
    level : str or None
        The level of an indicator.
    """

    name: str
    column: str
    encoding: Literal["none", "boolean", "binary", "indicator"] = "none"
    levels: tuple[str, ...] = ()
    level: str | None = None

    @property
    def is_text(self) -> bool:
        """Whether the column holds text."""
        return self.encoding in ("binary", "indicator")


def features_of(names: Sequence[str], recipe: Mapping[str, Any]) -> tuple[Feature, ...]:
    """Trace the features of a set back to the columns of the table.

    Parameters
    ----------
    names : sequence of str
        The set, as the study calls its features.
    recipe : mapping
        The dataset's record of how its table was read; ``levels`` holds the text columns.

    Returns
    -------
    tuple of Feature

    Examples
    --------
    >>> recipe = {"levels": {"sex": ["f", "m"], "stage": ["I", "II", "III"]}}
    >>> [(f.column, f.encoding, f.level) for f in features_of(["age", "sex", "stage=II"], recipe)]
    [('age', 'none', None), ('sex', 'binary', None), ('stage', 'indicator', 'II')]
    """
    levels = {name: tuple(values) for name, values in recipe.get("levels", {}).items()}
    made = {f"{column}={level}": (column, level) for column, values in levels.items() for level in values}
    return tuple(_feature(name, levels, made) for name in names)


def _feature(name: str, levels: Mapping[str, tuple[str, ...]], made: Mapping[str, tuple[str, str]]) -> Feature:
    if name in levels:
        kind: Literal["boolean", "binary"] = "boolean" if levels[name] == BOOLEAN else "binary"
        return Feature(name, name, kind, levels[name])
    if name in made:
        column, level = made[name]
        return Feature(name, column, "indicator", levels[column], level)
    return Feature(name, name)


def untransformed(recipe: Mapping[str, Any]) -> str | None:
    """Say what the study did to the values that the promoted transformer does not do.

    Examples
    --------
    >>> print(untransformed({"options": {"clip": [10, 16000], "log": 10.0}}))
    selects and encodes columns only; the study clipped values to [10, 16000], then took logarithms to base 10
    """
    options = recipe.get("options") or {}
    steps = []
    if options.get("clip") is not None:
        steps.append(f"clipped values to {list(options['clip'])}")
    if options.get("log") is not None:
        steps.append(f"took logarithms to base {options['log']:g}")
    if recipe.get("imputed"):
        steps.insert(0, "imputed missing values")
    return f"selects and encodes columns only; the study {', then '.join(steps)}" if steps else None


def build_transformer(features: Sequence[Feature]) -> Any:
    """Build scikit-learn's own transformer for a set, fitted, so that it loads where fselect is not installed.

    It is fitted on a made-up row with the set's columns: which columns it takes and how it encodes them is all that
    it learns, so no value of anyone's table goes into the registry.

    Parameters
    ----------
    features : sequence of Feature
        The set, in the order of the output.

    Returns
    -------
    sklearn.compose.ColumnTransformer
        It picks its columns by name, in any order, from tables that may have more, and names those that are missing.
        An indicator is called ``column_level`` there, as scikit-learn's encoder does, and not ``column=level``.

    Raises
    ------
    InputError
        The set is empty.

    Examples
    --------
    >>> panel = build_transformer(features_of(["b", "a"], {}))
    >>> panel.transform(pd.DataFrame({"a": [1.0], "more": [0.0], "b": [2.0]})).tolist()
    [[2.0, 1.0]]
    """
    if not features:
        raise InputError("the set is empty; there is nothing to promote")
    from sklearn.compose import ColumnTransformer

    steps = [_step(number, group) for number, group in enumerate(_groups(features))]
    outputs = [_output_name(feature) for feature in features]
    clash = len(set(outputs)) < len(outputs)  # an indicator called like a column
    return ColumnTransformer(steps, verbose_feature_names_out=clash).fit(prototype(features))


def prototype(features: Sequence[Feature]) -> pd.DataFrame:
    """Make one row with the columns of a set and the type of each: zeros, False, and first levels.

    Examples
    --------
    >>> prototype(features_of(["age", "sex"], {"levels": {"sex": ["f", "m"]}})).to_dict("records")
    [{'age': 0.0, 'sex': 'f'}]
    """
    return pd.DataFrame({feature.column: [_example(feature)] for feature in features})


def _example(feature: Feature) -> str | bool | float:
    if feature.is_text:
        return feature.levels[0]
    return False if feature.encoding == "boolean" else 0.0


def _groups(features: Sequence[Feature]) -> Iterable[list[Feature]]:
    """Neighbours that are taken as they are form one step; every encoded feature is one of its own."""
    group: list[Feature] = []
    for feature in features:
        if group and (feature.is_text or group[-1].is_text):
            yield group
            group = []
        group.append(feature)
    if group:
        yield group


def _step(number: int, group: Sequence[Feature]) -> tuple[str, Any, list[str]]:
    columns = [feature.column for feature in group]
    if not group[0].is_text:
        return (f"selected_{number}" if number else "selected", "passthrough", columns)
    return (f"encoded_{number}", _encoder(group[0]), columns)


def _encoder(feature: Feature) -> Any:
    from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder

    if feature.encoding == "binary":
        return OrdinalEncoder(categories=[list(feature.levels)])
    # One level of several: the others are "unknown" to this encoder, and rightly 0.
    return OneHotEncoder(categories=[[feature.level]], handle_unknown="ignore", sparse_output=False)


def _output_name(feature: Feature) -> str:
    return f"{feature.column}_{feature.level}" if feature.encoding == "indicator" else feature.name
