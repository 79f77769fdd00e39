"""Commands on feature sets made by any tool, and what there is: stability, methods, datasets."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fselect.errors import InputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["register"]

Json = Annotated[bool, typer.Option("--json", help="Print the answer as JSON, for scripts.")]


def stability(
    sets: Annotated[Path, typer.Argument(help="A header and 0/1 rows, or one set a line with --features.")],
    features: Annotated[
        str | None, typer.Option("--features", help="Number of features, or a file of their names, a name a line.")
    ] = None,
    level: Annotated[float, typer.Option("--level", help="Confidence level.")] = 0.95,
    correlation: Annotated[
        Path | None,
        typer.Option("--correlation", help="Table with the features' values: correlated ones count as stand-ins."),
    ] = None,
    threshold: Annotated[
        float | None, typer.Option("--threshold", help="Correlation from which on they do; 0.9 if not given.")
    ] = None,
    importances: Annotated[
        bool,
        typer.Option("--importances", help="The rows hold importances, 0 where not selected: models are compared too."),
    ] = False,
    as_json: Json = False,
) -> None:
    """Tell how stable feature sets are, with an interval, whoever made them.

    **Examples**

    `fselect stability masks.csv`

    `fselect stability sets.txt --features 2000`

    `fselect stability masks.csv --correlation genes.csv`

    `fselect stability weights.csv --importances`

    `fselect stability weights.csv --importances --correlation genes.csv`
    """
    from fselect.evaluation.measure_table import all_measures
    from fselect.evaluation.set_files import read_importances, read_named_sets
    from fselect.evaluation.stability import stability_interval
    from fselect.evaluation.stand_ins import STRONG, stand_ins

    if importances and features:
        raise InputError("--importances needs a table with a header, so --features cannot be given with it")
    if threshold is not None and correlation is None:
        raise InputError("--threshold says which correlations count; give the features' values as --correlation, too")
    W, names = read_importances(sets) if importances else read_named_sets(sets, features)
    Z = W > 0
    interval = stability_interval(Z, level=level)
    answer = {
        "stability": interval.value,
        "low": interval.low,
        "high": interval.high,
        "level": level,
        "sets": Z.shape[0],
        "features": Z.shape[1],
        "mean_size": float(Z.sum(axis=1).mean()),
    }
    values = None if correlation is None else _feature_values(correlation, names)
    similar = None if values is None else stand_ins(values, STRONG if threshold is None else threshold)
    measures = all_measures(Z, similar, W if importances else None, values)
    if as_json:
        print(json.dumps(_nulls(answer) | {"measures": _nulls(measures)}, indent=1))
        return
    print(f"stability {interval.value:z.4f}, {level:.0%} interval [{interval.low:z.4f}, {interval.high:z.4f}]")
    print(f"{Z.shape[0]} sets of {answer['mean_size']:.1f} features on average, out of {Z.shape[1]}")
    _print_measures(measures)


def _nulls(values: dict[str, Any]) -> dict[str, Any]:
    return {name: None if value != value else value for name, value in values.items()}


def _print_measures(measures: dict[str, float]) -> None:
    from fselect.evaluation.measure_table import MEASURES

    print()
    for name, value in measures.items():
        print(f"{name:<11}{'undefined' if value != value else format(value, 'z9.4f'):>9}  {MEASURES[name]}")


def _feature_values(path: Path, names: list[str]) -> NDArray[np.float64]:
    """Read the features' values from a table that has a numeric column for each, by name or, unnamed, in order."""
    import numpy as np

    from fselect.datasets.tables import read_frame

    frame = read_frame(path)
    unnamed = names == [str(number) for number in range(1, len(names) + 1)]
    if unnamed and names[0] not in frame.columns and frame.shape[1] == len(names):
        names = list(frame.columns)
    missing = [name for name in names if name not in frame.columns]
    if missing:
        raise InputError(f"{path} has no column {missing[0]!r}, which is a feature of the sets; give its values")
    try:
        values = frame[names].to_numpy(dtype=float)
    except (TypeError, ValueError):
        raise InputError(f"{path}: the columns of the features must be numbers to be correlated") from None
    if values.size == 0 or not np.isfinite(values).all():
        raise InputError(f"{path} has missing values among the features; fill or drop them first")
    return values


def methods(as_json: Json = False) -> None:
    """List the selection methods and their parameters.

    **Example**

    `fselect methods`
    """
    import pandas as pd

    from fselect.cli.printing import print_frame
    from fselect.selectors.catalogue import method_table

    print_frame(pd.DataFrame(method_table()), as_json)


def datasets(as_json: Json = False) -> None:
    """List the data sets that can be named instead of a file.

    **Example**

    `fselect datasets`
    """
    import pandas as pd

    from fselect.cli.printing import print_frame
    from fselect.datasets.bundled import dataset_catalogue

    print_frame(pd.DataFrame(dataset_catalogue()), as_json)


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(stability)
    app.command()(methods)
    app.command()(datasets)
