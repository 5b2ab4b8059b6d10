"""A game as an engine follows it: the tree of what it was told, and the full positions it keeps."""
