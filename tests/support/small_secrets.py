"""Small games with secrets whose right moves are known."""

from __future__ import annotations

import random
from abc import abstractmethod
from collections.abc import Mapping, Sequence

from ggtp.errors import IllegalMove
from ggtp.game import (
    CHANCE,
    CHANCE_TURN,
    HIDDEN,
    OVER,
    Move,
    Player,
    Position,
    Result,
    Rules,
    Standing,
    Traits,
    Turn,
    TurnKind,
    Verdict,
)
from ggtp.game import single as single_turn

ME, YOU = "Me", "You"
PLAYERS = (ME, YOU)


def paid(points: int) -> Result:
    standing = {ME: Standing.WIN if points > 0 else Standing.LOSS, YOU: Standing.LOSS if points > 0 else Standing.WIN}
    return Result(standing, {ME: points, YOU: -points})


class Played(Position):
    """A position that is what was played so far; a subclass says what that means."""

    def __init__(self, played: tuple[tuple[Player, Move], ...] = ()) -> None:
        self.played = played

    def play(self, moves: Mapping[Player, Move]) -> Verdict:
        for player, move in moves.items():
            if move not in self.moves(player):
                raise IllegalMove(move)
        return Verdict(type(self)((*self.played, *moves.items())), tuple(moves.items()))

    @abstractmethod
    def points(self) -> int:
        """What I have at the end."""

    def result(self) -> Result | None:
        return paid(self.points()) if self.turn() is OVER else None

    def view(self, player: Player | None) -> str:
        return " ".join(
            f"{who}={move if player is None else self.told(who, move, player)}" for who, move in self.played
        )

    def told(self, actor: Player, move: Move, observer: Player) -> Move:
        return move

    def seen(self, actor: Player, move: Move, observer: Player) -> Move:
        return self.told(actor, move, observer)

    def key(self) -> tuple[tuple[Player, Move], ...]:
        return self.played


class Coin(Played):
    """A coin falls that nobody sees. I take 30, or guess: 100 if it is right, -100 if it is wrong."""

    def turn(self) -> Turn:
        if not self.played:
            return CHANCE_TURN
        return OVER if self.played[-1][1] in ("take", "say-heads", "say-tails") else single_turn(ME)

    def moves(self, player: Player) -> Sequence[Move]:
        if player not in self.turn().players:
            return ()
        if player == CHANCE:
            return ("heads", "tails")
        return ("take", "guess") if len(self.played) == 1 else ("say-heads", "say-tails")

    def chance(self) -> Sequence[tuple[Move, int]]:
        return (("heads", 1), ("tails", 1))

    def told(self, actor: Player, move: Move, observer: Player) -> Move:
        return HIDDEN if actor == CHANCE else move

    def points(self) -> int:
        if self.played[-1][1] == "take":
            return 30
        return 100 if self.played[-1][1].endswith(self.played[0][1]) else -100

    def determinize(self, player: Player, rng: random.Random) -> Position:
        if not self.played or self.turn() is OVER:
            return self
        return Coin(((CHANCE, rng.choice(("heads", "tails"))), *self.played[1:]))


class Pennies(Played):
    """Both choose at the same time; I win if they are the same, 3 for heads and 1 for tails."""

    def turn(self) -> Turn:
        return OVER if self.played else Turn(TurnKind.JOINT, PLAYERS)

    def moves(self, player: Player) -> Sequence[Move]:
        return ("heads", "tails") if not self.played and player in PLAYERS else ()

    def points(self) -> int:
        chosen = dict(self.played)
        return (3 if chosen[ME] == "heads" else 1) if chosen[ME] == chosen[YOU] else -1


class Snatch(Played):
    """Who is first may take 5 or 1 of a cake, and the other loses it."""

    def turn(self) -> Turn:
        return OVER if self.played else Turn(TurnKind.RACE, PLAYERS, delay=1.0, default={ME: "1"})

    def moves(self, player: Player) -> Sequence[Move]:
        return ("1", "5") if not self.played and player in PLAYERS else ()

    def points(self) -> int:
        ((player, move),) = self.played
        return int(move) if player == ME else -int(move)


class Walk(Played):
    """I walk up and down for ten thousand steps; the rule says at any time how far up I am."""

    def turn(self) -> Turn:
        return OVER if len(self.played) >= 10_000 else single_turn(ME)

    def moves(self, player: Player) -> Sequence[Move]:
        return ("up", "down") if player == ME and len(self.played) < 10_000 else ()

    def points(self) -> int:
        return sum(1 if move == "up" else -1 for _, move in self.played)

    def estimate(self, player: Player) -> float:
        return float(self.points() if player == ME else -self.points())


class Game(Rules):
    """One of these games."""

    def __init__(self, first: type[Played], traits: Traits | None = None) -> None:
        self.name = first.__name__
        self.first = first
        self.traits = traits or Traits()

    def players(self, options: Mapping[str, str]) -> tuple[Player, ...]:
        return PLAYERS

    def begin(self, options: Mapping[str, str]) -> Position:
        return self.first()


COIN = Game(Coin, Traits(chance=True, hidden=True))
PENNIES = Game(Pennies, Traits(joint=True))
SNATCH = Game(Snatch, Traits(race=True))
WALK = Game(Walk)
