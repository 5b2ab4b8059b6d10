"""Which game is due next: formats, rounds and seatings."""
