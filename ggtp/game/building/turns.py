"""Games in which the players take turns and nothing is hidden: written once, played three ways.

An author writes a `TurnGame`: functions over states of any immutable type, with moves as integers. A `TurnPosition` is
such a state as the referee's `Position`, and a `TurnSearcher` the same state as the fast path for engines, so that the
two can't disagree. Dice are turns of chance. A game with several kinds of decisions, such as rolling dice and then
moving by them, is a `PhasedGame` with a `Phase` for each kind.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from functools import cache, partial
from typing import ClassVar, Generic, TypeVar

from ggtp.errors import AmbiguousMove, IllegalMove, MalformedMove
from ggtp.game.advice import HasSearcher, Searcher
from ggtp.game.building.replies import shortened
from ggtp.game.model import (
    CHANCE,
    CHANCE_TURN,
    OVER,
    Announcement,
    Move,
    Player,
    Position,
    Result,
    Standing,
    Turn,
    Verdict,
    result_by_winner,
    single,
)
from ggtp.game.picture import Note, Picture

State = TypeVar("State")

ENDED = -1
"""Instead of the number of the player to move: the game is over."""
BY_CHANCE = -2
"""Instead of the number of the player to move: chance decides."""
WORTH = {Standing.WIN: 100.0, Standing.DRAW: 50.0, Standing.LOSS: 0.0}


turn_of = cache(single)
"""A player's turn, made once for each player's name."""
try_of = cache(partial(single, sealed=True))
"""The same, where a move may be refused as a try."""


class Phase(ABC, Generic[State]):
    """A kind of decision: what can be chosen, what comes of it, and how it is written."""

    @abstractmethod
    def legal(self, state: State) -> Sequence[int]:
        """The moves of the player to move or the outcomes of chance, each once; empty exactly when the game is over."""

    @abstractmethod
    def after(self, state: State, move: int) -> State:
        """The state after a legal move."""

    @abstractmethod
    def name(self, state: State, move: int) -> Move:
        """The canonical text of a legal move."""

    def numbers(self, state: State) -> Mapping[Move, int]:
        """The legal moves by their names. Override where names are the same again and again, as those of dice."""
        return {self.name(state, move): move for move in self.legal(state)}

    def weights(self, state: State) -> Sequence[int]:
        """Where chance decides: the weight of each outcome, in the order of `legal`. All are alike by default."""
        return (1,) * len(self.legal(state))

    def remark(self, state: State, move: int, after: State) -> str:
        """What the umpire says when a move is made, to all; empty for nothing."""
        return ""

    def read(self, state: State, text: str, moves: Mapping[Move, int]) -> Sequence[Move]:
        """The moves that a typed text may mean, where it is no move's name; none where it means nothing.

        Raises:
            MoveError: the text is understood and can't be played now, and the message says all that there is to say.
        """
        return ()

    def hint(self, state: State, moves: Mapping[Move, int]) -> str:
        """How moves are written, for whoever typed one that can't be read; empty where it needs no word."""
        return ""

    def why_not(self, state: State, text: str) -> str:
        """What keeps a player from a move that is written well and can't be made; empty where that can't be said."""
        return ""


class TurnGame(Phase[State]):
    """A game with its options chosen. A state is immutable, and keeps what is dear to find."""

    players: tuple[Player, ...]
    chance: ClassVar[bool] = False
    """Whether chance ever moves. Such a game has no searcher."""

    @abstractmethod
    def to_move(self, state: State) -> int:
        """The number of the player to move, `BY_CHANCE`, or `ENDED` when the game is over."""

    @abstractmethod
    def result(self, state: State) -> Result | None:
        """How the game ended, or None."""

    def key(self, state: State) -> Hashable:
        """Equal exactly for states that are equal in every respect that matters to the game, options included."""
        return state

    @abstractmethod
    def view(self, state: State) -> str:
        """The state as one line of text, with all that the picture shows."""

    def picture(self, state: State) -> Picture:
        """What to draw."""
        return Picture((Note(self.view(state)),))

    def mover(self, state: State) -> str:
        """The name of the player to move, as views write it: `-` when the game is over."""
        number = self.to_move(state)
        return self.players[number] if number >= 0 else "-" if number == ENDED else CHANCE

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


@cache
def _scores_by_winner(players: int) -> tuple[tuple[float, ...], ...]:
    """The scores for each winner, and last those of a draw."""
    won = [tuple(100.0 if seat == winner else 0.0 for seat in range(players)) for winner in range(players)]
    return (*won, (50.0,) * players)


class WinnerGame(TurnGame[State]):
    """A game that one player wins, or nobody: the result follows from the winner."""

    @abstractmethod
    def winner(self, state: State) -> int:
        """The number of the player who has won a game that is over, or -1 for a draw."""

    @abstractmethod
    def reason(self, state: State) -> str:
        """Why a game is over, in a few words."""

    def result(self, state: State) -> Result | None:
        if self.to_move(state) != ENDED:
            return None
        winner = self.winner(state)
        return result_by_winner(self.players, self.players[winner] if winner >= 0 else None, self.reason(state))

    def scores(self, state: State) -> Sequence[float]:
        return _scores_by_winner(len(self.players))[self.winner(state)]


class PhasedGame(TurnGame[State]):
    """A game with several kinds of decisions, each of which is a phase."""

    @abstractmethod
    def phase(self, state: State) -> Phase[State]:
        """The kind of decision that a state is about; any when the game is over, as long as nothing is legal there."""

    def legal(self, state: State) -> Sequence[int]:
        return self.phase(state).legal(state)

    def after(self, state: State, move: int) -> State:
        return self.phase(state).after(state, move)

    def name(self, state: State, move: int) -> Move:
        return self.phase(state).name(state, move)

    def numbers(self, state: State) -> Mapping[Move, int]:
        return self.phase(state).numbers(state)

    def weights(self, state: State) -> Sequence[int]:
        return self.phase(state).weights(state)

    def remark(self, state: State, move: int, after: State) -> str:
        return self.phase(state).remark(state, move, after)

    def read(self, state: State, text: str, moves: Mapping[Move, int]) -> Sequence[Move]:
        return self.phase(state).read(state, text, moves)

    def hint(self, state: State, moves: Mapping[Move, int]) -> str:
        return self.phase(state).hint(state, moves)

    def why_not(self, state: State, text: str) -> str:
        return self.phase(state).why_not(state, text)


class TurnPosition(Position, HasSearcher, Generic[State]):
    """A state of such a game as a position."""

    __slots__ = ("_moves", "_to_move", "game", "state")

    def __init__(self, game: TurnGame[State], state: State) -> None:
        self.game = game
        self.state = state
        self._to_move = game.to_move(state)
        self._moves: Mapping[Move, int] | None = None

    def _listed(self) -> Mapping[Move, int]:
        """The moves of the player to move with their numbers: what is asked for often is found once."""
        if self._moves is None:
            self._moves = self.game.numbers(self.state)
        return self._moves

    def _mine(self, player: Player) -> bool:
        to_move = self._to_move
        return player == self.game.players[to_move] if to_move >= 0 else to_move == BY_CHANCE and player == CHANCE

    def turn(self) -> Turn:
        if self._to_move >= 0:
            return turn_of(self.game.players[self._to_move])
        return OVER if self._to_move == ENDED else CHANCE_TURN

    def moves(self, player: Player) -> Sequence[Move]:
        return tuple(self._listed()) if self._mine(player) else ()

    def chance(self) -> Sequence[tuple[Move, int]]:
        if self._to_move != BY_CHANCE:
            return ()
        return tuple(zip(self._listed(), self.game.weights(self.state), strict=True))

    def draw(self, rng: random.Random) -> Move:
        game, state = self.game, self.state
        (number,) = rng.choices(game.legal(state), game.weights(state))
        return game.name(state, number)

    def play(self, moves: Mapping[Player, Move]) -> Verdict:
        ((player, move),) = moves.items()
        number = self._listed().get(move) if self._mine(player) else None
        if number is None:
            raise IllegalMove(f"No move named {move} for player {player}.")
        game, state = self.game, self.state
        after = game.after(state, number)
        remark = game.remark(state, number, after)
        heard = (Announcement(remark),) if remark else ()
        return Verdict(type(self)(game, after), ((player, move),), (), heard)

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
        shown = shortened(text)
        reason = self.game.why_not(self.state, plain)
        if reason:
            raise IllegalMove(f"No move named {shown} for player {player}: {reason}.")
        hint = self.game.hint(self.state, listed)
        raise MalformedMove(f"No move named {shown} for player {player}{f': {hint}' if hint else ''}.")

    def result(self) -> Result | None:
        return self.game.result(self.state)

    def view(self, player: Player | None) -> str:
        return self.game.view(self.state)

    def key(self) -> Hashable:
        return self.game.key(self.state)

    def picture(self, player: Player | None) -> Picture:
        return self.game.picture(self.state)

    def searcher(self) -> Searcher | None:
        return None if self.game.chance else TurnSearcher(self.game, self.state)


class TurnSearcher(Generic[State]):
    """A stack of states; taking back is taking the topmost away."""

    __slots__ = ("_game", "_named", "_stack", "_state")

    def __init__(self, game: TurnGame[State], state: State) -> None:
        self._game = game
        self._state = state
        self._named: tuple[State, Mapping[Move, int]] | None = None
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
            self._named = (state, game.numbers(state))
        return self._named[1][move]
