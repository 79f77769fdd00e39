"""Finished rounds on disk: what lets a long search go on after an interruption, with the same result."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from fselect.files import write_atomically
from fselect.selectors.contribution.rounds import Round
from fselect.selectors.contribution.sampling import Contributions

__all__ = ["RoundFiles", "search_digest"]


def search_digest(facts: Mapping[str, Any], *arrays: np.ndarray) -> str:
    """Name a search by all that determines it.

    Parameters
    ----------
    facts : mapping
        Parameters, as JSON or text can hold them.
    *arrays : ndarray
        The sample.

    Returns
    -------
    str
        32 hexadecimal digits.

    Examples
    --------
    >>> search_digest({"size": 3}, np.ones(2)) == search_digest({"size": 4}, np.ones(2))
    False
    """
    digest = hashlib.blake2b(json.dumps(facts, sort_keys=True, default=repr).encode(), digest_size=16)
    for array in arrays:
        digest.update(repr(array.shape).encode())
        digest.update(np.ascontiguousarray(array).data)
    return digest.hexdigest()


@dataclass(frozen=True)
class RoundFiles:
    """A folder with a file a finished round; it appears whole or not at all.

    Parameters
    ----------
    folder : Path
        Of this very search: a search with other parameters or rows needs another.
    """

    folder: Path

    def _path(self, number: int) -> Path:
        return self.folder / f"round-{number:05d}.npz"

    def keep(self, number: int, finished: Round) -> None:
        """Keep a finished round."""
        sink = io.BytesIO()
        found = finished.contributions
        np.savez_compressed(
            sink,
            candidates=finished.candidates,
            values=found.values,
            standard_errors=found.standard_errors,
            counts=found.counts,
            draws=finished.draws,
            moved=finished.moved,
            numbers=np.array([finished.n_permutations, finished.size]),
            payoff=np.array(finished.payoff),
        )
        write_atomically(self._path(number), sink.getvalue())

    def rounds(self) -> list[Round]:
        """The finished rounds from the first on, up to one that is missing or damaged."""
        found: list[Round] = []
        while (one := self._read(len(found))) is not None:
            found.append(one)
        return found

    def _read(self, number: int) -> Round | None:
        try:
            with np.load(self._path(number), allow_pickle=False) as file:
                return _round(dict(file))
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
            return None


def _round(arrays: dict[str, np.ndarray]) -> Round:
    contributions = Contributions(arrays["values"], arrays["standard_errors"], arrays["counts"])
    t, size = arrays["numbers"].tolist()
    payoff = float(arrays["payoff"])
    return Round(arrays["candidates"], contributions, arrays["draws"], t, size, arrays["moved"], payoff)
