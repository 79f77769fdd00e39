"""The files that an arrival takes: one that is named, or those of a watched folder that are whole and not yet known."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from fselect.arrivals.incoming import UnsettledError, check_complete, look, signature, snapshot
from fselect.arrivals.seen import Seen
from fselect.arrivals.task import limits_of
from fselect.datasets.limits import check_size
from fselect.errors import InputError
from fselect.study.project import Project

__all__ = ["Found", "RefusedError", "find"]


class RefusedError(InputError):
    """A table that cannot be a task."""


@dataclass(frozen=True)
class Found:
    """A file to take, or what is said of it without reading it.

    Parameters
    ----------
    file : Path
        The file.
    project : Project
        The project.
    seen : Seen or None
        What was said of files before; None of a file that was named, which is always read.
    told : (str, str) or None
        Outcome and sentence, where nothing is to be done.
    """

    file: Path
    project: Project
    seen: Seen | None = None
    told: tuple[str, str] | None = None

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Take what is wrong with the table for a refusal; a full disk or a server that is away is none.

        Raises
        ------
        RefusedError
            What is done in here cannot use the table.
        """
        try:
            yield
        except UnsettledError:
            raise
        except InputError as error:
            raise RefusedError(str(error)) from error

    def check(self) -> None:
        """Refuse a file that is too large, before it is copied.

        Raises
        ------
        RefusedError
            The sentence says which limit it is.
        """
        with self.reading():
            check_size(self.file, limits_of(self.project))

    @contextmanager
    def opened(self) -> Iterator[tuple[Path, Callable[[], None]]]:
        """Give a copy of the file that nobody changes, and a function that keeps that it was taken."""
        with snapshot(self.file, self.project.state_dir / "arrivals") as copy:
            if self._is_fresh():
                check_complete(copy)
            yield copy, lambda: self._note("known")

    def failed(self, error: InputError) -> tuple[str, str]:
        """Outcome and sentence of a file that could not be taken.

        ``later`` of one that may still be written; ``refused``, and not read again, of one that cannot be a task;
        ``failed`` where it is not the table's fault.
        """
        if isinstance(error, UnsettledError):
            return "later", str(error)
        if not isinstance(error, RefusedError):
            return "failed", str(error)
        if self._is_fresh():
            return "later", str(error)
        self._note("refused")
        return "refused", str(error)

    def _note(self, outcome: str) -> None:
        if self.seen is not None:
            self.seen.note(self.file, outcome)

    def _is_fresh(self) -> bool:
        """Whether the file changed so lately that it may still be written; a date in the future says nothing."""
        found = signature(self.file)
        age = time.time() - found[1] / 1e9 if found else 0.0
        return self.seen is not None and 0 <= age < self.project.config.arrivals.grace


def find(project: Project, table: str | None, folder: str | None) -> list[Found]:
    """Find the files to take.

    Parameters
    ----------
    project : Project
        The project.
    table : str or None
        One file; else those of the folder.
    folder : str or None
        The watched folder, from the project's root; None is that of params.yaml, which is made if it is not there.

    Returns
    -------
    list of Found
        Oldest first.

    Raises
    ------
    InputError
        There is no such file or folder.
    """
    if table is not None:
        file = project.root / table
        if not file.is_file():
            raise InputError(
                f"there is no file {file}; give the path of a table, absolute or from the project's folder"
            )
        return [Found(file, project)]
    seen = Seen.open(project)
    place = project.root / (folder or project.config.arrivals.folder)
    if folder is None:  # a schedule that looks there before the first table comes is no fault
        place.mkdir(parents=True, exist_ok=True)
    waiting = look(place, project.config.arrivals.settle)
    taken = [_taken(project, file, seen) for file in waiting.ready]
    return taken + [Found(file, project, seen, ("later", "it is still being written")) for file in waiting.later]


def _taken(project: Project, file: Path, seen: Seen) -> Found:
    before = seen.said(file)
    told = {"known": "it was taken before", "refused": "it was refused before and has not changed"}
    return Found(file, project, seen, None if before is None else ("known", told.get(before, before)))
