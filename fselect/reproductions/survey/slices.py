"""Slices of the survey's experiment: ``families=parity``, ``n_relevant=4,8``, ``algorithms=lvf,relief``, ``runs=3``."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from fselect.errors import InputError
from fselect.reproductions.cells import Cell
from fselect.reproductions.survey.settings import ALGORITHMS, FAMILIES, GROUPS, STUDIES

__all__ = ["narrow"]

_VALUES: dict[str, tuple[str, ...]] = {
    "groups": tuple(GROUPS),
    "families": tuple(FAMILIES),
    "n_relevant": tuple(str(size) for size in sorted({size for sizes in FAMILIES.values() for size in sizes})),
    "algorithms": tuple(ALGORITHMS),
    "ratios": tuple(f"{ratio:g}" for ratio in sorted({ratio for ratios in GROUPS.values() for ratio in ratios})),
}
_KEYS = (*_VALUES, "runs")


def narrow(asked: Sequence[str]) -> Callable[[Cell], bool]:
    """Tell which cells are in a slice.

    Parameters
    ----------
    asked : sequence of str
        ``key=value,value`` each, or several of these with spaces between. Keys are groups, families, n_relevant,
        algorithms, ratios and runs; a key that is absent leaves everything in.

    Returns
    -------
    callable
        Cell → whether it is in.

    Raises
    ------
    InputError
        A key or value that does not exist, or a slice without a cell.

    Examples
    --------
    >>> wanted = narrow(["families=parity n_relevant=4,8", "runs=3"])
    >>> wanted(Cell("irrelevance-parity-8", "lvf", 2, "{}")), wanted(Cell("irrelevance-parity-8", "lvf", 3, "{}"))
    (True, False)
    """
    chosen = _read(asked)
    runs = int(chosen.pop("runs", ("1000000",))[0])
    problems = {
        name: one
        for name, one in STUDIES.items()
        if one.group in chosen.get("groups", GROUPS)
        and one.family in chosen.get("families", FAMILIES)
        and ("n_relevant" not in chosen or str(one.n_relevant) in chosen["n_relevant"])
    }
    if not problems:
        sizes = "; ".join(f"{family}: {', '.join(map(str, sizes))}" for family, sizes in FAMILIES.items())
        raise InputError(f"no problem is in this slice; n_relevant are, {sizes}")
    ratios = {float(ratio) for ratio in chosen.get("ratios", ())}

    def wanted(cell: Cell) -> bool:
        algorithm = cell.column in chosen.get("algorithms", ALGORITHMS)
        ratio = not ratios or json.loads(cell.parameters)["ratio"] in ratios
        return cell.study in problems and algorithm and ratio and cell.split < runs

    return wanted


def _read(asked: Sequence[str]) -> dict[str, tuple[str, ...]]:
    chosen: dict[str, tuple[str, ...]] = {}
    for one in [part for text in asked for part in text.split()]:
        key, equals, values = one.partition("=")
        if key not in _KEYS or not equals or not values:
            raise InputError(f"a slice is KEY=VALUE,VALUE with a key of {', '.join(_KEYS)}, not {one!r}")
        if key in chosen:
            raise InputError(f"{key} is given twice in the slice; list its values as {key}=VALUE,VALUE")
        chosen[key] = tuple(values.split(","))
        _check(key, chosen[key])
    return chosen


def _check(key: str, values: tuple[str, ...]) -> None:
    if key == "runs":
        if len(values) != 1 or not values[0].isdecimal() or int(values[0]) < 1:
            raise InputError(f"runs in a slice must be one whole number of at least 1, not {','.join(values)!r}")
        return
    unknown = [value for value in values if value not in _VALUES[key]]
    if unknown:
        raise InputError(f"there is no {unknown[0]!r} among the {key}; there are {', '.join(_VALUES[key])}")
