"""C4.5's trees as a drawing."""

from __future__ import annotations

from typing import Any

import numpy as np

from fselect.classifiers.c45.text import branch_text, leaf_text
from fselect.classifiers.c45.tree import BRANCHES, DEPTH, FEATURE, FIRST, PARENT, Tree
from fselect.classifiers.nominal_columns import Columns
from fselect.errors import MissingExtra

__all__ = ["plot_tree", "positions"]


def positions(tree: Tree) -> np.ndarray:
    """Place nodes: leaves side by side from left to right, other nodes above the middle of their children.

    Parameters
    ----------
    tree : Tree
        The tree.

    Returns
    -------
    ndarray of shape (nodes, 2), float64
        Across, and down as a negative depth.

    Examples
    --------
    >>> tree = Tree(np.array([[0, 1, 2, -1, 0], [-1, -1, 0, 0, 1], [-1, -1, 0, 0, 1]]), np.zeros((3, 4)))
    >>> positions(tree).tolist()
    [[0.5, 0.0], [0.0, -1.0], [1.0, -1.0]]
    """
    across, waiting, leaves = np.zeros(len(tree.links)), [0], 0
    while waiting:
        node = waiting.pop()
        if tree.links[node, FEATURE] < 0:
            across[node], leaves = leaves, leaves + 1
        else:
            waiting += range(tree.links[node, FIRST] + tree.links[node, BRANCHES] - 1, tree.links[node, FIRST] - 1, -1)
    for node in range(len(across) - 1, -1, -1):  # children come after their parent
        if tree.links[node, FEATURE] >= 0:
            first = tree.links[node, FIRST]
            across[node] = across[first : first + tree.links[node, BRANCHES]].mean()
    return np.column_stack([across, -tree.links[:, DEPTH]]).astype(np.float64)


def plot_tree(tree: Tree, columns: Columns, classes: np.ndarray, ax: Any = None) -> Any:
    """Draw a tree with matplotlib.

    Parameters
    ----------
    tree : Tree
        The tree.
    columns : Columns
        Names, and the values of nominal columns.
    classes : ndarray of shape (C,)
        Labels.
    ax : matplotlib axes, optional
        Where; a new figure by default.

    Returns
    -------
    matplotlib.axes.Axes
        The drawing.

    Raises
    ------
    MissingExtra
        matplotlib is not installed.
    """
    if ax is None:
        try:
            from matplotlib import pyplot as plt
        except ImportError as error:
            raise MissingExtra("matplotlib", extra="pipeline") from error
        places = positions(tree)
        _, ax = plt.subplots(figsize=(2.0 + 1.4 * (places[:, 0].max() + 1), 2.0 - places[:, 1].min()))
    _draw(ax, tree, columns, classes, positions(tree))
    ax.set_axis_off()
    return ax


def _draw(ax: Any, tree: Tree, columns: Columns, classes: np.ndarray, places: np.ndarray) -> None:
    box = {"boxstyle": "round", "facecolor": "white", "edgecolor": "0.5"}
    for node, (x, y) in enumerate(places):
        if node > 0:
            above = places[tree.links[node, PARENT]]
            ax.plot([above[0], x], [above[1], y], color="0.5", zorder=1)
            condition = branch_text(tree, columns, node).removeprefix(columns.names[_tested(tree, node)]).strip()
            ax.text(0.3 * above[0] + 0.7 * x, 0.3 * above[1] + 0.7 * y, condition, ha="center", fontsize=7)
        column = tree.links[node, FEATURE]
        told = leaf_text(tree, classes, node) if column < 0 else columns.names[column]
        ax.text(x, y, told, ha="center", va="center", bbox=box, zorder=2, fontsize=8)


def _tested(tree: Tree, node: int) -> int:
    return int(tree.links[tree.links[node, PARENT], FEATURE])
