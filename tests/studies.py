"""A small transfer study and a small single-task study, as their study files say it."""

from __future__ import annotations

TRANSFER = {
    "study": {"name": "small", "seed": 3},
    "tasks": {"source": "noisy", "table": "wine", "target": "target", "n_tasks": 3, "noise": 2.0},
    "selection": {"n_features": 3, "strengths": [0, 1, 4], "repeats": 4, "bootstraps": 5},
}
SINGLE = {
    "study": {"name": "one", "seed": 3, "protocol": "single"},
    "tasks": {"source": "table", "table": "breast_cancer", "target": "target"},
    "selection": {"n_features": 4, "shapes": [None, 1, 0.2], "repeats": 4, "bootstraps": 6},
}


def changed(values, **sections):
    """The values with keys of sections replaced."""
    return {**values, **{name: {**values.get(name, {}), **section} for name, section in sections.items()}}
