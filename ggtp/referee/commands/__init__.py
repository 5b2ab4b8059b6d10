"""A method for each command of the supervisor, by topic."""
