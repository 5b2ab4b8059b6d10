"""`ggtp bench attack`: attempts to break the referee, by parts that share one result (see `parts`)."""
