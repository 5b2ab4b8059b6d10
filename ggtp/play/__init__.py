"""One game being played: its record, what players were told of it, and its play file."""
