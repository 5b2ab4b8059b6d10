"""Video games from their descriptions: reader, one tick exactly, a compiled kernel."""
