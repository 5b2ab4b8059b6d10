"""A video game under way as plain objects, and one tick of it: the judge of every faster way to play it."""
