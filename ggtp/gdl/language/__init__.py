"""The text of a game: reading, parsing, and everything that can be wrong with it."""
