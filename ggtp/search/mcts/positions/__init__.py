"""Monte Carlo tree search over positions of rules in Python."""
