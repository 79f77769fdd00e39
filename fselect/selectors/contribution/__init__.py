"""Contributions of players to a game: exact Shapley values, and their estimate from bounded permutations."""

from __future__ import annotations

from fselect.selectors.contribution.sampling import Contributions, contribution_values
from fselect.selectors.contribution.shapley import shapley_values

__all__ = ["Contributions", "contribution_values", "shapley_values"]
