"""The application that the commands register with."""

from __future__ import annotations

import typer

from fselect.cli import panels, papers, project, sets, tables

__all__ = ["app"]

app = typer.Typer(
    name="fselect",
    help="Feature sets that are accurate and stable: select, weigh, track, promote.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback(invoke_without_command=True)
def version(show: bool = typer.Option(False, "--version", help="Print the version and end.")) -> None:
    """Feature sets that are accurate and stable: select, weigh, track, promote."""
    if show:
        import fselect

        print(fselect.__version__)
        raise typer.Exit


for module in (project, tables, sets, panels, papers):
    module.register(app)
