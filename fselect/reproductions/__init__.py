"""Published results, measured again: one folder a paper, and their study files in `studies`."""
