"""Fuzzing: texts that are nearly right, for every reader of the project."""
