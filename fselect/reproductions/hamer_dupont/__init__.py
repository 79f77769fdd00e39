"""Hamer and Dupont's paper on stability and accuracy; its study files are in `studies`."""
