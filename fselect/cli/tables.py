"""Commands on tables: select, tradeoff, transfer."""

from __future__ import annotations

import re
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer
import yaml

from fselect.cli.execution import RUN, Address, Runner, Workers, execution
from fselect.cli.operating_point import OperatingPoint, operating_point
from fselect.errors import InputError

__all__ = ["register"]


class Missing(StrEnum):
    """What to do with missing values."""

    error = "error"
    drop = "drop"
    impute = "impute"
    category = "category"
    keep = "keep"


class Nominal(StrEnum):
    """What to do with nominal columns of more than two values."""

    error = "error"
    onehot = "onehot"


DATA, SEARCH = "Table", "Selection"

TableArgument = Annotated[
    str, typer.Argument(help="CSV, TSV, Parquet, Feather, ARFF or Excel file, or a bundled data set.")
]
Target = Annotated[str, typer.Option("--target", "-t", help="The column with the classes.", rich_help_panel=DATA)]
MissingOption = Annotated[
    Missing, typer.Option("--missing", help="Missing values; keep is for methods that take them.", rich_help_panel=DATA)
]
NominalOption = Annotated[Nominal, typer.Option("--nominal", help="Nominal columns.", rich_help_panel=DATA)]
Clip = Annotated[
    tuple[float, float] | None,
    typer.Option("--clip", metavar="LOW HIGH", help="Clip values to this range, before --log.", rich_help_panel=DATA),
]
Log = Annotated[float | None, typer.Option("--log", help="Take logarithms to this base.", rich_help_panel=DATA)]
Drop = Annotated[list[str] | None, typer.Option("--drop", help="Leave a column out; repeatable.", rich_help_panel=DATA)]
Sheet = Annotated[str | None, typer.Option("--sheet", help="Sheet of an Excel file.", rich_help_panel=DATA)]
Features = Annotated[int, typer.Option("--n-features", "-k", help="Features in a set.", rich_help_panel=SEARCH)]
Method = Annotated[str, typer.Option("--method", help="See fselect methods.", rich_help_panel=SEARCH)]
Step = Annotated[
    float | None,
    typer.Option("--step", help="Share of the remaining features dropped; 0.2 if not given.", rich_help_panel=SEARCH),
]
Penalty = Annotated[
    float, typer.Option("--penalty", help="Ridge penalty λ, scikit-learn's 1/(2 C).", rich_help_panel=SEARCH)
]
Parameter = Annotated[
    list[str] | None,
    typer.Option(
        "--parameter", "-p", help="KEY=VALUE of the method, beside the above; repeatable.", rich_help_panel=SEARCH
    ),
]
Bootstraps = Annotated[int, typer.Option("--bootstraps", help="Bootstrap samples M.", rich_help_panel=SEARCH)]
Repeats = Annotated[int, typer.Option("--repeats", "-B", help="Repeats B of the protocol.", rich_help_panel=SEARCH)]
PriorOption = Annotated[
    Path | None, typer.Option("--prior", help="File of known features, a name a line.", rich_help_panel=SEARCH)
]
Ranked = Annotated[bool, typer.Option("--ranked", help="The prior is ranked, best first.", rich_help_panel=SEARCH)]
Level = Annotated[float, typer.Option("--level", help="Confidence level.", rich_help_panel=SEARCH)]
Seed = Annotated[int, typer.Option("--seed", help="Seed of all random draws.", rich_help_panel=RUN)]
Name = Annotated[str | None, typer.Option("--name", help="Name of the study.", rich_help_panel=RUN)]
Output = Annotated[
    Path | None, typer.Option("--output", "-o", help="Folder for results and report.", rich_help_panel=RUN)
]
NoTrack = Annotated[bool, typer.Option("--no-track", help="Do not log to MLflow.", rich_help_panel=RUN)]
Json = Annotated[bool, typer.Option("--json", help="Print the answer as JSON, for scripts.", rich_help_panel=RUN)]


def select(
    table: TableArgument,
    target: Target,
    n_features: Features = 20,
    shape: Annotated[
        str, typer.Option("--shape", help="Gamma shape of the bias, or none.", rich_help_panel=SEARCH)
    ] = "none",
    prior: PriorOption = None,
    ranked: Ranked = False,
    method: Method = "rfe",
    parameter: Parameter = None,
    step: Step = None,
    penalty: Penalty = 0.1,
    bootstraps: Bootstraps = 30,
    repeats: Repeats = 20,
    level: Level = 0.95,
    missing: MissingOption = Missing.error,
    nominal: NominalOption = Nominal.error,
    clip: Clip = None,
    log: Log = None,
    drop: Drop = None,
    sheet: Sheet = None,
    seed: Seed = 0,
    workers: Workers = None,
    runner: Runner = None,
    address: Address = None,
    name: Name = None,
    output: Output = None,
    no_track: NoTrack = False,
    as_json: Json = False,
) -> None:
    """Select features of one table, with selection frequencies, stability and accuracy.

    **Examples**

    `fselect select breast_cancer --target target -k 5`

    `fselect select genes.csv --target tumour -k 20 --log 2 --shape 0.5 --prior known.txt`

    `fselect select wine --target target --method contribution -p estimator=naive_bayes -p size=5`
    """
    _single(locals(), "select", [_shape(shape, "--shape")])


def tradeoff(
    table: TableArgument,
    target: Target,
    n_features: Features = 20,
    shapes: Annotated[
        str, typer.Option("--shapes", help="Gamma shapes with commas; none is unbiased.", rich_help_panel=SEARCH)
    ] = "none,3,1,0.5,0.2,0.1",
    prior: PriorOption = None,
    ranked: Ranked = False,
    method: Method = "rfe",
    parameter: Parameter = None,
    step: Step = None,
    penalty: Penalty = 0.1,
    bootstraps: Bootstraps = 30,
    repeats: Repeats = 20,
    level: Level = 0.95,
    rule: OperatingPoint = "one_se",
    missing: MissingOption = Missing.error,
    nominal: NominalOption = Nominal.error,
    clip: Clip = None,
    log: Log = None,
    drop: Drop = None,
    sheet: Sheet = None,
    seed: Seed = 0,
    workers: Workers = None,
    runner: Runner = None,
    address: Address = None,
    name: Name = None,
    output: Output = None,
    no_track: NoTrack = False,
    as_json: Json = False,
) -> None:
    """Show how much accuracy a table's feature sets cost for how much stability.

    **Examples**

    `fselect tradeoff breast_cancer --target target -k 5 --repeats 10`

    `fselect tradeoff genes.parquet --target class --clip 10 16000 --log 10 --shapes none,1,0.2`

    `fselect tradeoff genes.csv --target tumour --operating-point min_stability=0.6`
    """
    _single(locals(), "tradeoff", [_shape(text, "--shapes") for text in shapes.split(",")])


def transfer(
    tables: Annotated[list[str], typer.Argument(help="The tasks' tables in order, or one table.", metavar="TABLE...")],
    target: Target,
    task_column: Annotated[
        str | None, typer.Option("--task-column", help="Split one table by this column.", rich_help_panel=DATA)
    ] = None,
    order: Annotated[
        str | None,
        typer.Option("--order", help="Tasks of the column in order, with commas.", rich_help_panel=DATA),
    ] = None,
    noisy_tasks: Annotated[
        int | None, typer.Option("--noisy-tasks", help="Make this many tasks by noise.", rich_help_panel=DATA)
    ] = None,
    noise: Annotated[
        float | None, typer.Option("--noise", help="Size of the noise; 3 if not given.", rich_help_panel=DATA)
    ] = None,
    n_features: Features = 10,
    strengths: Annotated[
        str, typer.Option("--strengths", help="Transfer strengths with commas.", rich_help_panel=SEARCH)
    ] = "0,0.25,0.5,1,2,4,8",
    method: Method = "rfe",
    parameter: Parameter = None,
    step: Step = None,
    penalty: Penalty = 1.0,
    bootstraps: Bootstraps = 30,
    repeats: Repeats = 20,
    level: Level = 0.95,
    rule: OperatingPoint = "one_se",
    missing: MissingOption = Missing.error,
    nominal: NominalOption = Nominal.error,
    clip: Clip = None,
    log: Log = None,
    drop: Drop = None,
    sheet: Sheet = None,
    seed: Seed = 0,
    workers: Workers = None,
    runner: Runner = None,
    address: Address = None,
    name: Name = None,
    output: Output = None,
    no_track: NoTrack = False,
    as_json: Json = False,
) -> None:
    """Select on ordered tasks, each biased towards what the earlier ones selected.

    **Examples**

    `fselect transfer 2023.csv 2024.csv 2025.csv --target relapse -k 10`

    `fselect transfer cohort.parquet --task-column batch --target relapse`

    `fselect transfer breast_cancer --target target --noisy-tasks 6 -k 5`
    """
    options = locals()
    tasks = _transfer_tasks(options)
    values = _study(options, "transfer", "transfer", tasks) | {
        "selection": _selection(options)
        | {"strengths": [_number(text, "--strengths") for text in strengths.split(",")]}
    }
    _run(values, options)


def _single(options: dict[str, Any], command: str, shapes: list[float | None]) -> None:
    prior = options["prior"]
    known = {"file": str(prior.resolve()), "ranked": options["ranked"]} if prior else None
    if options["ranked"] and not prior:
        raise InputError("--ranked says how the file of --prior is ordered; give --prior too")
    if prior and not any(shapes):
        option = "--shape" if command == "select" else "--shapes"
        raise InputError(f"--prior steers a bias, and there is none; give {option} 0.5, say")
    tasks = {"source": "table", "table": _located(options["table"]), "target": options["target"]}
    values = _study(options, command, "single", tasks)
    _run(values | {"selection": _selection(options) | {"shapes": shapes, "prior": known}}, options)


def _transfer_tasks(options: dict[str, Any]) -> dict[str, Any]:
    tables = [_located(table) for table in options["tables"]]
    target, column, noisy = options["target"], options["task_column"], options["noisy_tasks"]
    _check_splits(options)
    if len(tables) > 1 and (column or noisy is not None):
        raise InputError("--task-column and --noisy-tasks split one table; give one table, or leave them out")
    if column:
        order = options["order"].split(",") if options["order"] else None
        return {"source": "column", "table": tables[0], "target": target, "column": column, "order": order}
    if noisy is not None:
        noise = 3.0 if options["noise"] is None else options["noise"]
        return {"source": "noisy", "table": tables[0], "target": target, "n_tasks": noisy, "noise": noise}
    if len(tables) == 1:
        raise InputError("one table is no sequence of tasks; give more tables, --task-column or --noisy-tasks")
    return {"source": "files", "tables": tables, "target": target}


def _check_splits(options: dict[str, Any]) -> None:
    """Options that would have no effect are refused: whoever gives them expects one."""
    if options["task_column"] and options["noisy_tasks"] is not None:
        raise InputError("--task-column and --noisy-tasks exclude each other; give one of them")
    if options["order"] and not options["task_column"]:
        raise InputError("--order puts the tasks of a column in order; give --task-column too, or leave it out")
    if options["noise"] is not None and options["noisy_tasks"] is None:
        raise InputError("--noise is that of noisy tasks; give --noisy-tasks too, or leave it out")


def _study(options: dict[str, Any], command: str, protocol: str, tasks: dict[str, Any]) -> dict[str, Any]:
    first = Path(tasks.get("table") or tasks["tables"][0])
    name = options["name"] or re.sub(r"[^A-Za-z0-9._-]+", "-", f"{first.stem}-{command}").lstrip("-._")
    data = {key: options[key] for key in ("missing", "nominal", "clip", "log", "sheet")}
    return {
        "study": {"name": name, "seed": options["seed"], "protocol": protocol},
        "tasks": tasks,
        "data": {key: _plain(value) for key, value in data.items()} | {"drop": options["drop"] or []},
        "evaluation": {"level": options["level"]},
        "operating_point": operating_point(options.get("rule", "one_se")),
        "execution": execution(options["workers"], options["runner"], options["address"]),
    }


def _selection(options: dict[str, Any]) -> dict[str, Any]:
    names = ("method", "n_features", "step", "penalty", "bootstraps", "repeats")
    _check_step(options)
    given = {name: options[name] for name in names if options[name] is not None}
    return given | {"parameters": _parameters(options)}


def _check_step(options: dict[str, Any]) -> None:
    from fselect.selectors.catalogue import method_class

    method = options["method"]
    if options["step"] is not None and "step" not in method_class(method).shared:
        raise InputError(f"--step is a share of the features, which method {method!r} has not; give it its own with -p")


def _parameters(options: dict[str, Any]) -> dict[str, Any]:
    """The method's own parameters as YAML values; a shared one given here would be said twice."""
    from fselect.selectors.catalogue import get_method, method_class

    given = [text.partition("=") for text in options["parameter"] or ()]
    for name, equals, _ in given:
        if not equals:
            raise InputError(f"--parameter {name!r} is not of the form KEY=VALUE, say size=5")
        if name in method_class(options["method"]).shared:
            raise InputError(f"--parameter {name}: write --{name.replace('_', '-')} instead")
    values = {name: yaml.safe_load(text) for name, _, text in given}
    shared = {name: options[name] for name in method_class(options["method"]).shared if options[name] is not None}
    get_method(options["method"], **shared, **values)  # refused here, before anything is read
    return values


def _run(values: dict[str, Any], options: dict[str, Any]) -> None:
    from fselect.cli.running import run_project
    from fselect.study.config import parse_config
    from fselect.study.project import Project, open_tracking_project

    around = open_tracking_project()
    values["tracking"] = {"uri": around.config.tracking.uri}
    output = options["output"]
    project = Project(around.root, parse_config(values, "the command line"), output.resolve() if output else None)
    run_project(project, tracked=not options["no_track"], as_json=options["as_json"])


def _located(table: str) -> str:
    """A file as an absolute path, so that the project's root does not matter; a bundled data set as it is."""
    if not table.strip():
        raise InputError("the table has no name; give a file or a bundled data set (fselect datasets)")
    path = Path(table)
    return str(path.resolve()) if path.suffix or path.exists() else table


def _plain(value: Any) -> Any:
    return value.value if isinstance(value, StrEnum) else value


def _shape(text: str, option: str) -> float | None:
    return None if text.strip().lower() == "none" else _number(text, option, extra=", or none")


def _number(text: str, option: str, extra: str = "") -> float:
    try:
        return float(text)
    except ValueError:
        raise InputError(f"{option}: {text.strip()!r} is not a number{extra}; separate values with commas") from None


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(select)
    app.command()(tradeoff)
    app.command()(transfer)
