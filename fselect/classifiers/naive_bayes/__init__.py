"""Naive Bayes of Gaussian, categorical and multinomial columns, with payoffs of all sets of a permutation."""
