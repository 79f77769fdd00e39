"""Cohen, Ruppin and Dror's paper on contribution selection."""
