"""Datasets for worker processes: written once, mapped into memory by all, copied by none."""

from __future__ import annotations

import hashlib
import json
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from fselect.datasets.dataset import Dataset, Truth
from fselect.errors import InputError
from fselect.files import write_atomically, writing_atomically

__all__ = ["find_shared", "open_shared", "share"]

_PARTS = ("data", "indices", "indptr")


def share(dataset: Dataset, folder: str | os.PathLike[str], *, afresh: bool = False) -> Path:
    """Write a dataset to a place from which any number of processes can map it.

    The values go to ``HASH.npy``, named by the content hash (those of a sparse table to three such files), and all
    else to a small JSON file beside it. All appear whole or not at all, so two processes may share the same dataset
    at once; what is there already is not written again.

    Parameters
    ----------
    dataset : Dataset
        What to share.
    folder : path-like
        Where; made if it is not there.
    afresh : bool, default=False
        Whether values are written again where a file of theirs is there: it may be damaged.

    Returns
    -------
    pathlib.Path
        What to give to `open_shared` in the worker.

    Raises
    ------
    InputError
        The folder cannot be written to, or the disk is full.

    Examples
    --------
    >>> import tempfile
    >>> data = Dataset([[1.0], [2.0], [4.0]], ["a", "b", "a"])
    >>> open_shared(share(data, tempfile.mkdtemp())).content_hash == data.content_hash
    True
    """
    place = Path(folder)
    for part, array in _arrays(dataset).items():
        values = place / f"{dataset.content_hash}{part}.npy"
        if afresh or not _is_whole(values, array.shape):
            with writing_atomically(values) as file:
                np.save(file, array)
    card = json.dumps(_card(dataset), sort_keys=True).encode()
    digest = hashlib.blake2b(card, digest_size=8).hexdigest()
    path = place / f"{dataset.content_hash}-{digest}.json"
    if not path.exists():
        write_atomically(path, card)
    return path


def open_shared(path: str | os.PathLike[str]) -> Dataset:
    """Open a shared dataset; its values stay on disk and are mapped, read-only.

    Parameters
    ----------
    path : path-like
        What `share` returned.

    Returns
    -------
    Dataset
        Equal to the one that was shared, content hash included (which is not computed again).

    Raises
    ------
    InputError
        The files are not there or cannot be read.

    Examples
    --------
    >>> open_shared("gone.json")
    Traceback (most recent call last):
    ...
    fselect.errors.InputError: the shared dataset gone.json cannot be opened (...); share it again
    """
    try:
        card = json.loads(Path(path).read_text(encoding="utf-8"))
        X = _opened(Path(path), card)
    except (OSError, ValueError, KeyError) as error:
        raise InputError(f"the shared dataset {path} cannot be opened ({error}); share it again") from error
    truth = Truth.from_dict(card["truth"]) if card["truth"] else None
    # one text of each kind: there may be half a million columns
    names, kinds = tuple(card["names"]), tuple(map(sys.intern, card["kinds"]))
    dataset = Dataset(X, np.array(card["y"]), card["name"], names, kinds, truth, card["recipe"])
    dataset.__dict__["content_hash"] = card["content_hash"]  # where cached_property keeps it
    return dataset


def find_shared(folder: str | os.PathLike[str], content_hash: str, name: str) -> Dataset | None:
    """Open a dataset that was shared, by its content, which is checked, and its name.

    Parameters
    ----------
    folder : path-like
        Where it was shared.
    content_hash, name : str
        What it must have.

    Returns
    -------
    Dataset or None
        None if it is not there, or damaged.

    Examples
    --------
    >>> import tempfile
    >>> data, folder = Dataset([[1.0], [2.0], [4.0]], ["a", "b", "a"]), tempfile.mkdtemp()
    >>> _ = share(data, folder)
    >>> find_shared(folder, data.content_hash, "data").X.tolist(), find_shared(folder, data.content_hash, "other")
    ([[1.0], [2.0], [4.0]], None)
    """
    for card in sorted(Path(folder).glob(f"{content_hash}-*.json")):
        with suppress(InputError):
            found = open_shared(card)
            found.__dict__.pop("content_hash")  # to be computed, not believed
            if found.name == name and found.content_hash == content_hash:
                return found
    return None


def _card(dataset: Dataset) -> dict[str, Any]:
    shape = {"sparse_shape": list(dataset.X.shape)} if dataset.is_sparse else {}
    return shape | {
        "content_hash": dataset.content_hash,
        "name": dataset.name,
        "y": dataset.y.tolist(),
        "names": list(dataset.names),
        "kinds": list(dataset.kinds),
        "truth": dataset.truth.to_dict() if dataset.truth else None,
        "recipe": dict(dataset.recipe),
    }


def _arrays(dataset: Dataset) -> dict[str, np.ndarray]:
    """The arrays that hold the values, by what their files' names end with."""
    X: Any = dataset.X
    return {f"-{part}": getattr(X, part) for part in _PARTS} if dataset.is_sparse else {"": X}


def _opened(path: Path, card: dict[str, Any]) -> Any:
    """Map the values that belong to a card."""
    whole = card["content_hash"]
    if "sparse_shape" not in card:
        return np.load(path.with_name(f"{whole}.npy"), mmap_mode="r")
    data, indices, indptr = (np.load(path.with_name(f"{whole}-{part}.npy"), mmap_mode="r") for part in _PARTS)
    return csr_array((data, indices, indptr), shape=tuple(card["sparse_shape"]), copy=False)


def _is_whole(path: Path, shape: tuple[int, ...]) -> bool:
    try:
        return np.load(path, mmap_mode="r").shape == shape
    except (OSError, ValueError):
        return False
