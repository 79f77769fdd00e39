"""The examples in the docstrings of flows; run here, because collecting them would import Prefect unconfigured."""

import doctest

import pytest

from flows import chunks, embedded


@pytest.mark.parametrize("module", [chunks, embedded], ids=lambda module: module.__name__)
def test_the_examples_hold(module):
    found = doctest.testmod(module)
    assert found.attempted > 0
    assert found.failed == 0
