"""Tournaments being played: runner, worker processes, clusters, tables."""
