"""What is measured: one module for each benchmark of `ggtp bench`."""
