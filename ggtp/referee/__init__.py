"""Decides: events in, effects out. Pure: it opens nothing, waits for nothing, and knows no clock."""
