"""Random streams are keyed by what a draw belongs to."""

import hashlib

import numpy as np
import pytest

from fselect.datasets.seeds import Stream, generator, name_key
from fselect.errors import InputError


def test_a_generator_is_the_seed_sequence_with_the_documented_spawn_key():
    key = (4, int(hashlib.blake2b(b"colon", digest_size=4).hexdigest(), 16), 3, 2)
    expected = np.random.default_rng(np.random.SeedSequence(11, spawn_key=key)).random(5)
    assert np.array_equal(generator(11, Stream.SHRINKAGE, "colon", 3, 2).random(5), expected)


def test_every_part_of_the_key_changes_the_draws():
    keys = [(0, 1, "a", 0, 0), (1, 1, "a", 0, 0), (0, 2, "a", 0, 0), (0, 1, "b", 0, 0), (0, 1, "a", 1, 0)]
    firsts = {generator(s, Stream(k), n, r, i).random() for s, k, n, r, i in [*keys, (0, 1, "a", 0, 1)]}
    assert len(firsts) == 6


def test_stream_numbers_are_fixed_because_results_depend_on_them():
    names = ["BOOTSTRAP", "PRIOR", "RANDOM_SET", "SHRINKAGE", "NOISE", "SET", "SELECTOR", "RESAMPLE", "SYNTHETIC"]
    assert [Stream[name].value for name in names] == list(range(1, 10))


def test_the_key_of_a_name_is_the_same_on_every_machine():
    assert name_key("prostate") == int(hashlib.blake2b(b"prostate", digest_size=4).hexdigest(), 16)


@pytest.mark.parametrize("seed", [-1, 1.5, None, "0", True])
def test_a_seed_that_is_no_whole_number_is_refused_by_name(seed):
    with pytest.raises(InputError, match="seed must be a whole number"):
        generator(seed, Stream.NOISE, "a")
