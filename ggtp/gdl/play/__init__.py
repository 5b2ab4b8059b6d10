"""A game in GDL as a game of the project: interpreted or compiled, with pictures and imagined positions."""
