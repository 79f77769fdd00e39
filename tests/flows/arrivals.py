"""A project under Git and DVC with a study of two tables whose set is champion, and tables of tasks to come."""

from __future__ import annotations

import numpy as np
import pandas as pd

from tests.flows.projects import make_project

STUDY = {
    "study": {"name": "cohorts", "seed": 1, "protocol": "transfer"},
    "tasks": {"source": "files", "tables": ["january.csv", "february.csv"], "target": "ill"},
    "data": {},
    "selection": {"method": "rfe", "n_features": 3, "strengths": [0, 2], "repeats": 2, "bootstraps": 4},
    "evaluation": {},
    "operating_point": {},
    "promotion": {"name": "panel"},
    "arrivals": {"settle": 0, "grace": 0},
}


def cohort(seed, rows=60, columns=8, drift=0.0):
    """Patients whose illness depends on the first three of some genes, by `drift` on others instead."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, columns))
    signal = (1 - drift) * X[:, :3].sum(axis=1) + drift * X[:, 3:6].sum(axis=1)
    labels = np.where(signal + 0.5 * rng.normal(size=rows) > 0, "yes", "no")
    return pd.DataFrame(X.round(4), columns=[f"g{i}" for i in range(columns)]).assign(ill=labels)


def make_cohorts(root, values=STUDY):
    """The project, its two tables in place; nothing has run."""
    (root / "data" / "tables").mkdir(parents=True)
    for seed, name in enumerate(("january", "february")):
        cohort(seed).to_csv(root / "data" / "tables" / f"{name}.csv", index=False)
    make_project(root, values)
    (root / "data" / "inbox").mkdir()
    return root


def put(root, name, frame):
    """Let a table appear in the watched folder."""
    path = root / "data" / "inbox" / name
    frame.to_csv(path, index=False)
    return path
