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
from sklearn.datasets import load_breast_cancer, load_iris, load_wine

JAR = Path("/usr/share/java/weka.jar")
RECORD = Path(__file__).with_name("j48.json")
OPTIONS = {"unpruned": "-U -M 1", "pruned": "-C 0.25 -M 2"}
PUBLISHED = ("vote", "labor", "soybean", "glass", "pima_diabetes", "heart_c")


def corral() -> tuple[pd.DataFrame, np.ndarray]:
    """All rows of four relevant columns twice over, one irrelevant, and one that agrees with the class in 3 of 4 rows."""
    rows = np.array(np.meshgrid(*[[0, 1]] * 5, indexing="ij")).reshape(5, -1).T.repeat(4, axis=0)
    y = (rows[:, 0] & rows[:, 1]) | (rows[:, 2] & rows[:, 3])
    f5 = np.where(np.arange(len(rows)) % 4 == 0, 1 - y, y)
    X = pd.DataFrame(np.column_stack([rows, f5]), columns=[f"f{k}" for k in range(6)])
    return X.astype(str).astype("category"), y.astype(str)


def mixed(seed: int, n: int, *, missing: float, n_classes: int) -> tuple[pd.DataFrame, np.ndarray]:
    """Two numeric and three nominal columns that say something about the class, and as many that do not."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, n_classes, size=n)
    parts: dict[str, object] = {}
    for k in range(4):
        parts[f"n{k}"] = (rng.normal(size=n) + (codes if k < 2 else 0) * (0.7 + 0.5 * k)).round(2)
        values = (codes * (k < 2) + rng.integers(0, 2 + k, size=n)) % (2 + k)
        parts[f"c{k}"] = pd.Categorical.from_codes(values, [f"v{v}" for v in range(2 + k)])
    X = pd.DataFrame(parts)
    return X.mask(rng.random(X.shape) < missing), np.array([f"class{c}" for c in codes])


def tables() -> dict[str, tuple[pd.DataFrame, np.ndarray]]:
    """Tables that need no file."""
    made = {name: load(as_frame=True) for name, load in _BUNDLED.items()}
    return {
        "corral": corral(),
        "mixed_complete": mixed(1, 120, missing=0.0, n_classes=2),
        "mixed_missing": mixed(2, 150, missing=0.15, n_classes=3),
        "numeric_missing": (mixed(3, 140, missing=0.1, n_classes=2)[0].filter(regex="^n"), mixed(3, 140, missing=0.1, n_classes=2)[1]),
        **{name: (one.data, np.array([f"c{c}" for c in one.target])) for name, one in made.items()},
    }


_BUNDLED = {"iris": load_iris, "wine": load_wine, "breast_cancer": load_breast_cancer}


def published(folder: Path) -> dict[str, tuple[pd.DataFrame, np.ndarray]]:
    """Tables of a folder; glass's refractive index in thousandths, for J48 takes values less than 1e-5 apart as equal."""
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
        common += ["-t", str(paths[0]), "-T", str(paths[1])]
        told = subprocess.run(common, capture_output=True, text=True, check=True).stdout
        rows = subprocess.run([*common, "-p", "0"], capture_output=True, text=True, check=True).stdout
    size = int(re.search(r"Size of the tree :\s*(\d+)", told)[1])
    predicted = re.findall(r"^\s*\d+\s+\d+:\S+\s+(\d+):", rows, re.MULTILINE)
    return {"size": size, "predicted": [int(p) - 1 for p in predicted]}


def record(X: pd.DataFrame, y: np.ndarray) -> dict[str, object]:
    """Run J48 on the whole table and on ten folds."""
    classes, folds, found = np.unique(y), folds_of(y), {}
    whole = arff(X, y, classes)
    for name, options in OPTIONS.items():
        predicted = np.empty(len(y), dtype=int)
        sizes = []
        for fold in range(10):
            rows = folds == fold
            one = j48(options, arff(X[~rows], y[~rows], classes), arff(X[rows], y[rows], classes))
            predicted[rows] = one["predicted"]
            sizes.append(one["size"])
        size = j48(options, whole, whole)["size"]
        digits = "".join(chr(ord("a") + code) for code in predicted)
        found[name] = {"size": size, "fold_sizes": sizes, "right": int(np.sum(classes[predicted] == y)), "predicted": digits}
    return found


def main() -> None:
    """Write the record."""
    given = tables() | (published(Path(sys.argv[1])) if len(sys.argv) > 1 else {})
    origin = "Weka 3.6.14 (Debian 3.6.14-3), weka.classifiers.trees.J48; see weka_j48.py"
    RECORD.write_text(json.dumps({"origin": origin, "tables": {n: record(*t) for n, t in given.items()}}, indent=1) + "\n")


if __name__ == "__main__":
    main()
