"""The command line, called as the installed command calls it."""

from __future__ import annotations

import sys
from typing import NamedTuple

import pytest

from fselect.cli import main


class Outcome(NamedTuple):
    code: int
    out: str
    err: str


@pytest.fixture
def fselect(monkeypatch, capsys, tmp_path):
    """Run ``fselect ARGS`` in an empty folder; gives exit code and output."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments: object) -> Outcome:
        monkeypatch.setattr(sys, "argv", ["fselect", *map(str, arguments)])
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main()
        captured = capsys.readouterr()
        return Outcome(int(ended.value.code or 0), captured.out, captured.err)

    return run
