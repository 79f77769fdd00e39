"""Selection by how often searches over folds choose a feature (Boz 2002)."""
