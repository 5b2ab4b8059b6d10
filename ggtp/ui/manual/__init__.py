"""The manual's pages for terminals without `man`."""
