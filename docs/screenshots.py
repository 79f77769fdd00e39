"""Take the pictures of MLflow, DVC and Prefect that the documentation shows.

Run it in a checkout, on a project with a finished study:

    python docs/screenshots.py PROJECT [--out docs/images] [--prefect http://127.0.0.1:4200]

It serves the project's store on a free port of this machine, opens it in Chromium without a window, and writes
``runs.png`` (the run list with the columns of the trade-off), ``compare.png`` (all points of the newest study side
by side) and ``front.png`` (the interactive plot among the artifacts). Where `dvc plots` has written its page, also
``dvc-plots.png``; with the address of the Prefect server that has the study's flow run, ``prefect-front.png``.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from fselect.errors import InputError
from fselect.study.project import Project, open_project
from fselect.tracking import artifact_url, compare_url, list_runs, open_store, runs_url, ui_command

# Chromium under root needs no sandbox; the rest keeps it from looking for a network.
SWITCHES = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
PATIENCE = 60_000  # milliseconds; a busy machine takes a while to draw the first page


def chromium() -> str | None:
    """Find the browser, or None."""
    return shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@contextmanager
def serving(project: Project, folder: Path, seconds: float = 120) -> Iterator[str]:
    """Serve a project's store in the MLflow UI, from a folder that catches its log; gives the address."""
    port = _free_port()
    command, settings = ui_command(project, port=port)
    with (folder / "mlflow-ui.log").open("wb") as log:
        server = subprocess.Popen(
            command, cwd=folder, env=os.environ | settings, stdout=log, stderr=log, start_new_session=True
        )
    try:
        base = f"http://127.0.0.1:{port}"
        _wait_for(base, time.monotonic() + seconds)
        yield base
    finally:
        os.killpg(server.pid, signal.SIGTERM)
        server.wait()


def _wait_for(base: str, deadline: float) -> None:
    while True:
        try:
            urlopen(f"{base}/health", timeout=2).close()
            return
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.3)


@contextmanager
def browsing(width: int = 1600, height: int = 900) -> Iterator[Any]:
    """Open a page in Chromium, with a profile of its own and without the assistant's panel."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=list(SWITCHES))
        context = browser.new_context(viewport={"width": width, "height": height})
        context.add_init_script("localStorage.setItem('mlflow.assistant.fab.autoOpenedOnFirstLoad_v1', 'true')")
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        yield page
        browser.close()


def show_runs(page: Any, base: str, experiment: str, run: str) -> None:
    """Go to the run list and wait until a run's accuracy is drawn."""
    page.goto(runs_url(base, experiment))
    page.wait_for_selector(f'[row-id="{run}"] [col-id="metrics.`accuracy`"]')


def show_comparison(page: Any, base: str, experiment: str, runs: list[str]) -> None:
    """Go to the compare page and wait for its plot and its table."""
    page.goto(compare_url(base, experiment, runs))
    page.wait_for_selector(".js-plotly-plot .main-svg")
    page.wait_for_selector("text=Run details")


def show_plot(page: Any, base: str, experiment: str, run: str) -> None:
    """Go to the interactive plot of a front's run and wait until plotly has drawn it in its frame."""
    page.goto("about:blank")  # MLflow does not open another file of a page that is open already
    page.goto(artifact_url(base, experiment, run, "front.html"))
    page.frame_locator("iframe").locator(".js-plotly-plot .main-svg").first.wait_for()


def show_dvc_plots(page: Any, project: Project) -> None:
    """Open the page that `dvc plots` wrote."""
    page.goto((project.root / "reports" / "plots" / "index.html").as_uri())
    page.wait_for_selector("svg circle", state="attached")


def show_artifact(page: Any, base: str, key: str) -> None:
    """Go to the newest artifact of a key in Prefect, as a user does: by way of the key's page, which lists them."""
    page.goto(f"{base.rstrip('/')}/artifacts/key/{key}")
    page.locator("a[href*='/artifacts/artifact/']").first.click()
    page.wait_for_url("**/artifacts/artifact/**")


def take_others(project: Project, out: Path, prefect: str | None) -> list[Path]:
    """Take the pictures of DVC's plots and of Prefect, of what is there."""
    taken = []
    with browsing(width=1200, height=820) as page:
        if (project.root / "reports" / "plots" / "index.html").is_file():
            show_dvc_plots(page, project)
            taken.append(out / "dvc-plots.png")
            page.screenshot(path=taken[-1])
        if prefect:
            show_artifact(page, prefect, f"{project.config.study.name}-front")  # a name that is a key as it is
            page.wait_for_selector("text=on the front")
            taken.append(out / "prefect-front.png")
            page.screenshot(path=taken[-1])
    return taken


def take(project: Project, out: Path) -> list[Path]:
    """Take the three pictures of the study that was logged last."""
    out.mkdir(parents=True, exist_ok=True)
    runs = list_runs(project)
    study = runs["study"].iloc[0]
    mine = runs[runs["study"] == study].iloc[::-1]
    experiment = open_store(project).client.get_experiment_by_name(study).experiment_id
    points = mine.loc[mine["kind"] == "point", "run_id"].tolist()
    front = mine.loc[mine["kind"] == "front", "run_id"].iloc[0]
    pictures = [out / name for name in ("runs.png", "compare.png", "front.png")]
    with serving(project, project.state_dir) as base, browsing() as page:
        show_runs(page, base, experiment, points[-1])
        page.screenshot(path=pictures[0])
        show_comparison(page, base, experiment, points)
        page.set_viewport_size({"width": 1600, "height": 1700})  # down to the table of metrics
        page.screenshot(path=pictures[1])
        page.set_viewport_size({"width": 1600, "height": 900})
        show_plot(page, base, experiment, front)
        page.screenshot(path=pictures[2])
    return pictures


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="Take the documentation's pictures.")
    parser.add_argument("project", type=Path, help="folder with params.yaml and a finished, tracked study")
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "images")
    parser.add_argument("--prefect", help="address of a Prefect server that has the study's flow run")
    words = parser.parse_args()
    try:
        project = open_project(words.project)
    except InputError as error:
        parser.error(str(error))
    for picture in [*take(project, words.out), *take_others(project, words.out, words.prefect)]:
        print(picture)


if __name__ == "__main__":
    main()
