"""Linear algebra of the solvers against numpy."""

from __future__ import annotations

import numpy as np
import pytest

from fselect.classifiers.newton.lapack import add_inner
from fselect.kernel import kernel


@kernel
def _add_inner(K: np.ndarray, A: np.ndarray, n_rows: int, sign: float) -> None:
    add_inner(K, A, n_rows, sign)


@pytest.mark.parametrize("m", [1, 7, 8, 9, 64, 127, 128, 129, 200])
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_a_gram_matrix_of_any_width_is_added_to_the_lower_triangle(m, sign):
    rng = np.random.default_rng(m)
    K, A = rng.normal(size=(m, m)), rng.normal(size=(50, m))
    wanted = np.tril(K + sign * A[:37].T @ A[:37])
    _add_inner(K, A, 37, sign)
    np.testing.assert_allclose(np.tril(K), wanted, rtol=1e-12, atol=1e-12)
