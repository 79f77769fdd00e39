"""Front and dominance area against moocore, the reference library for multi-objective optimisation."""

from __future__ import annotations

import moocore
import numpy as np
import pytest

from fselect.evaluation.pareto import dominance_area, pareto_front


def clouds(rng, n_points, rounded):
    points = rng.random((n_points, 2))
    return np.round(points, 1) if rounded else points


@pytest.mark.parametrize("rounded", [False, True], ids=["distinct", "with ties"])
@pytest.mark.parametrize("n_points", [1, 2, 7, 50, 2000])
def test_front_and_area_equal_moocores(n_points, rounded):
    rng = np.random.default_rng(n_points)
    for _ in range(20 if n_points < 1000 else 2):
        points = clouds(rng, n_points, rounded)
        kept = moocore.is_nondominated(points, maximise=True, keep_weakly=True)
        assert sorted(pareto_front(points).tolist()) == np.flatnonzero(kept).tolist()
        volume = moocore.hypervolume(points, ref=[0, 0], maximise=True)
        assert dominance_area(points) == pytest.approx(volume, abs=1e-12)
