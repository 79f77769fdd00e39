"""Logistic fits to the exact optimum: Newton's method in the rows or the weights, and what it is made of."""
