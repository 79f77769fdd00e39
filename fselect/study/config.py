"""The study file: params.yaml as one frozen, validated object."""

from __future__ import annotations

import difflib
import re
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import Field, ValidationError, field_validator, model_validator

from fselect.datasets.options import DataOptions
from fselect.errors import InputError
from fselect.study.operation import ArrivalsConfig, LimitsConfig, Name, PromotionConfig, Section

__all__ = [
    "DEFAULT_SHAPES",
    "DEFAULT_STRENGTHS",
    "OPERATION",
    "Config",
    "ExecutionConfig",
    "OperatingPointConfig",
    "PriorConfig",
    "SelectionConfig",
    "StudyConfig",
    "TasksConfig",
    "parse_config",
    "read_config",
    "read_values",
]

DEFAULT_SHAPES: tuple[float | None, ...] = (None, 3.0, 1.0, 0.5, 0.2, 0.1)
"""Gamma shapes of a quick single-task study: every other one of the paper-sized grid."""

DEFAULT_STRENGTHS: tuple[float, ...] = (0.0, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0)
"""Transfer strengths of a quick study; up to 32 are needed to come near a stability of 1."""

Positive = Annotated[float, Field(gt=0, allow_inf_nan=False)]
NonNegative = Annotated[float, Field(ge=0, allow_inf_nan=False)]

OPERATION = {"execution", "tracking", "promotion", "arrivals", "limits"}
"""Sections that change no number of a study: they are in no key, no digest, and no parameters of DVC's stages."""


class StudyConfig(Section):
    """What the study is called, its seed, and which protocol it follows."""

    name: Name = "study"
    seed: Annotated[int, Field(strict=True, ge=0, lt=2**63)] = 0
    protocol: Literal["transfer", "single", "arrival"] = "transfer"


class TasksConfig(Section):
    """Where the ordered tasks come from.

    ``noisy`` makes them from one table by adding noise; ``files`` takes one table a task; ``column`` splits one table
    by a column; ``table`` is one table, for the single-task protocol.
    """

    source: Literal["noisy", "files", "column", "table"]
    table: str | None = None
    tables: tuple[str, ...] = ()
    target: str
    n_tasks: Annotated[int, Field(ge=2)] = 6
    noise: NonNegative = 3.0
    column: str | None = None
    order: tuple[str | int | float, ...] | None = None

    @model_validator(mode="after")
    def _source_has_its_keys(self) -> TasksConfig:
        needed = {"noisy": ("table",), "files": ("tables",), "column": ("table", "column"), "table": ("table",)}
        for key in needed[self.source]:
            if not getattr(self, key):
                raise ValueError(f"tasks.source {self.source!r} needs tasks.{key}")
        return self

    @property
    def sources(self) -> tuple[str, ...]:
        """The tables that are read, as written in the file."""
        return self.tables if self.source == "files" else (str(self.table),)


class PriorConfig(Section):
    """What is known beforehand about the features: a file of names, or a set made from a few examples."""

    file: str | None = None
    ranked: bool = False
    examples: Annotated[int, Field(ge=2)] | None = None
    features: Annotated[int, Field(ge=1)] | None = None

    @model_validator(mode="after")
    def _one_kind(self) -> PriorConfig:
        if (self.file is None) == (self.examples is None):
            raise ValueError("selection.prior takes either a file or examples with features")
        if (self.examples is None) != (self.features is None):
            raise ValueError("selection.prior.examples and selection.prior.features go together")
        if self.examples is not None and self.ranked:
            raise ValueError("selection.prior.ranked goes with a file; features chosen from examples have no ranks")
        return self


class SelectionConfig(Section):
    """The selection method, its parameters, and the grid of biases.

    ``parameters`` holds those of the method beside the shared ones: size and n_permutations of contribution, say.
    """

    method: str = "rfe"
    n_features: Annotated[int, Field(ge=1)] = 5
    step: Annotated[float, Field(gt=0, lt=1)] = 0.2
    penalty: Positive = 1.0
    parameters: dict[str, Any] = Field(default_factory=dict)
    final_penalty: Positive | None = None
    strengths: tuple[NonNegative, ...] = DEFAULT_STRENGTHS
    shapes: tuple[Positive | None, ...] = DEFAULT_SHAPES
    bootstraps: Annotated[int, Field(ge=2)] = 30
    repeats: Annotated[int, Field(ge=1)] = 20
    prior: PriorConfig | None = None

    @field_validator("strengths", "shapes")
    @classmethod
    def _distinct(cls, values: tuple[float | None, ...]) -> tuple[float | None, ...]:
        if not values or len(set(values)) < len(values):
            raise ValueError("needs at least one value, and no value twice")
        return values

    @field_validator("strengths")
    @classmethod
    def _some_transfer(cls, values: tuple[float, ...]) -> tuple[float, ...]:
        if not any(values):
            raise ValueError("needs a value above 0: strength 0 alone transfers nothing")
        return values

    @property
    def final_model_penalty(self) -> float:
        """The penalty of the final model: that of the selection unless ``final_penalty`` says otherwise."""
        return self.penalty if self.final_penalty is None else self.final_penalty


class EvaluationConfig(Section):
    """Confidence level, and the weight of the dominance area: a pair of (low, high) intervals or nothing."""

    level: Annotated[float, Field(gt=0, lt=1)] = 0.95
    weight: tuple[tuple[float, float], tuple[float, float]] | None = None

    @field_validator("weight")
    @classmethod
    def _intervals_in_the_unit_square(
        cls, weight: tuple[tuple[float, float], tuple[float, float]] | None
    ) -> tuple[tuple[float, float], tuple[float, float]] | None:
        if weight is not None and any(not 0 <= low < high <= 1 for low, high in weight):
            raise ValueError("needs two intervals [low, high] with 0 <= low < high <= 1: accuracy, stability")
        return weight


class OperatingPointConfig(Section):
    """The rule that chooses one point of the front, and the rule's value where it takes one."""

    rule: Literal["one_se", "min_stability", "max_accuracy_loss", "weight", "knee"] = "one_se"
    value: Annotated[float, Field(ge=0, le=1)] | None = None

    @model_validator(mode="after")
    def _value_where_needed(self) -> OperatingPointConfig:
        if self.rule in ("min_stability", "max_accuracy_loss", "weight") and self.value is None:
            raise ValueError(f"operating_point.rule {self.rule!r} needs operating_point.value")
        return self


class ExecutionConfig(Section):
    """How the units are run; it never changes a result, and is part of no key.

    A Dask cluster runs as many units at a time as its workers have threads, whatever ``workers`` says.
    """

    runner: Literal["threads", "processes", "dask"] = "threads"
    workers: Annotated[int, Field(ge=1, le=1024)] = 2
    address: str | None = None

    @field_validator("address")
    @classmethod
    def _protocol_host_and_port(cls, address: str | None) -> str | None:
        if address is not None and not re.fullmatch(r"(tcp|tls|ws|wss)://[^/\s]+:\d+", address):
            raise ValueError("needs protocol, host and port of a Dask scheduler: tcp://HOST:8786, say")
        return address

    @model_validator(mode="after")
    def _address_of_a_cluster(self) -> ExecutionConfig:
        if self.runner == "dask" and self.address is None:
            raise ValueError("execution.runner 'dask' needs execution.address, the scheduler's: tcp://HOST:8786, say")
        if self.runner != "dask" and self.address is not None:
            raise ValueError(
                f"execution.address is that of a Dask scheduler, and {self.runner} run on this machine; "
                "write runner: dask, or address: null"
            )
        return self


class TrackingConfig(Section):
    """The MLflow server; ``null`` is the project's own SQLite store."""

    uri: str | None = None


class Config(Section):
    """A whole params.yaml.

    Examples
    --------
    >>> config = Config(tasks={"source": "noisy", "table": "breast_cancer", "target": "target"})
    >>> config.selection.strengths
    (0.0, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0)
    """

    study: StudyConfig = StudyConfig()
    tasks: TasksConfig
    data: DataOptions = DataOptions()
    selection: SelectionConfig = SelectionConfig()
    evaluation: EvaluationConfig = EvaluationConfig()
    operating_point: OperatingPointConfig = OperatingPointConfig()
    promotion: PromotionConfig = PromotionConfig()
    execution: ExecutionConfig = ExecutionConfig()
    tracking: TrackingConfig = TrackingConfig()
    arrivals: ArrivalsConfig = ArrivalsConfig()
    limits: LimitsConfig = LimitsConfig()

    @model_validator(mode="after")
    def _protocol_fits_tasks(self) -> Config:
        if self.study.protocol == "arrival":
            raise ValueError(
                "study.protocol is 'transfer' or 'single'; arrivals follow from either, see docs/arrivals.md"
            )
        if (self.study.protocol == "single") != (self.tasks.source == "table"):
            raise ValueError(
                f"study.protocol {self.study.protocol!r} does not go with tasks.source {self.tasks.source!r}; "
                "single takes 'table', transfer takes 'noisy', 'files' or 'column'"
            )
        if self.study.protocol == "transfer" and self.selection.prior is not None:
            raise ValueError("selection.prior goes with study.protocol 'single'; transfer learns from its own history")
        if self.selection.prior is not None and not any(self.selection.shapes):
            raise ValueError("selection.prior steers a bias, and selection.shapes has none; give it a number, 0.5 say")
        return self


def parse_config(values: Any, origin: str = "params.yaml") -> Config:
    """Validate the values of a study file.

    Parameters
    ----------
    values : mapping
        The sections, as YAML gives them.
    origin : str
        Named in errors.

    Returns
    -------
    Config

    Raises
    ------
    InputError
        For an unknown key, a wrong type or a value out of range: one sentence that names the key.

    Examples
    --------
    >>> parse_config({"tasks": {"source": "noisy", "table": "wine", "target": "target"}}).study.seed
    0
    """
    if not isinstance(values, dict):
        raise InputError(f"{origin}: expected sections such as 'study:' and 'tasks:', found {type(values).__name__}")
    try:
        return Config.model_validate(values)
    except ValidationError as error:
        raise InputError(f"{origin}: {_sentence(error)}") from None


def read_config(path: Path) -> Config:
    """Read and validate a params.yaml.

    Raises
    ------
    InputError
        If the file is missing, not YAML, or not a valid study.
    """
    return parse_config(read_values(path), path.name)


def read_values(path: Path) -> Any:
    """Read a study file's values without validating them.

    Raises
    ------
    InputError
        If the file is missing, cannot be read, is not YAML, or holds a key twice.
    """
    try:
        return yaml.load(path.read_text(encoding="utf-8"), Loader=_UniqueKeys)
    except FileNotFoundError:
        raise InputError(f"no study file {path}; write a params.yaml, or name one with --params") from None
    except OSError as error:
        raise InputError(f"cannot read the study file {path}: {error.strerror}") from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise InputError(f"{path.name} is not valid YAML: {' '.join(str(error).split())}") from None


class _UniqueKeys(yaml.SafeLoader):
    """YAML of which a key that stands twice is an error: the second would silently win."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        keys = [self.construct_object(key, deep=True) for key, _ in node.value]
        for key, (place, _) in zip(keys, node.value, strict=True):
            if keys.count(key) > 1:
                raise yaml.constructor.ConstructorError(None, None, f"key {key!r} stands twice", place.start_mark)
        return super().construct_mapping(node, deep)


def _sentence(error: ValidationError) -> str:
    """The first problem, as a sentence that names its key."""
    first = error.errors()[0]
    key = ".".join(str(part) for part in first["loc"] if not isinstance(part, str) or "[" not in part)
    if first["type"] == "extra_forbidden":
        return f"unknown key {key!r}{_did_you_mean(first['loc'])}"
    if first["type"] == "missing":
        return f"key {key!r} is missing"
    if first["type"] == "model_type":
        return f"{key} {first['input']!r}: needs its keys below it, indented"
    message = first["msg"].removeprefix("Value error, ").rstrip(".")
    if not key or (first["type"] == "value_error" and "." in message.split()[0]):
        return message
    return f"{key} {first['input']!r}: {message[0].lower()}{message[1:]}"


def _did_you_mean(location: tuple[int | str, ...]) -> str:
    model: Any = Config
    for part in location[:-1]:
        field = model.model_fields.get(part) if hasattr(model, "model_fields") else None
        model = field.annotation if field is not None else None
    known = list(getattr(model, "model_fields", {}))
    close = difflib.get_close_matches(str(location[-1]), known, n=1)
    if close:
        return f"; did you mean {close[0]!r}?"
    return f"; known are {', '.join(known)}" if known else ""
