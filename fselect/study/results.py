"""What a study found, as data: points, fronts and the operating point, with their JSON file."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np

from fselect.errors import InputError
from fselect.evaluation.pareto import Ellipse
from fselect.files import write_atomically

__all__ = ["Front", "HeatMap", "Point", "Summary", "TaskInfo"]


@dataclass(frozen=True)
class TaskInfo:
    """One task: its name, size, class counts by label, and the content hash of its table."""

    name: str
    n_samples: int
    n_features: int
    classes: Mapping[str, int]
    data_hash: str


@dataclass(frozen=True, eq=False)
class Point:
    """One point of the trade-off: a bias, its estimates over the repeats, and the set that stands for it.

    Parameters
    ----------
    label : str
        ``strength 2``, ``shape 0.5``, ``unbiased``, ``random set``, ``first set`` or
        ``champion's set``.
    method : str
        The selection method.
    kind : {"biased", "unbiased", "trivial"}
        Trivial strategies are shown for comparison and never promoted.
    shape, strength : float or None
        The bias, by protocol.
    repeats, n_features : int
        Repeats of the protocol, and features in a set.
    accuracy, accuracy_se, stability, stability_se : float
        Means over the repeats and their standard errors (nan with one repeat). They estimate the procedure.
    balanced_accuracy, roc_auc : float
        Means; nan where undefined.
    pairs : ndarray of shape (repeats, 2)
        Accuracy and stability of each repeat.
    ellipse : Ellipse or None
        Confidence ellipse of the mean; None with fewer than three repeats.
    on_front : bool
        Whether the point is Pareto-optimal on its front.
    selected : tuple of str
        The set of the point, from all rows; empty for trivial strategies.
    frequencies : mapping of str to float
        Share of fresh bootstraps that selected a feature, where above 0.
    weights : mapping of str to float
        Standardised weights of the final model on all rows, for `selected`.
    key : str
        Hash of the study's digest and the point; the tracked run carries it.
    """

    label: str
    method: str
    kind: Literal["biased", "unbiased", "trivial"]
    shape: float | None
    strength: float | None
    repeats: int
    n_features: int
    accuracy: float
    accuracy_se: float
    stability: float
    stability_se: float
    balanced_accuracy: float
    roc_auc: float
    pairs: np.ndarray
    ellipse: Ellipse | None
    on_front: bool
    selected: tuple[str, ...]
    frequencies: Mapping[str, float]
    weights: Mapping[str, float]
    key: str


@dataclass(frozen=True)
class Front:
    """A set of points, its Pareto front, and the dominance area with two intervals.

    Parameters
    ----------
    label : str
        ``transfer front``, ``single front``, ``arrival front``, ``trivial front`` or ``single front without random
        set``.
    members, front : tuple of int
        Positions in the summary's points: all members, and the Pareto-optimal ones by rising stability.
    area, area_low, area_high : float
        Dominance area, with the interval made of the front points' confidence ellipses (not simultaneous).
    bootstrap_low, bootstrap_high : float
        Percentile-bootstrap interval of the area, repeats resampled jointly for all points.
    key : str
        Hash of the study's digest and the front's label.
    """

    label: str
    members: tuple[int, ...]
    front: tuple[int, ...]
    area: float
    area_low: float
    area_high: float
    bootstrap_low: float
    bootstrap_high: float
    key: str


@dataclass(frozen=True, eq=False)
class HeatMap:
    """Which features were selected where, for the operating point: selection frequency per row and feature."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    values: np.ndarray


@dataclass(frozen=True, eq=False)
class Summary:
    """Everything that is shown, tracked and promoted of a study; a function of the archive and the tasks.

    `fronts[0]` is the main front; `operating_point` is a position in `points`, chosen for `reason`.
    """

    study: str
    protocol: Literal["transfer", "single", "arrival"]
    method: str
    parameters: Mapping[str, Any]
    seed: int
    level: float
    digest: str
    tasks: tuple[TaskInfo, ...]
    points: tuple[Point, ...]
    fronts: tuple[Front, ...]
    operating_point: int
    reason: str
    redraws: int
    notes: tuple[str, ...]
    heat: HeatMap

    @property
    def chosen(self) -> Point:
        """The point of the operating point."""
        return self.points[self.operating_point]

    def write(self, path: Path) -> Path:
        """Write the summary as deterministic JSON, atomically."""
        text = json.dumps(_encoded(self), indent=1, allow_nan=False, ensure_ascii=False)
        return write_atomically(path, (text + "\n").encode("utf-8"))

    @classmethod
    def read(cls, path: Path | str) -> Summary:
        """Read a summary that `write` wrote.

        Raises
        ------
        InputError
            If there is none, or the file is not a summary.
        """
        path = Path(path)
        try:
            return _summary(json.loads(path.read_text(encoding="utf-8")))
        except FileNotFoundError:
            raise InputError(f"no summary at {path}; make it first: fselect stage evaluate") from None
        except (ValueError, KeyError, TypeError, AttributeError):
            raise InputError(f"{path} is not a summary; make it again: fselect stage evaluate") from None


def _encoded(value: Any) -> Any:
    """Plain JSON values; nan becomes null."""
    if is_dataclass(value):
        return {item.name: _encoded(getattr(value, item.name)) for item in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): _encoded(item) for key, item in value.items()}
    if isinstance(value, np.ndarray | list | tuple):
        return [_encoded(item) for item in value]
    if isinstance(value, np.generic):
        return _encoded(value.item())
    return _rounded(value) if isinstance(value, float) else value


def _rounded(value: float) -> float | None:
    """Twelve digits: linear algebra differs in the last ones from processor to processor, and the bytes should not."""
    if not math.isfinite(value):
        return None
    return 0.0 if abs(value) < 1e-15 else float(f"{value:.12g}")


def _array(value: Any) -> np.ndarray:
    return np.array(value, dtype=float)


def _ellipse(value: dict[str, Any] | None) -> Ellipse | None:
    return None if value is None else Ellipse(**{name: _array(item) for name, item in value.items()})


_MEASURED = {"accuracy", "accuracy_se", "stability", "stability_se", "balanced_accuracy", "roc_auc"}
_AREAS = {"area", "area_low", "area_high", "bootstrap_low", "bootstrap_high"}


def _numbers(value: dict[str, Any], names: set[str]) -> dict[str, Any]:
    return {name: math.nan if name in names and item is None else item for name, item in value.items()}


def _point(value: dict[str, Any]) -> Point:
    point = Point(**_numbers(value, _MEASURED))
    pairs = _array(point.pairs).reshape(-1, 2)
    return replace(point, pairs=pairs, ellipse=_ellipse(value["ellipse"]), selected=tuple(value["selected"]))


def _front(value: dict[str, Any]) -> Front:
    front = Front(**_numbers(value, _AREAS))
    return replace(front, members=tuple(front.members), front=tuple(front.front))


def _summary(value: dict[str, Any]) -> Summary:
    heat = value["heat"]
    shape = (len(heat["rows"]), len(heat["columns"]))
    return Summary(
        **{
            **value,
            "tasks": tuple(TaskInfo(**task) for task in value["tasks"]),
            "points": tuple(_point(point) for point in value["points"]),
            "fronts": tuple(_front(front) for front in value["fronts"]),
            "notes": tuple(value["notes"]),
            "heat": HeatMap(tuple(heat["rows"]), tuple(heat["columns"]), _array(heat["values"]).reshape(shape)),
        }
    )
