"""Tiny rules for what the bundled ones do not do: races, ticks, umpires that talk, and rules that are broken."""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any

from ggtp.errors import IllegalMove
from ggtp.game import (
    HIDDEN,
    OVER,
    Announcement,
    Move,
    Player,
    Position,
    Result,
    Rules,
    Traits,
    Turn,
    TurnKind,
    Verdict,
    result_by_winner,
    single,
)

PLAYERS = ("Ann", "Bob")


class GrabPosition(Position):
    """Rounds in which the first to grab has the point; who is too slow together, passes."""

    def __init__(self, kind: TurnKind, rounds: int, delay: float | None, played: tuple[str, ...] = ()) -> None:
        self.kind, self.rounds, self.delay, self.played = kind, rounds, delay, played

    def turn(self) -> Turn:
        if len(self.played) == self.rounds:
            return OVER
        default = dict.fromkeys(PLAYERS, "pass") if self.delay is not None else {}
        return Turn(self.kind, PLAYERS, self.delay, default)

    def moves(self, player: Player) -> Sequence[Move]:
        return ("grab", "pass") if player in PLAYERS and len(self.played) < self.rounds else ()

    def play(self, moves: Mapping[Player, Move]) -> Verdict:
        for player, move in moves.items():
            if move not in self.moves(player):
                raise IllegalMove(f"No move named {move} for player {player}.")
        step = "+".join(f"{player} {moves[player]}" for player in PLAYERS if player in moves)
        after = GrabPosition(self.kind, self.rounds, self.delay, (*self.played, step))
        return Verdict(after, tuple((player, moves[player]) for player in PLAYERS if player in moves))

    def result(self) -> Result | None:
        return result_by_winner(PLAYERS, None, "all rounds played") if len(self.played) == self.rounds else None

    def view(self, player: Player | None) -> str:
        return f"[{', '.join(self.played)}]"

    def key(self) -> Hashable:
        return self.played


class Grab(Rules):
    """A race in every round, or a tick: both choose, and who has not chosen in time passes."""

    name = "Grab"
    traits = Traits(race=True)

    def __init__(self, kind: TurnKind = TurnKind.RACE, rounds: int = 3, delay: float | None = 2.0) -> None:
        self.kind, self.rounds, self.delay = kind, rounds, delay

    def players(self, options: Mapping[str, str]) -> tuple[Player, ...]:
        return PLAYERS

    def begin(self, options: Mapping[str, str]) -> Position:
        return GrabPosition(self.kind, self.rounds, self.delay)


SQUARES = ("one", "two", "three", "four")


class HuntPosition(Position):
    """Ann has hidden something, or is about to; Bob has looked in some places."""

    def __init__(self, secret: Move = "", looked: tuple[Move, ...] = ()) -> None:
        self.secret, self.looked = secret, looked

    def _words(self, move: Move) -> str:
        """What the umpire says when Bob looks there."""
        near = abs(SQUARES.index(move) - SQUARES.index(self.secret)) == 1
        return "found" if move == self.secret else "near" if near else "far"

    def turn(self) -> Turn:
        if not self.secret:
            return single("Ann")
        return OVER if len(self.looked) == 2 or self.secret in self.looked else single("Bob")

    def moves(self, player: Player) -> Sequence[Move]:
        return [square for square in SQUARES if square not in self.looked] if player in self.turn().players else ()

    def play(self, moves: Mapping[Player, Move]) -> Verdict:
        ((player, move),) = moves.items()
        if move not in self.moves(player):
            raise IllegalMove(f"No move named {move} for player {player}.")
        if not self.secret:
            return Verdict(HuntPosition(move), ((player, move),))
        words = (Announcement(self._words(move)),)
        return Verdict(HuntPosition(self.secret, (*self.looked, move)), ((player, move),), announcements=words)

    def result(self) -> Result | None:
        if self.turn().kind is not TurnKind.OVER:
            return None
        return result_by_winner(PLAYERS, "Bob" if self.secret in self.looked else "Ann")

    def seen(self, actor: Player, move: Move, observer: Player) -> Move:
        if not self.secret:
            return move if observer == actor else HIDDEN
        return f"{move} {self._words(move)}"

    def view(self, player: Player | None) -> str:
        heard = " ".join(f"{move} {self._words(move)}" for move in self.looked)
        return f"{'' if player == 'Bob' else self.secret} [{heard}] {'hidden' if self.secret else '-'}"

    def key(self) -> Hashable:
        return (self.secret, self.looked)

    def determinize(self, player: Player, rng: random.Random) -> Position | None:
        return None if player == "Bob" else self


class Hunt(Rules):
    """Ann hides something and Bob looks for it twice; the umpire says how near he is, and engines have to know."""

    name = "Hunt"
    traits = Traits(hidden=True)

    def players(self, options: Mapping[str, str]) -> tuple[Player, ...]:
        return PLAYERS

    def begin(self, options: Mapping[str, str]) -> Position:
        return HuntPosition()


class Broken(Exception):
    """What a broken rule raises."""


class FaultyPosition(GrabPosition):
    """Two who take turns, and a method that fails where the rule says so."""

    fails: Callable[[str, int], bool]

    def __init__(self, fails: Callable[[str, int], bool], played: tuple[str, ...] = ()) -> None:
        super().__init__(TurnKind.SINGLE, 5, None, played)
        self.fails = fails

    def _try(self, name: str) -> None:
        if self.fails(name, len(self.played)):
            raise Broken(name)

    def turn(self) -> Turn:
        self._try("turn")
        return OVER if len(self.played) == self.rounds else Turn(self.kind, (PLAYERS[len(self.played) % 2],))

    def moves(self, player: Player) -> Sequence[Move]:
        self._try("moves")
        return ("grab", "pass") if player == PLAYERS[len(self.played) % 2] else ()

    def play(self, moves: Mapping[Player, Move]) -> Verdict:
        self._try("play")
        return Verdict(FaultyPosition(self.fails, (*self.played, *moves.values())), tuple(moves.items()))

    def result(self) -> Result | None:
        self._try("result")
        return super().result()

    def view(self, player: Player | None) -> str:
        self._try("view")
        return super().view(player)

    def picture(self, player: Player | None) -> Any:
        self._try("picture")
        return super().picture(player)

    def seen(self, actor: Player, move: Move, observer: Player) -> Move:
        self._try("seen")
        return move

    def parse(self, player: Player, text: str) -> Move:
        self._try("parse")
        return super().parse(player, text)


class Faulty(Rules):
    """`fails(method, moves played)` says whether a method fails there; it may be changed at any time."""

    name = "Faulty"

    def __init__(self, fails: Callable[[str, int], bool] = lambda name, played: False) -> None:
        self.fails = fails

    def players(self, options: Mapping[str, str]) -> tuple[Player, ...]:
        if self.fails("players", 0):
            raise Broken("players")
        return PLAYERS

    def begin(self, options: Mapping[str, str]) -> Position:
        if self.fails("begin", 0):
            raise Broken("begin")
        return FaultyPosition(lambda name, played: self.fails(name, played))
