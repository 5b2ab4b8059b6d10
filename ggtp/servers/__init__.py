"""What other programs connect to: Go and chess tools, and game managers."""
