"""What the tables of earlier tasks looked like, so that the table of a new one can be held against it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from fselect.datasets.dataset import Dataset
from fselect.datasets.wording import listing
from fselect.errors import InputError

if TYPE_CHECKING:
    from fselect.datasets.columns import Columns  # which imports pandas: a step that selects need not have it

__all__ = ["Schema", "check_classes_of", "check_known_levels", "conform", "schema_of"]


@dataclass(frozen=True)
class Schema:
    """Columns, their kinds, and the classes of the tasks of a study.

    Parameters
    ----------
    target : str
        Name of the column of labels.
    columns : tuple of str
        The columns of the file that features are made of, in order.
    levels : mapping of str to tuple of str
        The text columns, with all levels that occur; the other columns hold numbers.
    classes : tuple
        The labels, sorted.

    Examples
    --------
    >>> schema = Schema("ill", ("age", "sex"), {"sex": ("f", "m")}, ("no", "yes"))
    >>> Schema.from_dict(schema.to_dict()) == schema
    True
    """

    target: str
    columns: tuple[str, ...]
    levels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    classes: tuple[Any, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Give it as JSON values."""
        levels = {name: list(values) for name, values in self.levels.items()}
        return {"target": self.target, "columns": list(self.columns), "levels": levels, "classes": list(self.classes)}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Schema:
        """Build it again from `to_dict`."""
        levels = {str(name): tuple(map(str, found)) for name, found in values["levels"].items()}
        return cls(str(values["target"]), tuple(map(str, values["columns"])), levels, tuple(values["classes"]))


def schema_of(task: Dataset) -> Schema:
    """Tell the schema of a task, as its table was before texts became numbers.

    Parameters
    ----------
    task : Dataset
        Its recipe holds the text columns with their levels.

    Returns
    -------
    Schema

    Examples
    --------
    >>> recipe = {"target": "ill", "levels": {"stage": ["I", "II", "III"]}}
    >>> names = ("age", "stage=I", "stage=II", "stage=III")
    >>> schema_of(Dataset(np.ones((2, 4)), [0, 1], names=names, recipe=recipe)).columns
    ('age', 'stage')
    """
    levels = {name: tuple(found) for name, found in task.recipe.get("levels", {}).items()}
    made = {f"{name}={level}": name for name, found in levels.items() if len(found) > 2 for level in found}
    columns = tuple(dict.fromkeys(made.get(name, name) for name in task.names))
    return Schema(str(task.recipe.get("target", "target")), columns, levels, tuple(task.classes.tolist()))


def conform(part: Columns, schema: Schema) -> Columns:
    """Bring the columns of a table into the order of the earlier tasks, or say what differs.

    Parameters
    ----------
    part : Columns
        The table, taken apart.
    schema : Schema
        Of the earlier tasks.

    Returns
    -------
    Columns
        The same values, in the schema's order.

    Raises
    ------
    InputError
        Columns are missing or new, or hold another kind of value; one sentence names them all.
    """
    _refuse(part, _in_names(part, schema) or _in_kinds(part, schema) + _in_levels(part, schema))
    place = {name: position for position, name in enumerate(part.names)}
    numbers = part.numbers[:, [place[name] for name in schema.columns]]
    moved = {"reordered": True} if part.names != schema.columns else {}
    return replace(part, names=schema.columns, numbers=numbers, record=part.record | moved)


def check_known_levels(part: Columns, schema: Schema) -> None:
    """Refuse a table with texts that the earlier tasks do not have.

    Raises
    ------
    InputError
        The sentence names texts and column.
    """
    _refuse(part, _in_levels(part, schema))


def _refuse(part: Columns, differences: Sequence[str]) -> None:
    if differences:
        raise InputError(
            f"{part.table.label} differs from the earlier tasks: it {', and '.join(differences)}; "
            "correct the table, or give tables of another kind a study of their own"
        )


def _in_names(part: Columns, schema: Schema) -> list[str]:
    here, there = set(part.names), set(schema.columns)
    lacking = [name for name in schema.columns if name not in here]
    extra = [name for name in part.names if name not in there]
    clauses = [f"lacks {_columns(lacking)}"] if lacking else []
    return clauses + ([f"has {_columns(extra)} besides"] if extra else [])


def _columns(names: Sequence[str]) -> str:
    return f"column{'s' if len(names) > 1 else ''} {listing(names)}"


def _in_kinds(part: Columns, schema: Schema) -> list[str]:
    texts = [name for name in part.names if name in part.texts and name not in schema.levels]
    numbers = [name for name in schema.levels if name not in part.texts and not part.is_empty(name)]
    clauses = [f"holds text in {_columns(texts)}, where they hold numbers"] if texts else []
    return clauses + ([f"holds numbers in {_columns(numbers)}, where they hold text"] if numbers else [])


def _in_levels(part: Columns, schema: Schema) -> list[str]:
    unknown = [(name, _unknown(part, name, schema)) for name in schema.levels]
    return [f"holds {listing(found)} in column {name!r}, which they never do" for name, found in unknown if found]


def _unknown(part: Columns, name: str, schema: Schema) -> list[str]:
    known = {*schema.levels[name], None}
    return sorted({text for text in part.texts.get(name, np.empty(0)).tolist() if text not in known})


def check_classes_of(task: Dataset, schema: Schema, label: str) -> None:
    """Refuse a table whose classes are not those of the earlier tasks.

    Raises
    ------
    InputError
        The sentence names both.
    """
    found = task.classes.tolist()
    if found != list(schema.classes):
        raise InputError(
            f"{label} has the classes {listing(found)}, but the earlier tasks have {listing(schema.classes)}; "
            "all tasks need the same classes"
        )
