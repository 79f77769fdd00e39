"""Search in the order of single features' relevance (Boz 2002), and what it is compared with."""
