"""One MLflow run as data, before it is sent: it can wait in a file for a server that is away."""

from __future__ import annotations

import io
import json
import math
import zipfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

__all__ = ["Input", "RunRecord", "finite"]

_STAMP = (1980, 1, 1, 0, 0, 0)
_HEAD = "record.json"


@dataclass(frozen=True)
class Input:
    """A table that a run used, by name and content; no data goes along."""

    name: str
    digest: str
    location: str
    rows: int
    columns: int
    classes: Mapping[str, int]


@dataclass(frozen=True)
class RunRecord:
    """Everything one run will hold.

    Parameters
    ----------
    key : str
        Identity of the result; no two runs of a store carry the same one.
    experiment, name : str
        The study, and the run's name in lists.
    metrics : mapping of str to float
        Finite numbers only (see `finite`).
    curves : mapping of str to list of (int, float)
        Metrics by step.
    params, tags : mapping of str to str
        Short text.
    tables : tuple of str
        Names of the files that are tables in MLflow's own format.
    inputs : tuple of Input
        The tables that went in.
    files : callable
        Gives the artifacts, content by path. A function, because plots cost seconds and most calls find the run
        already there.
    """

    key: str
    experiment: str
    name: str
    metrics: Mapping[str, float]
    params: Mapping[str, str]
    tags: Mapping[str, str]
    curves: Mapping[str, list[tuple[int, float]]] = field(default_factory=dict)
    tables: tuple[str, ...] = ()
    inputs: tuple[Input, ...] = ()
    files: Callable[[], Mapping[str, bytes]] = field(default=dict, compare=False)

    def to_bytes(self) -> bytes:
        """Pack the record with its files into one ZIP archive; the same record gives the same bytes."""
        head = {name: value for name, value in vars(self).items() if name not in ("files", "inputs")}
        head["inputs"] = [vars(item) for item in self.inputs]
        parts = {_HEAD: json.dumps(head, sort_keys=True).encode()}
        parts |= {f"files/{path}": content for path, content in self.files().items()}
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
            for path in sorted(parts):
                archive.writestr(zipfile.ZipInfo(path, _STAMP), parts[path])
        return buffer.getvalue()

    @classmethod
    def from_bytes(cls, content: bytes) -> RunRecord:
        """Unpack what `to_bytes` packed."""
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            parts = {path: archive.read(path) for path in archive.namelist()}
        head: dict[str, Any] = json.loads(parts.pop(_HEAD))
        files = {path.removeprefix("files/"): part for path, part in parts.items()}
        head["inputs"] = tuple(Input(**item) for item in head["inputs"])
        head["tables"] = tuple(head["tables"])
        head["curves"] = {name: [(step, value) for step, value in curve] for name, curve in head["curves"].items()}
        return cls(**head, files=lambda: files)


def finite(values: Iterable[tuple[str, float | None]]) -> tuple[dict[str, float], list[str]]:
    """Separate the metrics that MLflow can hold from those it cannot.

    A NaN breaks MLflow's run page and an infinity is stored as 1.8e308, so neither is ever sent; their names are,
    as a tag.

    Parameters
    ----------
    values : iterable of (str, float or None)
        Metrics by name; None means not applicable and is left out of both results.

    Returns
    -------
    metrics : dict of str to float
        The finite ones.
    undefined : list of str
        Names of the others, sorted.

    Examples
    --------
    >>> finite([("accuracy", 0.9), ("roc_auc", float("nan")), ("shape", None)])
    ({'accuracy': 0.9}, ['roc_auc'])
    """
    given = {name: float(value) for name, value in values if value is not None}
    good = {name: value for name, value in given.items() if math.isfinite(value)}
    return good, sorted(set(given) - set(good))
