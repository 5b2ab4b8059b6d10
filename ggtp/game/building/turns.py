"""Games in which the players take turns and nothing is hidden: written once, played three ways.

An author writes a `TurnGame`: functions over states of any immutable type, with moves as
integers. A `TurnPosition` is such a state as the house's `Position`, and a `TurnSearcher` the
same state as the fast path for engines, so that the two can't disagree.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from functools import cache
from typing import Generic, TypeVar

from ggtp.errors import AmbiguousMove, IllegalMove, MalformedMove
from ggtp.game.advice import HasSearcher, Searcher
from ggtp.game.model import OVER, Move, Player, Position, Result, Standing, Turn, Verdict, single
from ggtp.game.picture import Picture

State = TypeVar("State")

WORTH = {Standing.WIN: 100.0, Standing.DRAW: 50.0, Standing.LOSS: 0.0}


turn_of = cache(single)
"""A player's turn, made once for each player's name."""


class TurnGame(ABC, Generic[State]):
    """A game with its options chosen. A state is immutable, and keeps what is dear to find."""

    players: tuple[Player, ...]

    @abstractmethod
    def to_move(self, state: State) -> int:
        """The number of the player to move, or -1 when the game is over."""

    @abstractmethod
    def legal(self, state: State) -> Sequence[int]:
        """The moves of the player to move, each once; empty exactly when the game is over."""

    @abstractmethod
    def after(self, state: State, move: int) -> State:
        """The state after a legal move."""

    @abstractmethod
    def name(self, state: State, move: int) -> Move:
        """The canonical text of a legal move."""

    @abstractmethod
    def result(self, state: State) -> Result | None:
        """How the game ended, or None."""

    @abstractmethod
    def key(self, state: State) -> Hashable:
        """Equal exactly for states that are equal in every respect that matters to the game."""

    @abstractmethod
    def view(self, state: State) -> str:
        """The state as one line of text, with all that the picture shows."""

    @abstractmethod
    def picture(self, state: State) -> Picture:
        """What to draw."""

    def read(self, state: State, text: str, moves: Mapping[Move, int]) -> Sequence[Move]:
        """The moves that a typed text may mean, where it is no move's name; none where it means nothing."""
        return ()

    def hint(self, state: State, moves: Mapping[Move, int]) -> str:
        """How moves are written, for whoever typed one that can't be read."""
        return f"write it as in {next(iter(moves))}"

    def why_not(self, state: State, text: str) -> str:
        """What keeps a player from a move that is written well and can't be made; empty where that can't be said."""
        return ""

    def search_key(self, state: State) -> Hashable:
        """The key for searches; it may leave out what only a long history makes a difference in."""
        return self.key(state)

    def scores(self, state: State) -> Sequence[float]:
        """Every player's score from 0 to 100 when the game is over."""
        result = self.result(state)
        if result is None:
            return [50.0] * len(self.players)
        if result.scores and all(0 <= score <= 100 for score in result.scores.values()):
            return [float(result.scores[player]) for player in self.players]
        return [WORTH[result.standings[player]] for player in self.players]


class TurnPosition(Position, HasSearcher, Generic[State]):
    """A state of such a game as a position."""

    __slots__ = ("_moves", "_to_move", "game", "state")

    def __init__(self, game: TurnGame[State], state: State) -> None:
        self.game = game
        self.state = state
        self._to_move = game.to_move(state)
        self._moves: dict[Move, int] | None = None

    def _listed(self) -> dict[Move, int]:
        """The moves of the player to move with their numbers: what is asked for often is found once."""
        if self._moves is None:
            game, state = self.game, self.state
            self._moves = {game.name(state, move): move for move in game.legal(state)}
        return self._moves

    def _mine(self, player: Player) -> bool:
        return self._to_move >= 0 and player == self.game.players[self._to_move]

    def turn(self) -> Turn:
        return OVER if self._to_move < 0 else turn_of(self.game.players[self._to_move])

    def moves(self, player: Player) -> Sequence[Move]:
        return tuple(self._listed()) if self._mine(player) else ()

    def play(self, moves: Mapping[Player, Move]) -> Verdict:
        ((player, move),) = moves.items()
        number = self._listed().get(move) if self._mine(player) else None
        if number is None:
            raise IllegalMove(f"No move named {move} for player {player}.")
        return Verdict(type(self)(self.game, self.game.after(self.state, number)), ((player, move),))

    def parse(self, player: Player, text: str) -> Move:
        if not self._mine(player):
            raise IllegalMove(f"It is not {player}'s turn.")
        listed = self._listed()
        if text in listed:
            return text
        plain = " ".join(text.split())
        folded = plain.casefold()
        found = [move for move in listed if move.casefold() == folded]
        found = found or list(dict.fromkeys(self.game.read(self.state, plain, listed)))
        if len(found) == 1:
            return found[0]
        if found:
            some = [*found[:4], "..."] if len(found) > 4 else found
            raise AmbiguousMove(f"{plain} may be {' or '.join(some)}.")
        shown = text if len(text) <= 40 else f"{text[:40]}..."
        reason = self.game.why_not(self.state, plain) or self.game.hint(self.state, listed)
        raise MalformedMove(f"No move named {shown} for player {player}: {reason}.")

    def result(self) -> Result | None:
        return self.game.result(self.state)

    def view(self, player: Player | None) -> str:
        return self.game.view(self.state)

    def key(self) -> Hashable:
        return self.game.key(self.state)

    def picture(self, player: Player | None) -> Picture:
        return self.game.picture(self.state)

    def searcher(self) -> Searcher | None:
        return TurnSearcher(self.game, self.state)


class TurnSearcher(Generic[State]):
    """A stack of states; taking back is taking the topmost away."""

    __slots__ = ("_game", "_named", "_stack", "_state")

    def __init__(self, game: TurnGame[State], state: State) -> None:
        self._game = game
        self._state = state
        self._named: tuple[State, dict[Move, int]] | None = None
        self._stack: list[State] = []

    def to_move(self) -> int:
        return self._game.to_move(self._state)

    def legal(self) -> Sequence[int]:
        return self._game.legal(self._state)

    def play(self, move: int) -> None:
        self._stack.append(self._state)
        self._state = self._game.after(self._state, move)

    def undo(self) -> None:
        self._state = self._stack.pop()

    def scores(self) -> Sequence[float]:
        return self._game.scores(self._state)

    def key(self) -> Hashable:
        return self._game.search_key(self._state)

    def text(self, move: int) -> Move:
        return self._game.name(self._state, move)

    def number(self, move: Move) -> int:
        game, state = self._game, self._state
        if self._named is None or self._named[0] is not state:
            self._named = (state, {game.name(state, number): number for number in game.legal(state)})
        return self._named[1][move]
