"""Where tables come from: files of six formats, frames of any library, bundled datasets by name."""

from __future__ import annotations

import difflib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd

from fselect.datasets.arff import read_arff
from fselect.datasets.bundled import dataset_catalogue, load_dataset
from fselect.datasets.delimited import COMPRESSIONS, MISSING_WORDS, read_delimited
from fselect.datasets.matrix_files import MATRIX_ENDINGS, is_matrix_file
from fselect.datasets.wording import listing
from fselect.errors import InputError, MissingExtra

__all__ = ["check_file", "is_table_file", "read_frame", "source_label", "source_name"]

DELIMITED = (".csv", ".tsv", ".tab", ".txt")
PARQUET = (".parquet", ".pq")
FEATHER = (".feather", ".arrow")
EXCEL = (".xlsx", ".xlsm")
KNOWN = "CSV and TSV (.csv .tsv .tab .txt, also .gz .bz2 .xz), Parquet, Feather, ARFF and Excel (.xlsx)"


def read_frame(source: Any, sheet: str | int | None = None) -> pd.DataFrame:
    """Read a table as it is, without any choice about its content.

    Parameters
    ----------
    source : path-like, frame, or name of a dataset
        A file; a pandas, polars or pyarrow table; or a name that `load_dataset` knows (its labels are in
        the column ``target``). A file goes before a dataset of the same name.
    sheet : str or int, optional
        Sheet of an Excel file, by name or by number from 0. Default: the first.

    Returns
    -------
    pandas.DataFrame
        The columns as they are; a pandas frame is passed through, not copied.

    Raises
    ------
    InputError
        No such file (close matches are named), a folder, an empty file, an unknown format, or a file that
        cannot be read.
    MissingExtra
        An Excel file, and openpyxl is not installed.

    Examples
    --------
    >>> read_frame("iris").shape
    (150, 5)
    """
    if isinstance(source, pd.DataFrame):
        return source
    if isinstance(source, (str, os.PathLike)):
        return _from_dataset(str(source)) if _is_dataset_name(source) else _from_file(Path(source), sheet)
    if hasattr(source, "collect") and not hasattr(source, "__arrow_c_stream__"):
        source = source.collect()  # a lazy polars frame
    if hasattr(source, "__arrow_c_stream__"):
        return _from_arrow(source)
    what = type(source).__name__
    raise InputError(f"cannot read a table from {what!r}; give a file, or a pandas, polars or pyarrow table")


def is_table_file(path: str | os.PathLike[str]) -> bool:
    """Tell by its ending whether a file is one that `read_frame` reads.

    Examples
    --------
    >>> is_table_file("may.csv.gz"), is_table_file("may.pdf")
    (True, False)
    """
    suffixes = [suffix.lower() for suffix in Path(path).suffixes]
    if suffixes and suffixes[-1] in COMPRESSIONS:
        return len(suffixes) > 1 and suffixes[-2] in (*DELIMITED, ".arff")
    return bool(suffixes) and suffixes[-1] in (*DELIMITED, *PARQUET, *FEATHER, *EXCEL, ".arff")


def source_label(source: Any) -> str:
    """Say in a sentence which table is meant: a file's name, or "the table".

    Parameters
    ----------
    source : path-like, frame, or name of a dataset
        What `read_frame` takes.

    Returns
    -------
    str
        The label.

    Examples
    --------
    >>> source_label("data/colon.csv.gz"), source_label(pd.DataFrame())
    ('colon.csv.gz', 'the table')
    """
    return Path(source).name if isinstance(source, (str, os.PathLike)) else "the table"


def source_name(source: Any) -> str:
    """Name a dataset after its file, without folder and ending; "data" for a frame.

    Parameters
    ----------
    source : path-like, frame, or name of a dataset
        What `read_frame` takes.

    Returns
    -------
    str
        The name.

    Examples
    --------
    >>> source_name("data/colon.csv.gz"), source_name(pd.DataFrame())
    ('colon', 'data')
    """
    if not isinstance(source, (str, os.PathLike)):
        return "data"
    if _is_dataset_name(source):
        return str(source)
    path = Path(source)
    return Path(path.stem).stem if path.suffix.lower() in COMPRESSIONS else path.stem


def _is_dataset_name(source: str | os.PathLike[str]) -> bool:
    word = str(source)
    if word.lower().startswith("openml:"):
        return True
    return any(entry.name == word for entry in dataset_catalogue()) and not Path(word).is_file()


def _from_dataset(word: str) -> pd.DataFrame:
    return load_dataset(word).frame("target")


def _from_arrow(source: Any) -> pd.DataFrame:
    import pyarrow as pa

    try:
        return pa.table(source).to_pandas()
    except (pa.ArrowException, TypeError, ValueError) as error:
        what = type(source).__name__
        raise InputError(f"cannot make a table of this {what} ({_first_line(error)}); give a frame") from error


def _from_file(path: Path, sheet: str | int | None) -> pd.DataFrame:
    check_file(path)
    reader = _reader(path)
    if sheet is not None and reader is not _read_excel:
        raise InputError(f"{path.name} has no sheets (sheet: {sheet!r}); leave the option out")
    if path.stat().st_size == 0:
        raise InputError(f"{path.name} is empty; it needs a header and rows")
    return _read_excel(path, sheet) if reader is _read_excel else reader(path)


def check_file(path: Path) -> None:
    """Refuse a path at which no file can be read, and say which one may have been meant."""
    if path.is_dir():
        inside = sorted(entry.name for entry in path.iterdir() if entry.is_file())
        hint = f" (it holds {listing(inside)})" if inside else ""
        raise InputError(f"{path} is a folder{hint}; give one file")
    if not path.exists():
        raise InputError(f"there is no file {path}{_near(path)}")
    if not os.access(path, os.R_OK):
        raise InputError(f"{path} may not be read; change its permissions")


def _near(path: Path) -> str:
    if not path.parent.is_dir():
        return f"; there is no folder {path.parent} either"
    here = sorted(entry.name for entry in path.parent.iterdir() if entry.is_file())
    datasets = [entry.name for entry in dataset_catalogue()] if path.parent == Path() else []
    close = difflib.get_close_matches(path.name, [*here, *datasets], n=3, cutoff=0.6)
    close = close or [name for name in here if Path(name).stem == path.stem]
    if close:
        return "; did you mean " + " or ".join(repr(str(path.with_name(name))) for name in close) + "?"
    return f", and no dataset of that name ({listing(datasets)})" if datasets and not path.suffix else ""


def _reader(path: Path) -> Callable[..., pd.DataFrame]:
    if is_matrix_file(path):
        raise InputError(f"{path.name} holds a matrix, and a table of named columns is needed here; save it as Parquet")
    suffixes = [suffix.lower() for suffix in path.suffixes]
    packed = bool(suffixes) and suffixes[-1] in COMPRESSIONS
    suffix = (suffixes[-2] if len(suffixes) > 1 else "") if packed else (suffixes[-1] if suffixes else "")
    readers: dict[tuple[str, ...], Callable[..., pd.DataFrame]] = {
        DELIMITED: read_delimited,
        (".arff",): read_arff,
    }
    if not packed:
        readers |= {PARQUET: _read_parquet, FEATHER: _read_feather, EXCEL: _read_excel}
    for endings, reader in readers.items():
        if suffix in endings:
            return reader
    ending = "".join(suffixes[-2:] if packed else suffixes[-1:])
    what = f"the ending {ending!r} is not known" if ending else "it has no ending that tells its format"
    hint = "; save it as .xlsx" if suffix == ".xls" else ""
    raise InputError(f"{path.name}: {what}{hint}; known are {KNOWN}, and of one matrix {MATRIX_ENDINGS}")


def _read_parquet(path: Path) -> pd.DataFrame:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        return pq.ParquetFile(path).read().to_pandas()
    except (OSError, pa.ArrowException) as error:
        raise InputError(f"{path.name} is no readable Parquet file ({_first_line(error)}); check it") from error


def _read_feather(path: Path) -> pd.DataFrame:
    import pyarrow as pa
    import pyarrow.feather

    try:
        return pa.feather.read_table(path).to_pandas()
    except (OSError, pa.ArrowException) as error:
        raise InputError(f"{path.name} is no readable Feather file ({_first_line(error)}); check it") from error


def _read_excel(path: Path, sheet: str | int | None) -> pd.DataFrame:
    try:
        import openpyxl  # noqa: F401
    except ImportError as error:
        raise MissingExtra("openpyxl", extra="tables") from error
    try:
        with pd.ExcelFile(path, engine="openpyxl") as book:
            place = _sheet(book, sheet, path)
            # The header is read apart: pandas would rename repeated names without a word.
            header = pd.read_excel(book, sheet_name=place, header=None, nrows=1)
            missing: Any = {"keep_default_na": False, "na_values": list(MISSING_WORDS)}
            frame = pd.read_excel(book, sheet_name=place, header=0, **missing)
    except InputError:
        raise
    except Exception as error:  # openpyxl lets many kinds through (BadZipFile, KeyError, …)
        raise InputError(f"{path.name} is no readable Excel file ({_first_line(error)})") from error
    if header.empty:
        raise InputError(f"{path.name}: sheet {place!r} is empty; it needs a header and rows")
    names = ["" if pd.isna(name) else str(name).strip() for name in header.iloc[0]]
    frame.columns = pd.Index([*names, *[""] * (frame.shape[1] - len(names))])
    return frame


def _sheet(book: pd.ExcelFile, sheet: str | int | None, path: Path) -> str:
    names = [str(name) for name in book.sheet_names]
    if sheet is None:
        return names[0]
    if isinstance(sheet, int) and 0 <= sheet < len(names):
        return names[sheet]
    if sheet not in names:
        raise InputError(f"{path.name} has no sheet {sheet!r}; there are {listing(names)}")
    return str(sheet)


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:120].rstrip(".")
