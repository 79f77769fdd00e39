"""Apply a promoted set to a table: the right columns, in order, whatever else the table holds."""

from __future__ import annotations

import tempfile
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import yaml

from fselect.datasets.checks import check_finite
from fselect.datasets.columns import Table
from fselect.datasets.nominal import MISSING_LEVEL
from fselect.datasets.table_source import read_frame, source_label
from fselect.datasets.text_values import is_plain_number_type, parse_column
from fselect.datasets.wording import did_you_mean, listing, plural
from fselect.errors import InputError, MissingExtra
from fselect.registry.documents import download, evidence_of
from fselect.registry.encoding import Feature, features_of
from fselect.registry.versions import find_version
from fselect.tracking import open_store

if TYPE_CHECKING:
    from fselect.study.project import Project

__all__ = ["Panel", "apply", "load_panel"]


@dataclass(frozen=True)
class Panel:
    """A promoted set, loaded.

    Parameters
    ----------
    name : str
        Registered name.
    version : int
        Its version.
    features : tuple of Feature
        The set, in the order of the output.
    evidence : dict
        What it rests on: data hash, run, accuracy, stability and frequencies.
    transformer : sklearn.compose.ColumnTransformer
        What ``mlflow.sklearn.load_model`` gives.
    """

    name: str
    version: int
    features: tuple[Feature, ...]
    evidence: dict[str, Any]
    transformer: Any

    def transform(self, table: Any, *, sheet: str | int | None = None, keep: Sequence[str] = ()) -> pd.DataFrame:
        """Take the set's columns from a table.

        Parameters
        ----------
        table : path, pandas or polars frame
            With at least the columns of the set, in any order.
        sheet : str or int, optional
            Sheet of an Excel file, by name or by number from 0. Default: the first.
        keep : sequence of str, optional
            Other columns of the table, identifiers say, that come first, as they are.

        Returns
        -------
        DataFrame
            One column of float64 a feature, called as in the study, the rows and row labels of `table`.

        Raises
        ------
        InputError
            Columns are missing or hold what they cannot, or one to keep is of the set; the sentence names them.
        """
        return self._take(read_frame(table, sheet), source_label(table), keep)

    def _take(self, table: pd.DataFrame, label: str, keep: Sequence[str]) -> pd.DataFrame:
        frame = Table(table, label, self.name).named_columns().frame
        self._check_columns(frame, label)
        self._check_kept(frame, label, keep)
        ready = {f.column: _values(frame[f.column], f, self._missing_is_level, label) for f in self.features}
        output = np.asarray(self.transformer.transform(pd.DataFrame(ready)), dtype=np.float64)
        check_finite(output, [f.name for f in self.features], label, allow_missing=True)
        taken = pd.DataFrame(output, columns=[f.name for f in self.features], index=frame.index)
        return pd.concat([frame[list(dict.fromkeys(keep))], taken], axis=1) if keep else taken

    @property
    def _missing_is_level(self) -> bool:
        return bool(self.evidence.get("options", {}).get("missing") == "category")

    def _check_kept(self, frame: pd.DataFrame, label: str, keep: Sequence[str]) -> None:
        for name in keep:
            if name not in frame.columns:
                raise InputError(f"{label} has no column {name!r} to keep{did_you_mean(name, list(frame.columns))}")
            if name in {f.name for f in self.features}:
                raise InputError(f"{label}: column {name!r} is one of {self.name} already; do not ask to keep it")

    def _check_columns(self, frame: pd.DataFrame, label: str) -> None:
        there = set(frame.columns)
        lacking = [name for name in dict.fromkeys(f.column for f in self.features) if name not in there]
        if lacking:
            raise InputError(
                f"{label} lacks {plural(len(lacking), 'column')} of {self.name}, version {self.version}: "
                f"{listing(lacking, limit=10)}"
            )


def load_panel(project: Project, reference: str) -> Panel:
    """Load a promoted set.

    Parameters
    ----------
    project : Project
        The project.
    reference : str
        ``NAME@champion``, ``NAME@3``, or ``NAME`` for the latest version.

    Returns
    -------
    Panel

    Raises
    ------
    InputError
        No such set, version or alias; or a registered model that is no promoted set.
    """
    store = open_store(project)
    version = find_version(store, reference)
    with tempfile.TemporaryDirectory() as folder:
        place = download(store, version, folder)
        evidence = evidence_of(place, reference)
        transformer = _load(place, reference)
    levels = {entry["column"]: entry["levels"] for entry in evidence["columns"] if entry.get("levels")}
    features = features_of(evidence["features"], {"levels": levels})
    return Panel(version.name, int(version.version), features, evidence, transformer)


def _load(place: Path, reference: str) -> Any:
    import mlflow.sklearn

    _check_harmless(place, reference)
    try:
        return mlflow.sklearn.load_model(str(place))
    except ImportError as error:
        raise MissingExtra(error.name or "skops", extra="pipeline") from None


def _check_harmless(place: Path, reference: str) -> None:
    """Refuse a model that would run code of its own when it is loaded: MLflow unpickles whatever a registry names."""
    try:
        flavors = yaml.safe_load((place / "MLmodel").read_text(encoding="utf-8"))["flavors"]
        flavor, others = flavors["sklearn"], flavors.get("python_function", {})
        fine = flavor["serialization_format"] == "skops" and not flavor.get("skops_trusted_types")
        fine = fine and not flavor.get("code") and not others.get("code")
        fine = fine and zipfile.is_zipfile(place / str(flavor["pickled_model"]))
    except (OSError, yaml.YAMLError, KeyError, TypeError, AttributeError):
        fine = False
    if not fine:
        raise InputError(
            f"{reference!r} is not stored as fselect stores promoted sets (skops, without trusted types or code) and "
            "might run code when it is loaded; promote the set again from its run"
        )


def apply(
    project: Project, reference: str, table: Any, *, sheet: str | int | None = None, keep: Sequence[str] = ()
) -> pd.DataFrame:
    """Apply a promoted set to a table.

    Parameters
    ----------
    project : Project
        The project.
    reference : str
        ``NAME@champion``, ``NAME@3``, or ``NAME`` for the latest version.
    table : path, pandas or polars frame
        With at least the columns of the set, in any order.
    sheet : str or int, optional
        Sheet of an Excel file, by name or by number from 0. Default: the first.
    keep : sequence of str, optional
        Other columns of the table, identifiers say, that come first, as they are.

    Returns
    -------
    DataFrame
        One column of float64 a feature, the rows of `table`. Values are as in the table: what the study did to them
        beyond encoding (a logarithm, say) is for the model's own pipeline to do.

    Raises
    ------
    InputError
        No such set, or a table without its columns or those to keep.
    """
    frame = read_frame(table, sheet)  # refused before the set is loaded
    return load_panel(project, reference)._take(frame, source_label(table), keep)


def _values(column: pd.Series, feature: Feature, missing_is_level: bool, label: str) -> Any:
    """Read a column as the study's own reader does, so that "1", 1 and True mean the same again."""
    if feature.encoding == "none" or (feature.encoding == "boolean" and is_plain_number_type(column.dtype)):
        return _numbers(column, feature, label)
    texts = _texts(column, feature, label)
    if missing_is_level and MISSING_LEVEL in feature.levels:
        texts = [MISSING_LEVEL if text is None else text for text in texts]
    _check_levels(texts, feature, label)
    return [text == feature.levels[-1] for text in texts] if feature.encoding == "boolean" else texts


def _numbers(column: pd.Series, feature: Feature, label: str) -> np.ndarray:
    if is_plain_number_type(column.dtype):
        return column.to_numpy(dtype=np.float64, na_value=np.nan)
    parsed = _parsed(column, feature, label)
    if parsed.dtype == object:
        raise InputError(f"{label}: column {feature.column!r} holds text, but the set was made from numbers there")
    return parsed


def _texts(column: pd.Series, feature: Feature, label: str) -> list[str | None]:
    as_category = column.astype("category") if is_plain_number_type(column.dtype) else column
    parsed = _parsed(as_category, feature, label)
    if parsed.dtype != object:  # texts that all look like numbers, "1" and "2"
        parsed = _parsed(column.astype("category"), feature, label)
    return [None if _absent(text) else str(text) for text in parsed.tolist()]


def _parsed(column: pd.Series, feature: Feature, label: str) -> np.ndarray:
    """Parse a column, which cannot be dropped here: the set is made of it."""
    correct = "correct the cell" if feature.encoding != "none" else "correct the cell, or leave it empty"
    return parse_column(column, feature.column, label, np.arange(len(column)), way_out=correct)


def _absent(value: object) -> bool:
    return value is None or value != value


def _check_levels(texts: Sequence[str | None], feature: Feature, label: str) -> None:
    for row, text in enumerate(texts, start=1):
        if text not in feature.levels:
            what = "is empty" if text is None else f"holds {text!r}"
            raise InputError(
                f"{label}: column {feature.column!r} {what} in row {row}, which the set's study never saw; "
                f"it knows {listing(feature.levels)}"
            )
