"""Positions of HexWar: the war and the orders that are sealed, as moves, words and pictures."""

from __future__ import annotations

import random
from collections.abc import Hashable, Mapping, Sequence

from ggtp.errors import AmbiguousMove, IllegalMove, MalformedMove
from ggtp.game import (
    CHANCE,
    CHANCE_TURN,
    HIDDEN,
    OVER,
    Announcement,
    Cell,
    Grid,
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
    single,
)
from ggtp.game.advice import Determinizes
from ggtp.game.picture import Tone

from .war import LAKE, TOWN, WORDS, Counter, War

RED, BLUE = "Red", "Blue"
PLAYERS = (RED, BLUE)
TONES: tuple[Tone, Tone] = ("first", "second")
DICE = tuple((str(face), 1) for face in range(1, 7))
GROUND = {".": "·", "w": "♣", "h": "^", TOWN: "⌂", LAKE: "~"}
ASCII_GROUND = {".": ".", "w": "%", "h": "^", TOWN: "#", LAKE: "~"}
LEGEND = "i infantry, t armour, g guns, Red's in capitals, ' with one step left"
GROUNDS = {"w": "woods", "h": "hill", TOWN: "town", LAKE: "lake"}

Given = tuple[tuple[Move, ...], tuple[Move, ...]]
"""The orders that each side has given this turn, its counters in order."""


class HexWarPosition(Position, Determinizes):
    """The war, the orders given so far, and the battles that are still to be fought once they are open."""

    __slots__ = ("_battles", "_choices", "_open", "given", "war")

    def __init__(self, war: War, given: Given = ((), ()), battles: tuple[int, ...] = (), opened: bool = False) -> None:
        self.war = war
        self.given = given
        self._battles = battles
        self._open = opened
        self._choices: dict[int, dict[Move, str]] = {}

    def _pending(self) -> list[int]:
        """Whose next counter needs an order."""
        return [side for side in (0, 1) if len(self.given[side]) < len(self.war.side(side))]

    def _next(self, side: int) -> Counter:
        return self.war.side(side)[len(self.given[side])]

    def turn(self) -> Turn:
        if self.war.over():
            return OVER
        if self._open:
            return CHANCE_TURN
        pending = self._pending()
        # Both order their counters one by one, until one has no more.
        if len(pending) == 2:
            return Turn(TurnKind.JOINT, PLAYERS)
        return single(PLAYERS[pending[0]]) if pending else CHANCE_TURN

    def _listed(self, player: Player) -> dict[Move, str]:
        if player not in self.turn().players or player not in PLAYERS:
            return {}
        side = PLAYERS.index(player)
        if side not in self._choices:
            counter = self._next(side)
            self._choices[side] = {f"{counter.name} {order}": order for order in self.war.choices(counter)}
        return self._choices[side]

    def moves(self, player: Player) -> Sequence[Move]:
        if player == CHANCE:
            return tuple(move for move, _ in self.chance())
        return tuple(self._listed(player))

    def parse(self, player: Player, text: str) -> Move:
        listed = self.moves(player)
        if text in listed:
            return text
        if not listed:
            raise IllegalMove(f"It is not {player}'s turn.")
        typed = " ".join(text.casefold().split())
        found = [move for move in listed if move.casefold() == typed or move.partition(" ")[2].casefold() == typed]
        if not found and typed.startswith(("a ", "x")):
            at = typed.removeprefix("a ").removeprefix("x").strip()
            found = [move for move in listed if move.casefold().endswith(f"attack {at}")]
        if len(found) == 1:
            return found[0]
        if found:
            raise AmbiguousMove(f"{text[:40]} may be {' or '.join(found[:4])}.")
        if player == CHANCE:
            raise MalformedMove(f"Chance has no move named {text[:40]} here.")
        side = PLAYERS.index(player)
        due, name = self._next(side).name, typed.partition(" ")[0].upper()
        remedy = f"the next order is for {due}, as {' or '.join(listed[:3])}"
        if name != due and any(counter.name == name for counter in self.war.side(side)):
            raise IllegalMove(f"{name} can't be ordered now: {remedy}.")
        raise MalformedMove(f"No move named {text[:40]} for player {player}: {remedy}.")

    # Chance: opening the orders, and dice.

    def _sealed(self) -> Move:
        """All orders, as they are read out."""
        return "; ".join(f"{name}: {' / '.join(self.given[side])}" for side, name in enumerate(PLAYERS))

    def chance(self) -> Sequence[tuple[Move, int]]:
        if self.turn().kind is not TurnKind.CHANCE:
            return ()
        return DICE if self._open else ((self._sealed(), 1),)

    def _orders(self) -> dict[tuple[int, str], str]:
        found = {}
        for side in (0, 1):
            for order in self.given[side]:
                name, _, what = order.partition(" ")
                found[side, name] = what
        return found

    def play(self, moves: Mapping[Player, Move]) -> Verdict:
        turn = self.turn()
        if turn.kind is TurnKind.OVER or set(moves) != set(turn.players):
            raise IllegalMove(f"It is not {next(iter(moves), 'nobody')}'s turn.")
        for player, move in moves.items():
            if move not in self.moves(player):
                raise IllegalMove(f"No move named {move[:40]} for player {player}.")
        made = tuple((player, moves[player]) for player in turn.players)
        if turn.kind is TurnKind.CHANCE:
            return self._rolled(moves[CHANCE], made) if self._open else self._opened(made)
        given = tuple(
            (*orders, moves[name]) if name in moves else orders
            for name, orders in zip(PLAYERS, self.given, strict=True)
        )
        return Verdict(HexWarPosition(self.war, (given[0], given[1])), made)

    def _opened(self, made: tuple[tuple[Player, Move], ...]) -> Verdict:
        battles = tuple(self.war.battles(self._orders()))
        words = [Announcement(f"the orders are {self._sealed()}")]
        return self._going_on(self.war, battles, made, words)

    def _rolled(self, die: Move, made: tuple[tuple[Player, Move], ...]) -> Verdict:
        at, orders = self._battles[0], self._orders()
        war, result = self.war.fought(at, orders, int(die))
        words = [Announcement(f"the battle for {self.war.field.names[at]}: {die} rolled, {WORDS[result]}")]
        return self._going_on(war, self._battles[1:], made, words)

    def _going_on(
        self, war: War, battles: tuple[int, ...], made: tuple[tuple[Player, Move], ...], words: list[Announcement]
    ) -> Verdict:
        """To the next battle that can be fought; when there is none, all march and the turn is over."""
        orders = self._orders()
        while battles and war.odds(battles[0], orders) < 0:
            battles = battles[1:]
        after = HexWarPosition(war, self.given, battles, True) if battles else HexWarPosition(war.marched(orders))
        return Verdict(after, made, announcements=tuple(words))

    def result(self) -> Result | None:
        war = self.war
        if not war.over():
            return None
        left = [bool(war.side(side)) for side in (0, 1)]
        red, blue = war.points
        if all(left):
            winner = None if red == blue else PLAYERS[0 if red > blue else 1]
            return result_by_winner(PLAYERS, winner, f"towns held: Red {red} points, Blue {blue}")
        if any(left):
            return result_by_winner(
                PLAYERS, PLAYERS[left.index(True)], f"{PLAYERS[left.index(False)]} has no counters left"
            )
        return result_by_winner(PLAYERS, None, "no counters are left")

    def seen(self, actor: Player, move: Move, observer: Player) -> Move:
        return move if actor in (observer, CHANCE) else HIDDEN

    def spoken(self, actor: Player, move: Move, observer: Player) -> str:
        """Orders that are opened the umpire reads out; of dice everybody is told."""
        if actor == CHANCE:
            return move if self._open else ""
        return move if actor == observer else "a sealed order"

    def _visible(self, player: Player | None) -> list[str]:
        """The orders that a player may see, a line for each side."""
        found = []
        for side, name in enumerate(PLAYERS):
            orders = self.given[side]
            secret = not self._open and player in PLAYERS and player != name
            text = f"{len(orders)} sealed" if secret else " / ".join(orders)
            found.append(f"{name} orders {text or '-'}")
        return found

    def view(self, player: Player | None) -> str:
        war, names = self.war, self.war.field.names
        owners = " ".join(
            f"{names[at]} {'-' if owner < 0 else PLAYERS[owner]}"
            for at, owner in zip(war.field.towns, war.owners, strict=True)
        )
        turn = f"turn {min(war.turn, war.turns)} of {war.turns}{' over' * war.over()}"
        parts = [f"{war.field.name} {turn}", owners, f"points {war.points[0]} {war.points[1]}"]
        for side, name in enumerate(PLAYERS):
            counters = (f"{one.name} {names[one.at]} {one.steps}{' halted' * one.halted}" for one in war.side(side))
            parts.append(f"{name} {' | '.join(counters) or '-'}")
        battles = " ".join(names[at] for at in self._battles)
        return "; ".join((*parts, *self._visible(player), f"battles {battles or '-'}"))

    def key(self) -> Hashable:
        war = self.war
        state = (war.field.name, war.turns, war.counters, war.owners, war.points, war.turn)
        return (state, self.given, self._battles, self._open)

    def picture(self, player: Player | None) -> Picture:
        war, ground = self.war, self.war.field
        cells = []
        for at, kind in enumerate(ground.terrain):
            counter = war.on(at)
            if counter is not None:
                name = counter.name if counter.side == 0 else counter.name.lower()  # colours may not be shown
                cells.append(Cell(name + "'" * (counter.steps == 1), TONES[counter.side]))
                continue
            owner = war.owners[ground.towns.index(at)] if kind == TOWN else -1
            tone: Tone = TONES[owner] if owner >= 0 else "good" if kind == TOWN else "empty"
            cells.append(Cell(GROUND[kind], tone, ascii=ASCII_GROUND[kind]))
        width = ground.columns
        rows = tuple(tuple(cells[start : start + width]) for start in range(0, len(cells), width))
        labels = tuple(str(row) for row in range(1, ground.rows + 1))
        key = tuple(
            Cell(f"{GROUND[kind]} {word}", ascii=f"{ASCII_GROUND[kind]} {word}")
            for kind, word in GROUNDS.items()
            if kind in ground.terrain
        )
        notes = [LEGEND, f"turn {war.turn} of {war.turns}; points: Red {war.points[0]}, Blue {war.points[1]}"]
        owners = (
            f"{ground.names[at]} {'nobody' if owner < 0 else PLAYERS[owner]}'s"
            for at, owner in zip(ground.towns, war.owners, strict=True)
        )
        notes += [f"towns: {', '.join(owners)}", *self._visible(player)]
        if self._battles:
            notes.append(f"battles for {' '.join(ground.names[at] for at in self._battles)}")
        result = self.result()
        if result:
            notes.append(result.reason)
        elif player in PLAYERS and player in self.turn().players:
            counter = self._next(PLAYERS.index(player))
            notes.append(f"next: an order for {counter.name} on {ground.names[counter.at]}")
        drawn = Grid(rows, ground.labels, labels, "hex")
        return Picture((drawn, Grid((key,)), *(Note(text, "muted") for text in notes)))

    def determinize(self, player: Player, rng: random.Random) -> Position | None:
        """Other orders for the opponent's counters, each that is possible as likely as another."""
        if self._open or player not in PLAYERS or self.war.over():
            return self
        other = 1 - PLAYERS.index(player)
        return HexWarPosition(self.war, drawn(self.war, self.given, other, len(self.given[other]), rng))


def drawn(war: War, given: Given, side: int, count: int, rng: random.Random) -> Given:
    """The orders, with so many of one side drawn at random."""
    orders = tuple(f"{one.name} {rng.choice(war.choices(one))}" for one in war.side(side)[:count])
    return (orders, given[1]) if side == 0 else (given[0], orders)
