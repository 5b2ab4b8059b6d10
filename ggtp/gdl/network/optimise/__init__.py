"""Passes that leave a network's game as it is and its graph smaller."""
