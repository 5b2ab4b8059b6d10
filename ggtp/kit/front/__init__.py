"""A small process in front of an engine, which answers in time whatever the engine does."""
