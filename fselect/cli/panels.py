"""Commands on promoted sets: promote, rollback, history, diff, panels, apply."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

__all__ = ["register"]

Json = Annotated[bool, typer.Option("--json", help="Print the answer as JSON, for scripts.")]


def promote(
    run: Annotated[
        str, typer.Argument(help="A run's id or its beginning, or STUDY/LABEL (fselect runs); or NAME@challenger.")
    ],
    name: Annotated[str | None, typer.Option("--name", "-n", help="Registered name of the set, with a run.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would happen, and do nothing.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Promote a version that the gate refuses.")] = False,
    why: Annotated[str, typer.Option("--why", help="The reason, for the journal.")] = "",
    as_json: Json = False,
) -> None:
    """Make a feature set the champion of a name: a run's, or that of a registered version.

    A run is promoted by hand, whatever the gate of params.yaml says. A registered version, say a challenger, has to
    pass the gate.

    **Examples**

    `fselect promote 3f2a --name relapse-panel`

    `fselect promote "breast-cancer/strength 2" --name relapse-panel --dry-run`

    `fselect promote relapse-panel@challenger`
    """
    from fselect.cli import promoting
    from fselect.errors import InputError
    from fselect.study.project import open_tracking_project

    project = open_tracking_project()
    if "@" in run and name is None:
        promoting.of_version(project, run, dry_run=dry_run, force=force, why=why, as_json=as_json)
    elif name is None:
        raise InputError("a run is promoted to a name: add --name NAME")
    else:
        promoting.of_run(project, run, name, dry_run=dry_run, why=why, as_json=as_json)


def rollback(
    name: Annotated[str, typer.Argument(help="Registered name of the set.")],
    why: Annotated[str, typer.Option("--why", help="The reason, for the journal.")] = "",
    as_json: Json = False,
) -> None:
    """Make the previous champion of a name the champion again.

    **Example**

    `fselect rollback relapse-panel --why "two features cannot be measured any more"`
    """
    import json

    from fselect.registry import rollback as go_back
    from fselect.study.lock import project_lock
    from fselect.study.project import open_tracking_project

    project = open_tracking_project()
    with project_lock(project.state_dir):
        done = go_back(project, name, why=why)
    if as_json:
        print(json.dumps(vars(done), indent=1))
        return
    left = f"version {done.previous} is the previous one" if done.previous else "there is no previous one any more"
    print(f"{done.name} version {done.version} is champion again in place of version {done.rolled_back}; {left}")


def history(name: Annotated[str, typer.Argument(help="Registered name of the set.")], as_json: Json = False) -> None:
    """Show who moved a name's champion and challenger, when, and from which run and data; newest first.

    **Example**

    `fselect history relapse-panel`
    """
    from fselect.cli.printing import print_frame
    from fselect.registry import history as journal
    from fselect.study.project import open_tracking_project

    frame = journal(open_tracking_project(), name)
    if as_json or frame.empty:
        print_frame(frame, as_json, empty="nothing was noted yet")
        return
    # Reasons are sentences: in a table they would leave no room for the rest.
    print("\n".join(_move({str(key): value for key, value in row.items()}) for row in frame.to_dict("records")))


def _move(row: dict[str, Any]) -> str:
    place = f" in place of version {row['replaced']}" if row["replaced"] else ""
    told = [f"{row['at'][:16].replace('T', ' ')} UTC  version {row['version']} {row['action']}{place}, by {row['by']}"]
    table = f"{row['task']} v{row['task_version'] or 1}" if row["task"] else "an unknown task"
    told.append(f"from {table}, run {str(row['run_id'])[:8]}, data {str(row['data_hash'])[:8]}")
    told += [row["why"]] if row["why"] else []
    told += [f"outdated: {row['outdated']}"] if row["outdated"] else []
    return "\n    ".join(told)


def diff(
    old: Annotated[str, typer.Argument(help="NAME@VERSION or NAME@ALIAS.")],
    new: Annotated[str, typer.Argument(help="The same, of the later one.")],
    as_json: Json = False,
) -> None:
    """Say which features came and went between two versions, with frequency, rank and weight in each.

    **Example**

    `fselect diff relapse-panel@3 relapse-panel@5`
    """
    from fselect.cli.printing import print_frame
    from fselect.registry import difference
    from fselect.study.project import open_tracking_project

    frame = difference(open_tracking_project(), old, new)
    if not as_json:
        for which in ("old", "new"):
            print(_headline(which, frame.attrs[which]))
    print_frame(frame, as_json)


def _headline(which: str, head: dict[str, Any]) -> str:
    made = f"{head['name']}@{head['version']}, made for {head['task']} v{head['task_version']}"
    return f"{which}: {made}, {head['label']}, accuracy {head['accuracy']:.3f}, stability {head['stability']:.3f}"


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
    panel: Annotated[str, typer.Argument(help="NAME@ALIAS or NAME@VERSION; NAME alone is its latest version.")],
    table: Annotated[Path, typer.Argument(help="The table to take the columns of.")],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="CSV or Parquet file; else CSV on standard output.")
    ] = None,
    keep: Annotated[
        list[str] | None, typer.Option("--keep", help="Another column, an id say, that comes first; repeatable.")
    ] = None,
    sheet: Annotated[str | None, typer.Option("--sheet", help="Sheet of an Excel file.")] = None,
) -> None:
    """Take a promoted set's columns from a table, whatever their order.

    **Examples**

    `fselect apply relapse-panel@champion new-cohort.csv -o panel.csv`

    `fselect apply relapse-panel@champion new-cohort.csv --keep patient`
    """
    import io
    import sys

    from fselect.errors import InputError
    from fselect.files import write_atomically
    from fselect.registry import apply as apply_panel
    from fselect.study.project import open_tracking_project

    if output is not None and output.suffix.lower() not in (".csv", ".parquet"):
        raise InputError(f"cannot write {output.suffix or 'a file without a suffix'!r}; use .csv or .parquet")
    if output is not None and output.exists() and table.exists() and output.samefile(table):
        raise InputError(f"{output} is the table that is read, and would be lost; name another file for --output")
    frame = apply_panel(open_tracking_project(), panel, table, sheet=sheet, keep=keep or ())
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
    app.command()(rollback)
    app.command()(history)
    app.command()(diff)
    app.command()(panels)
    app.command()(apply)
