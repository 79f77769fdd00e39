"""Recursive elimination against the same loop around other solvers, in benchopt's shape: objective, datasets, solvers."""
