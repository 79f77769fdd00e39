"""How long each unit took: kept apart from the results, which are the same on every machine."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path

from fselect.files import write_atomically
from fselect.study.plan import Unit
from fselect.study.store import UnitStore

__all__ = ["write_timings"]


def write_timings(path: Path, units: Sequence[Unit], store: UnitStore) -> Path:
    """Write a row a unit of the store: key, label, seconds, date and versions."""
    import pandas as pd  # here, because while units run nobody needs it

    kept = ((unit, store.read(unit.key)) for unit in units)
    rows = [{"unit": unit.key, "label": unit.label, **found[1]} for unit, found in kept if found is not None]
    buffer = io.BytesIO()
    pd.DataFrame(rows).to_parquet(buffer, index=False)
    return write_atomically(path, buffer.getvalue())
