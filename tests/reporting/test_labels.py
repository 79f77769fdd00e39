"""Labels cover neither each other nor the points."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from fselect.reporting.labels import PLACES, place_labels

SIZE = (400.0, 300.0)
spots = st.lists(st.tuples(st.floats(0, 400), st.floats(0, 300)), min_size=1, max_size=25)


def box(point, text, name):
    """The room of a label: text 6.3 by 13 pixels a character, beside, above or below its point."""
    width, (right, up) = 6.3 * len(text), PLACES[name]
    left = point[0] + (7 if right > 0 else -7 - width if right < 0 else -width / 2)
    gap = 1 if right else 7
    bottom = point[1] + (gap if up > 0 else -gap - 13 if up < 0 else -6.5)
    return left, bottom, left + width, bottom + 13


def overlap(a, b):
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


@given(spots)
def test_placed_labels_stay_inside_and_cover_no_other_label_or_point(points):
    texts = [f"strength {number}" for number in range(len(points))]
    sides = place_labels(np.array(points), texts, SIZE)
    boxes = {i: box(points[i], texts[i], side) for i, side in enumerate(sides) if side}
    for i, one in boxes.items():
        assert min(one) >= 0
        assert one[2] <= SIZE[0]
        assert one[3] <= SIZE[1]
        assert not any(overlap(one, other) for j, other in boxes.items() if j > i)
        assert not any(one[0] < x < one[2] and one[1] < y < one[3] for j, (x, y) in enumerate(points) if j != i)


def test_a_lone_label_in_the_open_is_placed_and_the_first_of_a_heap_wins():
    assert place_labels(np.array([[200.0, 150.0]]), ["alone"], SIZE) == ["top right"]
    heap = np.array([[200.0, 150.0]] * 12)
    sides = place_labels(heap, ["a long label"] * 12, SIZE)
    assert sides[0] == "top right"
    assert sides[-1] is None


def test_a_label_at_the_right_border_turns_to_the_left():
    assert "left" in place_labels(np.array([[398.0, 150.0]]), ["random set"], SIZE)[0]
