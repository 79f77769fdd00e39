"""Where the names of points go so that they cover neither each other nor the points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["PLACES", "place_labels"]


class _Place(NamedTuple):
    """One side of a point: the direction of the text from it."""

    right: int
    up: int


PLACES: dict[str, _Place] = {
    "top right": _Place(1, 1),
    "middle right": _Place(1, 0),
    "top center": _Place(0, 1),
    "bottom left": _Place(-1, -1),
    "top left": _Place(-1, 1),
    "bottom center": _Place(0, -1),
    "bottom right": _Place(1, -1),
    "middle left": _Place(-1, 0),
}
"""The sides, in order of preference: a front falls from left to right, so there is room above it."""

_GAP = 7.0  # pixels between the middle of a point and its text
_CHARACTER, _LINE = 6.3, 13.0  # rough size of a character, in pixels


def place_labels(points: NDArray[np.float64], texts: Sequence[str], size: tuple[float, float]) -> list[str | None]:
    """Choose a side for every label, greedily, the first labels first.

    Parameters
    ----------
    points : ndarray of shape (n, 2)
        Positions in pixels, from the lower left corner of the drawing area.
    texts : sequence of str
        The labels, the most important first.
    size : (float, float)
        Width and height of the drawing area in pixels; labels stay inside if they can.

    Returns
    -------
    list of str or None
        For each label a key of ``PLACES``; None where every side would cover something.

    Examples
    --------
    >>> place_labels(np.array([[50.0, 50.0], [52.0, 50.0]]), ["one", "two"], (200, 100))
    ['top right', 'bottom left']
    """
    taken = [np.array([x - 4, y - 4, x + 4, y + 4]) for x, y in points]
    chosen: list[str | None] = []
    for index, (point, text) in enumerate(zip(points, texts, strict=True)):
        others = [box for position, box in enumerate(taken) if position != index]
        boxes = {name: _box(point, text, place) for name, place in PLACES.items()}
        free = [name for name, box in boxes.items() if _inside(box, size) and not _covers(box, others)]
        chosen.append(free[0] if free else None)
        if free:
            taken.append(boxes[free[0]])
    return chosen


def _box(point: NDArray[np.float64], text: str, place: _Place) -> NDArray[np.float64]:
    width, height = _CHARACTER * len(text), _LINE
    left = point[0] + {1: _GAP, 0: -width / 2, -1: -_GAP - width}[place.right]
    gap = _GAP if place.right == 0 else 1.0
    bottom = point[1] + {1: gap, 0: -height / 2, -1: -gap - height}[place.up]
    return np.array([left, bottom, left + width, bottom + height])


def _inside(box: NDArray[np.float64], size: tuple[float, float]) -> bool:
    return bool(box[0] >= 0 and box[1] >= 0 and box[2] <= size[0] and box[3] <= size[1])


def _covers(box: NDArray[np.float64], others: Sequence[NDArray[np.float64]]) -> bool:
    return any(box[0] < other[2] and other[0] < box[2] and box[1] < other[3] and other[1] < box[3] for other in others)
