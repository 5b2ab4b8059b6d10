"""What an engine program imports: the base class of engines, and the main loop that serves them."""

from ggtp.kit.engine import Budget, CannotChoose, Engine, Game
from ggtp.kit.program import run
from ggtp.kit.watch import Watched

__all__ = ["Budget", "CannotChoose", "Engine", "Game", "Watched", "run"]
