"""Searches of games with hidden information: information set MCTS and determinization."""
