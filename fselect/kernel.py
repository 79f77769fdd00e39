"""Compiled functions: one decorator over numba, and the linear algebra routines that compiled code may call.

This file and `fselect.inner_code` are the only ones that import numba.
"""

from __future__ import annotations

import functools
import hashlib
import pickle
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from inspect import Parameter, Signature
from pathlib import Path
from typing import Any, TypeVar

import llvmlite.binding
import llvmlite.ir
import numba
from numba import types
from numba.core import cgutils, event
from numba.extending import get_cython_function_address, intrinsic

from fselect.inner_code import InnerCompiler

__all__ = ["bare", "compile_time", "hot", "inner", "kernel", "processor_has", "routine"]

F = TypeVar("F", bound=Callable[..., Any])

_ARGUMENTS = {"c": types.uint8, "i": types.int32, "d": types.float64, "s": types.float32, "r": types.int32}

_INTEGER = llvmlite.ir.IntType(32)

# a division by zero gives inf or nan as in numpy: to test for it at each division would double the code
_OPTIONS: dict[str, Any] = {"nogil": True, "fastmath": False, "error_model": "numpy", "no_cfunc_wrapper": True}

# who calls such a function holds the arrays until it returns
_UNCOUNTED: dict[str, Any] = {"_nrt": False}


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
        _forget_unreadable(compiled)
    made: F = compiled
    return made


def inner(function: F) -> F:
    """Compile a function that only compiled code calls, as `kernel` does, but without an entry for Python.

    To take arrays and tuples apart for a call from Python is more code than most functions are, and would be
    compiled with each. It is optimised within the kernel that calls it, and not by itself before
    (`fselect.inner_code`). It cannot call itself.

    Parameters
    ----------
    function : callable
        A function of numbers and numpy arrays.

    Returns
    -------
    callable
        The compiled function, for use within others.

    Examples
    --------
    >>> @inner
    ... def half(x):
    ...     return x / 2
    >>> @kernel
    ... def quarter(x):
    ...     return half(half(x))
    >>> quarter(8.0)
    2.0
    """
    # the cached code of a kernel contains all that it calls
    options: dict[str, Any] = _OPTIONS | {"no_cpython_wrapper": True, "pipeline_class": InnerCompiler}
    made: F = numba.njit(**options)(function)
    return made


def bare(function: F) -> F:
    """Compile a function that only compiled code calls, as `inner` does, but without a count of who uses an array.

    Where a function has branches, numba counts up and down for every array and every row of one that it takes in hand:
    on a few rows that is half of the time and more. Such a function makes no arrays, and returns none.

    Parameters
    ----------
    function : callable
        A function of numbers, numpy arrays and tuples of them, that returns numbers or nothing.

    Returns
    -------
    callable
        The compiled function, for use within others.

    Examples
    --------
    >>> import numpy as np
    >>> @bare
    ... def first_row(x):
    ...     row = x[0]
    ...     return row[0] if row[0] > 0.0 else row[1]
    >>> @kernel
    ... def twice(x):
    ...     return 2.0 * first_row(x)
    >>> twice(np.array([[-1.0, 3.0]]))
    6.0
    """
    options: dict[str, Any] = _OPTIONS | _UNCOUNTED | {"no_cpython_wrapper": True, "pipeline_class": InnerCompiler}
    made: F = numba.njit(**options)(function)
    return made


def hot(function: F) -> F:
    """Compile a function that only compiled code calls, as `bare` does, but optimised by itself before.

    That takes longer to compile, and LLVM makes faster code of some loops when it sees them twice: those of trees ran
    up to 1.4 times as fast in `benchmarks.payoffs`, those of eliminations no faster.

    Parameters
    ----------
    function : callable
        A function of numbers and numpy arrays.

    Returns
    -------
    callable
        The compiled function, for use within others.

    Examples
    --------
    >>> @hot
    ... def half(x):
    ...     return x / 2
    >>> @kernel
    ... def eighth(x):
    ...     return half(half(half(x)))
    >>> eighth(8.0)
    1.0
    """
    options: dict[str, Any] = _OPTIONS | _UNCOUNTED | {"no_cpython_wrapper": True}
    made: F = numba.njit(**options)(function)
    return made


@contextmanager
def compile_time() -> Iterator[list[float]]:
    """Measure how long functions are compiled meanwhile; to load one from the cache does not count.

    Yields
    ------
    list of float
        Holds the seconds at the end, or nothing if nothing was compiled.

    Examples
    --------
    >>> @kernel
    ... def halve(x):
    ...     return x / 2
    >>> with compile_time() as first:
    ...     half = halve(3.0)
    >>> with compile_time() as again:
    ...     half = halve(5.0)
    >>> len(first), len(again)
    (1, 0)
    """
    seconds: list[float] = []
    with event.install_timer("numba:compile", seconds.append):
        yield seconds


def processor_has(feature: str) -> bool:
    """Tell whether code is compiled for a processor with a feature, by LLVM's name for it.

    What is compiled may differ by it: numba keeps the code of different processors apart.

    Parameters
    ----------
    feature : str
        Such as ``"avx512f"``.

    Returns
    -------
    bool
        False too where LLVM cannot tell.

    Examples
    --------
    >>> processor_has("steam")
    False
    """
    try:
        return bool(llvmlite.binding.get_host_cpu_features().get(feature, False))
    except RuntimeError:
        return False


def routine(name: str, arguments: str) -> Any:
    """Make a BLAS or LAPACK routine callable from compiled code, in a way that numba can cache.

    Parameters
    ----------
    name : str
        The Fortran name, such as ``"dsyrk"``; it is looked up in scipy's BLAS, then in its LAPACK.
    arguments : str
        A letter an argument: ``c`` a character, ``i`` a 32-bit integer, ``d`` a double, ``s`` a number of single
        precision, ``r`` the 32-bit integer that the routine returns through an argument.

    Returns
    -------
    callable
        To be called inside a `kernel` with a number, or an array whose first element is meant, for each
        argument but ``r``; it returns what the routine wrote to ``r``, else 0. Arrays must be contiguous.

    Notes
    -----
    The address is entered under a name of its own in LLVM's table of symbols, and compiled code refers to the
    name: a ctypes pointer would be a number that is another one in the next process, and cannot be cached.
    Numbers are handed over by the address of a place on the stack, which costs nothing, where an array of one
    element would be an allocation a call and much to compile.

    Examples
    --------
    >>> import numpy as np
    >>> factorise = routine("dpotrf", "cidir")
    >>> @kernel
    ... def cholesky(A):
    ...     return factorise(85, A.shape[0], A, A.shape[0])
    >>> A = np.array([[4.0, 0.0], [2.0, 5.0]])
    >>> cholesky(A), A
    (0, array([[2., 0.],
           [1., 2.]]))
    """
    symbol = f"fselect_{name}"
    llvmlite.binding.add_symbol(symbol, _address(name))

    def call(typing_context: Any, *given: Any) -> Any:
        letters = zip(given, arguments.replace("r", ""), strict=True)
        signature = [kind if isinstance(kind, types.Array) else _ARGUMENTS[letter] for kind, letter in letters]
        return types.int32(*signature), functools.partial(_call_by_address, symbol, arguments)

    # numba reads how many arguments there are from the signature
    names = ["typing_context", *(f"argument_{place}" for place in range(len(arguments.replace("r", ""))))]
    described: Any = call
    described.__signature__ = Signature([Parameter(name, Parameter.POSITIONAL_OR_KEYWORD) for name in names])
    return intrinsic(described)


def _call_by_address(symbol: str, letters: str, context: Any, builder: Any, signature: Any, values: Any) -> Any:
    result = cgutils.alloca_once_value(builder, llvmlite.ir.Constant(_INTEGER, 0))
    rest = iter(zip(signature.args, values, strict=True))
    pointers = [result if letter == "r" else _address_of(context, builder, *next(rest)) for letter in letters]
    pointers = [builder.bitcast(pointer, cgutils.voidptr_t) for pointer in pointers]
    kind = llvmlite.ir.FunctionType(llvmlite.ir.VoidType(), [cgutils.voidptr_t] * len(pointers))
    builder.call(cgutils.get_or_insert_function(builder.module, kind, symbol), pointers)
    return builder.load(result)


def _address_of(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    if isinstance(kind, types.Array):
        return context.make_array(kind)(context, builder, value).data
    return cgutils.alloca_once_value(builder, value)


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


def _forget_unreadable(compiled: Any) -> None:
    """Let a kernel be compiled anew where the list of what is cached of it cannot be read.

    Such a list names classes, and one that another version of the package left behind may name a module that has moved;
    numba would end there, before it looks whether the list is stale.
    """
    cache_file: Any = getattr(getattr(compiled, "_cache", None), "_cache_file", None)
    if not hasattr(cache_file, "_load_index"):
        return
    load = cache_file._load_index

    def load_index() -> Any:
        try:
            return load()
        except (ImportError, AttributeError, EOFError, pickle.UnpicklingError):
            return {}

    cache_file._load_index = load_index


@functools.cache
def _package_stamp() -> str:
    files = (file.read_bytes() for file in sorted(Path(__file__).parent.rglob("*.py")))
    compiled = (text for text in files if any(mark in text for mark in (b"@kernel", b"@inner", b"@bare", b"@hot")))
    return hashlib.blake2b(b"".join(compiled), digest_size=16).hexdigest()
