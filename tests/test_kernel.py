"""Compilation with and without a cache."""

from __future__ import annotations

import ast
import os
import pickle
import subprocess
import sys
from pathlib import Path

import numba
import numpy as np
import pytest

import fselect
from fselect.kernel import inner, kernel, routine

MODULE = """
from fselect.kernel import kernel

@kernel
def double(x):
    return 2 * x

@kernel
def triple(x):
    return 3 * x

print(double(2), triple(2))
"""
PACKAGE = Path(__file__).parents[1]


def run_module(folder: Path, **environment: str) -> subprocess.CompletedProcess:
    """Run the module above with HOME and numba's own cache folder where nothing can be written."""
    (folder / "__pycache__").touch()  # a file where numba would make its folder
    if not (folder / "kernels.py").exists():  # a newer one would not be that which was compiled
        (folder / "kernels.py").write_text(MODULE)
    nowhere = {"HOME": "/proc/nowhere", "XDG_CACHE_HOME": "/proc/nowhere", "NUMBA_CACHE_DIR": "/proc/nowhere"}
    env = {**os.environ, **nowhere, "PYTHONPATH": str(PACKAGE), **environment}
    # -W always: the warning must be one by itself, not through the interpreter's filters
    command = [sys.executable, "-W", "always", "kernels.py"]
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=True)


def test_without_a_place_for_the_cache_kernels_work_and_one_warning_says_so(tmp_path):
    ran = run_module(tmp_path)
    assert ran.stdout == "4 6\n"
    assert ran.stderr.count("NUMBA_CACHE_DIR") == 1


def test_with_a_place_for_the_cache_there_is_no_warning_and_a_second_process_uses_it(tmp_path):
    cache = tmp_path / "cache"
    assert "RuntimeWarning" not in run_module(tmp_path, NUMBA_CACHE_DIR=str(cache)).stderr
    stored = {path: path.stat().st_mtime_ns for path in cache.rglob("*.nbc")}
    run_module(tmp_path, NUMBA_CACHE_DIR=str(cache))
    assert stored
    assert {path: path.stat().st_mtime_ns for path in cache.rglob("*.nbc")} == stored


@pytest.mark.parametrize(
    "left", [b"cmoved.elsewhere\nColumns\n.", b"", b"not a pickle"], ids=["moved", "empty", "broken"]
)
def test_a_cache_that_another_version_left_behind_is_made_anew(tmp_path, left):
    cache = tmp_path / "cache"
    assert run_module(tmp_path, NUMBA_CACHE_DIR=str(cache)).stdout == "4 6\n"
    for index in cache.rglob("*.nbi"):
        index.write_bytes(pickle.dumps(numba.__version__) + left)
    stored = {path: path.stat().st_mtime_ns for path in cache.rglob("*.nbc")}
    assert run_module(tmp_path, NUMBA_CACHE_DIR=str(cache)).stdout == "4 6\n"
    assert all(path.stat().st_mtime_ns > before for path, before in stored.items())


def test_a_kernel_goes_stale_when_a_kernel_of_another_file_changes():
    from fselect.selectors.elimination.column_kernels import find_equal
    from fselect.selectors.elimination.ranking import lowest

    stamps = {compiled._cache._cache_file._source_stamp for compiled in (find_equal, lowest)}
    assert len(stamps) == 1  # one stamp for all files with kernels


def test_a_division_by_zero_in_a_kernel_follows_numpy():
    @kernel
    def divide(x: float, y: float) -> float:
        return x / y

    assert divide(1.0, 0.0) == np.inf


def test_an_inner_function_becomes_machine_code_only_within_the_kernel_that_calls_it():
    @inner
    def grow(x: np.ndarray, times: int) -> int:
        return x.size + times

    @inner
    def grown(x: np.ndarray) -> np.ndarray:
        return np.full(grow(x, 3), x.sum())

    @kernel
    def both(x: np.ndarray) -> np.ndarray:
        return grown(x) + grown(2.0 * x)

    assert both(np.array([1.0, 2.0])).tolist() == [9.0] * 5
    (compiled,) = grown.overloads.values()
    assert not hasattr(compiled.library, "_compiled_object")
    assert both.overloads[both.signatures[0]].library._compiled_object


def test_a_routine_is_found_in_blas_or_in_lapack():
    product, factorise = routine("dgemv", "ciiddididdi"), routine("dpotrf", "cidir")

    @kernel
    def both(A: np.ndarray, x: np.ndarray, out: np.ndarray) -> int:
        product(84, 2, 2, 1, A, 2, x, 1, 0, out, 1)  # whole numbers where doubles are meant are made doubles
        return factorise(85, 2, A, 2)

    A, out = np.array([[4.0, 2.0], [2.0, 5.0]]), np.zeros(2)
    assert both(A, np.array([1.0, 2.0]), out) == 0
    assert out.tolist() == [8.0, 12.0]
    assert np.tril(A).tolist() == [[2.0, 0.0], [1.0, 2.0]]
    assert both(-np.eye(2), np.ones(2), out) == 1  # what a routine returns through an argument


def test_importing_the_package_imports_nothing_heavy():
    code = "import sys, fselect; print(sorted({'numpy', 'numba', 'sklearn', 'pandas'} & set(sys.modules)))"
    ran = subprocess.run([sys.executable, "-c", code], cwd=PACKAGE, capture_output=True, text=True, check=True)
    assert ran.stdout == "[]\n"


def test_the_public_names_are_there_and_an_unknown_one_is_an_attribute_error():
    import fselect

    assert all(hasattr(fselect, name) for name in fselect.__all__)
    assert set(fselect.__all__) <= set(dir(fselect))
    assert not hasattr(fselect, "NoSuchName")


def uncounted_functions():
    for file in sorted(Path(fselect.__file__).parent.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.FunctionDef):
                marks = {mark.id for mark in node.decorator_list if isinstance(mark, ast.Name)}
                if marks & {"bare", "hot"}:
                    yield f"{file.name}: {node.name}", ast.unparse(node.returns)


def test_functions_that_do_not_count_who_uses_an_array_return_none():
    found = dict(uncounted_functions())
    assert len(found) > 50
    kinds = {"float", "int", "bool", "tuple", "tuple[float, float]", "Any", "None"}
    assert {name: kind for name, kind in found.items() if kind not in kinds} == {}
