"""Tables on standard output, for people or as JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["print_frame"]


WIDTH = 160
"""Columns of a table that goes to a file or a pipe."""


def print_frame(
    frame: pd.DataFrame, as_json: bool, *, empty: str = "nothing", columns: Sequence[str] | None = None
) -> None:
    """Print a table.

    Parameters
    ----------
    frame : DataFrame
        The table.
    as_json : bool
        As a list of records with all columns, for scripts.
    empty : str
        What to say when it has no rows.
    columns : sequence of str, optional
        What people are shown; all by default.
    """
    if as_json:
        print(json.dumps(json.loads(frame.to_json(orient="records", date_format="iso")), indent=1, ensure_ascii=False))
        return
    if frame.empty:
        print(empty)
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    shown = frame[list(columns)] if columns else frame
    table = Table(*[str(name).replace("_", " ") for name in shown.columns])
    for row in shown.itertuples(index=False):
        table.add_row(*[escape(_text(value)) for value in row])
    Console(width=None if sys.stdout.isatty() else WIDTH).print(table)


def _text(value: object) -> str:
    if value is None or value != value:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else ""
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    return f"{value:.4g}" if isinstance(value, float) else str(value)
