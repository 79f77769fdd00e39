"""What Weka's J48 does with tables: run it again with ``python -m tests.oracles.weka_j48 [FOLDER]``.

It needs Java and Debian's package ``weka`` (3.6.14; GPL-2+), and writes j48.json beside this file. FOLDER may
hold the published tables as Parquet (a column ``target`` last); without it only made-up tables are run.
J48's options: ``-U -M 1`` (unpruned) and ``-C 0.25 -M 2`` (its defaults); folds are those of `folds_of`.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.datasets import load_iris, load_wine

JAR = Path("/usr/share/java/weka.jar")
RECORD = Path(__file__).with_name("j48.json")
OPTIONS = {"unpruned": "-U -M 1", "pruned": "-C 0.25 -M 2"}
PUBLISHED = ("vote", "labor", "soybean", "glass", "pima_diabetes", "heart_c")


def corral() -> tuple[pd.DataFrame, np.ndarray]:
    """Four relevant columns, one irrelevant, and one that agrees with the class in three of four rows."""
    rows = np.array(np.meshgrid(*[[0, 1]] * 5, indexing="ij")).reshape(5, -1).T.repeat(4, axis=0)
    y = (rows[:, 0] & rows[:, 1]) | (rows[:, 2] & rows[:, 3])
    f5 = np.where(np.arange(len(rows)) % 4 == 0, 1 - y, y)
    X = pd.DataFrame(np.column_stack([rows, f5]), columns=[f"f{k}" for k in range(6)])
    return X.astype(str).astype("category"), y.astype(str)


def mixed(seed: int, n: int, *, missing: float, n_classes: int, only: str = "") -> tuple[pd.DataFrame, np.ndarray]:
    """Two numeric and three nominal columns that say something about the class, and as many that do not."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, n_classes, size=n)
    parts: dict[str, object] = {}
    for k in range(4):
        parts[f"n{k}"] = (rng.normal(size=n) + (codes if k < 2 else 0) * (0.7 + 0.5 * k)).round(2)
        values = (codes * (k < 2) + rng.integers(0, 2 + k, size=n)) % (2 + k)
        parts[f"c{k}"] = pd.Categorical.from_codes(values, [f"v{v}" for v in range(2 + k)])
    X = pd.DataFrame(parts)
    return X.mask(rng.random(X.shape) < missing).filter(regex=f"^{only}"), np.array([f"class{c}" for c in codes])


def tables() -> dict[str, tuple[pd.DataFrame, np.ndarray]]:
    """Tables that need no file."""
    made = {name: load(as_frame=True) for name, load in _BUNDLED.items()}
    return {
        "corral": corral(),
        "mixed_complete": mixed(1, 120, missing=0.0, n_classes=2),
        "mixed_missing": mixed(2, 150, missing=0.15, n_classes=3),
        "numeric_missing": mixed(3, 140, missing=0.1, n_classes=2, only="n"),
        **{name: (one.data, np.array([f"c{c}" for c in one.target])) for name, one in made.items()},
    }


_BUNDLED = {"iris": load_iris, "wine": load_wine}


def published(folder: Path) -> dict[str, tuple[pd.DataFrame, np.ndarray]]:
    """Tables of a folder; glass's refractive index times 1e5, for J48 takes values within 1e-5 as equal."""
    found = {}
    for name in PUBLISHED:
        frame = pd.read_parquet(folder / f"{name}.parquet")
        X = frame.drop(columns="target")
        if name == "glass":
            X["RI"] = (X["RI"] * 1e5).round()
        found[name] = (X, frame["target"].astype(str).to_numpy())
    return found


def folds_of(y: np.ndarray, n_folds: int = 10) -> np.ndarray:
    """Deal the rows of each class out in turn."""
    folds = np.empty(len(y), dtype=int)
    order = np.argsort(y, kind="stable")
    folds[order] = np.arange(len(y)) % n_folds
    return folds


def arff(X: pd.DataFrame, y: np.ndarray, classes: np.ndarray) -> str:
    """Write a table as Weka reads it, with all values and classes declared."""
    lines = ["@relation t"]
    for name in X:
        nominal = isinstance(X[name].dtype, pd.CategoricalDtype)
        kind = "{" + ",".join(f"'{v}'" for v in X[name].cat.categories) + "}" if nominal else "numeric"
        lines.append(f"@attribute '{name}' {kind}")
    lines += ["@attribute target {" + ",".join(f"'{c}'" for c in classes) + "}", "@data"]
    for row, label in zip(X.itertuples(index=False), y, strict=True):
        cells = ["?" if pd.isna(v) else f"'{v}'" if isinstance(v, str) else repr(float(v)) for v in row]
        lines.append(",".join([*cells, f"'{label}'"]))
    return "\n".join(lines) + "\n"


def j48(options: str, train: str, test: str) -> dict[str, object]:
    """Train and test; give the tree's size, its leaves, and the classes predicted."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / "train.arff", Path(folder) / "test.arff"]
        for path, text in zip(paths, (train, test), strict=True):
            path.write_text(text)
        common = ["java", "-cp", str(JAR), "weka.classifiers.trees.J48", *options.split()]
        common += ["-t", str(paths[0]), "-T", str(paths[1]), *(["-p", "0"] if train != test else [])]
        told = subprocess.run(common, capture_output=True, text=True, check=True).stdout
    size = re.search(r"Size of the tree :\s*(\d+)", told)
    predicted = re.findall(r"^\s*\d+\s+\d+:.*?\s(\d+):", told, re.MULTILINE)
    return {"size": int(size[1]) if size else None, "predicted": [int(p) - 1 for p in predicted]}


def record(X: pd.DataFrame, y: np.ndarray) -> dict[str, object]:
    """Run J48 on the whole table and on ten folds."""
    classes, folds = np.unique(y), folds_of(y)
    whole, predicted = arff(X, y, classes), np.empty(len(y), dtype=int)
    for fold in range(10):
        rows = folds == fold
        one = j48(OPTIONS["unpruned"], arff(X[~rows], y[~rows], classes), arff(X[rows], y[rows], classes))
        predicted[rows] = one["predicted"]
    return {
        "sizes": {name: j48(options, whole, whole)["size"] for name, options in OPTIONS.items()},
        "right": int(np.sum(classes[predicted] == y)),
        "predicted": "".join(chr(ord("a") + code) for code in predicted),
    }


def main() -> None:
    """Write the record, table by table."""
    given = tables() | (published(Path(sys.argv[1])) if len(sys.argv) > 1 else {})
    found: dict[str, object] = {}
    for name, table in given.items():
        found[name] = record(*table)
        told = {"origin": "weka.classifiers.trees.J48 of Weka 3.6.14 (Debian 3.6.14-3)", "tables": found}
        RECORD.write_text(json.dumps(told, indent=1) + "\n")


if __name__ == "__main__":
    main()
