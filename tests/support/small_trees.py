"""Small open games with turns that few bundled rules have: two in a row, and moves at the same time after a draw."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from support.small_secrets import ME, PLAYERS, YOU, Game, Played

from ggtp.game import CHANCE, CHANCE_TURN, OVER, Move, Player, Traits, Turn, TurnKind
from ggtp.game import single as single_turn


class Twice(Played):
    """I move twice, then You and I once each. I win with b and then c; a and again a ends it sooner."""

    def turn(self) -> Turn:
        count = len(self.played)
        if count == 4 or (count == 3 and self._first_two() == ["a", "a"]):
            return OVER
        return single_turn((ME, ME, YOU, ME)[count])

    def _first_two(self) -> list[Move]:
        return [move for _, move in self.played[:2]]

    def moves(self, player: Player) -> Sequence[Move]:
        return ("a", "b", "c") if player in self.turn().players else ()

    def points(self) -> int:
        return 1 if self._first_two() == ["b", "c"] else -1


class Doomed(Twice):
    """The same, but whatever I do I lose."""

    def points(self) -> int:
        return -1


class Hoard(Played):
    """In turn each takes ten of thirty things; I win with two of the three rings, whenever they are taken."""

    rings = ("r1", "r2", "r3")
    things = (*(f"t{number}" for number in range(27)), *rings)

    def turn(self) -> Turn:
        return OVER if len(self.played) == 20 else single_turn(PLAYERS[len(self.played) % 2])

    def moves(self, player: Player) -> Sequence[Move]:
        if player not in self.turn().players:
            return ()
        taken = {move for _, move in self.played}
        return tuple(thing for thing in self.things if thing not in taken)

    def points(self) -> int:
        return 1 if sum((ME, ring) in self.played for ring in self.rings) >= 2 else -1


class Deal(Played):
    """I go, a draw says what there is to choose from, and both choose at the same time; I win with the same as You."""

    draws: ClassVar[Mapping[Move, tuple[Move, ...]]] = {}
    """By its name, what each player may choose; You do not take part where the name is `alone`."""

    def turn(self) -> Turn:
        count = len(self.played)
        if count > 2:
            return OVER
        if count == 2:
            return single_turn(ME) if self.played[1][1] == "alone" else Turn(TurnKind.JOINT, PLAYERS)
        return CHANCE_TURN if count else single_turn(ME)

    def moves(self, player: Player) -> Sequence[Move]:
        if player not in self.turn().players:
            return ()
        if not self.played:
            return ("go", "run")
        return tuple(self.draws) if player == CHANCE else self.draws[self.played[1][1]]

    def chance(self) -> Sequence[tuple[Move, int]]:
        return [(draw, 1) for draw in self.draws]

    def points(self) -> int:
        return 1 if self.played[2][1] == self.played[-1][1] else -1


def deal(**draws: tuple[Move, ...]) -> Game:
    """The game in which these are drawn, each with its moves."""
    return Game(type("Deal", (Deal,), {"draws": draws}), Traits(chance=True, joint=True))


TWICE, DOOMED, HOARD = Game(Twice), Game(Doomed), Game(Hoard)
