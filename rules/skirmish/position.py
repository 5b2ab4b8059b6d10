"""Positions of Skirmish: the world and the orders of a tick, as moves, words and pictures."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

from ggtp.errors import AmbiguousMove, IllegalMove, MalformedMove
from ggtp.game import (
    OVER,
    Cell,
    Move,
    Note,
    Picture,
    Player,
    Position,
    Result,
    Turn,
    TurnKind,
    Verdict,
    result_by_winner,
)
from ggtp.game.building.boards import SquareBoard
from ggtp.game.picture import Tone

from .world import GATHER, KINDS, MOST_UNITS, ORDERS, World

RED, BLUE = "Red", "Blue"
PLAYERS = (RED, BLUE)
WAIT = "wait"
TONES: tuple[Tone, Tone] = ("first", "second")
SHORT = {
    "n": "north", "e": "east", "s": "south", "w": "west", "up": "north", "right": "east", "down": "south",
    "left": "west", "a": "attack", "g": "gather", "mine": "gather", "h": "hold", "stop": "hold", "retreat": "home",
}  # fmt: skip


class SkirmishPosition(Position):
    """The world at a tick; both players order at once, and where time runs, who is silent lets its units go on."""

    __slots__ = ("_milliseconds", "_orders", "world")

    def __init__(self, world: World, milliseconds: int) -> None:
        self.world = world
        self._milliseconds = milliseconds
        self._orders: list[tuple[Move, ...] | None] = [None, None]

    def turn(self) -> Turn:
        if self.world.over():
            return OVER
        if not self._milliseconds:
            return Turn(TurnKind.JOINT, PLAYERS)
        return Turn(TurnKind.JOINT, PLAYERS, self._milliseconds / 1000, dict.fromkeys(PLAYERS, WAIT))

    def moves(self, player: Player) -> Sequence[Move]:
        if self.world.over() or player not in PLAYERS:
            return ()
        side = PLAYERS.index(player)
        orders = self._orders[side]
        if orders is None:
            orders = self._orders[side] = tuple(self.world.orders(side))
        return orders

    def parse(self, player: Player, text: str) -> Move:
        listed = self.moves(player)
        if text in listed:
            return text
        if not listed:
            raise IllegalMove(f"It is not {player}'s turn.")
        words = text.casefold().split()
        typed = " ".join(words)
        last = f"{' '.join(words[:-1])} {SHORT.get(words[-1], words[-1])}" if len(words) > 1 else typed
        found = [move for move in listed if move.casefold() in (typed, last)]
        found = found or [move for move in listed if move.startswith("train ") and typed == move.split()[1]]
        side = PLAYERS.index(player)
        if any(unit.side == side and last == f"{unit.name} {unit.order}" for unit in self.world.units):
            return WAIT  # it does so already
        if len(found) == 1:
            return found[0]
        if found:
            raise AmbiguousMove(f"{text[:40]} may be {' or '.join(found[:4])}.")
        kind = typed.removeprefix("train ")
        if kind in KINDS:
            raise IllegalMove(self._no_training(side, kind))
        mine = [unit.name for unit in self.world.units if unit.side == side]
        if len(words) > 1 and last.rpartition(" ")[2] in (GATHER, *ORDERS) and words[0] not in mine:
            raise IllegalMove(f"{player} has no unit {words[0][:20]}: there are {', '.join(mine) or 'none'}.")
        raise MalformedMove(
            f"No move named {text[:40]} for player {player}: orders are as wait, train soldier, or w1 gather."
        )

    def _no_training(self, side: int, kind: str) -> str:
        """Why no unit of a kind can be trained."""
        base, player = self.world.bases[side], PLAYERS[side]
        if base.training:
            return f"{player} is training already: {base.training}."
        if base.store < KINDS[kind].cost:
            return f"{kind.capitalize()}: {KINDS[kind].cost} crystal, and {player} has {base.store}."
        return f"{player} has {MOST_UNITS} units, and no more can be had."

    def play(self, moves: Mapping[Player, Move]) -> Verdict:
        if self.world.over() or set(moves) != set(PLAYERS):
            raise IllegalMove(f"It is not {next(iter(moves), 'nobody')}'s turn.")
        for player, move in moves.items():
            if move not in self.moves(player):
                raise IllegalMove(f"No move named {move} for player {player}.")
        world = self.world.after((moves[RED], moves[BLUE]))
        return Verdict(SkirmishPosition(world, self._milliseconds), tuple((who, moves[who]) for who in PLAYERS))

    def result(self) -> Result | None:
        world = self.world
        if not world.over():
            return None
        hits = [max(0, base.hits) for base in world.bases]
        if not all(hits):
            winner = None if not any(hits) else PLAYERS[0 if hits[0] else 1]
            reason = (
                "both bases are destroyed" if winner is None else f"the base of {PLAYERS[hits.index(0)]} is destroyed"
            )
            return result_by_winner(PLAYERS, winner, reason)
        marks = [(hits[side], world.worth(side)) for side in (0, 1)]
        winner = None if marks[0] == marks[1] else PLAYERS[0 if marks[0] > marks[1] else 1]
        return result_by_winner(
            PLAYERS, winner, f"time is up: bases {hits[0]} to {hits[1]}, worth {marks[0][1]} to {marks[1][1]}"
        )

    def view(self, player: Player | None) -> str:
        world, names = self.world, _board(self.world).names
        parts = [f"tick {world.tick} of {world.limit} board {world.width} {world.height}"]
        for side, base in enumerate(world.bases):
            training = f" training {base.training} {base.ticks}" if base.training else ""
            mine = (
                f"{unit.name}@{names[_square(world, unit.at)]} {unit.hits} {unit.order}{' loaded' * unit.loaded}"
                for unit in world.units
                if unit.side == side
            )
            where = names[_square(world, base.at)]
            units = " | ".join(mine) or "-"
            parts.append(
                f"{PLAYERS[side]} base {where} {base.hits} store {base.store} made {base.made}{training}: {units}"
            )
        crystals = " ".join(f"{names[_square(world, place)]} {amount}" for place, amount in world.crystals) or "-"
        return "; ".join((*parts, f"crystals {crystals}"))

    def key(self) -> Hashable:
        return (self.world.key(), self._milliseconds)

    def picture(self, player: Player | None) -> Picture:
        world = self.world
        board = _board(world)
        cells = [Cell("·", "empty", ascii=".")] * board.size
        for place, amount in world.crystals:
            cells[_square(world, place)] = Cell(f"*{amount}", "good")
        for side, base in enumerate(world.bases):
            cells[_square(world, base.at)] = Cell(f"{PLAYERS[side][0]}{max(0, base.hits)}", TONES[side])
        for unit in world.units:
            name = unit.name.upper() if unit.side == 0 else unit.name  # colours may not be shown
            cells[_square(world, unit.at)] = Cell(name, TONES[unit.side])
        legend = "Red's units are in capitals, Rn and Bn are bases with n hits left, *n crystal"
        notes = [legend, f"tick {world.tick} of {world.limit}"]
        for side, base in enumerate(world.bases):
            training = f", training {base.training} for {base.ticks} ticks" if base.training else ""
            units = ", ".join(
                f"{unit.name} {unit.hits} hits {unit.order}{' with crystal' * unit.loaded}"
                for unit in world.units
                if unit.side == side
            )
            notes.append(f"{PLAYERS[side]}: {base.store} crystal{training}; {units or 'no units'}")
        tones: tuple[Tone, ...] = ("muted", "plain", *TONES)
        result = self.result()
        lines = [Note(text, tone) for text, tone in zip(notes, tones, strict=True)]
        if result:
            lines.append(Note(result.reason, "mark"))
        return Picture((board.grid(cells), *lines))


def _square(world: World, place: tuple[int, int]) -> int:
    return place[1] * world.width + place[0]


def _board(world: World) -> SquareBoard:
    return SquareBoard(world.width, world.height)
