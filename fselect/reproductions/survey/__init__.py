"""Molina, Belanche and Nebot's survey of algorithms on data whose answer is known."""
