"""From a configuration and its tasks to the units of work."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np

from fselect.datasets.dataset import Dataset
from fselect.datasets.wording import listing
from fselect.errors import InputError
from fselect.selectors.catalogue import get_method, method_class, method_table
from fselect.study.config import OPERATION, Config
from fselect.study.prior import prior_label

__all__ = ["TRIVIAL", "Unit", "make_arrival_plan", "make_plan", "shapes_of", "study_digest"]

TRIVIAL = {"single": "random set", "transfer": "first set", "arrival": "champion's set"}
"""The trivial strategy with stability 1, by protocol."""

PROTOCOL_VERSION = 1
"""Raised by hand when a protocol changes so that results may."""


@dataclass(frozen=True)
class Unit:
    """The smallest piece of work that runs alone and is resumed.

    Parameters
    ----------
    protocol : {"single", "transfer", "set"}
        One repeat of a protocol, or the one set that stands for a point with its selection frequencies.
    setting : {"single", "transfer", "arrival"}
        The study's protocol; differs from `protocol` for sets. An arrival is one task with the sets of earlier ones.
    method : str
        The selection method.
    trivial : str or None
        The trivial strategy that stands in its place: ``random set``, ``first set`` or ``champion's set``.
    parameters : str
        The method's parameters as canonical JSON.
    prior : str or None
        What the prior is, as canonical JSON with the names it holds; of an arrival, the earlier sets.
    shape, strength : float or None
        The bias.
    repeat : int or None
        None for sets.
    key : str
        Hash of all that determines the result.
    """

    protocol: Literal["single", "transfer", "set"]
    setting: Literal["single", "transfer", "arrival"]
    method: str
    trivial: str | None
    parameters: str
    prior: str | None
    shape: float | None
    strength: float | None
    repeat: int | None
    seed: int
    bootstraps: int
    final_penalty: float
    n_tasks: int = 1
    key: str = ""

    @property
    def label(self) -> str:
        """How the point of this unit is called."""
        if self.trivial:
            return self.trivial
        if self.strength is not None:
            return f"strength {_written(self.strength)}"
        return "unbiased" if self.shape is None else f"shape {_written(self.shape)}"

    @property
    def n_rows(self) -> int:
        """How many rows of the archive the finished unit has."""
        places = self.n_tasks if self.setting == "transfer" else 1
        if self.protocol == "set":
            return places + self.bootstraps
        return places if self.protocol == "transfer" else self.bootstraps


def _written(value: float | None) -> str:
    """A number in as few digits as tell it from any other."""
    short = f"{value:g}"
    return short if float(short) == value else repr(value)


def make_plan(config: Config, tasks: Sequence[Dataset], root: Path = Path()) -> list[Unit]:
    """Lay out the units of a study, in the order in which they run.

    Parameters
    ----------
    config : Config
        The study.
    tasks : sequence of Dataset
        Its tasks, as they enter selection.
    root : Path
        Where a relative prior file is looked for.

    Returns
    -------
    list of Unit
        Repeats outermost, so that an interrupted study has some of every point; sets last.

    Raises
    ------
    InputError
        If more features are asked for than there are, or the method or prior does not fit.
    """
    _check(config, tasks)
    selection = config.selection
    method = get_method(selection.method, **method_parameters(config))
    prior = prior_label(selection.prior, tasks[0], root) if config.study.protocol == "single" else None
    base = _base(config, method.parameters, prior, len(tasks))
    points = _points(config, base)
    # the random set needs a size, also where the method finds its own
    sized = {"n_features": selection.n_features, **method.parameters}
    trivial = replace(base, trivial=TRIVIAL[config.study.protocol], parameters=canonical(sized), prior=None)
    return _laid_out(points, [trivial], config, tasks, method.ALGORITHM_VERSION)


def make_arrival_plan(
    config: Config, task: Dataset, history: Sequence[Sequence[str]], champion: Sequence[str] = ()
) -> list[Unit]:
    """Lay out the units of a task that arrives after the study, biased by the sets of earlier tasks.

    Parameters
    ----------
    config : Config
        The study; its strengths are compared, 0 (which is always among them) being the unbiased selection.
    task : Dataset
        The new task.
    history : sequence of sequence of str
        The set of each earlier task, in order; without any, the selection is unbiased.
    champion : sequence of str
        The set that is in use, to be measured as it is on the same bootstraps.

    Returns
    -------
    list of Unit
        As `make_plan` orders them.

    Raises
    ------
    InputError
        If more features are asked for than there are, or a set holds a feature that the task has not.
    """
    _check_bias(config)
    _check_size(config, task)
    _check_missing(config, [task])
    _check_known([*history, champion], task)
    method = get_method(config.selection.method, **method_parameters(config))
    base = replace(_base(config, method.parameters, None, 1), protocol="single", setting="arrival")
    known = canonical({"history": [sorted(names) for names in history]})
    strengths = sorted({0.0, *map(float, config.selection.strengths)})
    points = [replace(base, strength=strength, prior=known if strength else None) for strength in strengths]
    points = points if history else [base]
    kept = replace(base, trivial=TRIVIAL["arrival"], prior=canonical({"set": sorted(champion)}))
    return _laid_out(points, [kept] if champion else [], config, [task], method.ALGORITHM_VERSION)


def _check_known(sets: Sequence[Sequence[str]], task: Dataset) -> None:
    unknown = sorted({name for names in sets for name in names} - set(task.names))
    if unknown:
        raise InputError(
            f"the promoted sets hold {listing(unknown)}, which table {task.name!r} has not; "
            "a table with other columns needs a promoted set of another name"
        )


def _base(config: Config, parameters: Any, prior: str | None, n_tasks: int) -> Unit:
    selection = config.selection
    protocol = "single" if config.study.protocol == "arrival" else config.study.protocol
    return Unit(
        protocol=protocol,
        setting=config.study.protocol,
        method=selection.method,
        trivial=None,
        parameters=canonical(parameters),
        prior=prior,
        shape=None,
        strength=None,
        repeat=0,
        seed=config.study.seed,
        bootstraps=selection.bootstraps,
        final_penalty=selection.final_model_penalty,
        n_tasks=n_tasks,
    )


def _laid_out(
    points: list[Unit], trivial: list[Unit], config: Config, tasks: Sequence[Dataset], algorithm: int
) -> list[Unit]:
    repeats = range(config.selection.repeats)
    units = [replace(unit, repeat=repeat) for repeat in repeats for unit in [*points, *trivial]]
    sets = [replace(unit, protocol="set", repeat=None) for unit in points]
    fingerprint = [[task.name, task.content_hash, *_completed(config, task)] for task in tasks]
    return [_keyed(unit, fingerprint, algorithm) for unit in [*units, *sets]]


def method_parameters(config: Config) -> dict[str, Any]:
    """The parameters of the selection method that the study file sets: the shared ones that it knows, and its own."""
    selection = config.selection
    shared = {"n_features": selection.n_features, "step": selection.step, "penalty": selection.penalty}
    known = {name: value for name, value in shared.items() if name in method_class(selection.method).shared}
    return known | selection.parameters


def _points(config: Config, base: Unit) -> list[Unit]:
    if config.study.protocol == "transfer":
        return [replace(base, strength=float(strength)) for strength in config.selection.strengths]
    return [replace(base, shape=shape) for shape in shapes_of(config)]


def shapes_of(config: Config) -> tuple[float | None, ...]:
    """The shapes of a single-task study; of a method without bias only none.

    Raises
    ------
    InputError
        If shapes are asked for that the method cannot have.
    """
    selection = config.selection
    if "shape" in method_class(selection.method).bias:
        return selection.shapes
    if "shapes" in selection.model_fields_set and any(shape is not None for shape in selection.shapes):
        raise InputError(f"method {selection.method!r} takes no bias: leave selection.shapes out, or write [null]")
    return (None,)


def _check_bias(config: Config) -> None:
    name, biases = config.selection.method, method_class(config.selection.method).bias
    if config.study.protocol != "single" and "strength" not in biases:
        raise InputError(f"method {name!r} takes no bias from earlier tasks; write study.protocol: single")
    if config.selection.prior is not None and "shape" not in biases:
        raise InputError(f"method {name!r} takes no prior; leave selection.prior out")


def _check_size(config: Config, task: Dataset) -> None:
    d, k = task.n_features, config.selection.n_features
    if k >= d and "n_features" in method_class(config.selection.method).shared:
        columns = "1 column" if d == 1 else f"{d} columns"
        raise InputError(
            f"selection.n_features is {k}, but table {task.name!r} has {columns}; ask for fewer than it has"
        )


def _check_missing(config: Config, tasks: Sequence[Dataset]) -> None:
    name = config.selection.method
    if config.data.missing != "keep" or method_class(name).keeps_missing:
        return
    for task in tasks:
        missing = np.isnan(task.dense_X).any(axis=0)
        if missing.any():
            raise InputError(
                f"table {task.name!r}: column {task.names[int(np.argmax(missing))]!r} has missing values, with which "
                f"method {name!r} cannot work; set data.missing to drop, impute or category{_or_able(config)}"
            )


def _or_able(config: Config) -> str:
    """Name the methods that could work with missing values in this protocol."""
    single = config.study.protocol == "single"
    able = [one["name"] for one in method_table() if one["keeps_missing"] and (single or "strength" in one["bias"])]
    return f", or take one of {', '.join(able)}" if able else ""


def _check(config: Config, tasks: Sequence[Dataset]) -> None:
    _check_bias(config)
    _check_size(config, tasks[0])
    _check_missing(config, tasks)
    if config.study.protocol == "transfer" and len(tasks) < 2:
        raise InputError("a transfer study needs two tasks or more; give more tables or another task column")


def canonical(value: Any) -> str:
    """JSON with sorted keys and no spaces: equal text for equal values.

    Examples
    --------
    >>> canonical({"b": 1, "a": [1.5]})
    '{"a":[1.5],"b":1}'
    """
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def digest_of(value: Any, size: int = 16) -> str:
    """Hash of a JSON-able value, as hexadecimal digits."""
    return hashlib.blake2b(canonical(value).encode("utf-8"), digest_size=size).hexdigest()


def _completed(config: Config, task: Dataset) -> list[str]:
    """Say how the final models take missing values: not at all until there was a way."""
    keeps = config.data.missing == "keep" and bool(np.isnan(task.dense_X.min(initial=0.0)))
    return ["missing values are means"] if keeps else []


def _keyed(unit: Unit, fingerprint: list[list[str]], algorithm: int) -> Unit:
    facts = asdict(unit) | {"tasks": fingerprint, "algorithm": algorithm, "version": PROTOCOL_VERSION}
    del facts["n_tasks"]  # the tasks themselves are there
    # One bootstrap a task: how many bootstraps a set gets does not touch a transfer repeat.
    if unit.protocol == "transfer":
        del facts["bootstraps"]
    return replace(unit, key=digest_of(facts))


def study_digest(config: Config, tasks: Sequence[Dataset]) -> str:
    """Hash of all that determines a study's numbers: its configuration and the content of its tasks.

    Where it runs, where it is tracked, what it is promoted as and where its tables lie are left out.
    """
    facts = config.model_dump(mode="json", exclude={*OPERATION, "tasks"})
    if not config.selection.parameters:  # studies without any keep the digest that they had before there were some
        del facts["selection"]["parameters"]
    return digest_of([facts, [[task.name, task.content_hash] for task in tasks]])
