"""Commands on feature sets made by any tool, and what there is: stability, methods, datasets."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

__all__ = ["register"]

Json = Annotated[bool, typer.Option("--json", help="Print the answer as JSON, for scripts.")]


def stability(
    sets: Annotated[Path, typer.Argument(help="A header and 0/1 rows, or one set a line with --features.")],
    features: Annotated[
        str | None, typer.Option("--features", help="Number of features, or a file of their names, a name a line.")
    ] = None,
    level: Annotated[float, typer.Option("--level", help="Confidence level.")] = 0.95,
    as_json: Json = False,
) -> None:
    """Tell how stable feature sets are, with an interval, whoever made them.

    **Examples**

    `fselect stability masks.csv`

    `fselect stability sets.txt --features 2000`
    """
    from fselect.evaluation.set_files import read_sets
    from fselect.evaluation.stability import stability_interval

    Z = read_sets(sets, features)
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
    if as_json:
        print(json.dumps({name: None if value != value else value for name, value in answer.items()}, indent=1))
        return
    print(f"stability {interval.value:.4f}, {level:.0%} interval [{interval.low:.4f}, {interval.high:.4f}]")
    print(f"{Z.shape[0]} sets of {answer['mean_size']:.1f} features on average, out of {Z.shape[1]}")


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
