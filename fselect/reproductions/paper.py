"""What a reproduction is made of: a paper's tables, its study files, and its claims."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fselect.errors import InputError
from fselect.reproductions.evidence import Finding
from fselect.study.config import Config, parse_config, read_values
from fselect.study.results import Summary

__all__ = ["Paper", "Table", "quick_values"]

STUDIES = Path(__file__).parent / "studies"

QUICK = 20
"""A quick run takes every other bias and this fraction of the repeats."""

LEAST = 5
"""But at least this many repeats, where the study has as many."""


@dataclass(frozen=True)
class Table:
    """A table that studies read, with a last column ``target``.

    Parameters
    ----------
    file : str
        Its name in the data folder.
    title : str
        The data set and its publication.
    n_samples, n_features : int
        Its size, so that another table of that name is noticed.
    openml : int or None
        Its number on openml.org, where it can be fetched.
    """

    file: str
    title: str
    n_samples: int
    n_features: int
    openml: int | None = None


@dataclass(frozen=True)
class Paper:
    """A paper: one file of this folder makes one, and is found by it.

    Parameters
    ----------
    name : str
        On the command line; also the folder of its study files.
    citation : str
        Authors, title, year.
    tables : tuple of Table
        What its studies read.
    studies : tuple of str
        Names of the study files, in the order in which they run.
    claims : callable
        Summaries by study name → findings.
    draw : callable or None
        Summaries and a folder → the figures' files, with captions.
    """

    name: str
    citation: str
    tables: tuple[Table, ...]
    studies: tuple[str, ...]
    claims: Callable[[Mapping[str, Summary]], list[Finding]]
    draw: Callable[[Mapping[str, Summary], Path], dict[str, Path]] | None = None

    def table(self, file: str) -> Table:
        """The table of a file name."""
        return next(table for table in self.tables if table.file == file)

    def table_file(self, study: str) -> str:
        """The file that a study reads.

        Raises
        ------
        InputError
            If the paper has no such study.
        """
        return str(self.study_values(study)["tasks"]["table"])

    def study_values(self, study: str) -> dict[str, Any]:
        """The values of a study file, as they are in the package.

        Raises
        ------
        InputError
            If the paper has no such study.
        """
        if study not in self.studies:
            raise InputError(f"{self.name} has no study {study!r}; it has {', '.join(self.studies)}")
        found: dict[str, Any] = read_values(STUDIES / self.name / f"{study}.yaml")
        return found

    def config(
        self,
        study: str,
        data: Path,
        *,
        quick: bool = False,
        repeats: int | None = None,
        execution: Mapping[str, Any] | None = None,
    ) -> Config:
        """The configuration of a study.

        Parameters
        ----------
        study : str
            Its name.
        data : Path
            The folder with the tables.
        quick : bool
            Every other bias, a twentieth of the repeats; the study is then called NAME-quick. Its units are those of
            the full study, which finds them finished.
        repeats : int, optional
            Another number of repeats.
        execution : mapping, optional
            The section ``execution`` of a study file: where units run.

        Returns
        -------
        Config

        Raises
        ------
        InputError
            If there is no such study.
        """
        file = self.study_values(study)
        values = quick_values(file) if quick else file
        values["tasks"]["table"] = str((data / values["tasks"]["table"]).resolve())
        values["execution"] = dict(execution or {})
        if repeats is not None:
            values["selection"]["repeats"] = repeats
        return parse_config(values, f"{study}.yaml")


def quick_values(values: dict[str, Any]) -> dict[str, Any]:
    """The study file of a quick run.

    Examples
    --------
    >>> file = {"study": {"name": "a"}, "selection": {"shapes": [None, 3, 1, 0.5], "repeats": 100}}
    >>> quick_values(file)["selection"]
    {'shapes': [None, 1], 'repeats': 5}
    """
    selection = dict(values["selection"])
    for grid in {"shapes", "strengths"} & selection.keys():
        selection[grid] = selection[grid][::2]
    wanted = max(LEAST, math.ceil(selection["repeats"] / QUICK))
    selection["repeats"] = min(wanted, selection["repeats"])
    study = {**values["study"], "name": f"{values['study']['name']}-quick"}
    return {**values, "study": study, "selection": selection}
