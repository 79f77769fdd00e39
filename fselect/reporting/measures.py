"""The part of a study's page that puts all measures of stability side by side."""

from __future__ import annotations

import math
from collections.abc import Mapping

from fselect.evaluation.measure_table import MEASURES
from fselect.evaluation.stand_ins import STRONG
from fselect.reporting.markup import Html, element, joined, table

__all__ = ["measures_section"]


def measures_section(measures: Mapping[str, float]) -> Html:
    """Return the table of the operating point's stability by every measure.

    Parameters
    ----------
    measures : mapping of str to float
        Means over the repeats; nan where undefined.

    Returns
    -------
    Html
        A table and a sentence.
    """
    rows: list[list[object]] = [
        [name, MEASURES[name], "undefined" if math.isnan(value) else f"{value:.3f}".replace("-", "−")]
        for name, value in measures.items()
    ]
    note = (
        "Means over the repeats, for comparison with what others publish; decisions here use the first. "
        f"Stand-ins are features with an absolute correlation of {STRONG} or more."
    )
    headers = ["measure", "what it is", "value"]
    return joined([table(headers, rows, text_columns=2), element("p", note, class_="quiet")])
