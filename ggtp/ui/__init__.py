"""Front ends: the prompt, batches, and the command line."""
