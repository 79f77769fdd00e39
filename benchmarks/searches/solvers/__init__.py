"""Searches, a file each; one whose package is not installed is skipped."""
