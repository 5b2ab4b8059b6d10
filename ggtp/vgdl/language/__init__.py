"""The text of a video game and of its levels: reader, vocabulary, definitions."""
