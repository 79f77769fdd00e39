"""The rounds of a contribution search as tables."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from fselect.selectors.contribution.rounds import Round

__all__ = ["contributions_table", "rounds_table"]


def rounds_table(rounds: Sequence[Round], sets: Sequence[Sequence[int]], test: Sequence[float] | None) -> pd.DataFrame:
    """One row a round: what figure 3 of the paper shows.

    Parameters
    ----------
    rounds : sequence of Round
        All rounds.
    sets : sequence of sequences of int
        The set after each.
    test : sequence of float or None
        Accuracy of each set on test rows.

    Returns
    -------
    DataFrame
        round (from 1), candidates, permutations, size, moved (how many were added or dropped), features (in the set
        after it), contribution (mean of those moved, nan for none), validation (payoff of the set), test (nan where
        there are no test rows).
    """
    return pd.DataFrame(
        {
            "round": np.arange(1, len(rounds) + 1),
            "candidates": [len(one.candidates) for one in rounds],
            "permutations": [one.n_permutations for one in rounds],
            "size": [one.size for one in rounds],
            "moved": [len(one.moved) for one in rounds],
            "features": [len(one) for one in sets],
            "contribution": [_mean_moved(one) for one in rounds],
            "validation": [one.payoff for one in rounds],
            "test": np.full(len(rounds), np.nan) if test is None else list(test),
        }
    )


def _mean_moved(one: Round) -> float:
    values = one.contributions.values[np.isin(one.candidates, one.moved)]
    known = values[np.isfinite(values)]
    return float(known.mean()) if known.size else float("nan")


def contributions_table(rounds: Sequence[Round], names: Sequence[str | int]) -> pd.DataFrame:
    """One row a candidate of each round.

    Parameters
    ----------
    rounds : sequence of Round
        All rounds.
    names : sequence of str or int
        Names of all columns, or their positions.

    Returns
    -------
    DataFrame
        round (from 1), feature (its name), contribution, standard_error, draws, moved (whether the round added or
        dropped it).
    """
    called = np.asarray(list(names))
    parts = [
        pd.DataFrame(
            {
                "round": number,
                "feature": called[one.candidates],
                "contribution": one.contributions.values,
                "standard_error": one.contributions.standard_errors,
                "draws": one.draws,
                "moved": np.isin(one.candidates, one.moved),
            }
        )
        for number, one in enumerate(rounds, 1)
    ]
    return pd.concat(parts, ignore_index=True)
