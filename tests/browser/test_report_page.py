"""The report opens in a real browser, from a file, without a network."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from fselect.reporting.page import write_page
from tests.reporting.conftest import HOSTILE, make_summary

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = pytest.mark.skipif(BROWSER is None, reason="needs Chromium")


def opened(path, profile, *options):
    """The page's document after its scripts ran, and what the browser's console said."""
    command = [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]
    command += [f"--user-data-dir={profile}", "--virtual-time-budget=4000", "--enable-logging=stderr", *options]
    done = subprocess.run([*command, "--dump-dom", path.as_uri()], capture_output=True, text=True, timeout=120)
    return done.stdout, [line for line in done.stderr.splitlines() if ":CONSOLE" in line]


def test_plots_are_drawn_and_hostile_names_run_nothing(tmp_path):
    path = tmp_path / "report.html"
    names = [HOSTILE, "<img src=x onerror=document.title='owned'>", "$x_1$", "d", "e", "f"]
    write_page(make_summary("transfer", names=names, study=HOSTILE), path, facts={"git_commit": HOSTILE})
    document, console = opened(path, tmp_path / "profile")
    assert document.count('class="drawn"') == 2
    assert document.count("main-svg") >= 2
    assert "<title>&lt;script&gt;alert(1)&lt;/script&gt; · feature selection</title>" in document
    assert "<script>alert" not in document
    assert "<img src=" not in document.replace('<img class="still"', "")
    assert console == []  # no error, and nothing refused by the page's own policy
