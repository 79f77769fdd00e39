"""How much a test on a column says about the class: gain and split information (Quinlan 1993, 1996).

With F(w) = w log2 w, W the weight at the node, and sums over branches b and classes c of the rows whose value is known,
gain = (F(known) - Σ F(known_c) - Σ F(w_b) + Σ F(w_bc)) / W: the known share is in the division by W. The split
information takes the missing values as one more branch: (F(W) - Σ F(w_b) - F(W - known)) / W.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from fselect.classifiers.c45.tree import COUNTS, TINY, Table
from fselect.classifiers.c45.workspace import FEW, Workspace
from fselect.kernel import bare

__all__ = ["nominal_gain", "numeric_gain", "power", "sort_known"]

_BITS = 32
_ROW = 2**_BITS - 1
"""The lower bits of a key are the row, the upper ones its place."""

_LARGEST_LEAST = 25.0
"""A side of a numeric test need not hold more than this, nor more than a tenth of a class's mean share."""


@bare
def power(weight: float, powers: np.ndarray) -> float:
    """Give w log2 w, of whole numbers from a table."""
    whole = np.int64(weight)
    if whole == weight and whole < powers.size:
        return powers[np.uint64(whole)]
    return weight * np.log2(weight) if weight > 0 else 0.0


@bare
def _gain_and_ratio(gain: float, split: float) -> tuple:
    return gain, gain / split if split > 0.0 else 0.0


@bare
def nominal_gain(table: Table, column: int, m: int, total: float, least: float, w: Workspace) -> tuple:
    """Give (gain, gain ratio) of one branch a value at a node of m rows, (-1, 0) where the test is not valid."""
    values, powers, counts, size = table.values, table.powers, w.counts, table.sizes[column]
    n_classes = counts.shape[1]
    for b in range(size):
        for c in range(n_classes):
            counts[b, c] = 0.0
    for p in range(m):
        value = values[column, w.rows[p]]
        if value == value:
            counts[np.int64(value), table.codes[w.rows[p]]] += w.weights[p]
    known, parts, branches, classes, filled = 0.0, 0.0, 0.0, 0.0, 0
    for b in range(size):
        weight = 0.0
        for c in range(n_classes):
            weight += counts[b, c]
            parts += power(counts[b, c], powers)
        known += weight
        branches += power(weight, powers)
        filled += weight >= least - TINY
    if filled < 2:
        return -1.0, 0.0
    for c in range(n_classes):
        weight = 0.0
        for b in range(size):
            weight += counts[b, c]
        classes += power(weight, powers)
    gain = (power(known, powers) - classes - branches + parts) / total
    split = (power(total, powers) - branches - power(max(total - known, 0.0), powers)) / total
    return _gain_and_ratio(max(gain, 0.0), split)


@bare
def _sort(table: Table, column: int, n: int, rows: np.ndarray) -> None:
    """Sort rows by value: Shell's sort with Ciura's gaps."""
    for gap in (1750, 701, 301, 132, 57, 23, 10, 4, 1):
        for p in range(gap, n):
            row, q = rows[p], p
            place = table.place[column, row]
            while q >= gap and table.place[column, rows[q - gap]] > place:
                rows[q] = rows[q - gap]
                q -= gap
            rows[q] = row


@bare
def _sort_few(n: int, keys: np.ndarray, rows: np.ndarray) -> None:
    """Sort rows by their keys: each goes after as many as are before it, which is counted without a branch."""
    for p in range(n):
        key, before = keys[p], 0
        for q in range(n):
            before += keys[q] < key
        rows[before] = key & _ROW


@bare
def sort_known(table: Table, column: int, m: int, w: Workspace) -> int:
    """Write the rows of a node of m whose value is known into ``w.ordered``, by value, and give their number.

    Of many rows the order of the whole column is run through, few are sorted.
    """
    # a row of a table is not taken out: to count who uses it costs more than a small node does
    known, out, found = table.known[column], w.ordered, 0
    if m * 8 > known and m > FEW:
        for p in range(known):
            out[found] = table.order[column, p]
            found += w.present[out[found]] > 0.0
        return found
    few = m <= FEW
    for p in range(m):
        row = w.rows[p]
        place = table.place[column, row]
        out[found] = row
        if few:
            w.keys[found] = place << _BITS | row
        found += place < known
    if few:
        _sort_few(found, w.keys, out)
    else:
        _sort(table, column, found, out)
    return found


@bare
def _weighted_cut(table: Table, column: int, n: int, known: float, least: float, w: Workspace) -> tuple:
    """Give the best cut's place, its Σ F(w_bc) - Σ F(w_b), and the number of valid cuts."""
    values, powers, codes, ordered, sides = table.values, table.powers, table.codes, w.ordered, w.counts
    left, parts, cuts, cut, best = 0.0, 0.0, 0, -1, -np.inf
    for c in range(sides.shape[1]):
        sides[0, c] = 0.0
        parts += power(sides[1, c], powers)
    for p in range(n - 1):
        row, weight = ordered[p], w.present[ordered[p]]
        c = codes[row]
        rest = max(sides[1, c] - weight, 0.0)
        parts += power(sides[0, c] + weight, powers) - power(sides[0, c], powers)
        parts += power(rest, powers) - power(sides[1, c], powers)
        sides[0, c] += weight
        sides[1, c] = rest
        left += weight
        if left >= least and known - left >= least and values[column, row] < values[column, ordered[p + 1]]:
            cuts += 1
            found = parts - power(left, powers) - power(known - left, powers)
            if found > best + TINY * known:
                best, cut = found, p
    return cut, best, cuts


@bare
def _unit_cut(table: Table, column: int, n: int, least: float, ordered: np.ndarray, sides: np.ndarray) -> tuple:
    """Give the same where every row weighs 1: weights are numbers of rows, and places in the table of F."""
    values, powers, codes = table.values, table.powers, table.codes
    parts, cuts, cut, best = 0.0, 0, -1, -np.inf
    for c in range(sides.shape[1]):
        sides[0, c] = 0
        parts += powers[sides[1, c]]
    for p in range(n - 1):
        c = codes[ordered[p]]
        left, right = sides[0, c], sides[1, c]
        parts += powers[np.uint32(left + 1)] - powers[np.uint32(left)]
        parts += powers[np.uint32(right - 1)] - powers[np.uint32(right)]
        sides[0, c], sides[1, c] = left + 1, right - 1
        if values[column, ordered[p]] < values[column, ordered[p + 1]] and p + 1 >= least and n - p - 1 >= least:
            cuts += 1
            found = parts - powers[p + 1] - powers[n - p - 1]
            if found > best + TINY * n:
                best, cut = found, p
    return cut, best, cuts


@bare
def _binary_cut(table: Table, column: int, n: int, least: float, ordered: np.ndarray, ones: int) -> tuple:
    """Give the same for two classes, of which `ones` rows are in the second: no step waits for the one before."""
    values, powers, codes = table.values, table.powers, table.codes
    zeros, cuts, cut, best, left_ones = n - ones, 0, -1, -np.inf, 0
    margin: Any = max(np.int64(np.ceil(least)), 1)
    for p in range(n - margin):
        left_ones += codes[ordered[p]]
        if p + 1 >= margin and values[column, ordered[p]] < values[column, ordered[p + 1]]:
            cuts += 1
            left_zeros = p + 1 - left_ones
            parts = powers[np.uint32(left_ones)] + powers[np.uint32(left_zeros)] - powers[np.uint32(p + 1)]
            rest = powers[np.uint32(ones - left_ones)] + powers[np.uint32(zeros - left_zeros)]
            found = parts + rest - powers[np.uint32(n - p - 1)]
            if found > best + TINY * n:
                best, cut = found, p
    return cut, best, cuts


@bare
def numeric_gain(
    table: Table, column: int, node: int, m: int, total: float, least: float, n_classes: int, unit: bool, w: Workspace
) -> tuple:
    """Give (gain, gain ratio, place of the cut in ``w.ordered``) at a node of m rows, a gain of -1 if no cut is valid.

    The gain of the best cut is lowered by log2(valid cuts) / W (release 8).
    """
    powers, n = table.powers, sort_known(table, column, m, w)
    known, before, kept = 0.0, 0.0, w.sides.shape[1]
    for c in range(kept):
        w.counts[1, c] = w.tree.numbers[node, COUNTS + c] if n == m else 0.0
    if n < m:
        for p in range(n):
            w.counts[1, table.codes[w.ordered[p]]] += w.present[w.ordered[p]]
    for c in range(kept):
        w.sides[1, c] = np.int64(w.counts[1, c])
        known += w.counts[1, c]
        before -= power(w.counts[1, c], powers)
    before += power(known, powers)
    least = max(least, min(_LARGEST_LEAST, 0.1 * known / n_classes)) - TINY
    if unit and kept == 2:
        cut, best, cuts = _binary_cut(table, column, n, least, w.ordered, w.sides[1, 1])
    elif unit:
        cut, best, cuts = _unit_cut(table, column, n, least, w.ordered, w.sides)
    else:
        cut, best, cuts = _weighted_cut(table, column, n, known, least, w)
    gain = (before + best - np.log2(cuts)) / total if cut >= 0 else -1.0
    if gain <= TINY:
        return -1.0, 0.0, 0
    left = 0.0
    for p in range(cut + 1):
        left += w.present[w.ordered[p]]
    split = power(total, powers) - power(left, powers) - power(known - left, powers)
    split -= power(max(total - known, 0.0), powers)
    gain, ratio = _gain_and_ratio(gain, split / total)
    return gain, ratio, cut
