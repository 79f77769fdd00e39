"""Tables to search."""
