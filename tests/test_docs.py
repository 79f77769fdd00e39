"""The documentation points at things that exist."""

import re
from pathlib import Path

import pytest
from typer.main import get_command

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])


def targets(page):
    return re.findall(r"\]\(([^)#\s]+)", page.read_text(encoding="utf-8"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_to_a_file_leads_to_a_file(page):
    local = [target for target in targets(page) if "://" not in target]
    assert [target for target in local if not (page.parent / target).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_word_of_make_that_is_named_exists(page):
    words = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = re.findall(r"(?:^ +|`)make ([a-z-]+)", page.read_text(encoding="utf-8"), re.MULTILINE)
    assert set(named) <= words


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_command_of_fselect_that_is_named_exists(page):
    from fselect.cli.app import app

    commands = get_command(app).commands
    named = re.findall(r"(?:^ +|`)fselect ([a-z]+)", page.read_text(encoding="utf-8"), re.MULTILINE)
    assert set(named) <= set(commands)


def test_the_documentation_has_an_index_that_lists_all_its_pages():
    index = ROOT / "docs" / "index.md"
    listed = {(index.parent / target).resolve() for target in targets(index) if "://" not in target}
    assert set((ROOT / "docs").glob("**/*.md")) - {index} <= listed
