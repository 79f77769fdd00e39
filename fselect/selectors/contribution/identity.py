"""What tells one function or classifier from another that looks the same: its code, and all that it uses."""

from __future__ import annotations

import dis
import functools
import hashlib
import json
import sys
import sysconfig
import types
from pathlib import Path
from typing import Any

import numpy as np

__all__ = ["identity"]

_PLAIN = (type(None), bool, int, float, complex, str, bytes, type(Ellipsis))
_FORGOTTEN = {
    "__dict__",
    "__weakref__",
    "__doc__",
    "__module__",
    "__qualname__",
    "__annotations__",
    "__firstlineno__",
    "_abc_impl",
}
"""What a class holds that says nothing of what it does."""


class _UntellableError(Exception):
    """Something cannot be told from others."""


def identity(thing: Any) -> str | None:
    """Name a function, a classifier or any other object by all that its results may depend on.

    Of what is installed the qualified name and the version of its package are enough. Of other functions it is their
    code, constants, defaults, closures and the globals that they use; of other classes their members and bases; of
    objects their class and state. Line numbers, addresses and names of files say nothing.

    Parameters
    ----------
    thing : object
        Anything.

    Returns
    -------
    str or None
        32 hexadecimal digits; None where something cannot be told from others, as a lock or an open file.

    Examples
    --------
    >>> one, same, other = (lambda x: x + 1), (lambda x: x + 1), (lambda x: x + 2)
    >>> identity(one) == identity(same), identity(one) == identity(other)
    (True, False)
    >>> import threading
    >>> identity(threading.Lock()) is None
    True
    """
    try:
        told = json.dumps(_Teller().tell(thing))
    except (_UntellableError, RecursionError):
        return None
    return hashlib.blake2b(told.encode(), digest_size=16).hexdigest()


class _Teller:
    """Turns objects into nested lists of text; what occurs again is told by its number, so that circles end."""

    def __init__(self) -> None:
        self._seen: dict[int, tuple[int, Any]] = {}  # with the object, so that no other gets its address

    def tell(self, thing: Any) -> Any:
        if type(thing) in _PLAIN:
            return [type(thing).__name__, repr(thing)]
        if id(thing) in self._seen:
            return ["again", self._seen[id(thing)][0]]
        self._seen[id(thing)] = len(self._seen), thing
        if isinstance(thing, types.ModuleType):
            return self._module(thing)
        if _is_installed(thing):
            return ["installed", thing.__module__, thing.__qualname__, _version(thing.__module__)]
        told = self._collection(thing) or self._code(thing)
        return told if told is not None else self._object(thing)

    def _all(self, things: Any) -> list[Any]:
        return [self.tell(one) for one in things]

    def _collection(self, thing: Any) -> list[Any] | None:
        if type(thing) in (list, tuple):
            return [type(thing).__name__, self._all(thing)]
        if type(thing) in (set, frozenset):
            return [type(thing).__name__, self._all(sorted(thing, key=repr))]
        if type(thing) in (dict, types.MappingProxyType):
            return ["dict", self._all(thing), self._all(thing.values())]
        if type(thing) is np.ndarray and not thing.dtype.hasobject:
            return ["array", thing.dtype.descr, thing.shape, hashlib.blake2b(thing.tobytes()).hexdigest()]
        return None

    def _code(self, thing: Any) -> list[Any] | None:
        if isinstance(thing, types.FunctionType):
            return self._function(thing)
        if isinstance(thing, types.CodeType):
            shape = [thing.co_argcount, thing.co_posonlyargcount, thing.co_kwonlyargcount, thing.co_flags]
            names = [thing.co_names, thing.co_varnames, thing.co_freevars, thing.co_cellvars]
            return ["code", thing.co_code.hex(), shape, names, self._all(thing.co_consts)]
        if isinstance(thing, type):
            return self._class(thing)
        if isinstance(thing, types.MethodType):
            return ["method", self.tell(thing.__func__), self.tell(thing.__self__)]
        if isinstance(thing, functools.partial):
            return ["partial", self.tell(thing.func), self.tell(thing.args), self.tell(thing.keywords)]
        if isinstance(thing, staticmethod | classmethod):
            return [type(thing).__name__, self.tell(thing.__func__)]
        if isinstance(thing, property):
            return ["property", *self._all([thing.fget, thing.fset, thing.fdel])]
        if isinstance(thing, types.MemberDescriptorType | types.GetSetDescriptorType):
            return ["slot", thing.__name__]
        return None

    def _function(self, function: types.FunctionType) -> list[Any]:
        cells = [cell.cell_contents if _is_full(cell) else "empty" for cell in function.__closure__ or ()]
        used = [name for name in sorted(_global_names(function.__code__)) if name in function.__globals__]
        parts = [function.__code__, function.__defaults__, function.__kwdefaults__, cells]
        globals_ = [[name, self.tell(function.__globals__[name])] for name in used]
        return ["function", function.__module__, function.__qualname__, self._all(parts), globals_]

    def _module(self, module: types.ModuleType) -> list[Any]:
        """Tell an installed package by its version, and a module of one's own by what is in it now."""
        name = module.__name__
        if _is_package(name):
            return ["module", name, _version(name)]
        members = sorted((key, value) for key, value in vars(module).items() if not key.startswith("__"))
        return ["module", name, [[key, self.tell(value)] for key, value in members]]

    def _class(self, made: type) -> list[Any]:
        members = sorted((name, value) for name, value in vars(made).items() if name not in _FORGOTTEN)
        told = [[name, self.tell(value)] for name, value in members]
        return ["class", made.__module__, made.__qualname__, self._all(made.__bases__), told]

    def _object(self, thing: Any) -> list[Any]:
        """Tell an object as a copy of it would be made."""
        try:
            reduced = thing.__reduce_ex__(2)
            parts = reduced if isinstance(reduced, str) else [list(p) if hasattr(p, "__next__") else p for p in reduced]
        except Exception as error:
            raise _UntellableError(type(thing).__name__) from error
        return ["object", self.tell(type(thing)), self.tell(parts)]


def _is_full(cell: types.CellType) -> bool:
    try:
        _ = cell.cell_contents
    except ValueError:
        return False
    return True


def _global_names(code: types.CodeType) -> set[str]:
    """The globals that a function uses, and functions within it."""
    loads = ("LOAD_GLOBAL", "LOAD_NAME")
    names = {str(step.argval) for step in dis.get_instructions(code) if step.opname in loads}
    inner = [_global_names(one) for one in code.co_consts if isinstance(one, types.CodeType)]
    return names.union(*inner)


def _is_installed(thing: Any) -> bool:
    """Tell whether something is what an installed package has under its name."""
    module, name = getattr(thing, "__module__", None), getattr(thing, "__qualname__", None)
    if not isinstance(module, str) or not isinstance(name, str) or not _is_package(module):
        return False
    found: Any = sys.modules.get(module)
    for part in name.split("."):
        found = getattr(found, part, None)
    return found is thing


@functools.cache
def _is_package(module: str) -> bool:
    top = module.partition(".")[0]
    if top in sys.stdlib_module_names or top == "fselect":  # a search's version stands for the latter
        return top != "__main__"
    file = getattr(sys.modules.get(top), "__file__", None)
    paths = {Path(sysconfig.get_path(name)).resolve() for name in ("purelib", "platlib")}
    return file is not None and not paths.isdisjoint(Path(file).resolve().parents)


def _version(module: str) -> str:
    return str(getattr(sys.modules.get(module.partition(".")[0]), "__version__", ""))
