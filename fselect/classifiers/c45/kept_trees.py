"""Growing C4.5's trees out of kept nodes, and pruning them, where the table is complete and rows weigh the same."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fselect.classifiers.c45.grow import branch_of, choose, is_final, value_limit
from fselect.classifiers.c45.kept_nodes import N_ROWS, START, KeptNodes, children_of, score_tests
from fselect.classifiers.c45.prune import largest_child, list_below, settle
from fselect.classifiers.c45.rows_prune import leaf_of_rows
from fselect.classifiers.c45.tree import (
    BRANCHES,
    COUNTS,
    DEPTH,
    FEATURE,
    FIRST,
    PARENT,
    THRESHOLD,
    Rules,
    Table,
    Tree,
    node_weight,
)
from fselect.classifiers.c45.workspace import BELOW, UNSEEN, WAITING, Workspace
from fselect.kernel import bare

__all__ = ["Bench", "forget_scores", "grow_kept", "make_bench", "predicts", "prune_kept", "same_as_before"]

_EPOCH, _NEXT, _STAMP, _SHARED = range(4)
"""Places of `Bench.state`: which scores are valid, where the next go, the permutation at work, and how many
columns at its start are those of the ones before."""

_OF_EPOCH, _PLACE = range(2)
_AT, _KNOWN = range(2)
"""Columns of `Bench.scored` and `Bench.known`."""


class Bench(NamedTuple):
    """What trees of kept nodes are put together on.

    Attributes
    ----------
    tree : Tree
        The tree at work.
    which : ndarray of shape (2, nodes), int64
        The kept node of each of its nodes, and those of the tree before; they take turns.
    chosen : ndarray of shape (2, nodes), int64
        The column that each was divided by before pruning, -1 at a leaf; likewise.
    places : ndarray of shape (nodes, 2), int64
        Where the rows of each of its nodes are, as in `KeptNodes.places`.
    scores : ndarray of shape (places, l, 3), float64
        Scores of the permutation's columns at nodes met lately.
    scored : ndarray of shape (kept nodes, 2), int64
        Where the scores of a kept node are, and of which epoch that is.
    known : ndarray of shape (places, 2), int64
        When scores were written last, and of how many columns they are.
    state : ndarray of shape (4,), int64
        Counters.
    """

    tree: Tree
    which: np.ndarray
    chosen: np.ndarray
    places: np.ndarray
    scores: np.ndarray
    scored: np.ndarray
    known: np.ndarray
    state: np.ndarray


def make_bench(nodes: int, kept: int, n_columns: int, n_classes: int, scored: int) -> Bench:
    """Make room.

    Parameters
    ----------
    nodes : int
        How many nodes a tree has at most.
    kept : int
        How many nodes are kept at most.
    n_columns : int
        How many columns are tested at most.
    n_classes : int
        Number of classes.
    scored : int
        At how many nodes scores are at hand at a time.

    Returns
    -------
    Bench
        Without scores.
    """
    return Bench(
        Tree(np.empty((nodes, 5), dtype=np.int64), np.zeros((nodes, COUNTS + n_classes))),
        np.empty((2, nodes), dtype=np.int64),
        np.empty((2, nodes), dtype=np.int64),
        np.empty((nodes, 2), dtype=np.int64),
        np.empty((scored, n_columns, 3)),
        np.zeros((kept, 2), dtype=np.int64),
        np.empty((scored, 2), dtype=np.int64),
        np.array([1, 0, 0, 0], dtype=np.int64),
    )


@bare
def forget_scores(bench: Bench, shared: int) -> None:
    """Begin with another permutation, of which so many columns are those of the one before."""
    bench.state[_STAMP] += 1
    bench.state[_SHARED] = shared
    if shared == 0:
        bench.state[_EPOCH] += 1
        bench.state[_NEXT] = 0


@bare
def _scores_at(bench: Bench, kept: int) -> tuple:
    """Give where the scores of a kept node are, and of how many columns they are."""
    state, known = bench.state, bench.known
    if bench.scored[kept, _OF_EPOCH] != state[_EPOCH]:
        if state[_NEXT] == bench.scores.shape[0]:
            state[_EPOCH] += 1
            state[_NEXT] = 0
        bench.scored[kept, _OF_EPOCH], bench.scored[kept, _PLACE] = state[_EPOCH], state[_NEXT]
        known[state[_NEXT], _AT], known[state[_NEXT], _KNOWN] = state[_STAMP], 0
        state[_NEXT] += 1
    place = bench.scored[kept, _PLACE]
    if known[place, _AT] != state[_STAMP]:
        known[place, _AT], known[place, _KNOWN] = state[_STAMP], min(known[place, _KNOWN], state[_SHARED])
    return place, known[place, _KNOWN]


@bare
def _plant(bench: Bench, node: int, kept: int, parent: int, depth: int, nodes: KeptNodes) -> None:
    """Make a node of the tree of a kept one."""
    tree = bench.tree
    for k in range(COUNTS, tree.numbers.shape[1]):
        tree.numbers[node, k] = nodes.numbers[kept, k]
    tree.links[node, FEATURE], tree.links[node, FIRST], tree.links[node, BRANCHES] = -1, -1, 0
    tree.links[node, PARENT], tree.links[node, DEPTH] = parent, depth
    bench.places[node, START], bench.places[node, N_ROWS] = nodes.places[kept, START], nodes.places[kept, N_ROWS]


@bare
def grow_kept(
    table: Table,
    columns: np.ndarray,
    k: int,
    root: int,
    weights: np.ndarray,
    occurring: np.ndarray,
    rules: Rules,
    now: int,
    nodes: KeptNodes,
    bench: Bench,
    w: Workspace,
) -> int:
    """Grow a tree, unpruned, as `fselect.classifiers.c45.grow.grow` does.

    Parameters
    ----------
    table : Table
        The columns, complete.
    columns : ndarray of shape (l,), int64
        The permutation.
    k : int
        How many of its columns may be tested; ``w.memo.order`` has them in the table's order.
    root : int
        The fold, whose root it is.
    weights : ndarray of shape (n,), float64
        1 for each row that is trained on, else 0.
    occurring : ndarray of shape (d,), int64
        How many values of each nominal column occur in training rows, 0 for a numeric one.
    rules : Rules
        When to split.
    now : int
        0 or 1, the other than for the tree before.
    nodes : KeptNodes
        What is known.
    bench : Bench
        Where it is grown.
    w : Workspace
        Memory, as for `score_tests`.

    Returns
    -------
    int
        Number of nodes, or -1 if there is not enough room.
    """
    tree, which, chosen, n_present = bench.tree, bench.which[now], bench.chosen[now], 0
    for c in range(COUNTS, nodes.numbers.shape[1]):
        n_present += nodes.numbers[root, c] > 0.0
    limit = value_limit(occurring, columns, k, node_weight(nodes.numbers, root))
    _plant(bench, 0, root, -1, 0, nodes)
    which[0], w.lists[WAITING, 0] = root, 0
    waiting, used = 1, 1
    while waiting > 0:
        waiting -= 1
        node = w.lists[WAITING, waiting]
        chosen[node] = -1
        if is_final(tree, node, rules):
            continue
        place, known = _scores_at(bench, which[node])
        scores = bench.scores[place]
        if not score_tests(table, columns, known, k, which[node], rules.min_weight, n_present, nodes, scores, w):
            return -1
        bench.known[place, _KNOWN] = k
        best = choose(scores, w.memo.order, k, occurring, columns, limit)
        if best < 0:
            continue
        column = columns[best]
        first, threshold = children_of(table, column, which[node], scores[best], weights, nodes, w)
        branches = max(2, table.sizes[column])
        if first < 0 or used + branches > which.size:
            return -1
        chosen[node], tree.numbers[node, THRESHOLD] = column, threshold
        tree.links[node, FEATURE], tree.links[node, FIRST], tree.links[node, BRANCHES] = column, used, branches
        for b in range(branches):
            _plant(bench, used + b, first + b, node, tree.links[node, DEPTH] + 1, nodes)
            which[used + b], chosen[used + b] = first + b, -1
            if nodes.places[first + b, N_ROWS] > 0:
                w.lists[WAITING, waiting] = used + b
                waiting += 1
        used += branches
    return used


@bare
def same_as_before(bench: Bench, used: int, now: int) -> bool:
    """Tell whether the tree before had the same nodes; it had a column fewer, and as many nodes."""
    for node in range(used):
        if bench.which[0, node] != bench.which[1, node] or bench.chosen[0, node] != bench.chosen[1, node]:
            return False
    return True


@bare
def _walk(table: Table, tree: Tree, numbers: np.ndarray, node: int, row: int) -> None:
    """Add a row to the numbers of a node and of those that it comes to below."""
    place = COUNTS + table.codes[row]
    numbers[node, place] += 1.0
    while tree.links[node, FEATURE] >= 0:
        b = branch_of(table, tree.links[node, FEATURE], tree.numbers[node, THRESHOLD], row)
        node = tree.links[node, FIRST] + b
        numbers[node, place] += 1.0


@bare
def _branch_errors(
    table: Table, node: int, child: int, rules: Rules, perfect: np.ndarray, rows: np.ndarray, bench: Bench, w: Workspace
) -> float:
    """Estimate the errors if the child's subtree took the node's place, whose numbers are left in the draft."""
    tree, draft, below, errors = bench.tree, w.draft, w.lists[BELOW], 0.0
    end = list_below(tree, child, below, 0)
    for q in range(end):
        for k in range(tree.numbers.shape[1]):
            draft[below[q], k] = tree.numbers[below[q], k]
    first = tree.links[node, FIRST]
    for other in range(first, first + tree.links[node, BRANCHES]):
        start = bench.places[other, START]
        for p in range(start, start + bench.places[other, N_ROWS] if other != child else start):
            _walk(table, tree, draft, child, rows[p])
    for q in range(end):
        if tree.links[below[q], FEATURE] < 0:
            errors += leaf_of_rows(draft, below[q], rules, perfect)
    return errors


@bare
def _part_again(table: Table, node: int, rows: np.ndarray, top: int, bench: Bench, below: np.ndarray) -> int:
    """Hand the rows of a node that took another's place down anew; give where free room starts, or -1."""
    tree, places = bench.tree, bench.places
    for q in range(list_below(tree, node, below, 0)):
        above = below[q]
        if tree.links[above, FEATURE] < 0:
            continue
        start, m, first = places[above, START], places[above, N_ROWS], tree.links[above, FIRST]
        if top + m > rows.size:
            return -1
        for child in range(first, first + tree.links[above, BRANCHES]):
            places[child, START], places[child, N_ROWS] = top, 0
            top += int(node_weight(tree.numbers, child))
        for p in range(start, start + m):
            b = branch_of(table, tree.links[above, FEATURE], tree.numbers[above, THRESHOLD], rows[p])
            rows[places[first + b, START] + places[first + b, N_ROWS]] = rows[p]
            places[first + b, N_ROWS] += 1
    return top


@bare
def prune_kept(table: Table, rules: Rules, perfect: np.ndarray, nodes: KeptNodes, bench: Bench, w: Workspace) -> bool:
    """Prune from the leaves upward, as `fselect.classifiers.c45.prune.prune` does; False if there is not enough room.

    Rows of nodes that took another's place lie, as long as this takes, where those of new kept nodes would.
    """
    tree, estimates, todo, below, top = bench.tree, w.estimates, w.lists[UNSEEN], w.lists[BELOW], nodes.filled[1]
    waiting = list_below(tree, 0, todo, 0)
    while waiting > 0:
        waiting -= 1
        node = todo[waiting]
        estimates[node] = leaf_of_rows(tree.numbers, node, rules, perfect)
        if tree.links[node, FEATURE] < 0:
            continue
        child = largest_child(tree, node)
        branch = _branch_errors(table, node, child, rules, perfect, nodes.rows, bench, w)
        if settle(tree, w.draft, node, child, branch, estimates, below):
            waiting = list_below(tree, node, todo, waiting)
            top = _part_again(table, node, nodes.rows, top, bench, below)
            if top < 0:
                return False
    return True


@bare
def predicts(table: Table, tree: Tree, row: int) -> int:
    """Give the class of a row: the largest one of the last node on its way that has rows, of equals the first."""
    node = 0
    while tree.links[node, FEATURE] >= 0:
        b = branch_of(table, tree.links[node, FEATURE], tree.numbers[node, THRESHOLD], row)
        if b < 0 or node_weight(tree.numbers, tree.links[node, FIRST] + b) == 0.0:
            break
        node = tree.links[node, FIRST] + b
    best = 0
    for c in range(1, tree.numbers.shape[1] - COUNTS):
        if tree.numbers[node, COUNTS + c] > tree.numbers[node, COUNTS + best]:
            best = c
    return best
