"""A table that is ready for selection: values, labels, names, and how it was made."""

from __future__ import annotations

import copy
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse import csr_array, issparse

from fselect.datasets.checks import check_names, check_table
from fselect.datasets.labels import as_labels, missing_labels
from fselect.datasets.sparse_tables import as_canonical, dense
from fselect.datasets.wording import listing
from fselect.errors import InputError

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["KINDS", "Dataset", "Truth", "check_dataset"]

KINDS = ("numeric", "nominal")
_NAMES = 10_000
_NEARLY_EMPTY = 0.03  # share of entries up to which a dense table is used as a sparse one


@dataclass(frozen=True)
class Truth:
    """What is known about the columns of a made-up dataset; all columns are positions from 0.

    Parameters
    ----------
    relevant : tuple of int
        Columns that the class depends on.
    irrelevant : tuple of int
        Columns that say nothing about the class.
    redundant : tuple of int
        Columns that say something only because they go along with a relevant one.
    groups : mapping of int to tuple of int
        For each relevant column, itself and the columns that can stand in for it.

    Examples
    --------
    >>> truth = Truth(relevant=(0,), irrelevant=(2,), redundant=(1,), groups={0: (0, 1)})
    >>> truth.relevant, truth["groups"]
    ((0,), {0: (0, 1)})
    """

    relevant: tuple[int, ...] = ()
    irrelevant: tuple[int, ...] = ()
    redundant: tuple[int, ...] = ()
    groups: Mapping[int, tuple[int, ...]] = field(default_factory=dict)

    def __getitem__(self, key: str) -> Any:
        """Give a part by its name, as from a dictionary."""
        return self.to_dict()[key]

    def to_dict(self) -> dict[str, Any]:
        """Give all four parts as a dictionary of their names."""
        return {
            "relevant": self.relevant,
            "irrelevant": self.irrelevant,
            "redundant": self.redundant,
            "groups": dict(self.groups),
        }

    @classmethod
    def from_dict(cls, parts: Mapping[str, Any]) -> Truth:
        """Build it again from `to_dict`, also after a way through JSON (keys are text there)."""
        lists = {key: tuple(parts[key]) for key in ("relevant", "irrelevant", "redundant")}
        return cls(**lists, groups={int(key): tuple(group) for key, group in parts["groups"].items()})


@dataclass(frozen=True, eq=False)
class Dataset:
    """Values, labels and names of one table, with a record of how it was made.

    The constructor checks shapes and labels only; `check_dataset` (and every reader of tables) runs the
    full checks.

    Parameters
    ----------
    X : array-like of shape (n, d)
        The values. Kept as C-contiguous float64 that cannot be written to; an array that is that already
        is taken as it is, any other is copied. A scipy.sparse matrix is kept sparse, in the form of
        `fselect.datasets.sparse_tables.as_canonical`.
    y : array-like of shape (n,)
        The class labels, of text, whole numbers or booleans, none missing.
    name : str, default="data"
        Name of the dataset; random draws of a study are keyed by it.
    names : tuple of str, optional
        Column names, all different. Default: x0, x1, …
    kinds : tuple of {"numeric", "nominal"}, optional
        Kind of each column; a nominal one holds whole numbers that are names, not amounts. Default: all numeric.
    truth : Truth, optional
        Which columns matter, where it is known.
    recipe : mapping, optional
        The choices that made it and what they did; only what JSON can hold.

    Raises
    ------
    InputError
        Shapes that do not fit, a missing label, two columns of one name, an unknown kind.

    Examples
    --------
    >>> data = Dataset([[1, 2], [3, 4], [5, 7]], ["a", "b", "a"], names=("age", "size"))
    >>> data.n_samples, data.n_features, data.classes.tolist(), data.codes.tolist()
    (3, 2, ['a', 'b'], [0, 1, 0])
    >>> data.X.flags.writeable
    False
    """

    X: np.ndarray
    y: np.ndarray
    name: str = "data"
    names: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    truth: Truth | None = None
    recipe: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        X = _as_matrix(self.X)
        y = _frozen(_as_label_vector(self.y, X.shape[0]))
        names = tuple(map(str, self.names)) or tuple(f"x{column}" for column in range(X.shape[1]))
        kinds = tuple(self.kinds) or ("numeric",) * X.shape[1]
        _check_columns(names, kinds, X.shape[1], self.name)
        kept = {"X": X, "y": y, "names": names, "kinds": kinds, "recipe": copy.deepcopy(dict(self.recipe))}
        for key, value in kept.items():
            object.__setattr__(self, key, value)

    def __repr__(self) -> str:
        shape = f"{self.n_samples} × {self.n_features}, {len(self.classes)} classes"
        return f"Dataset({self.name!r}, {shape})"

    def __setstate__(self, state: dict[str, Any]) -> None:
        # Arrays come out of a pickle writable; here they must not be, whatever way they took.
        X = state["X"]
        for array in (state["y"], *((X.data, X.indices, X.indptr) if issparse(X) else (X,))):
            array.flags.writeable = False
        self.__dict__.update(state)

    @property
    def is_sparse(self) -> bool:
        """Whether X is a sparse matrix."""
        return bool(issparse(self.X))

    @cached_property
    def dense_X(self) -> np.ndarray:
        """X as a dense array, for what cannot work on a sparse one; made once, and X itself where that is dense."""
        return _frozen(dense(self.X)) if self.is_sparse else self.X

    @cached_property
    def lean_X(self) -> Any:
        """X as a sparse matrix where a table of more columns than rows is that or nearly empty, else X; made once."""
        if self.is_sparse or self.n_features <= self.n_samples:
            return self.X
        entries = sum(np.count_nonzero(row) for row in self.X)
        return as_canonical(csr_array(self.X)) if entries <= _NEARLY_EMPTY * self.X.size else self.X

    @property
    def n_samples(self) -> int:
        """Number of rows."""
        return self.X.shape[0]

    @property
    def n_features(self) -> int:
        """Number of columns (the target is not one of them)."""
        return self.X.shape[1]

    @cached_property
    def classes(self) -> np.ndarray:
        """The different labels, sorted, of shape (C,)."""
        return _frozen(np.unique(self.y))

    @cached_property
    def codes(self) -> np.ndarray:
        """Place of each row's label in `classes`: int64, shape (n,)."""
        return _frozen(np.searchsorted(self.classes, self.y).astype(np.int64))

    @cached_property
    def content_hash(self) -> str:
        """Digest (blake2b-128, 32 hex digits) of shape, values, labels and column names.

        The dataset's name, kinds and recipe are not part of it. A sparse table is digested as the three arrays of
        its canonical form, so it has another digest than the dense table of its values.
        """
        digest = hashlib.blake2b(digest_size=16)
        head = [list(self.X.shape), self.y.dtype.kind, self.y.tolist(), []]
        digest.update(json.dumps(head, ensure_ascii=True).removesuffix("]]").encode())
        for start in range(0, self.n_features, _NAMES):  # some at a time: the text of all takes much memory
            part = json.dumps(self.names[start : start + _NAMES], ensure_ascii=True)[1:-1]
            digest.update((", " * (start > 0) + part).encode())
        digest.update(b"]]\n")
        if self.is_sparse:
            digest.update(b"csr\n")
            X: Any = self.X
            for array, kind in ((X.indptr, "<i8"), (X.indices, "<i8"), (X.data, "<f8")):
                digest.update(np.ascontiguousarray(array).astype(kind, copy=False).data)
        else:
            digest.update(np.ascontiguousarray(self.X).astype("<f8", copy=False).data)
        return digest.hexdigest()

    def frame(self, target: str = "target") -> pd.DataFrame:
        """Give the table as a pandas frame, the labels in the last column.

        Parameters
        ----------
        target : str, default="target"
            Name of the column of labels.

        Returns
        -------
        pandas.DataFrame
            Of shape (n, d + 1).

        Raises
        ------
        InputError
            A column is called like the target.
        """
        if target in self.names:
            raise InputError(f"{self.name} has a column {target!r}; give the target another name")
        import pandas as pd  # here, because a worker that only selects need not have it in its memory

        frame = pd.DataFrame(dense(self.X), columns=list(self.names))
        labels = pd.DataFrame({target: self.y})
        return pd.concat([frame, labels], axis=1)

    def checked(self, *, allow_missing: bool = False) -> Dataset:
        """Run `check_dataset` on it and give it back."""
        return check_dataset(self, allow_missing=allow_missing)


def check_dataset(dataset: Dataset, *, allow_missing: bool = False) -> Dataset:
    """Refuse a dataset from which no selection can be made.

    Parameters
    ----------
    dataset : Dataset
        What to check.
    allow_missing : bool, default=False
        Let NaN pass (for methods that can work with missing values).

    Returns
    -------
    Dataset
        The same one.

    Raises
    ------
    InputError
        See `fselect.datasets.checks.check_table`.

    Examples
    --------
    >>> check_dataset(Dataset([[1.0], [2.0]], ["a", "b"], name="tiny"))
    Traceback (most recent call last):
    ...
    fselect.errors.InputError: tiny has 2 rows; a selection needs 3 or more
    """
    check_table(dataset.X, dataset.y, dataset.names, table=dataset.name, allow_missing=allow_missing)
    return dataset


def _as_matrix(values: Any) -> Any:
    if issparse(values):
        return as_canonical(values)
    try:
        X = np.asarray(values, dtype=np.float64, order="C")
    except (TypeError, ValueError) as error:
        raise InputError(f"X must hold numbers only ({error}); read_table makes numbers of text") from error
    if X.ndim != 2:
        raise InputError(f"X must be a table of rows and columns, not an array of shape {X.shape}")
    # Only the caller's own memory is copied: a conversion made new memory already.
    own = isinstance(values, np.ndarray) and not np.may_share_memory(X, values)
    return _frozen(X.copy() if X.flags.writeable and not own else X)


def _as_label_vector(values: Any, n_rows: int) -> np.ndarray:
    missing = missing_labels(values)
    if missing.shape != (n_rows,):
        raise InputError(f"y has shape {missing.shape} but X has {n_rows} rows; give one label a row")
    if missing.any():
        rows = listing((np.flatnonzero(missing) + 1).tolist())
        raise InputError(f"y has no label in row {rows}; every row needs one")
    return as_labels(values)


def _check_columns(names: tuple[str, ...], kinds: tuple[str, ...], n_columns: int, table: str) -> None:
    check_names(names, table)
    for word, given in (("names", names), ("kinds", kinds)):
        if len(given) != n_columns:
            raise InputError(f"{table}: {len(given)} {word} for {n_columns} columns")
    unknown = sorted(set(kinds) - set(KINDS))
    if unknown:
        raise InputError(f"{table}: kinds must be 'numeric' or 'nominal', not {listing(unknown)}")


def _frozen(array: np.ndarray) -> np.ndarray:
    array.flags.writeable = False
    return array
