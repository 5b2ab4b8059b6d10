"""Monte Carlo tree search in compiled games: one tree in flat memory, many threads in machine code."""
