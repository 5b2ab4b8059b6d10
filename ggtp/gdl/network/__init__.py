"""Ground programs to networks of gates."""
