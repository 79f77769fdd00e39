"""The report of a study: one HTML file that needs no network, no server and, for its text, no scripts."""

from __future__ import annotations

import base64
import hashlib
import io
import json
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fselect.errors import MissingExtra
from fselect.files import write_atomically
from fselect.reporting.markup import Html, element, embedded_json, joined
from fselect.reporting.measures import measures_section
from fselect.reporting.picture import needs_closer_look
from fselect.reporting.plots import front_figure, front_plotly, heat_figure, heat_plotly
from fselect.reporting.sections import (
    areas_section,
    features_section,
    head_section,
    notes_section,
    origin_section,
    points_section,
    reason_text,
    tasks_section,
)
from fselect.study.results import Summary

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["render_page", "write_page"]

# Draws what the data blocks hold; constant, so that its hash can stand in the page's security policy.
_DRAW = """
document.querySelectorAll("figure[data-plot]").forEach(function (figure) {
  var plot = JSON.parse(document.getElementById(figure.dataset.plot).textContent);
  figure.classList.add("drawn");
  Plotly.newPlot(figure.querySelector(".live"), plot.data, plot.layout,
    {responsive: true, displaylogo: false, modeBarButtons: [["toImage", "zoom2d", "pan2d", "resetScale2d"]]});
});
"""


def write_page(summary: Summary, path: Path, *, facts: Mapping[str, Any]) -> Path:
    """Write the report of a study.

    Parameters
    ----------
    summary : Summary
        The study.
    path : Path
        Where the page goes; it appears whole or not at all.
    facts : mapping
        Where the numbers come from: ``git_commit``, ``dvc_hash``, ``versions`` (name to version), ``config`` (the
        study's configuration) and ``commands`` (lines that make the study again; default ``fselect run``); and
        ``measures``, the operating point's stability by other measures. Anything may be missing.

    Returns
    -------
    Path
        ``path``.

    Raises
    ------
    fselect.errors.MissingExtra
        If plotly or matplotlib is not installed.
    fselect.errors.InputError
        If the page cannot be written there.
    """
    return write_atomically(path, render_page(summary, facts=facts).encode("utf-8"))


def render_page(summary: Summary, *, facts: Mapping[str, Any]) -> str:
    """Return the report of a study as one HTML document.

    Everything that comes from tables and users is escaped, the plots' data too; and a security policy in
    the page lets only its own two scripts run and nothing be loaded from elsewhere.

    Parameters
    ----------
    summary : Summary
        The study.
    facts : mapping
        As for :func:`write_page`.

    Returns
    -------
    str
        The document; the same for the same input.

    Raises
    ------
    fselect.errors.MissingExtra
        If plotly or matplotlib is not installed.
    """
    library = _plotly_library()
    body = element(
        "body",
        element("main", *_sections(summary, facts)),
        *[element("script", Html(source)) for source in (library, _DRAW)],
    )
    page = element("html", _head(summary, [library, _DRAW]), body, lang="en")
    return f"<!DOCTYPE html>\n{page}\n"


def _sections(summary: Summary, facts: Mapping[str, Any]) -> list[Html]:
    chosen = summary.points[summary.operating_point]
    return [
        head_section(summary),
        tasks_section(summary),
        element("h2", "Accuracy against stability"),
        _front(summary),
        element("h2", "The operating point"),
        reason_text(summary),
        element("h2", "The chosen features"),
        features_section(summary),
        element("h2", f"What was selected where ({chosen.label})"),
        _heat(summary),
        element("h2", "All points"),
        points_section(summary),
        element("h3", "Dominance areas"),
        areas_section(summary),
        *_measures(facts),
        element("h2", "What these numbers do and do not say"),
        notes_section(summary),
        element("h2", "How to make it again"),
        origin_section(summary, facts),
    ]


def _measures(facts: Mapping[str, Any]) -> list[Html]:
    found = facts.get("measures")
    return (
        [element("h3", "The operating point's stability by other measures"), measures_section(found)] if found else []
    )


def _front(summary: Summary) -> Html:
    caption = (
        "Each point is the mean over the repeats. The staircase bounds the region that the front dominates; its "
        "share of the unit square is the dominance area DA, with the interval that the ellipses give. "
        f"Ellipses are {summary.level:.0%} confidence regions of single means, drawn for points on a front and for "
        "trivial strategies. Hollow points are dominated."
    )
    description = "Accuracy against stability"
    whole = _figure("front", front_plotly(summary), front_figure(summary), caption, description)
    if not needs_closer_look(summary):
        return whole
    live, still = front_plotly(summary, closer=True), front_figure(summary, closer=True)
    caption = "The same, enlarged, without the strategy that keeps one set."
    return joined([whole, _figure("closer", live, still, caption, f"{description}, enlarged")])


def _heat(summary: Summary) -> Html:
    if not summary.heat.columns:
        return element("p", "No feature was selected anywhere.", class_="quiet")
    rows = "a task, in order" if summary.protocol == "transfer" else "a bootstrap sample"
    caption = (
        f"Each row is {rows}, each column a feature (at most {len(summary.heat.columns)} are shown, those of the "
        "chosen set first, in colour); the darker, the more often it was selected there."
    )
    return _figure("heat", heat_plotly(summary), heat_figure(summary), caption, "Selected features by row")


def _figure(name: str, live: Any, still: Figure, caption: str, description: str) -> Html:
    """A plot to point at; the drawing in its stead is for paper and for readers without scripts."""
    plot = json.loads(live.to_json())
    data = element(
        "script",
        embedded_json({"data": plot["data"], "layout": {**plot["layout"], "template": {}}}),
        type="application/json",
        id=f"plot-{name}",
    )
    image = element("img", class_="still", alt=description, src=_data_address(still))
    return element(
        "figure",
        element("div", class_="live"),
        image,
        element("figcaption", caption),
        data,
        data_plot=f"plot-{name}",
    )


def _data_address(figure: Figure) -> str:
    """The drawing as SVG inside the page; without a date, so that the page is the same each time."""
    from matplotlib import rc_context

    content = io.BytesIO()
    with rc_context({"svg.hashsalt": "fselect", "svg.fonttype": "path"}):
        figure.savefig(content, format="svg", metadata={"Date": None, "Creator": None})
    return "data:image/svg+xml;base64," + base64.b64encode(content.getvalue()).decode("ascii")


def _head(summary: Summary, scripts: list[str]) -> Html:
    allowed = " ".join(f"'sha256-{_sha256(script)}'" for script in scripts)
    policy = (
        "default-src 'none'; base-uri 'none'; form-action 'none'; style-src 'unsafe-inline'; img-src data: blob:; "
        f"script-src {allowed}"
    )
    return element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=policy),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("title", f"{summary.study} · feature selection"),
        element("style", Html(files("fselect.reporting").joinpath("page.css").read_text(encoding="utf-8"))),
    )


def _sha256(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode("utf-8")).digest()).decode("ascii")


def _plotly_library() -> str:
    try:
        from plotly.offline import get_plotlyjs
    except ImportError as error:
        raise MissingExtra("plotly", extra="pipeline") from error
    return get_plotlyjs()
