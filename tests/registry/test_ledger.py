"""Which sets count as history: of each earlier task the one promoted last, none that was refused or rolled back."""

from __future__ import annotations

import pytest

from fselect.registry.ledger import Member, history_of


def member(version, task, *, state="promoted", task_version=1):
    promoted = state in ("promoted", "rolled back")
    return Member(version, task, task_version, f"h{version}", promoted, state == "rolled back", (), "run", None, None)


JANUARY, FEBRUARY, MARCH = member(1, "january"), member(2, "february"), member(3, "march")


@pytest.mark.parametrize(
    ("known", "task", "expected"),
    [
        ([], "january", []),
        ([JANUARY, FEBRUARY, MARCH], "april", [1, 2, 3]),
        ([JANUARY, FEBRUARY, MARCH], "february", [1]),
        ([JANUARY, FEBRUARY, MARCH], "january", []),
        ([JANUARY, member(2, "february", state="refused"), MARCH], "april", [1, 3]),
        ([JANUARY, member(2, "february", state="rolled back"), MARCH], "april", [1, 3]),
        # corrected: the newer set stands in the older one's place in the order
        ([JANUARY, FEBRUARY, member(3, "january", task_version=2)], "march", [3, 2]),
        # corrected, and refused: the older one still counts
        ([JANUARY, FEBRUARY, member(3, "january", task_version=2, state="refused")], "march", [1, 2]),
        ([JANUARY, FEBRUARY, member(3, "january", task_version=2, state="rolled back")], "march", [1, 2]),
    ],
)
def test_history(known, task, expected):
    assert [found.version for found in history_of(known, task)] == expected
