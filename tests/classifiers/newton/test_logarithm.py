"""Logarithms of whole arrays."""

from __future__ import annotations

import numpy as np

from fselect.classifiers.newton.logarithm import take_logarithms
from fselect.kernel import kernel


@kernel
def logarithms(x):
    found = x.copy()
    take_logarithms(found)
    return found


def test_they_are_numpy_s_over_the_whole_range_and_around_one():
    rng = np.random.default_rng(0)
    x = np.concatenate([10.0 ** rng.uniform(-307, 308, 5000), rng.normal(1.0, 1e-6, 5000), [1.0, 2.0, 0.5]])
    np.testing.assert_allclose(logarithms(x), np.log(x), rtol=1e-15, atol=0)


def test_zero_gives_minus_infinity():
    assert np.isneginf(logarithms(np.zeros(3))).all()
