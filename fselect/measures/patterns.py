"""Counting patterns: how often each combination of values of some columns occurs in each class, exactly.

Values are packed into 64-bit words once. A set of columns is then a mask, adding or dropping a column flips the bits of
that column, and two rows show one pattern if their masked words are equal: hashing finds the candidates, comparing the
words decides.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fselect.kernel import kernel

__all__ = ["Patterns", "agreements", "first_in_agreement", "pack", "pattern_table"]

_MIX = np.uint64(0x9E3779B97F4A7C15)  # 2^64 / golden ratio: multiplying by it spreads neighbouring numbers
_HALF = np.uint64(32)


class Patterns(NamedTuple):
    """Columns of small whole numbers, packed.

    Attributes
    ----------
    words : ndarray of shape (W, n), uint64
        The values of each row.
    place : ndarray of shape (d,), int64
        The word in which each column is.
    field : ndarray of shape (d,), uint64
        The bits that are its own there.
    codes : ndarray of shape (n,), int64
        Classes 0 … C - 1.
    n_classes : int
        C.
    """

    words: np.ndarray
    place: np.ndarray
    field: np.ndarray
    codes: np.ndarray
    n_classes: int


def pack(levels: np.ndarray, codes: np.ndarray, n_classes: int) -> Patterns:
    """Pack columns into as few words as they fit into, one after the other.

    Parameters
    ----------
    levels : ndarray of shape (n, d), int
        Values from 0.
    codes : ndarray of shape (n,), int
        Classes 0 … n_classes - 1.
    n_classes : int
        Number of classes.

    Returns
    -------
    Patterns

    Examples
    --------
    >>> packed = pack(np.array([[0, 3], [1, 2]]), np.array([0, 1]), 2)
    >>> packed.words, packed.field
    (array([[6, 5]], dtype=uint64), array([1, 6], dtype=uint64))
    """
    n, d = levels.shape
    bits = np.array([max(1, int(top).bit_length()) for top in levels.max(axis=0, initial=0)], dtype=np.int64)
    place, shift = _places(bits)
    words = np.zeros((int(place[-1]) + 1 if d else 1, n), dtype=np.uint64)
    for column in range(d):
        words[place[column]] |= levels[:, column].astype(np.uint64) << np.uint64(shift[column])
    field = ((np.uint64(1) << bits.astype(np.uint64)) - np.uint64(1)) << shift.astype(np.uint64)
    return Patterns(words, place, field, np.ascontiguousarray(codes, dtype=np.int64), int(n_classes))


def _places(bits: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    place, shift = np.zeros_like(bits), np.zeros_like(bits)
    word, used = 0, 0
    for column, width in enumerate(bits):
        if used + width > 64:
            word, used = word + 1, 0
        place[column], shift[column] = word, used
        used += int(width)
    return place, shift


class _Room(NamedTuple):
    """Memory to count in."""

    words: np.ndarray  # (used words, n): the masked ones
    mixed: np.ndarray  # (n,): a hash of them, of one word a bijection
    seen: np.ndarray  # the hash in each slot
    slots: np.ndarray  # the pattern in each slot, -1 if it is free
    rows: np.ndarray  # the first row of each pattern
    cells: np.ndarray  # (n,): the pattern of each row


@kernel
def _make_room(n_words: int, n: int) -> _Room:
    size = 4
    while size < 2 * n:
        size *= 2
    words, mixed = np.empty((n_words, n), dtype=np.uint64), np.empty(n, dtype=np.uint64)
    seen, slots = np.empty(size, dtype=np.uint64), np.empty(size, dtype=np.int32)
    return _Room(words, mixed, seen, slots, np.empty(n, dtype=np.int32), np.empty(n, dtype=np.int32))


@kernel
def _use(words: np.ndarray, mask: np.ndarray, room: _Room) -> int:
    """Mask and hash the words that a set of columns lies in; return how many."""
    used = 0
    room.mixed[:] = 0
    for w in range(mask.size):
        if mask[w] != 0:
            for i in range(words.shape[1]):
                value = words[w, i] & mask[w]
                room.words[used, i] = value
                mixed = (room.mixed[i] ^ value) * _MIX
                room.mixed[i] = mixed ^ (mixed >> _HALF)
            used += 1
    return used


@kernel
def _same(room: _Room, used: int, one: int, other: int) -> bool:
    same = True
    for w in range(used):
        same &= room.words[w, one] == room.words[w, other]
    return same


@kernel
def _number_patterns(packed_words: np.ndarray, mask: np.ndarray, room: _Room) -> int:
    """Fill in the pattern of each row, in order of appearance; return how many there are."""
    used = _use(packed_words, mask, room)
    room.slots[:] = -1
    last = np.uint64(room.slots.size - 1)
    found = 0
    for i in range(room.mixed.size):
        mixed = room.mixed[i]
        at = np.int64(mixed & last)
        # equal hashes are compared word by word, except those of a single word, which are never equal by chance
        while room.slots[at] >= 0 and not (
            room.seen[at] == mixed and (used == 1 or _same(room, used, room.rows[room.slots[at]], i))
        ):
            at = np.int64(np.uint64(at + 1) & last)
        if room.slots[at] < 0:
            room.slots[at], room.seen[at], room.rows[found] = found, mixed, i
            found += 1
        room.cells[i] = room.slots[at]
    return found


@kernel
def _agreement(packed: Patterns, mask: np.ndarray, room: _Room, counts: np.ndarray) -> int:
    """Count the rows that are of the most frequent class of their pattern."""
    counts[: _number_patterns(packed.words, mask, room)] = 0
    agree, n_classes = 0, packed.n_classes
    for i in range(packed.codes.size):
        cell = room.cells[i]
        counts[cell, packed.codes[i]] += 1
        # the last entry is the largest of the others
        if counts[cell, packed.codes[i]] > counts[cell, n_classes]:
            counts[cell, n_classes] += 1
            agree += 1
    return agree


@kernel
def _mask_of(packed: Patterns, columns: np.ndarray) -> np.ndarray:
    mask = np.zeros(packed.words.shape[0], dtype=np.uint64)
    for column in columns:
        mask[packed.place[column]] |= packed.field[column]
    return mask


@kernel
def agreements(packed: Patterns, columns: np.ndarray, changed: np.ndarray) -> np.ndarray:
    """Count the rows that agree with their pattern's most frequent class, for each of several neighbouring sets.

    Parameters
    ----------
    packed : Patterns
        The table.
    columns : ndarray of int64
        A set of columns.
    changed : ndarray of shape (m,), int64
        A column that is added to the set, or dropped if it is in; -1 for the set as it is.

    Returns
    -------
    ndarray of shape (m,), int64
        Σ over patterns of the count of their largest class.
    """
    n, mask = packed.codes.size, _mask_of(packed, columns)
    room = _make_room(min(mask.size, columns.size + 1), n)
    counts = np.empty((n, packed.n_classes + 1), dtype=np.int32)
    found = np.empty(changed.size, dtype=np.int64)
    for m in range(changed.size):
        column = changed[m]
        if column >= 0:
            mask[packed.place[column]] ^= packed.field[column]
        found[m] = _agreement(packed, mask, room, counts)
        if column >= 0:
            mask[packed.place[column]] ^= packed.field[column]
    return found


@kernel
def _agreement_if_enough(packed: Patterns, mask: np.ndarray, most: int, room: _Room, counts: np.ndarray) -> int:
    """Count as `_agreement` does, but give -1 as soon as more rows than `most` disagree.

    Rows are hashed and counted one by one, so that a set that is far from enough costs a few rows.
    """
    n = packed.codes.size
    room.slots[:] = -1
    found, against, last = 0, 0, np.uint64(room.slots.size - 1)
    for i in range(n):
        used, mixed = 0, np.uint64(0)
        for w in range(mask.size):
            if mask[w] != 0:
                room.words[used, i] = packed.words[w, i] & mask[w]
                mixed = (mixed ^ room.words[used, i]) * _MIX
                mixed ^= mixed >> _HALF
                used += 1
        at = np.int64(mixed & last)
        while room.slots[at] >= 0 and not (
            room.seen[at] == mixed and (used == 1 or _same(room, used, room.rows[room.slots[at]], i))
        ):
            at = np.int64(np.uint64(at + 1) & last)
        if room.slots[at] < 0:
            room.slots[at], room.seen[at], room.rows[found] = found, mixed, i
            counts[found] = 0
            found += 1
        cell, c = room.slots[at], packed.codes[i]
        counts[cell, c] += 1
        if counts[cell, c] > counts[cell, packed.n_classes]:
            counts[cell, packed.n_classes] += 1
        else:
            against += 1
            if against > most:
                return -1
    return n - against


@kernel
def first_in_agreement(packed: Patterns, columns: np.ndarray, ends: np.ndarray, most: int) -> tuple:
    """Find the first of several sets of columns of whose patterns few rows disagree.

    Parameters
    ----------
    packed : Patterns
        The table.
    columns : ndarray of int64
        The sets, one after the other.
    ends : ndarray of shape (m,), int64
        Where each of them ends.
    most : int
        How many rows may disagree; none can if it is negative.

    Returns
    -------
    place : int
        Which set, m if there is none.
    agree : int
        How many rows agree with their pattern's most frequent class, 0 if there is none.
    """
    room = _make_room(packed.words.shape[0], packed.codes.size)
    counts = np.empty((packed.codes.size, packed.n_classes + 1), dtype=np.int32)
    start = 0
    for m in range(ends.size):
        agree = _agreement_if_enough(packed, _mask_of(packed, columns[start : ends[m]]), most, room, counts)
        if agree >= 0 and most >= 0:
            return m, agree
        start = ends[m]
    return ends.size, 0


@kernel
def pattern_table(packed: Patterns, columns: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Number the patterns of a set of columns in order of appearance.

    Parameters
    ----------
    packed : Patterns
        The table.
    columns : ndarray of int64
        A set of columns; without any, all rows show one pattern.

    Returns
    -------
    cells : ndarray of shape (n,), int32
        The pattern of each row, from 0.
    counts : ndarray of shape (number of patterns, C), int64
        How many rows of each class show it.
    """
    mask = _mask_of(packed, columns)
    room = _make_room(min(mask.size, columns.size + 1), packed.codes.size)
    counts = np.zeros((_number_patterns(packed.words, mask, room), packed.n_classes), dtype=np.int64)
    for i in range(packed.codes.size):
        counts[room.cells[i], packed.codes[i]] += 1
    return room.cells, counts
