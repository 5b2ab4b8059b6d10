"""The lines that are the only truth about a tournament, and what they mean."""
