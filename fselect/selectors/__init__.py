"""Feature selection algorithms, one idea a file; `catalogue` knows them all."""
