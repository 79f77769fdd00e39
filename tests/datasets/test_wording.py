"""Sentences stay short and suggest what was probably meant."""

import pytest

from fselect.datasets.wording import did_you_mean, listing, plural


def test_a_long_list_is_cut_and_counted():
    assert listing("abcdefg") == "'a', 'b', 'c', 'd', 'e', … (7 in all)"
    assert listing([]) == ""


@pytest.mark.parametrize(
    ("word", "known", "expected"),
    [
        ("TARGET", ["target", "targets"], "; did you mean 'target'?"),
        ("target ", ["target"], "; did you mean 'target'?"),
        ("GENE_0012", ["gene_0011", "x"], "; did you mean 'gene_0011'?"),
        ("zzz", ["a", "b"], "; there are 'a', 'b'"),
        ("zzz", [], ""),
    ],
)
def test_close_words_are_suggested_and_otherwise_what_there_is(word, known, expected):
    assert did_you_mean(word, known) == expected


def test_one_is_singular():
    assert [plural(n, "row") for n in (0, 1, 2)] == ["0 rows", "1 row", "2 rows"]
