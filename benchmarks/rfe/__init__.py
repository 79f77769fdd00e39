"""Recursive elimination against the same loop around other solvers: objective, datasets, solvers, as benchopt has it."""
