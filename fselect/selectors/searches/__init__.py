"""Searches through subsets for the best value of a measure: sequential, exhaustive, and by chance."""
