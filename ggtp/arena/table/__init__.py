"""One table of a tournament, at which games are played one after the other."""
