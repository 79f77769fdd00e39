"""Papers whose results are a table of cells: each cell one algorithm on one split of one table, run once and kept."""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import shutil
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pandas as pd
from threadpoolctl import threadpool_limits

import fselect
from fselect.errors import InputError
from fselect.files import write_atomically
from fselect.reproductions.evidence import Finding
from fselect.reproductions.paper import Table
from fselect.study.plan import digest_of

__all__ = ["Cell", "CellPaper", "CellRun", "CellStudy", "Results"]

QUICK_SPLITS = 2
"""Splits of a quick run."""


@dataclass(frozen=True)
class Cell:
    """One algorithm on one split of one table.

    Parameters
    ----------
    study : str
        The table with its settings.
    column : str
        The algorithm.
    split : int
        Number of the split into training and test rows.
    parameters : str
        All that determines the result beside these, as canonical JSON.
    """

    study: str
    column: str
    split: int
    parameters: str


@dataclass(frozen=True)
class CellPaper:
    """A paper of cells: one file of this folder makes one, and is found by it.

    Parameters
    ----------
    name : str
        On the command line.
    citation : str
        Authors, title, year.
    tables : tuple of Table
        What its studies read; none where they draw their samples.
    files : mapping of str to str
        The file of each study, in the order in which they run; empty where it reads none.
    splits : mapping of str to int
        Splits of each study.
    cells : callable
        Study and number of splits → its cells, in the order in which they run.
    compute : callable
        Cell, data folder, scratch folder, workers → the result, as JSON can hold it. It can be sent to a process.
    claims : callable
        Results by study → findings.
    sections : callable
        Results by study → parts of the report, Markdown.
    draw : callable
        Results by study and a folder → the figures' files, with captions.
    narrow : callable, optional
        Slices as they were asked for → cell → whether it is in. A paper that has it is judged by all that its folder
        holds, whatever slice was run.
    """

    name: str
    citation: str
    tables: tuple[Table, ...]
    files: Mapping[str, str]
    splits: Mapping[str, int]
    cells: Callable[[str, int], list[Cell]]
    compute: Callable[[Cell, Path, Path, int], dict[str, Any]]
    claims: Callable[[Mapping[str, Results]], list[Finding]]
    sections: Callable[[Mapping[str, Results]], list[str]]
    draw: Callable[[Mapping[str, Results], Path], dict[str, Path]] | None = None
    narrow: Callable[[Sequence[str]], Callable[[Cell], bool]] | None = None

    @property
    def studies(self) -> tuple[str, ...]:
        """Names of the studies, in the order in which they run."""
        return tuple(self.files)

    def sliced(self, study: str, splits: int, slices: Sequence[str]) -> list[Cell]:
        """The cells of a study that are in a slice.

        Raises
        ------
        InputError
            If the paper has no slices, or not this one.
        """
        if not slices:
            return self.cells(study, splits)
        if self.narrow is None:
            raise InputError(f"{self.name} has no slices; choose its studies with --only: {', '.join(self.files)}")
        wanted = self.narrow(slices)
        return [cell for cell in self.cells(study, splits) if wanted(cell)]

    def table(self, file: str) -> Table:
        """The table of a file name."""
        return next(table for table in self.tables if table.file == file)

    def table_file(self, study: str) -> str:
        """The file that a study reads; empty if it reads none.

        Raises
        ------
        InputError
            If the paper has no such study.
        """
        if study not in self.files:
            raise InputError(f"{self.name} has no study {study!r}; it has {', '.join(self.files)}")
        return self.files[study]


@dataclass(frozen=True, eq=False)
class Results:
    """What is there of a study.

    Parameters
    ----------
    study : str
        Its name.
    rows : tuple of dict
        The finished cells: column, split, seconds, and what `CellPaper.compute` gave.
    wanted : int
        How many cells the study has in all.
    """

    study: str
    rows: tuple[dict[str, Any], ...]
    wanted: int

    @property
    def seconds(self) -> float:
        """Seconds of all finished cells, added up."""
        return float(sum(row["seconds"] for row in self.rows))

    def of(self, column: str) -> list[dict[str, Any]]:
        """The finished cells of a column, by split."""
        return sorted((row for row in self.rows if row["column"] == column), key=lambda row: int(row["split"]))

    def table(self, name: str) -> pd.DataFrame:
        """A number of all finished cells: a row a split, a column an algorithm; nan where not finished."""
        frame = pd.DataFrame([{key: row.get(key) for key in ("split", "column", name)} for row in self.rows])
        if frame.empty:
            return pd.DataFrame()
        return frame.pivot(index="split", columns="column", values=name).astype(float)


@dataclass(frozen=True)
class CellRun:
    """One study of a paper of cells in a folder.

    Parameters
    ----------
    paper : CellPaper
        The paper.
    study : str
        One of its studies.
    data : Path
        The folder with the tables.
    folder : Path
        Where finished cells go.
    splits : int
        How many splits.
    slices : tuple of str
        Which cells only; all by default.
    """

    paper: CellPaper
    study: str
    data: Path
    folder: Path
    splits: int
    slices: tuple[str, ...] = ()

    def cells(self) -> list[Cell]:
        """The cells, finished or not, in the order in which they run."""
        return self.paper.sliced(self.study, self.splits, self.slices)

    def keyed(self) -> dict[str, Cell]:
        """The cells by key; the bytes of a table are in the key."""
        file = self.paper.table_file(self.study)
        table = hashlib.blake2b((self.data / file).read_bytes(), digest_size=16).hexdigest() if file else ""
        return {digest_of([self.paper.name, asdict(cell), table]): cell for cell in self.cells()}

    def _path(self, key: str) -> Path:
        return self.folder / ".fselect" / "cells" / self.study / f"{key}.json"

    def _scratch(self, key: str) -> Path:
        return self.folder / ".fselect" / "scratch" / key

    def pending(self) -> dict[str, Cell]:
        """The cells that are not finished."""
        return {key: cell for key, cell in self.keyed().items() if not self._path(key).is_file()}

    def results(self) -> Results:
        """What is finished."""
        if not self._path("").parent.is_dir():
            return Results(self.study, (), len(self.cells()))
        cells = self.keyed()
        kept = [self._path(key) for key in cells if self._path(key).is_file()]
        return Results(self.study, tuple(json.loads(path.read_text(encoding="utf-8")) for path in kept), len(cells))

    def run(self, execution: Mapping[str, Any], on_done: Callable[[Any], Any] | None = None) -> Results:
        """Run what is not finished, and keep each cell as soon as it is.

        Parameters
        ----------
        execution : mapping
            ``runner`` threads (default) or processes, and ``workers``.
        on_done : callable, optional
            Told of each finished cell.

        Returns
        -------
        Results
        """
        runner, workers = execution.get("runner", "threads"), int(execution.get("workers", 2))
        if runner == "dask":
            raise InputError(f"{self.paper.name} runs on threads or processes of this machine; leave out the cluster")
        left = self.pending()
        spare = max(1, workers // max(1, len(left)))
        with threadpool_limits(1), _pool(runner, min(workers, max(1, len(left)))) as pool:
            futures = {pool.submit(_kept, self, key, cell, spare): cell for key, cell in left.items()}
            try:
                for future in as_completed(futures):
                    future.result()
                    if on_done is not None:
                        on_done(futures[future])
            except BaseException:
                _cancel(futures)
                raise
        return self.results()


def _pool(runner: str, workers: int) -> Executor:
    if runner == "processes":
        # a fork of a process with threads may wait for ever for a lock that one of them held
        return ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), _begin_worker)
    return ThreadPoolExecutor(workers)


def _begin_worker() -> None:
    threadpool_limits(1)  # for good: the process does nothing else


def _cancel(futures: Iterable[Any]) -> None:
    for future in futures:
        future.cancel()


def _kept(run: CellRun, key: str, cell: Cell, workers: int) -> None:
    """Compute one cell, and keep it; what it had kept of itself is no longer needed then."""
    started = time.perf_counter()
    result = run.paper.compute(cell, run.data, run._scratch(key), workers)
    facts = {
        "column": cell.column,
        "split": cell.split,
        "seconds": round(time.perf_counter() - started, 3),
        "finished": datetime.now(UTC).isoformat(timespec="seconds"),
        "fselect": fselect.__version__,
    }
    write_atomically(run._path(key), (json.dumps(facts | result, allow_nan=True) + "\n").encode("utf-8"))
    shutil.rmtree(run._scratch(key), ignore_errors=True)


@dataclass(frozen=True)
class CellStudy:
    """What progress is shown of: a study's cells, and those still to be run."""

    units: Sequence[Any]
    left: Sequence[Any]

    def pending(self) -> Sequence[Any]:
        """The cells that are still to be run."""
        return self.left
