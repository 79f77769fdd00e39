"""What another floating search finds on data without ties, by size.

mlxtend 0.25.0: ``SequentialFeatureSelector(GaussianNB(), k_features=7 or 1, forward=…, floating=True, cv=0)`` with
``scoring=lambda _, X, y: separation(X, y)`` on ``numbers(seed)``, both of ``tests/selectors/search_references.py``. It
undoes a step only if the set is better than the one before too, beside the best of its size (Pudil et al. ask for the
latter only), and never below three features, or above all but three.
"""

from __future__ import annotations

SAME = {
    (19, "forward"): ["6", "02", "012", "0126", "01256", "012456"],
    (25, "forward"): ["2", "45", "045", "0245", "01245", "012345"],
    (28, "forward"): ["6", "02", "026", "0256", "02356", "012346"],
    (42, "forward"): ["0", "02", "025", "0123", "01236", "012356"],
    (55, "forward"): ["0", "02", "016", "0126", "02456", "023456"],
    (59, "forward"): ["0", "02", "026", "0123", "01234", "012345"],
    (11, "backward"): ["2", "02", "125", "0125", "01235", "012345"],
    (57, "backward"): ["0", "02", "056", "0356", "02356", "023456"],
    (3, "backward"): ["0", "02", "024", "0246", "01246", "012456"],
}
"""The best set of each size from 1 to 6, where both undo steps alike."""

STRICTER = {
    (0, "forward"): ["3", "03", "023", "0235", "01235", "012356"],
    (44, "forward"): ["3", "23", "023", "0235", "01234", "012345"],
    (28, "backward"): ["0", "02", "026", "0236", "01236", "012346"],
    (55, "backward"): ["0", "02", "026", "0246", "02456", "023456"],
}
"""The same where mlxtend leaves a step as it is that Pudil et al. undo."""
