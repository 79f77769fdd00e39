"""Columns of an Arrow table from lists, without pandas.

``pyarrow.array`` imports pandas to see whether it was given something of it: 27 MB of memory in each worker process.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

__all__ = ["column"]


def column(values: Sequence[Any], kind: pa.DataType) -> pa.Array:
    """Make a column of numbers, texts or lists of texts; other kinds only where all values are None.

    Parameters
    ----------
    values : sequence
        Numbers, str, or lists of str, according to `kind`; None for null.
    kind : pyarrow.DataType
        Of the column.

    Returns
    -------
    pyarrow.Array
        What ``pyarrow.array(values, kind)`` gives.

    Examples
    --------
    >>> column([["x", "é"], None, []], pa.list_(pa.string())).to_pylist()
    [['x', 'é'], None, []]
    """
    if all(value is None for value in values):
        return pa.nulls(len(values), kind)
    if pa.types.is_string(kind):
        texts = [(value or "").encode() for value in values]
        return _from(kind, values, [_offsets(texts), pa.py_buffer(b"".join(texts))])
    if pa.types.is_list(kind):
        lists = [() if value is None else value for value in values]
        inner = column([text for texts in lists for text in texts], kind.value_type)
        return _from(kind, values, [_offsets(lists)], [inner])
    if pa.types.is_signed_integer(kind) or pa.types.is_floating(kind):
        numbers = np.array([0 if value is None else value for value in values])
        letter = "i" if pa.types.is_signed_integer(kind) else "f"  # to_pandas_dtype imports pandas too
        return _from(kind, values, [pa.py_buffer(numbers.astype(f"{letter}{kind.bit_width // 8}"))])
    return pa.array(values, kind)


def _from(kind: pa.DataType, values: Sequence[Any], buffers: list[Any], inner: list[pa.Array] | None = None) -> Any:
    there = np.array([value is not None for value in values])
    bits = None if there.all() else pa.py_buffer(np.packbits(there, bitorder="little"))
    return pa.Array.from_buffers(kind, len(values), [bits, *buffers], children=inner)


def _offsets(parts: Sequence[Any]) -> Any:
    return pa.py_buffer(np.cumsum([0, *map(len, parts)], dtype=np.int32))
