"""Recursive elimination with a ridge that differs from feature to feature (Hamer and Dupont 2019)."""

from fselect.selectors.elimination.method import Elimination, RFEMethod, eliminate

__all__ = ["Elimination", "RFEMethod", "eliminate"]
