"""Accuracies along permutations of columns against refits, in benchopt's shape."""
