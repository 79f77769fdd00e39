"""Tables to eliminate on."""
