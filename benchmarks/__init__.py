"""What runs are measured with."""
