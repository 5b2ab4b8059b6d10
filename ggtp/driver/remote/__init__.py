"""People and engines on other machines."""
