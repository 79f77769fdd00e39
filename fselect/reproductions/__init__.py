"""Published results, measured again: one file a paper, its studies beside it as study files."""
