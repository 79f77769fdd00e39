"""Commands on promoted sets: promote, panels, apply."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

__all__ = ["register"]

Json = Annotated[bool, typer.Option("--json", help="Print the answer as JSON, for scripts.")]


def promote(
    run: Annotated[str, typer.Argument(help="A run's id or its beginning, or STUDY/LABEL; see fselect runs.")],
    name: Annotated[str, typer.Option("--name", "-n", help="Registered name of the set.")],
    as_json: Json = False,
) -> None:
    """Register a run's feature set as the champion of a name.

    **Examples**

    `fselect promote 3f2a --name relapse-panel`

    `fselect promote "breast-cancer/strength 2" --name relapse-panel`
    """
    import json

    from fselect.registry import promote as register_set
    from fselect.study.lock import project_lock
    from fselect.study.project import open_tracking_project

    project = open_tracking_project()
    with project_lock(project.state_dir):
        panel = register_set(project, run, name)
    if as_json:
        print(json.dumps({"name": panel.name, "version": panel.version, "selected": list(panel.selected)}, indent=1))
        return
    evidence = json.loads(panel.file.read_text(encoding="utf-8"))
    print(f"{panel.name} version {panel.version} is now champion: {_shown(panel.selected)}")
    print(
        f"from run {panel.run_id[:8]}, {evidence['study']}, {evidence['label']}: accuracy {evidence['accuracy']:.3f}, "
        f"stability {evidence['stability']:.3f}" + (f"; it replaces version {panel.replaced}" if panel.replaced else "")
    )
    print(f"load it: mlflow.set_tracking_uri({project.tracking_uri!r}); mlflow.sklearn.load_model({panel.uri!r})")
    if panel.tracked:
        print(f"the set and its evidence are versioned: git add {panel.tracked.relative_to(project.root).as_posix()}")


def _shown(names: tuple[str, ...], most: int = 10) -> str:
    listed = ", ".join(names[:most])
    return listed if len(names) <= most else f"{listed}, … ({len(names)} features)"


def panels(as_json: Json = False) -> None:
    """List the promoted sets.

    **Example**

    `fselect panels`
    """
    from fselect.cli.printing import print_frame
    from fselect.registry import panels as list_panels
    from fselect.study.project import open_tracking_project

    frame = list_panels(open_tracking_project())
    columns = ["name", "version", "aliases", "n_features", "accuracy", "stability", "study", "label", "promoted"]
    print_frame(frame, as_json, empty="no promoted sets yet; see fselect promote --help", columns=columns)


def apply(
    panel: Annotated[str, typer.Argument(help="NAME@ALIAS or NAME@VERSION.")],
    table: Annotated[Path, typer.Argument(help="The table to take the columns of.")],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="CSV or Parquet file; else CSV on standard output.")
    ] = None,
    sheet: Annotated[str | None, typer.Option("--sheet", help="Sheet of an Excel file.")] = None,
) -> None:
    """Take a promoted set's columns from a table, whatever their order.

    **Example**

    `fselect apply relapse-panel@champion new-cohort.csv -o panel.csv`
    """
    import io
    import sys

    from fselect.datasets.tables import read_frame
    from fselect.errors import InputError
    from fselect.files import write_atomically
    from fselect.registry import apply as apply_panel
    from fselect.study.project import open_tracking_project

    if output is not None and output.suffix.lower() not in (".csv", ".parquet"):
        raise InputError(f"cannot write {output.suffix or 'a file without a suffix'!r}; use .csv or .parquet")
    frame = apply_panel(open_tracking_project(), panel, read_frame(table, sheet=sheet))
    if output is None:
        frame.to_csv(sys.stdout, index=False)
        return
    buffer = io.BytesIO()
    (frame.to_parquet if output.suffix.lower() == ".parquet" else frame.to_csv)(buffer, index=False)
    write_atomically(output, buffer.getvalue())
    print(f"{output}: {frame.shape[0]} rows, {frame.shape[1]} columns")


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(promote)
    app.command()(panels)
    app.command()(apply)
