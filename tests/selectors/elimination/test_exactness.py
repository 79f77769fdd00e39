"""Sixty seeded selections, each the same as that of a tight solve by scikit-learn in the same loop."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.rfe.datasets.blocks import Dataset
from benchmarks.rfe.objective import Objective
from benchmarks.rfe.solvers.fselect import Solver as Own
from benchmarks.rfe.solvers.newton_cg import Solver as NewtonCG
from benchmarks.rfe.solvers.newton_cholesky import Solver as NewtonCholesky

# rows, columns, the solver that is tight there: few rows, few columns, about as many; the larger ones keep a Hessian
QUICK = [(40, 300), (30, 120), (300, 40), (150, 80), (90, 90)]
SLOW = [(102, 2000), (400, 300), (1500, 60), (250, 250), (200, 1000)]
SHAPES = (1.0, 0.2, 10.0)
PENALTIES = (0.1, 1.0)


def both(seed: int, size: tuple[int, int]) -> list[np.ndarray]:
    """Return the sets selected here and with scikit-learn."""
    data = Dataset(shape_of_table=size, shape=SHAPES[seed % 3], penalty=PENALTIES[seed % 2], seed=seed)
    objective = Objective()
    objective.set_data(**data.get_data())
    tight = NewtonCG if size[1] > 1500 else NewtonCholesky
    sets = []
    for solver in (Own(), tight(tol=1e-10)):
        solver.set_objective(**objective.get_objective())
        solver.run(None)
        sets.append(solver.get_result()["support"])
    return sets


@pytest.mark.parametrize("seed", range(30))
def test_a_selection_is_that_of_a_tight_solve(seed):
    own, other = both(seed, QUICK[seed % 5])
    assert np.flatnonzero(own).tolist() == np.flatnonzero(other).tolist()


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(30, 60))
def test_a_larger_selection_is_that_of_a_tight_solve(seed):
    own, other = both(seed, SLOW[seed % 5])
    assert np.flatnonzero(own).tolist() == np.flatnonzero(other).tolist()


@pytest.mark.slow
def test_a_selection_from_thousands_of_rows_and_columns_is_that_of_a_tight_solve():
    own, other = both(0, (2000, 1500))  # more columns than distinct rows
    assert np.flatnonzero(own).tolist() == np.flatnonzero(other).tolist()
