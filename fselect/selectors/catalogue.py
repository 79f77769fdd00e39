"""The catalogue of selection methods: a file in or below this folder that registers one is known everywhere."""

from __future__ import annotations

import functools
import importlib
import importlib.util
import inspect
from collections.abc import Callable
from dataclasses import MISSING, fields, is_dataclass
from pathlib import Path
from typing import Any, TypeVar

import fselect.selectors
from fselect.errors import InputError
from fselect.selectors.base import Method

__all__ = ["get_method", "method", "method_class", "method_table"]

T = TypeVar("T", bound=type)

SHARED = ("n_features", "step", "penalty")
"""Parameters that study files and the command line have a key of their own for."""

_METHODS: dict[str, Any] = {}
_REGISTERS = b"\n@method("


def method(
    name: str,
    *tags: str,
    bias: str | tuple[str, ...] | None = None,
    keeps_missing: bool = False,
    own: tuple[str, ...] = (),
) -> Callable[[T], T]:
    """Register a class as a selection method.

    Parameters
    ----------
    name : str
        Its name in params.yaml and on the command line.
    *tags : str
        Words by which lists of methods can be read.
    bias : str or tuple of str, optional
        Which biases it takes: ``"shape"`` (single task), ``"strength"`` (transfer).
    keeps_missing : bool, default False
        Whether it works on tables with NaN.
    own : tuple of str, optional
        Parameters that only share their name with a key of study files (n_features, step, penalty): a step that
        is a number of features, say. They are set with the method's other parameters.

    Returns
    -------
    callable
        A class decorator. The class is a dataclass of the method's parameters with the members of
        `fselect.selectors.base.Method`; its docstring's first line is shown by ``fselect methods``.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> @method("first", "example")
    ... @dataclass(frozen=True)
    ... class First:
    ...     '''Select the first features.'''
    ...     n_features: int
    ...     ALGORITHM_VERSION = 1
    >>> get_method("first", n_features=3).name
    'first'
    >>> del _METHODS["first"]
    """

    def register(cls: T) -> T:
        known = _METHODS.get(name)
        if known is not None and known.__qualname__ != cls.__qualname__:
            raise InputError(f"the method name {name!r} is taken by {known.__module__}; choose another")
        described: Any = cls
        described.name, described.tags, described.keeps_missing = name, tags, keeps_missing
        described.bias = (bias,) if isinstance(bias, str) else tuple(bias or ())
        known_parameters = inspect.signature(cls).parameters
        described.shared = tuple(key for key in SHARED if key in known_parameters and key not in own)
        _METHODS[name] = cls
        return cls

    return register


@functools.cache
def _find_files(registers: bytes = _REGISTERS) -> None:
    """Import every file in or below this folder that holds the text by which a method is registered, once."""
    folder = Path(fselect.selectors.__file__).parent
    for file in sorted(folder.rglob("*.py")):
        # estimators import scikit-learn, for which a worker that only selects need not wait
        if registers in file.read_bytes():
            importlib.import_module(".".join(("fselect.selectors", *file.relative_to(folder).with_suffix("").parts)))


def _find_method(name: str) -> None:
    """Import the file that registers a method, and all others only if that cannot be told from their texts."""
    if name not in _METHODS:
        _find_files(_REGISTERS + f'"{name}"'.encode())
    if name not in _METHODS:
        _find_files()


def get_method(name: str, **parameters: Any) -> Method:
    """Make a selection method of its name and parameters.

    Parameters
    ----------
    name : str
        A name in the catalogue.
    **parameters
        The method's parameters; those left out take their defaults.

    Returns
    -------
    Method
        The method, ready to select.

    Raises
    ------
    InputError
        If there is no such method or parameter, or a parameter without default is missing or has a bad value.

    Examples
    --------
    >>> get_method("rfe", n_features=5).parameters
    {'n_features': 5, 'step': 0.2, 'penalty': 1.0, 'standardize': True}
    """
    cls = method_class(name)
    known = inspect.signature(cls).parameters
    for given in parameters:
        if given not in known:
            raise InputError(f"method {name!r} has no parameter {given!r}; it has {', '.join(known)}")
    needed = [p for p, spec in known.items() if spec.default is spec.empty and p not in parameters]
    if needed:
        raise InputError(f"method {name!r} needs a value for {', '.join(needed)}")
    made: Method = cls(**parameters)
    return made


def method_class(name: str) -> Any:
    """Find the class of a method: what it is before it has parameters.

    Parameters
    ----------
    name : str
        A name in the catalogue.

    Returns
    -------
    type
        With ``bias`` and ``shared``, the keys of study files that set parameters of it, and the other attributes
        of `fselect.selectors.base.Method`.

    Raises
    ------
    InputError
        If there is no such method.

    Examples
    --------
    >>> method_class("rfe").shared
    ('n_features', 'step', 'penalty')
    """
    _find_method(name)
    if name not in _METHODS:
        raise InputError(f"there is no method {name!r}; there are {', '.join(sorted(_METHODS))}")
    return _METHODS[name]


def method_table() -> list[dict[str, Any]]:
    """List the catalogue.

    Returns
    -------
    list of dict
        By name, with keys name, summary, parameters (name → default, None where a value is needed), bias, tags,
        keeps_missing and version.

    Examples
    --------
    >>> [(row["name"], row["bias"]) for row in method_table() if row["name"] == "rfe"]
    [('rfe', ('shape', 'strength'))]
    """
    _find_files()
    return [_row(cls) for _, cls in sorted(_METHODS.items())]


def _row(cls: Any) -> dict[str, Any]:
    return {
        "name": cls.name,
        "summary": (inspect.getdoc(cls) or "").partition("\n")[0],
        "parameters": _defaults(cls),
        "bias": cls.bias,
        "tags": cls.tags,
        "keeps_missing": cls.keeps_missing,
        "version": cls.ALGORITHM_VERSION,
    }


def _defaults(cls: Any) -> dict[str, Any]:
    if not is_dataclass(cls):
        return {}
    return {field.name: None if field.default is MISSING else field.default for field in fields(cls)}
