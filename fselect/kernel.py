"""Compiled functions: one decorator over numba, and the linear algebra routines that compiled code may call.

This is the only file that imports numba.
"""

from __future__ import annotations

import functools
import hashlib
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import llvmlite.binding
import numba
from numba import types
from numba.extending import get_cython_function_address

__all__ = ["kernel", "routine"]

F = TypeVar("F", bound=Callable[..., Any])

_ARGUMENTS = {
    "c": types.CPointer(types.uint8),
    "i": types.CPointer(types.int32),
    "d": types.CPointer(types.float64),
    "s": types.CPointer(types.float32),
}

# a division by zero gives inf or nan as in numpy: to test for it at each division would double the code
_OPTIONS: dict[str, Any] = {"nogil": True, "fastmath": False, "error_model": "numpy"}


def kernel(function: F) -> F:
    """Compile a function of plain arrays with numba: cached on disk, and without the interpreter lock.

    Where no cache folder can be written (numba looks at ``NUMBA_CACHE_DIR``, beside the source, and in the
    user's cache folder) the function is compiled anew in each process, and one warning a process says so.
    Arithmetic is strict (no fast-math), so that a result does not depend on how loops are vectorised.

    Parameters
    ----------
    function : callable
        A function of numbers and numpy arrays, written in the part of Python that numba compiles.

    Returns
    -------
    callable
        The compiled function.

    Warns
    -----
    RuntimeWarning
        Once a process, when nothing can be cached.

    Examples
    --------
    >>> @kernel
    ... def double(x):
    ...     return 2 * x
    >>> double(21)
    42
    """
    try:
        compiled: Any = numba.njit(cache=True, **_OPTIONS)(function)
    except (RuntimeError, OSError):
        if Path(function.__code__.co_filename).exists():  # what is typed at a prompt is never cached
            _warn_uncached()
        compiled = numba.njit(**_OPTIONS)(function)
    else:
        _tie_to_package(compiled)
    made: F = compiled
    return made


def routine(name: str, arguments: str) -> Any:
    """Make a BLAS or LAPACK routine callable from compiled code, in a way that numba can cache.

    Parameters
    ----------
    name : str
        The Fortran name, such as ``"dsyrk"``; it is looked up in scipy's BLAS, then in its LAPACK.
    arguments : str
        A letter an argument, each passed by address: ``c`` a character, ``i`` a 32-bit integer, ``d`` a double,
        ``s`` a number of single precision.

    Returns
    -------
    numba.types.ExternalFunction
        Callable inside a `kernel` with ``array.ctypes`` for each argument.

    Notes
    -----
    The address is entered under a name of its own in LLVM's table of symbols, and compiled code refers to the
    name: a ctypes pointer would be a number that is another one in the next process, and cannot be cached.

    Examples
    --------
    >>> routine("dpotrf", "cidii").symbol
    'fselect_dpotrf'
    """
    symbol = f"fselect_{name}"
    llvmlite.binding.add_symbol(symbol, _address(name))
    return types.ExternalFunction(symbol, types.void(*(_ARGUMENTS[letter] for letter in arguments)))


def _address(name: str) -> int:
    try:
        return get_cython_function_address("scipy.linalg.cython_blas", name)
    except ValueError:
        return get_cython_function_address("scipy.linalg.cython_lapack", name)


@functools.cache
def _warn_uncached() -> None:
    # functools.cache makes it once a process, whatever the warning filters say
    warnings.warn(
        "numba's cache folder cannot be written, so fselect compiles its kernels anew in each process; "
        "set NUMBA_CACHE_DIR to a folder that can be written",
        RuntimeWarning,
        stacklevel=4,
    )


def _tie_to_package(compiled: Any) -> None:
    """Let a cached kernel go stale when any file of the package changes, not only its own.

    numba looks at the time of the file that holds the kernel, but kernels inline kernels of other files.
    """
    cache_file: Any = getattr(getattr(compiled, "_cache", None), "_cache_file", None)
    source = Path(compiled.py_func.__code__.co_filename)
    if hasattr(cache_file, "_source_stamp") and source.is_relative_to(Path(__file__).parent):
        cache_file._source_stamp = _package_stamp()


@functools.cache
def _package_stamp() -> str:
    files = (file.read_bytes() for file in sorted(Path(__file__).parent.rglob("*.py")))
    return hashlib.blake2b(b"".join(text for text in files if b"@kernel" in text), digest_size=16).hexdigest()
