"""Tables on standard output, for people or as JSON."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["print_frame"]


def print_frame(frame: pd.DataFrame, as_json: bool, *, empty: str = "nothing") -> None:
    """Print a table; `empty` is what to say when it has no rows."""
    if as_json:
        print(json.dumps(json.loads(frame.to_json(orient="records", date_format="iso")), indent=1, ensure_ascii=False))
        return
    if frame.empty:
        print(empty)
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    table = Table(*[str(name) for name in frame.columns])
    for row in frame.itertuples(index=False):
        table.add_row(*[escape(_text(value)) for value in row])
    Console().print(table)


def _text(value: object) -> str:
    if value is None or value != value:
        return "–"
    return f"{value:.4g}" if isinstance(value, float) else str(value)
