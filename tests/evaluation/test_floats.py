"""Whatever is no number is refused with a sentence that says of what, wherever numbers are taken."""

from __future__ import annotations

import pytest

from fselect.errors import InputError
from fselect.evaluation.ellipse import confidence_ellipse
from fselect.evaluation.interval import check_level
from fselect.evaluation.paired import accuracy_interval, paired_difference
from fselect.evaluation.pareto import dominance_area, pareto_front
from fselect.evaluation.stability import importance_weighted, sechidis


@pytest.mark.parametrize("values", ["x", [["a", "b"], ["c", "d"]], [[1, 2], [3]], {"a": 1}])
@pytest.mark.parametrize(
    ("measure", "what"),
    [
        (pareto_front, "points"),
        (dominance_area, "points"),
        (confidence_ellipse, "samples"),
        (importance_weighted, "the importances in W"),
        (lambda values: sechidis([[1, 0], [0, 1]], values), "similarities"),
        (lambda values: accuracy_interval(values, test_ratio=0.5), "values"),
        (lambda values: paired_difference(values, [1.0, 2.0], test_ratio=0.5), "the first values"),
    ],
)
def test_what_is_no_table_of_numbers_is_named(measure, what, values):
    with pytest.raises(InputError, match=f"^{what} must be numbers, in rows of one length"):
        measure(values)


@pytest.mark.parametrize("level", [None, "0.95", [0.5], 0, 1.0, 95, float("nan")])
def test_a_level_that_is_no_share_is_refused(level):
    with pytest.raises(InputError, match="level must lie between 0 and 1"):
        check_level(level)
