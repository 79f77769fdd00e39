"""Standard output that does not take an answer, or not all of its letters."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest


def run(*words, **options):
    return subprocess.run([sys.executable, "-m", "fselect", *words], text=True, check=False, timeout=120, **options)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no file here that is always full")
@pytest.mark.parametrize("command", ["datasets", "--help"])
def test_an_answer_that_cannot_be_written_is_told(command):
    with open("/dev/full", "w") as full:
        done = run(command, stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 2
    assert (
        done.stderr == "error: the answer could not be written: No space left on device; what was worked out is kept\n"
    )


def test_names_that_a_terminal_cannot_show_are_shown_by_their_numbers(tmp_path):
    (tmp_path / "sets.csv").write_text("g\u00e8ne,b\n1,0\n0,2\n", encoding="utf-8")
    done = run(
        "stability", "sets.csv", capture_output=True, cwd=tmp_path, env=os.environ | {"PYTHONIOENCODING": "ascii"}
    )
    assert done.returncode == 2
    assert "line 3: '2' is neither 0 nor 1" in done.stderr
    (tmp_path / "sets.csv").write_text("g\u00e8ne,g\u00e8ne\n1,0\n0,1\n", encoding="utf-8")
    done = run(
        "stability", "sets.csv", capture_output=True, cwd=tmp_path, env=os.environ | {"PYTHONIOENCODING": "ascii"}
    )
    assert "'g\\xe8ne' occurs more than once" in done.stderr
