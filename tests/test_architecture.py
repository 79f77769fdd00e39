"""The shape of the code: which way imports run, and how long files and functions are."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FILES = sorted([*ROOT.glob("fselect/**/*.py"), *ROOT.glob("flows/**/*.py")])
TESTS = sorted(ROOT.glob("tests/**/*.py"))


def name(path):
    return str(path.relative_to(ROOT))


def body_lengths(path):
    """Lines of each function's body, its docstring left out."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            body = node.body[1:] if ast.get_docstring(node) is not None else node.body
            length = body[-1].end_lineno - body[0].lineno + 1 if body else 0
            yield f"{name(path)}:{node.lineno} {node.name}", length


def test_imports_keep_the_contracts_of_pyproject():
    command = [str(Path(sys.executable).parent / "lint-imports"), "--no-cache"]
    checked = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout + checked.stderr


@pytest.mark.parametrize("path", [*FILES, *TESTS], ids=name)
def test_a_file_has_fewer_than_400_lines(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) < 400


@pytest.mark.parametrize("path", FILES, ids=name)
def test_no_function_body_is_longer_than_60_lines(path):
    assert [where for where, length in body_lengths(path) if length > 60] == []


def test_most_functions_are_short():
    lengths = sorted(length for path in FILES for _, length in body_lengths(path))
    assert lengths[len(lengths) // 2] <= 6
    assert lengths[int(0.9 * (len(lengths) - 1))] <= 25


def test_no_module_is_a_drawer_for_everything():
    assert [name(path) for path in FILES if path.stem in {"utils", "util", "helpers", "misc", "common"}] == []


def test_pinned_versions_name_no_host():
    assert "://" not in (ROOT / "constraints.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("extra", ["pipeline", "tables", "dask", "dev"])
def test_every_dependency_is_pinned(extra):
    import re
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = project["dependencies"] + project["optional-dependencies"][extra]
    pinned = re.findall(r"^([A-Za-z0-9._-]+)==", (ROOT / "constraints.txt").read_text(encoding="utf-8"), re.MULTILINE)
    assert {re.split(r"[<>=\[ ;]", one)[0].lower() for one in wanted} <= {one.lower() for one in pinned}
