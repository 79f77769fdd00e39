"""What Prefect's UI shows of an arrival: names from tables are text there, never markup."""

from __future__ import annotations

import re
from typing import Any

from fselect.arrivals.judgement import Verdict
from fselect.arrivals.task import Arrival
from fselect.arrivals.work import Worked
from fselect.datasets.wording import shortened

__all__ = ["code", "decision_markdown", "plain"]

_SHOWN_FEATURES = 50


def plain(text: str, most: int = 300) -> str:
    r"""Write any text so that Markdown and HTML have nothing to read in it.

    Examples
    --------
    >>> print(plain("<b>a_b</b>"))
    &lt;b&gt;a\_b&lt;/b&gt;
    """
    line = " ".join(_printable(shortened(text, most)).split())
    escaped = line.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return re.sub(r"([\\`*_{}\[\]()#|!~])", r"\\\1", escaped)


def code(text: str, most: int = 100) -> str:
    """Write a name as code.

    Examples
    --------
    >>> code("may.csv")
    '`may.csv`'
    """
    line = " ".join(_printable(shortened(text, most)).split())
    return f"`{line.replace('`', ' ').replace('<', '‹').replace('>', '›').replace('|', '¦')}`"


def _printable(text: str) -> str:
    return "".join(letter if letter.isprintable() else " " for letter in text)


def decision_markdown(arrived: Arrival, worked: Worked, verdict: Verdict) -> str:
    """What the gate decided, why, and how the challenger stands beside the champion and the unbiased selection."""
    checks = [
        f"| {check.rule} | {'holds' if check.passed else 'does not hold'} | {plain(check.sentence)} |"
        for check in verdict.decision.checks
    ]
    parts = [
        f"# {plain(arrived.label)}: {verdict.outcome}",
        plain(verdict.sentence),
        "\n".join(["| rule | | |", "|---|---|---|", *checks]) if checks else "No rule is set.",
        _beside(worked.comparison),
        f"Made with: {plain(', '.join(arrived.sources) or 'no earlier set', 1000)}",
        f"The set: {_features(worked.summary.chosen.selected)}",
    ]
    return "\n\n".join(parts) + "\n"


def _features(names: tuple[str, ...]) -> str:
    more = f" and {len(names) - _SHOWN_FEATURES} more" if len(names) > _SHOWN_FEATURES else ""
    return ", ".join(code(name) for name in names[:_SHOWN_FEATURES]) + more


def _beside(comparison: Any) -> str:
    rows = [
        f"| {who} | {_interval(found, 'accuracy')} | {_interval(found, 'stability')} | {_difference(found)} |"
        for who, found in comparison.items()
    ]
    return "\n".join(["| | accuracy | stability | challenger's accuracy beside it |", "|---|---|---|---|", *rows])


def _interval(found: Any, name: str) -> str:
    value, low, high = (found.get(key) for key in (name, f"{name}_low", f"{name}_high"))
    if value is None:
        return "unknown"
    return f"{value:.3f}" + (f" ({low:.3f} to {high:.3f})" if low is not None and high is not None else "")


def _difference(found: Any) -> str:
    if "difference" not in found:
        return ""
    low = found.get("low")
    return f"{found['difference']:+.3f}" + (f", at least {low:+.3f}" if low is not None else "")
