"""Tables kept as one matrix: NumPy's NPZ, dense or sparse, and the sparse text format of svmlight and libsvm.

They go around data frames, which are made for columns of several types, and slow for hundreds of thousands of them.
"""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from fselect.datasets.checks import check_table
from fselect.datasets.dataset import Dataset
from fselect.datasets.options import DataOptions
from fselect.datasets.wording import did_you_mean, listing
from fselect.errors import InputError

__all__ = ["MATRIX_ENDINGS", "is_matrix_file", "matrix_bytes", "read_matrix"]

_SVMLIGHT = (".svm", ".svmlight", ".libsvm")
_PACKED = (".gz", ".bz2")
_PARTS = ("data", "indices", "indptr", "shape")
MATRIX_ENDINGS = "NPZ (.npz) and svmlight (.svm .svmlight .libsvm, also .gz .bz2)"
"""For sentences."""


def is_matrix_file(source: Any) -> bool:
    """Tell by its ending whether a source is a file that holds a matrix.

    Examples
    --------
    >>> is_matrix_file("dexter.svm.gz"), is_matrix_file("dexter.csv")
    (True, False)
    """
    if not isinstance(source, (str, Path)):
        return False
    suffixes = [suffix.lower() for suffix in Path(source).suffixes]
    suffix = suffixes[-2] if len(suffixes) > 1 and suffixes[-1] in _PACKED else (suffixes or [""])[-1]
    return suffix in _SVMLIGHT or suffixes[-1:] == [".npz"]


def read_matrix(path: Path, target: str, name: str, options: DataOptions) -> Dataset:
    """Read a matrix with its labels.

    An NPZ file holds ``X``, a dense array of shape (n, d), or the arrays that `scipy.sparse.save_npz` writes for CSR;
    the labels, as an array that bears the target's name; and ``names``, the column names, if there are any (x0, x1, …
    else). The file must not need pickles. A file of svmlight holds its labels itself, whatever
    the target is called; its columns are called x1, x2, …

    Parameters
    ----------
    path : Path
        The file.
    target : str
        The target's name.
    name : str
        Name of the dataset.
    options : DataOptions
        ``drop`` leaves columns out. Nothing else can be done to a matrix.

    Returns
    -------
    Dataset
        Sparse if the file is; checked.

    Raises
    ------
    InputError
        If the file cannot be read, lacks something, holds a missing value, or an option asks for more.
    """
    _check_options(options, path)
    X, y, names = _read_npz(path, target) if path.suffix.lower() == ".npz" else _read_svmlight(path)
    X, names = _without(X, names, options.drop, path)
    dataset = Dataset(X, y, name, names, recipe={"source": path.name, "target": target, "options": _noted(options)})
    check_table(dataset.X, dataset.y, dataset.names, table=path.name)
    return dataset


def matrix_bytes(dataset: Dataset, target: str = "target") -> bytes:
    """Give a dataset as the bytes of an NPZ file, the same for the same dataset.

    Examples
    --------
    >>> data = Dataset([[1.0], [2.0], [4.0]], ["a", "b", "a"])
    >>> sorted(np.load(io.BytesIO(matrix_bytes(data))))
    ['X', 'names', 'target']
    """
    X: Any = dataset.X
    values: dict[str, Any] = {"X": X}
    if dataset.is_sparse:
        parts = {"data": X.data, "indices": X.indices, "indptr": X.indptr, "shape": np.array(X.shape)}
        values = parts | {"format": np.array(b"csr")}
    if target in values or target == "names":
        raise InputError(f"{target!r} is a word of NPZ files; give the target another name")
    file = io.BytesIO()
    np.savez_compressed(file, **values, **{target: dataset.y, "names": np.array(dataset.names)})  # type: ignore[arg-type]
    return file.getvalue()


def _noted(options: DataOptions) -> dict[str, Any]:
    return options.model_dump(mode="json")


def _check_options(options: DataOptions, path: Path) -> None:
    plain = DataOptions(drop=options.drop)
    asked = [word for word in DataOptions.model_fields if getattr(options, word) != getattr(plain, word)]
    if asked:
        raise InputError(
            f"{path.name} holds a matrix, for which there is no {listing(asked)}; do that before it is written, "
            "or save the table as CSV or Parquet"
        )


def _read_npz(path: Path, target: str) -> tuple[Any, np.ndarray, tuple[str, ...]]:
    try:
        with np.load(path, allow_pickle=False) as file:
            arrays = {key: file[key] for key in file.files}
    except (OSError, ValueError, zipfile.BadZipFile) as error:
        raise InputError(f"{path.name} is no readable NPZ file ({error}); write it with numpy.savez") from error
    labels = sorted(set(arrays) - {"X", "names", "format", *_PARTS})
    if target not in labels:
        raise InputError(f"{path.name} has no target {target!r}{did_you_mean(target, labels)}")
    X = _matrix_of(arrays, path)
    names = tuple(map(str, arrays.get("names", np.empty(0))))
    if "names" in arrays and len(names) != X.shape[1]:
        raise InputError(f"{path.name} has {len(names)} names for {X.shape[1]} columns; give each column one")
    return X, arrays[target], names or tuple(f"x{column}" for column in range(X.shape[1]))


def _matrix_of(arrays: dict[str, np.ndarray], path: Path) -> Any:
    if "X" in arrays:
        if arrays["X"].ndim != 2 or arrays["X"].dtype.kind not in "fiub":
            raise InputError(f"{path.name}: X must be a table of numbers, of rows and columns")
        X = np.ascontiguousarray(arrays["X"], dtype=np.float64)
        X.flags.writeable = False
        return X
    if not set(_PARTS) <= set(arrays) or bytes(arrays.get("format", np.array(b"csr")).item()) != b"csr":
        raise InputError(f"{path.name} holds neither X nor a CSR matrix; write one of them")
    try:
        return sparse.csr_array((arrays["data"], arrays["indices"], arrays["indptr"]), shape=tuple(arrays["shape"]))
    except (ValueError, TypeError) as error:
        raise InputError(f"{path.name} holds no valid CSR matrix ({error}); write it again") from error


def _read_svmlight(path: Path) -> tuple[Any, np.ndarray, tuple[str, ...]]:
    from sklearn.datasets import load_svmlight_file

    try:
        X, y = load_svmlight_file(str(path), zero_based="auto")
    except (OSError, ValueError, EOFError) as error:
        raise InputError(f"{path.name} is no readable svmlight file ({error}); check it") from error
    y = y.astype(np.int64) if (y == y.astype(np.int64)).all() else y
    return X, y, tuple(f"x{column}" for column in range(1, X.shape[1] + 1))


def _without(X: Any, names: tuple[str, ...], drop: tuple[str, ...], path: Path) -> tuple[Any, tuple[str, ...]]:
    for word in drop:
        if word not in names:
            raise InputError(f"{path.name} has no such column {word!r}{did_you_mean(word, list(names))}")
    if not drop:
        return X, names
    stay = np.flatnonzero(~np.isin(np.array(names), drop))
    return X[:, stay], tuple(names[column] for column in stay.tolist())
