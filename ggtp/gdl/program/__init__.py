"""Networks to straight-line step programs."""
