"""Boz's paper on sorted relevance and counting."""
