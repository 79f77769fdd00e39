"""Apply a promoted set to a table: the right columns, in order, whatever else the table holds."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from fselect.datasets.columns import Table
from fselect.datasets.nominal import MISSING_LEVEL
from fselect.datasets.table_source import read_frame, source_label
from fselect.datasets.text_values import is_plain_number_type, parse_column
from fselect.datasets.wording import listing, plural
from fselect.errors import InputError, MissingExtra
from fselect.registry.encoding import Feature, features_of
from fselect.registry.promotion import EVIDENCE
from fselect.registry.versions import find_version
from fselect.tracking import Store, open_store

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

    def transform(self, table: Any) -> pd.DataFrame:
        """Take the set's columns from a table.

        Parameters
        ----------
        table : path, pandas or polars frame
            With at least the columns of the set, in any order.

        Returns
        -------
        DataFrame of float64
            One column a feature, called as in the study, the rows and row labels of `table`.

        Raises
        ------
        InputError
            Columns are missing or hold what they cannot; the sentence names them.
        """
        label = source_label(table)
        frame = Table(read_frame(table), label, self.name).named_columns().frame
        self._check_columns(frame, label)
        ready = {f.column: _values(frame[f.column], f, self._missing_is_level, label) for f in self.features}
        output = np.asarray(self.transformer.transform(pd.DataFrame(ready)), dtype=np.float64)
        return pd.DataFrame(output, columns=[f.name for f in self.features], index=frame.index)

    @property
    def _missing_is_level(self) -> bool:
        return bool(self.evidence.get("options", {}).get("missing") == "category")

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
        place = _download(store, version, folder)
        evidence = _read_evidence(place, reference)
        transformer = _load(place)
    levels = {entry["column"]: entry["levels"] for entry in evidence["columns"] if entry.get("levels")}
    features = features_of(evidence["features"], {"levels": levels})
    return Panel(version.name, int(version.version), features, evidence, transformer)


def _download(store: Store, version: Any, folder: str) -> Path:
    """Fetch a version's files from where they lie; models:/NAME/3 would ask MLflow's global address."""
    from mlflow.artifacts import download_artifacts
    from mlflow.exceptions import MlflowException

    source = store.client.get_model_version_download_uri(version.name, version.version)
    try:
        return Path(download_artifacts(artifact_uri=source, dst_path=folder, tracking_uri=store.uri))
    except (MlflowException, OSError) as error:
        reason = " ".join(str(error).split())[:200]
        what = f"version {version.version} of {version.name!r}"
        raise InputError(f"the files of {what} cannot be read: {reason}; promote it again") from None


def _load(place: Path) -> Any:
    import mlflow.sklearn

    try:
        return mlflow.sklearn.load_model(str(place))
    except ImportError as error:
        raise MissingExtra(error.name or "skops", extra="pipeline") from None


def apply(project: Project, reference: str, table: Any) -> pd.DataFrame:
    """Apply a promoted set to a table.

    Parameters
    ----------
    project : Project
        The project.
    reference : str
        ``NAME@champion``, ``NAME@3``, or ``NAME`` for the latest version.
    table : path, pandas or polars frame
        With at least the columns of the set, in any order.

    Returns
    -------
    DataFrame of float64
        One column a feature, the rows of `table`. Values are as in the table: what the study did to them beyond
        encoding (a logarithm, say) is for the model's own pipeline to do.

    Raises
    ------
    InputError
        No such set, or a table without its columns.
    """
    return load_panel(project, reference).transform(table)


def _read_evidence(place: Path, reference: str) -> dict[str, Any]:
    try:
        evidence: dict[str, Any] = json.loads((place / EVIDENCE).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(f"{reference!r} is a registered model but no set that fselect promoted") from None
    return evidence


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
    parsed = parse_column(column, feature.column, label, np.arange(len(column)))
    if parsed.dtype == object:
        raise InputError(f"{label}: column {feature.column!r} holds text, but the set was made from numbers there")
    return parsed


def _texts(column: pd.Series, feature: Feature, label: str) -> list[str | None]:
    as_category = column.astype("category") if is_plain_number_type(column.dtype) else column
    parsed = parse_column(as_category, feature.column, label, np.arange(len(column)))
    if parsed.dtype != object:  # texts that all look like numbers, "1" and "2"
        parsed = parse_column(column.astype("category"), feature.column, label, np.arange(len(column)))
    return [None if _absent(text) else str(text) for text in parsed.tolist()]


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
