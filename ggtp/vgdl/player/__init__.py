"""The hybrid player of video games: learns a game by its forward model, then plans or explores."""
