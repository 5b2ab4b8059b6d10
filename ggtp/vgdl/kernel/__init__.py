"""One tick of a video game as machine code, over flat arrays."""
