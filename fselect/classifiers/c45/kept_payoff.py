"""Payoffs of C4.5 on complete tables: all trees of a search are put together out of nodes that are kept."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from fselect.classifiers.c45.kept_nodes import KeptNodes, empty_nodes, make_nodes
from fselect.classifiers.c45.kept_trees import (
    Bench,
    forget_scores,
    grow_kept,
    make_bench,
    predicts,
    prune_kept,
    same_as_before,
)
from fselect.classifiers.c45.prefixes import insert
from fselect.classifiers.c45.prune import collapse
from fselect.classifiers.c45.rows_prune import errors_of_perfect
from fselect.classifiers.c45.tree import Rules, Table, Tree
from fselect.classifiers.c45.workspace import Workspace, make_workspace
from fselect.kernel import kernel

__all__ = ["KeptTrees", "kept_prefixes_right"]

_NODES, _ROWS, _TESTS = 2**17, 2**22, 2**18
"""How much is kept, a worker: some 40 MB for two classes."""

_TREES = 200
"""A table is larger than pays if not so many rows as these trees have are kept, all folds together."""

_SCORES = 16 * 2**20
"""Bytes of scores at hand, a worker."""

_FEWEST_SCORED = 64
"""At so many nodes, however long permutations are."""


class _Room(NamedTuple):
    nodes: KeptNodes
    bench: Bench
    work: Workspace


@kernel
def kept_prefixes_right(
    table: Table,
    permutation: np.ndarray,
    weights: np.ndarray,
    predicted: np.ndarray,
    occurring: np.ndarray,
    rules: Rules,
    perfect: np.ndarray,
    start: int,
    shared: int,
    right: np.ndarray,
    nodes: KeptNodes,
    bench: Bench,
    w: Workspace,
) -> bool:
    """Count, for each prefix, the rows that trees of other rows predict right.

    Parameters
    ----------
    table, permutation, weights, predicted, occurring, rules, start, right
        As in `fselect.classifiers.c45.prefixes.prefixes_right`; weights are 0 or 1.
    perfect : ndarray of shape (n + 1,), float64
        From `fselect.classifiers.c45.rows_prune.errors_of_perfect`.
    shared : int
        How many columns at the start are those of the call before.
    nodes, bench, w : KeptNodes, Bench, Workspace
        Memory.

    Returns
    -------
    bool
        False if there is not enough room.
    """
    right[:] = 0
    order = np.empty(max(start - 1, 0), np.int64)
    for k in range(order.size):
        insert(w.memo.order, k, permutation)
    order[:] = w.memo.order[: order.size]
    forget_scores(bench, shared)
    for fold in range(weights.shape[0]):
        w.memo.order[: order.size] = order
        before, found = -1, 0
        for k in range(order.size, permutation.size):
            insert(w.memo.order, k, permutation)
            now = k & 1
            used = grow_kept(
                table, permutation, k + 1, fold, weights[fold], occurring[fold], rules, now, nodes, bench, w
            )
            if used < 0:
                return False
            if used != before or not same_as_before(bench, used, now):
                collapse(bench.tree, used, w.estimates)
                if rules.pruned and not prune_kept(table, rules, perfect, nodes, bench, w):
                    return False
                found = 0
                for row in range(predicted.shape[1]):
                    if predicted[fold, row]:
                        found += predicts(table, bench.tree, row) == table.codes[row]
            right[k] += found
            before = used
    return True


class KeptTrees:
    """Numbers of rows predicted right by trees on prefixes of permutations; what one call finds out the next one uses.

    Parameters
    ----------
    table : Table
        All columns and rows, complete.
    weights, predicted : ndarray of shape (folds, n)
        Rows that are trained on (1, else 0), and rows that are predicted.
    occurring : ndarray of shape (folds, d), int64
        Values of nominal columns among the rows that are trained on.
    rules : Rules
        When to split, and how to prune.
    """

    def __init__(
        self, table: Table, weights: np.ndarray, predicted: np.ndarray, occurring: np.ndarray, rules: Rules
    ) -> None:
        self._known = table, weights, predicted, occurring, rules
        self._perfect = errors_of_perfect(table.values.shape[1], rules)
        self._n_classes = int(table.codes.max()) + 1
        self._free: list[tuple[_Room, np.ndarray]] = []

    @staticmethod
    def fits(n: int, folds: int) -> bool:
        """Tell whether the rows of many trees of n rows can be kept."""
        return n * folds * _TREES <= _ROWS

    def right(self, permutation: np.ndarray, start: int) -> np.ndarray | None:
        """Give the numbers for prefixes of `start` columns and more, 0 for others; or None if there is no room.

        Parameters
        ----------
        permutation : ndarray of shape (l,), int64
            Columns.
        start : int
            Length of the shortest prefix that is wanted.

        Returns
        -------
        ndarray of shape (l,), int64
            Or None.
        """
        room, before = self._take(len(permutation))
        base = permutation[: max(start - 1, 0)]
        shared = len(base) if np.array_equal(before, base) else 0
        found = self._count(permutation, start, shared, room)
        if found is None:
            self._empty(room)
            found, base = self._count(permutation, start, 0, room), permutation[:0]
        self._free.append((room, base.copy()))
        return found

    def _count(self, permutation: np.ndarray, start: int, shared: int, room: _Room) -> np.ndarray | None:
        right = np.empty(len(permutation), dtype=np.int64)
        table, weights, predicted, occurring, rules = self._known
        folds = weights, predicted, occurring
        done = kept_prefixes_right(table, permutation, *folds, rules, self._perfect, start, shared, right, *room)
        return right if done else None

    def _take(self, n_columns: int) -> tuple[_Room, np.ndarray]:
        """Memory that no other call uses; of those that wait the one that was used last."""
        try:
            room, base = self._free.pop()
        except IndexError:
            return self._make(n_columns), np.empty(0, dtype=np.int64)
        if room.bench.scores.shape[1] >= n_columns:
            return room, base
        return _Room(room.nodes, *self._tools(room.nodes, 2 * n_columns)), base[:0]

    def _make(self, n_columns: int) -> _Room:
        nodes = make_nodes(self._n_classes, nodes=_NODES, rows=_ROWS, tests=_TESTS)
        room = _Room(nodes, *self._tools(nodes, n_columns))
        self._empty(room)
        return room

    def _tools(self, nodes: KeptNodes, n_columns: int) -> tuple[Bench, Workspace]:
        work = make_workspace(self._known[0], self._n_classes, n_columns, remember=False)
        work.weights[:] = 1.0
        size, scored = len(work.estimates), max(_FEWEST_SCORED, _SCORES // (24 * max(n_columns, 1)))
        bench = make_bench(size, len(nodes.places), n_columns, self._n_classes, scored)
        return bench, work._replace(tree=Tree(bench.tree.links, nodes.numbers))

    def _empty(self, room: _Room) -> None:
        table, weights = self._known[:2]
        empty_nodes(room.nodes, table.codes, weights)

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_free": []}  # to make room again is faster than to send it
