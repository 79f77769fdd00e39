"""Classifiers that a selection trains again and again, fast and exact."""
