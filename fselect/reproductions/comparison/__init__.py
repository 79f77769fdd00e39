"""The methods of all four papers on the same bootstraps of real tables."""
