"""Random streams of a study: keyed by what a draw belongs to, so that any unit draws the same alone."""

from __future__ import annotations

import hashlib
from enum import IntEnum

import numpy as np

from fselect.errors import InputError

__all__ = ["Stream", "generator", "name_key"]


class Stream(IntEnum):
    """What a random draw is for; the number is part of its seed and never changes.

    Streams are keyed by what they belong to, never by the method or the strength of the bias: methods and
    strengths that are compared see the same bootstraps, the same uniforms and the same noise.

    Examples
    --------
    >>> int(Stream.NOISE)
    5
    """

    BOOTSTRAP = 1
    PRIOR = 2
    RANDOM_SET = 3
    SHRINKAGE = 4
    NOISE = 5
    SET = 6
    SELECTOR = 7
    RESAMPLE = 8
    SYNTHETIC = 9


def name_key(name: str) -> int:
    """Give the 32-bit number that stands for a dataset's name in a seed.

    The name and not the content: a table with one corrected cell keeps its draws, so that a difference
    between the two results is due to the cell.

    Parameters
    ----------
    name : str
        A dataset's name.

    Returns
    -------
    int
        The blake2b-32 digest of the UTF-8 name, as an unsigned number (big end first).

    Examples
    --------
    >>> 0 <= name_key("prostate") < 2**32
    True
    """
    return int.from_bytes(hashlib.blake2b(name.encode(), digest_size=4).digest(), "big")


def generator(seed: int, stream: Stream, name: str, repeat: int = 0, sample: int = 0) -> np.random.Generator:
    """Start the random generator of one draw of a study.

    Parameters
    ----------
    seed : int
        The study's seed, 0 or more.
    stream : Stream
        What the draw is for.
    name : str
        Name of the dataset, or of the sequence of tasks.
    repeat : int, default=0
        Number of the repeat, from 0.
    sample : int, default=0
        Number of the bootstrap, or of the task, from 0.

    Returns
    -------
    numpy.random.Generator
        PCG64, seeded by a ``SeedSequence`` whose spawn key is (stream, name, repeat, sample).

    Raises
    ------
    InputError
        The seed, repeat or sample is not a whole number of at least 0.

    Examples
    --------
    >>> first, again = (generator(7, Stream.NOISE, "colon", sample=3).random() for _ in range(2))
    >>> first == again
    True
    """
    for word, number in (("seed", seed), ("repeat", repeat), ("sample", sample)):
        if isinstance(number, bool) or not isinstance(number, (int, np.integer)) or number < 0:
            raise InputError(f"{word} must be a whole number of at least 0, not {number!r}")
    key = (int(stream), name_key(name), int(repeat), int(sample))
    return np.random.default_rng(np.random.SeedSequence(int(seed), spawn_key=key))
