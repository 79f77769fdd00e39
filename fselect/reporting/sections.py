"""The parts of a study's page that are text and tables."""

from __future__ import annotations

import math
import shlex
from collections.abc import Mapping
from typing import Any

import yaml

from fselect.reporting.markup import Html, element, joined, table
from fselect.study.results import Front, Point, Summary, TaskInfo

__all__ = [
    "areas_section",
    "features_section",
    "head_section",
    "notes_section",
    "origin_section",
    "points_section",
    "reason_text",
    "tasks_section",
]

_OFTEN = 0.1  # share of bootstrap samples from which a feature that was not selected is worth naming
_RUNNERS_UP = 10
_MOST_CLASSES = 6


def head_section(summary: Summary) -> Html:
    """Return the title, one sentence, and the four numbers one looks for first.

    Parameters
    ----------
    summary : Summary
        The study.

    Returns
    -------
    Html
        The heading.
    """
    chosen, front = summary.points[summary.operating_point], summary.fronts[0]
    found = f"{len(chosen.selected)} of {summary.tasks[-1].n_features:,} features"
    facts = [
        ("operating point", chosen.label, found),
        ("accuracy", _number(chosen.accuracy), _error(chosen.accuracy_se)),
        ("stability φ", _number(chosen.stability), _error(chosen.stability_se)),
        ("dominance area", _number(front.area), f"{summary.level:.0%}: {_span(front.area_low, front.area_high)}"),
    ]
    cells = [
        element("div", element("dt", name), element("dd", value, element("small", note))) for name, value, note in facts
    ]
    lead = (
        f"Accuracy and stability of selected features: method {summary.method}, "
        f"{_plural(chosen.repeats, 'repeat')}, seed {summary.seed}."
    )
    return joined(
        [
            element("h1", summary.study),
            element("p", lead, class_="lead"),
            element("dl", *cells, class_="facts"),
        ]
    )


def tasks_section(summary: Summary) -> Html:
    """Return what was selected from: a sentence on the data, one on the tasks, and the table of tasks.

    Parameters
    ----------
    summary : Summary
        The study.

    Returns
    -------
    Html
        Two sentences and a table that unfolds.
    """
    tasks = summary.tasks
    rows = [
        [task.name, f"{task.n_samples:,}", f"{task.n_features:,}", _classes(task), element("code", task.data_hash)]
        for task in tasks
    ]
    listed = table(["task", "rows", "features", "classes", "content hash"], rows)
    title = "The table" if len(tasks) == 1 else f"The {len(tasks)} tasks, in order"
    return joined(
        [
            element("h2", "Data and tasks"),
            element("p", _data_sentence(tasks)),
            element("p", _task_sentence(summary)),
            element("details", element("summary", title), listed),
        ]
    )


def reason_text(summary: Summary) -> Html:
    """Return which point was chosen and why.

    Parameters
    ----------
    summary : Summary
        The study.

    Returns
    -------
    Html
        Two paragraphs.
    """
    chosen = summary.points[summary.operating_point]
    caution = (
        "Accuracy and stability are estimates of the procedure, made on resampled rows; they are not those of "
        "the one set below, which was selected on all rows."
    )
    return joined(
        [
            element("p", element("span", chosen.label, class_="chosen"), f" was chosen. {summary.reason}"),
            element("p", caution, class_="quiet"),
        ]
    )


def features_section(summary: Summary) -> Html:
    """Return the chosen features with frequency and weight, and those that came close.

    Parameters
    ----------
    summary : Summary
        The study.

    Returns
    -------
    Html
        One or two tables.
    """
    chosen = summary.points[summary.operating_point]
    ordered = sorted(chosen.selected, key=lambda name: -chosen.frequencies.get(name, 0.0))
    others = sorted(
        (
            name
            for name in chosen.frequencies
            if name not in set(chosen.selected) and chosen.frequencies[name] >= _OFTEN
        ),
        key=lambda name: -chosen.frequencies[name],
    )[:_RUNNERS_UP]
    last = summary.tasks[-1].name
    source = f"the last task, {last}" if summary.protocol == "transfer" else f"the table {last}"
    caption = (
        f"Selected on all rows, ending with {source}. The frequency is the share of fresh bootstrap samples of it "
        "that select the feature under the same bias; the weight is that of the final model for one standard "
        "deviation of the feature."
    )
    parts = [element("p", caption), table(["feature", "frequency", "weight"], _feature_rows(chosen, ordered))]
    if others:
        title = "Not selected, but found in a tenth of the bootstrap samples or more"
        rows = [[name, _frequency(chosen, name)] for name in others]
        parts += [element("h3", title), table(["feature", "frequency"], rows)]
    return joined(parts)


def points_section(summary: Summary) -> Html:
    """Return the table of all points.

    Parameters
    ----------
    summary : Summary
        The study.

    Returns
    -------
    Html
        A table and a sentence.
    """
    headers = ["point", "remarks", "accuracy", "stability φ", "balanced accuracy", "ROC AUC", "repeats"]
    rows = [_point_row(summary, place, point) for place, point in enumerate(summary.points)]
    redrawn = (
        f"± is one standard error of the mean. {_plural(summary.redraws, 'bootstrap sample')} "
        f"{'was' if summary.redraws == 1 else 'were'} drawn anew because a class or the out-of-bag rows were missing."
    )
    return joined([table(headers, rows, text_columns=2), element("p", redrawn, class_="quiet")])


def areas_section(summary: Summary) -> Html:
    """Return the table of dominance areas with both intervals.

    Parameters
    ----------
    summary : Summary
        The study.

    Returns
    -------
    Html
        A table and a caution.
    """
    headers = ["front", "area", f"{summary.level:.0%} by ellipses", f"{summary.level:.0%} by bootstrap"]
    rows = [_area_row(front) for front in summary.fronts]
    caution = (
        "The interval by ellipses is made of one statement a point and is wide: in simulations at 95 % it held the "
        "true area nearly always. The bootstrap resamples the repeats jointly for all points; it held the true area in "
        "74 to 83 % of the cases with 5 repeats, 89 to 92 % with 20, and 94 % with 100."
    )
    parts = [table(headers, rows), element("p", caution, class_="quiet")]
    main = summary.fronts[0]
    parts += [
        element("p", f"The {front.label} has the larger area: it dominates more than the {main.label}.")
        for front in summary.fronts[1:]
        if front.area > main.area
    ]
    return joined(parts)


def notes_section(summary: Summary) -> Html:
    """Return the study's notes.

    Parameters
    ----------
    summary : Summary
        The study.

    Returns
    -------
    Html
        A list.
    """
    return element("ul", *[element("li", note) for note in summary.notes])


def origin_section(summary: Summary, facts: Mapping[str, Any]) -> Html:
    """Return how to make the study again: commands, seed, hashes, versions, configuration.

    Parameters
    ----------
    summary : Summary
        The study.
    facts : mapping
        As for :func:`fselect.reporting.page.write_page`.

    Returns
    -------
    Html
        Commands, a table, and the configuration, which unfolds.
    """
    versions = ", ".join(f"{name} {version}" for name, version in (facts.get("versions") or {}).items())
    rows = [
        ["seed", str(summary.seed)],
        ["method", f"{summary.method} {dict(summary.parameters)}"],
        ["study digest", element("code", summary.digest)],
        ["git commit", element("code", facts.get("git_commit") or "not in a repository")],
        ["DVC hash of the tables", element("code", facts.get("dvc_hash") or "not tracked")],
        ["versions", versions or "unknown"],
    ]
    parts = [
        element("pre", element("code", "\n".join(_commands(facts)))),
        table(["what", "value"], rows, text_columns=2),
    ]
    if facts.get("config"):
        text = yaml.safe_dump(facts["config"], sort_keys=False, allow_unicode=True)
        title = element("summary", "The configuration (params.yaml)")
        parts.append(element("details", title, element("pre", element("code", text))))
    return joined(parts)


def _data_sentence(tasks: tuple[TaskInfo, ...]) -> str:
    rows = sorted({task.n_samples for task in tasks})
    span = f"{rows[0]:,}" if len(rows) == 1 else f"{rows[0]:,} to {rows[-1]:,}"
    each = "" if len(tasks) == 1 else " each"
    name = f"Table {tasks[0].name}" if len(tasks) == 1 else f"{len(tasks)} tables"
    return (
        f"{name}: {span} rows and {tasks[0].n_features:,} features{each}, {_plural(len(tasks[0].classes), 'class')} "
        f"({_classes(tasks[0])}{' in the first' if len(tasks) > 1 else ''})."
    )


def _task_sentence(summary: Summary) -> str:
    if summary.protocol == "single":
        return "One task: features are selected on bootstrap samples of the table, and measured on the rows left out."
    names = [task.name for task in summary.tasks]
    if summary.protocol == "arrival":
        return (
            f"The new task {names[0]}: features are selected on bootstrap samples of it, leaning towards the promoted "
            "sets of earlier tasks as strongly as the strength says, and measured on the rows left out."
        )
    return (
        f"Transfer over {len(names)} tasks in order, from {names[0]} to {names[-1]}: each selection leans towards "
        "what the earlier ones selected, as strongly as the strength says."
    )


def _classes(task: TaskInfo) -> str:
    counts = [f"{label} {count:,}" for label, count in task.classes.items()]
    more = len(counts) - _MOST_CLASSES
    return ", ".join(counts[:_MOST_CLASSES]) + (f" and {more} more" if more > 0 else "")


def _feature_rows(point: Point, names: list[str]) -> list[list[object]]:
    return [[name, _frequency(point, name), _signed(point.weights.get(name, math.nan))] for name in names]


def _frequency(point: Point, name: str) -> Html:
    share = point.frequencies.get(name, 0.0)
    bar = element("span", element("i", style=f"width: {100 * share:.1f}%"), class_="bar")
    return joined([f"{share:.0%}", bar])


def _point_row(summary: Summary, place: int, point: Point) -> list[object]:
    label = element("span", point.label, class_="chosen") if place == summary.operating_point else point.label
    remarks = [
        ("operating point", place == summary.operating_point),
        ("on the front", point.on_front),
        ("trivial strategy", point.kind == "trivial"),
        ("no ellipse: fewer than 3 repeats", point.ellipse is None),
    ]
    return [
        label,
        ", ".join(remark for remark, holds in remarks if holds),
        _estimate(point.accuracy, point.accuracy_se),
        _estimate(point.stability, point.stability_se),
        _number(point.balanced_accuracy),
        _number(point.roc_auc),
        str(point.repeats),
    ]


def _area_row(front: Front) -> list[object]:
    ellipses, bootstrap = (front.area_low, front.area_high), (front.bootstrap_low, front.bootstrap_high)
    return [front.label, _number(front.area), _span(*ellipses), _span(*bootstrap)]


def _commands(facts: Mapping[str, Any]) -> list[str]:
    commands = list(facts.get("commands") or ["fselect run        # or: dvc repro"])
    commit = (facts.get("git_commit") or "").removesuffix("-dirty")
    dirty = "        # there were changes that were not committed" if commit != facts.get("git_commit") else ""
    return [f"git checkout {shlex.quote(commit)}{dirty}", *commands] if commit else commands


def _number(value: float) -> str:
    return "–" if math.isnan(value) else f"{value:.3f}".replace("-", "−")


def _signed(value: float) -> str:
    return "–" if math.isnan(value) else f"{value:+.3f}".replace("-", "−")


def _error(value: float) -> str:
    return "no standard error: one repeat" if math.isnan(value) else f"± {value:.3f} standard error"


def _estimate(value: float, error: float) -> str:
    return _number(value) if math.isnan(error) else f"{_number(value)} ± {error:.3f}"


def _span(low: float, high: float) -> str:
    return "no interval" if math.isnan(low) else f"{_number(low)} to {_number(high)}"


def _plural(count: int, word: str) -> str:
    return f"{count:,} {word if count == 1 else word + ('es' if word.endswith('s') else 's')}"
