"""The nearest neighbour, with payoffs of all sets of a permutation."""
