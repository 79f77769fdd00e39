"""Making C4.5's trees smaller: collapsing, and error-based pruning with subtree raising (Quinlan 1993, chapter 4)."""

from __future__ import annotations

import numpy as np

from fselect.classifiers.c45.grow import branch_of, push, tally
from fselect.classifiers.c45.tree import (
    BRANCHES,
    COUNTS,
    FEATURE,
    FIRST,
    PARENT,
    SHARE,
    THRESHOLD,
    TINY,
    Rules,
    Table,
    Tree,
    leaf_errors,
    node_weight,
)
from fselect.classifiers.c45.workspace import BELOW, STARTS, UNSEEN, WAITING, Workspace
from fselect.kernel import bare, kernel

__all__ = [
    "collapse",
    "largest_child",
    "list_below",
    "pessimistic_errors",
    "prune",
    "settle",
]

_FEWER = 1e-3
"""A subtree has to make fewer training errors than a leaf by more than this."""

_HARDLY_MORE = 0.1 + TINY
"""What is smaller may have this many more estimated errors."""


@bare
def collapse(tree: Tree, used: int, errors: np.ndarray) -> None:
    """Make a leaf of every node whose subtree makes no fewer training errors; this is done unpruned, too."""
    for node in range(used):
        errors[node] = 0.0
    for node in range(used - 1, -1, -1):
        if tree.links[node, FEATURE] < 0:
            errors[node] += leaf_errors(tree.numbers, node)
        if node > 0:
            errors[tree.links[node, PARENT]] += errors[node]
    for node in range(used):
        if tree.links[node, FEATURE] >= 0 and errors[node] >= leaf_errors(tree.numbers, node) - _FEWER:
            tree.links[node, FEATURE] = -1


@kernel
def pessimistic_errors(weight: float, errors: float, confidence: float, quantile: float) -> float:
    """Give the upper limit of the errors of a leaf: of the binomial law at 0 errors, else of its normal approximation.

    Between 0 and 1 error, and above all but half a row, it is interpolated.
    """
    if weight <= TINY:
        return 0.0
    if errors < 1.0:
        none = weight * (1.0 - confidence ** (1.0 / weight))
        if errors <= 0.0:
            return none
        one = _normal_limit(weight, 1.0, quantile) if weight > 1.5 else max(weight, 1.0)
        return none + errors * (one - none)
    if errors + 0.5 >= weight:
        return max(weight, errors)
    return _normal_limit(weight, errors, quantile)


@bare
def _normal_limit(weight: float, errors: float, quantile: float) -> float:
    rate, square = (errors + 0.5) / weight, quantile * quantile
    spread = np.sqrt(rate / weight - rate * rate / weight + square / (4.0 * weight * weight))
    return weight * (rate + square / (2.0 * weight) + quantile * spread) / (1.0 + square / weight)


@bare
def _as_leaf(numbers: np.ndarray, node: int, rules: Rules) -> float:
    weight, errors = node_weight(numbers, node), leaf_errors(numbers, node)
    return pessimistic_errors(weight, errors, rules.confidence, rules.quantile)


@bare
def _gather(table: Table, node: int, all_weights: np.ndarray, w: Workspace) -> int:
    """Find the rows that come to a node, along its path from the root; give their number."""
    tree, length, above = w.tree, 0, node
    while above >= 0:
        w.lists[WAITING, length] = above
        above, length = tree.links[above, PARENT], length + 1
    m = 0
    for row in range(all_weights.size):
        weight, step = all_weights[row], length - 1
        while step > 0 and weight > 0.0:
            above, child = w.lists[WAITING, step], w.lists[WAITING, step - 1]
            b = branch_of(table, tree.links[above, FEATURE], tree.numbers[above, THRESHOLD], row)
            if b < 0:
                weight *= tree.numbers[child, SHARE]
            elif tree.links[above, FIRST] + b != child:
                weight = 0.0
            step -= 1
        if weight > 0.0:
            w.rows[m], w.weights[m] = row, weight
            m += 1
    return m


@bare
def _send_down(table: Table, tree: Tree, top_node: int, m: int, w: Workspace) -> bool:
    """Send rows down a subtree and write its numbers anew; False if there is not enough room."""
    for p in range(m):
        w.stack_rows[p], w.stack_weights[p] = w.rows[p], w.weights[p]
    w.lists[WAITING, 0], w.lists[STARTS, 0] = top_node, 0
    waiting, top = 1, m
    while waiting > 0:
        waiting -= 1
        node, start = w.lists[WAITING, waiting], w.lists[STARTS, waiting]
        m, top = top - start, start
        if tree.links[node, FEATURE] >= 0:
            for p in range(m):
                w.rows[p], w.weights[p] = w.stack_rows[start + p], w.stack_weights[start + p]
            if top + tally(table, tree, node, m, w) > w.stack_rows.size:
                return False
            waiting, top = push(table, tree, node, m, waiting, top, w)
    return True


@bare
def list_below(tree: Tree, node: int, out: np.ndarray, start: int) -> int:
    """Write a node and all below it, children after their parent; give where the list ends."""
    out[start] = node
    end, p = start + 1, start
    while p < end:
        first = tree.links[out[p], FIRST]
        for b in range(tree.links[out[p], BRANCHES] if tree.links[out[p], FEATURE] >= 0 else 0):
            out[end] = first + b
            end += 1
        p += 1
    return end


@bare
def largest_child(tree: Tree, node: int) -> int:
    """Give the child with the most weight, of equals the first."""
    chosen = tree.links[node, FIRST]
    for child in range(chosen + 1, chosen + tree.links[node, BRANCHES]):
        if node_weight(tree.numbers, child) > node_weight(tree.numbers, chosen) + TINY:
            chosen = child
    return chosen


@bare
def _branch_errors(table: Table, node: int, child: int, all_weights: np.ndarray, rules: Rules, w: Workspace) -> float:
    """Estimate the errors if the child's subtree took the node's place, whose numbers are left in the draft; or -1."""
    numbers, draft, below = w.tree.numbers, w.draft, w.lists[BELOW]
    end = list_below(w.tree, child, below, 0)
    for q in range(end):
        for k in range(numbers.shape[1]):
            draft[below[q], k] = numbers[below[q], k]
            if k >= COUNTS:
                draft[below[q], k] = numbers[node, k] if q == 0 else 0.0
    m = _gather(table, node, all_weights, w)
    if not _send_down(table, Tree(w.tree.links, draft), child, m, w):
        return -1.0
    errors = 0.0
    for q in range(end):
        if w.tree.links[below[q], FEATURE] < 0:
            errors += _as_leaf(draft, below[q], rules)
    return errors


@bare
def _raise_branch(tree: Tree, draft: np.ndarray, node: int, child: int, below: np.ndarray) -> None:
    """Put the child's subtree, with the numbers of the draft, in the node's place."""
    for q in range(1, list_below(tree, child, below, 0)):
        for k in range(SHARE, tree.numbers.shape[1]):
            tree.numbers[below[q], k] = draft[below[q], k]
    tree.numbers[node, THRESHOLD] = tree.numbers[child, THRESHOLD]
    for k in (FEATURE, FIRST, BRANCHES):
        tree.links[node, k] = tree.links[child, k]
    for b in range(tree.links[node, BRANCHES]):
        tree.links[tree.links[node, FIRST] + b, PARENT] = node


@bare
def settle(
    tree: Tree, draft: np.ndarray, node: int, child: int, branch: float, estimates: np.ndarray, below: np.ndarray
) -> bool:
    """Make a leaf of a node, put its largest branch in its place, or leave it; tell whether it is the branch.

    Of several that are hardly worse the smallest is taken. The node's estimate as a leaf stands in estimates, those of
    its children too; the branch's is given, and its numbers are in the draft.
    """
    leaf, subtree, first = estimates[node], 0.0, tree.links[node, FIRST]
    for b in range(tree.links[node, BRANCHES]):
        subtree += estimates[first + b]
    if leaf <= subtree + _HARDLY_MORE and leaf <= branch + _HARDLY_MORE:
        tree.links[node, FEATURE] = -1
        return False
    if branch <= subtree + _HARDLY_MORE:
        _raise_branch(tree, draft, node, child, below)
        return True
    estimates[node] = subtree
    return False


@bare
def prune(table: Table, all_weights: np.ndarray, rules: Rules, w: Workspace) -> bool:
    """Prune from the leaves upward: a leaf, or the largest branch, takes a subtree's place if hardly worse by estimate.

    Parameters
    ----------
    table : Table
        The columns.
    all_weights : ndarray of shape (n,), float64
        Weights of the rows, 0 for those that are not trained on.
    rules : Rules
        Confidence and its quantile.
    w : Workspace
        With the tree.

    Returns
    -------
    bool
        False if there is not enough room.
    """
    tree, estimates, todo, below = w.tree, w.estimates, w.lists[UNSEEN], w.lists[BELOW]
    waiting = list_below(tree, 0, todo, 0)
    while waiting > 0:
        waiting -= 1
        node = todo[waiting]
        estimates[node] = _as_leaf(tree.numbers, node, rules)
        if tree.links[node, FEATURE] < 0:
            continue
        child = largest_child(tree, node)
        branch = _branch_errors(table, node, child, all_weights, rules, w)
        if branch < 0.0:
            return False
        if settle(tree, w.draft, node, child, branch, estimates, below):
            waiting = list_below(tree, node, todo, waiting)
    return True
