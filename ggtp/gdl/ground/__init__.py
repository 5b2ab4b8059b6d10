"""Rulesheets to ground programs: all instances of all rules that can ever matter."""
