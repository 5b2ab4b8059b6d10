"""Whether rules keep their promises: the contract of `game.model`, and secrets that leak."""
