"""Searches and weightings against those of other packages, in benchopt's shape."""
