"""Checks whether an engine keeps the protocol: it is talked to as by any referee, and each breach is noted."""
