"""Rules in GDL compiled within limits, in the background, and kept on the disk."""
