"""Trees of Quinlan's C4.5, release 8: grown, pruned, shown, and scored along permutations of columns."""
