"""C4.5's trees as text, in the manner of the program itself."""

from __future__ import annotations

import numpy as np

from fselect.classifiers.c45.tree import BRANCHES, COUNTS, FEATURE, FIRST, PARENT, THRESHOLD, Tree
from fselect.classifiers.nominal_columns import Columns

__all__ = ["branch_text", "leaf_text", "tree_text"]


def branch_text(tree: Tree, columns: Columns, node: int) -> str:
    """Give the condition under which a row comes from its parent to a node.

    Parameters
    ----------
    tree : Tree
        The tree.
    columns : Columns
        Names, and the values of nominal columns.
    node : int
        Not the root.

    Returns
    -------
    str
        Such as ``age <= 41``.
    """
    parent = tree.links[node, PARENT]
    column, branch = tree.links[parent, FEATURE], node - tree.links[parent, FIRST]
    values = columns.categories[column]
    if values is not None:
        return f"{columns.names[column]} = {values[branch]}"
    # as many digits as tell the number from all others: a threshold is a value that occurs, and may have neighbours
    threshold = repr(float(tree.numbers[parent, THRESHOLD])).removesuffix(".0")
    return f"{columns.names[column]} {'<=' if branch == 0 else '>'} {threshold}"


def leaf_text(tree: Tree, classes: np.ndarray, node: int) -> str:
    """Give the class of a node with the weight of its training rows, and of those of other classes if there are any.

    Parameters
    ----------
    tree : Tree
        The tree.
    classes : ndarray of shape (C,)
        Labels.
    node : int
        A node; one without rows has its parent's class.

    Returns
    -------
    str
        Such as ``yes (12.0/1.0)``.
    """
    counts = tree.numbers[node, COUNTS:]
    asked = counts if counts.sum() > 0 else tree.numbers[tree.links[node, PARENT], COUNTS:]
    wrong = counts.sum() - counts.max()
    weight = f"{counts.sum():.1f}/{wrong:.1f}" if wrong > 0.05 else f"{counts.sum():.1f}"
    return f"{classes[np.argmax(asked)]} ({weight})"


def tree_text(tree: Tree, columns: Columns, classes: np.ndarray) -> str:
    """Give a tree as text, a line a branch.

    Parameters
    ----------
    tree : Tree
        The tree.
    columns : Columns
        Names, and the values of nominal columns.
    classes : ndarray of shape (C,)
        Labels.

    Returns
    -------
    str
        Lines without a newline at the end.

    Examples
    --------
    >>> tree = Tree(np.array([[0, 1, 2, -1, 0], [-1, -1, 0, 0, 1], [-1, -1, 0, 0, 1]]),
    ...             np.array([[2.5, 1, 3, 2], [0, 0.6, 3, 0], [0, 0.4, 0, 2.0]]))
    >>> print(tree_text(tree, Columns(("size",), (None,)), np.array(["small", "large"])))
    size <= 2.5: small (3.0)
    size > 2.5: large (2.0)
    """
    if tree.links[0, FEATURE] < 0:
        return f": {leaf_text(tree, classes, 0)}"
    lines, waiting = [], _children(tree, 0, 0)
    while waiting:
        node, depth = waiting.pop()
        line = "|   " * depth + branch_text(tree, columns, node)
        final = tree.links[node, FEATURE] < 0
        lines.append(f"{line}: {leaf_text(tree, classes, node)}" if final else line)
        waiting += _children(tree, node, depth + 1)
    return "\n".join(lines)


def _children(tree: Tree, node: int, depth: int) -> list[tuple[int, int]]:
    if tree.links[node, FEATURE] < 0:
        return []
    first = int(tree.links[node, FIRST])
    return [(child, depth) for child in reversed(range(first, first + int(tree.links[node, BRANCHES])))]
