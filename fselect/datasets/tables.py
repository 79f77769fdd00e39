"""Any table of a user → a dataset that passed every check."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fselect.datasets.columns import Table
from fselect.datasets.dataset import Dataset
from fselect.datasets.matrix_files import is_matrix_file, read_matrix
from fselect.datasets.options import DataOptions, data_options
from fselect.datasets.preparation import prepare
from fselect.datasets.table_source import check_file, read_frame, source_label, source_name

__all__ = ["read_frame", "read_table"]


def read_table(
    source: Any,
    target: str = "target",
    *,
    name: str | None = None,
    options: DataOptions | None = None,
    **words: Any,
) -> Dataset:
    """Read a table and make it ready for selection.

    Text columns with two values become 0 and 1 in sorted order. A first column without a name that holds
    row names is left out. All that was done is in the dataset's ``recipe``.

    Parameters
    ----------
    source : path-like, frame, or name of a dataset
        CSV, TSV, Parquet, Feather, ARFF or Excel; NPZ or svmlight (see `fselect.datasets.matrix_files`); a pandas,
        polars or pyarrow table; or what `load_dataset` knows.
    target : str, default="target"
        Name of the column of class labels.
    name : str, optional
        Name of the dataset. Default: the file's name without folder and ending, "data" for a frame.
    options : DataOptions, optional
        What is done to the values. Default: nothing; anything unclear is an error.
    **words
        Single options as keywords, e.g. ``missing="drop"``, ``clip=(10, 16000)``, ``log=10``; they win
        over ``options``.

    Returns
    -------
    Dataset
        Float64 values and labels, checked.

    Raises
    ------
    InputError
        Anything that keeps the table from being used: one sentence with the column, the row (counted
        from 1, without the header) and the way out.
    MissingExtra
        An Excel file, and openpyxl is not installed.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"gene": [1.0, 10.0, 100.0, 10.0], "ill": ["no", "yes", "no", "yes"]})
    >>> read_table(frame, "ill", log=10).X.ravel().tolist()
    [0.0, 1.0, 2.0, 1.0]
    """
    chosen = data_options(options, **words)
    if is_matrix_file(source):
        check_file(Path(source))
        return read_matrix(Path(source), str(target), name or source_name(source), chosen)
    label = source_label(source)
    table = Table(read_frame(source, chosen.sheet), label, name or source_name(source))
    return prepare([table], target, chosen, {"source": label})[0]
