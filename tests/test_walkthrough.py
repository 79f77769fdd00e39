"""The walkthrough prints what it says: its commands are run in an empty folder, in their order."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
from typer.main import get_command

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "walkthrough.md").read_text(encoding="utf-8")


class Step(NamedTuple):
    """A command of the page, and the lines that the page shows below it."""

    command: str
    shown: list[str]


def indented(text: str) -> list[str]:
    """The code blocks of a page, without their indent."""
    blocks = re.findall(r"(?<=\n\n)(?:    .*\n|\n(?=    ))+", text)
    return [re.sub(r"^    ", "", block, flags=re.MULTILINE) for block in blocks]


def files(text: str) -> dict[str, str]:
    """The Python files that the reader is asked to save, each the block after its name."""
    parts = re.split(r"(?:Save this|save it) as `(\w+\.py)`", text)
    return {name: indented(after)[0] for name, after in zip(parts[1::2], parts[2::2], strict=True)}


def steps(text: str) -> list[Step]:
    """The commands in their order."""
    found: list[Step] = []
    for block in indented(text):
        for line in block.splitlines() if block.startswith("$ ") else ():
            if line.startswith("$ "):
                found.append(Step(line[2:], []))
            else:
                found[-1].shown.append(line)
    return found


def differences(shown: list[str], printed: str) -> list[str]:
    """The lines shown that were not printed; … stands for anything, and alone on a line for any number of lines."""
    left = [line.rstrip() for line in printed.splitlines()]
    missing, skipping = [], False
    for line in shown:
        if line == "…":
            skipping = True
            continue
        pattern = re.escape(line.rstrip()).replace("…", ".*")
        places = range(len(left)) if skipping else range(min(1, len(left)))
        place = next((place for place in places if re.fullmatch(pattern, left[place])), None)
        if place is None:
            missing.append(line)
        else:
            left, skipping = left[place + 1 :], False
    return missing + ([] if skipping else [f"not shown: {line}" for line in left])


@pytest.fixture
def run(tmp_path):
    """Run a command of the page as a reader would, in a terminal of 110 columns and a folder of its own."""
    for name, code in files(PAGE).items():
        (tmp_path / name).write_text(code, encoding="utf-8")
    found = {**os.environ, "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])}
    environment = {**found, "COLUMNS": "110", "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"}

    def run(command: str) -> str:
        told = subprocess.run(
            command, shell=True, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
        return told.stderr if told.returncode else told.stdout

    return run


def test_every_option_on_the_page_is_one_of_its_command():
    from fselect.cli.app import app

    commands = get_command(app).commands
    typed = [shlex.split(step.command) for step in steps(PAGE) if step.command.startswith("fselect ")]
    assert len(typed) >= 8
    for _, name, *words in typed:
        known = {option for parameter in commands[name].params for option in parameter.opts}
        assert {word for word in words if word.startswith("-")} <= known


def test_the_table_and_the_refused_mistake_are_those_of_the_page(run):
    for step in steps(PAGE)[:2]:
        assert differences(step.shown, run(step.command)) == [], step.command


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_every_command_prints_what_the_page_shows(run):
    for step in steps(PAGE):
        assert differences(step.shown, run(step.command)) == [], step.command


@pytest.mark.parametrize(
    ("shown", "missing"),
    [
        (["one", "two", "three"], []),
        (["one", "…", "three"], []),
        (["…", "t…x"], ["t…x"]),
        (["…", "th…e"], []),
        (["one", "three"], ["three", "not shown: two", "not shown: three"]),
        (["one"], ["not shown: two", "not shown: three"]),
        (["…", "three", "two", "…"], ["two"]),
        (["one", "2", "…"], ["2"]),
    ],
)
def test_a_line_that_was_not_printed_so_is_found(shown, missing):
    assert differences(shown, "one\ntwo \nthree\n") == missing
