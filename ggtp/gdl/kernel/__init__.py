"""Step programs to machine code that plays many games at once, or advances single states."""
