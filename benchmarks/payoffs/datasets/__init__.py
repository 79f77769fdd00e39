"""Tables with folds."""
