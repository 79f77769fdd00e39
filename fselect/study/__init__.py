"""A study: its file, its plan, the run, the archive, and the summary."""
