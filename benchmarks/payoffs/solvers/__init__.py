"""Ways to the accuracies, a file each."""
