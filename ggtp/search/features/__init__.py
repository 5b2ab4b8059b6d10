"""Features of a game learned from playouts, as "A GGP Feature Learning Algorithm" (GIFL) learns them."""
