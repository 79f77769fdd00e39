"""Weights of single features: Relief, ReliefF and entropy."""
