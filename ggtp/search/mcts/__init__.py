"""Monte Carlo tree search, over compiled games and over positions of rules in Python."""
