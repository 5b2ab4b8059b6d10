"""Games of tournaments in the notations of other programs."""
