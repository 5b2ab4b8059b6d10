"""Backgammon: bring fifteen men home and off, past an enemy who goes the other way; with or without the cube."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from ggtp.errors import AmbiguousMove, IllegalMove, MalformedMove
from ggtp.game import (
    CHANCE_TURN,
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
    Rules,
    Standing,
    Traits,
    Turn,
    Verdict,
    single,
    switch,
)

WHITE, BLACK = "White", "Black"
PLAYERS = (WHITE, BLACK)
TURNS = tuple(map(single, PLAYERS))
OFF, BAR, MEN = 0, 25, 15
ROLL, DOUBLE, TAKE, DROP = "roll", "double", "take", "drop"
WORDS = {
    **dict.fromkeys(("r", "roll dice"), ROLL),
    **dict.fromkeys(("d", "redouble"), DOUBLE),
    **dict.fromkeys(("t", "accept", "yes"), TAKE),
    **dict.fromkeys(("p", "pass", "reject", "no"), DROP),
}
"""Other words for the same."""
LARGEST_CUBE = 64
ROLLS = {f"{high}-{low}": (high, low) for high in range(6, 0, -1) for low in range(high, 0, -1)}
OUTCOMES = tuple((name, 1 if high == low else 2) for name, (high, low) in ROLLS.items())
OPENINGS = {f"White {a} Black {b}": (a, b) for a in range(1, 7) for b in range(1, 7) if a != b}
SHOWN = 5
"""How many men of a stack are drawn; of more, their number is."""

Men: TypeAlias = tuple[int, ...]
"""How many men a player has off (0), on the points 1 to 24 as the player counts them, and on the bar (25)."""
START: Men = tuple({24: 2, 13: 5, 8: 3, 6: 5}.get(point, 0) for point in range(26))
Hop: TypeAlias = tuple[int, int, bool]
"""A man's way with one die: from, to, and whether it hits."""


def hops(own: Men, other: Men, die: int) -> Iterator[tuple[Hop, Men, Men]]:
    """Every use of one die, with the men afterwards."""
    highest = max((point for point in range(BAR, 0, -1) if own[point]), default=0)
    for origin in (BAR,) if own[BAR] else range(highest, 0, -1):
        if not own[origin]:
            continue
        target = max(OFF, origin - die)
        # Men go off when all are home: by exact count, or from the highest point that is held.
        if target == OFF and (highest > 6 or (origin < die and origin != highest)):
            continue
        there = BAR - target
        if target != OFF and other[there] > 1:
            continue
        hits = target != OFF and other[there] == 1
        mine, theirs = list(own), list(other)
        mine[origin] -= 1
        mine[target] += 1
        if hits:
            theirs[there] -= 1
            theirs[BAR] += 1
        yield (origin, target, hits), tuple(mine), tuple(theirs)


def turns(own: Men, other: Men, dice: tuple[int, int]) -> dict[tuple[Men, Men], tuple[Hop, ...]]:
    """Every position that a turn can lead to, with a way to it. As many dice as possible have to be used."""
    high, low = dice
    found: dict[tuple[Men, Men], tuple[Hop, ...]] = {}
    best = (0, 0)
    for order in [(high,) * 4] if high == low else [(high, low), (low, high)]:
        level: dict[tuple[Men, Men], tuple[Hop, ...]] = {(own, other): ()}
        used = 0
        for die in order:
            following: dict[tuple[Men, Men], tuple[Hop, ...]] = {}
            for (mine, theirs), way in level.items():
                for hop, *after in hops(mine, theirs, die):
                    following.setdefault((after[0], after[1]), (*way, hop))
            if not following:
                break
            level, used = following, used + 1
        # Of two dice of which only one can be used, it has to be the larger.
        worth = (used, order[0] if used == 1 else 0)
        if used and worth >= best:
            found = level | found if worth == best else level
            best = worth
    return found


def _point(point: int) -> str:
    return "bar" if point == BAR else "off" if point == OFF else str(point)


def write(way: Sequence[Hop]) -> Move:
    """`13/11 24/20*`, `8/5(2)`, `bar/22`, `6/off`: the hops of one man are joined, hits on the way are shown."""
    chains: list[list[tuple[int, bool]]] = []
    for origin, target, hits in sorted(way, key=lambda hop: -hop[0]):
        for chain in chains:
            if chain[-1][0] == origin:
                if not chain[-1][1] and len(chain) > 1:
                    chain.pop()
                chain.append((target, hits))
                break
        else:
            chains.append([(origin, False), (target, hits)])
    texts = ["/".join(_point(point) + "*" * hit for point, hit in chain) for chain in chains]
    return " ".join(text if count == 1 else f"{text}({count})" for text, count in Counter(texts).items())


@dataclass(frozen=True, slots=True)
class Table:
    """All that there is to know: the men, who is at turn, the dice, the cube, and what is to be done."""

    men: tuple[Men, Men] = (START, START)
    to_move: int = 0
    stage: str = "opening"
    """`opening`, `rolling`, `playing`, `offering` (roll or double), `answering` (take or drop), `over`."""
    dice: tuple[int, int] = (0, 0)
    cube: int = 1
    owner: int = -1
    """Who may double next; -1 for both."""
    winner: int = -1
    dropped: bool = False


@dataclass(frozen=True)
class BackgammonPosition(Position):
    """A table, and whether the cube is used."""

    table: Table
    doubling: bool
    listed: dict[Move, tuple[Men, Men]] = field(default_factory=dict, compare=False, repr=False)

    def turn(self) -> Turn:
        stage = self.table.stage
        if stage == "over":
            return OVER
        if stage in ("opening", "rolling"):
            return CHANCE_TURN
        return TURNS[1 - self.table.to_move if stage == "answering" else self.table.to_move]

    def _turns(self) -> dict[Move, tuple[Men, Men]]:
        table = self.table
        if not self.listed:
            mover = table.to_move
            found = turns(table.men[mover], table.men[1 - mover], table.dice)
            self.listed.update({write(way): men for men, way in found.items()})
        return self.listed

    def moves(self, player: Player) -> Sequence[Move]:
        if player not in self.turn().players:
            return ()
        stage = self.table.stage
        if stage == "playing":
            return tuple(self._turns())
        fixed = {"offering": (ROLL, DOUBLE), "answering": (TAKE, DROP), "opening": tuple(OPENINGS)}
        return fixed.get(stage) or tuple(ROLLS)

    def chance(self) -> Sequence[tuple[Move, int]]:
        if self.table.stage == "opening":
            return tuple((name, 1) for name in OPENINGS)
        return OUTCOMES if self.table.stage == "rolling" else ()

    def play(self, moves: Mapping[Player, Move]) -> Verdict:
        ((player, move),) = moves.items()
        if move not in self.moves(player):
            raise IllegalMove(f"No move named {move} for player {player}.")
        made, table = ((player, move),), self.table
        if table.stage == "opening":
            white, black = OPENINGS[move]
            dice = (max(white, black), min(white, black))
            return self._rolled(replace(table, to_move=0 if white > black else 1, dice=dice), made)
        if table.stage == "rolling":
            return self._rolled(replace(table, dice=ROLLS[move]), made)
        if table.stage == "playing":
            return Verdict(self._moved(self._turns()[move]), made)
        if move == TAKE:
            after = replace(table, stage="rolling", cube=2 * table.cube, owner=1 - table.to_move)
        elif move == DROP:
            after = replace(table, stage="over", winner=table.to_move, dropped=True)
        else:
            after = replace(table, stage="rolling" if move == ROLL else "answering")
        return Verdict(BackgammonPosition(after, self.doubling), made)

    def _rolled(self, table: Table, made: tuple[tuple[Player, Move], ...]) -> Verdict:
        position = BackgammonPosition(replace(table, stage="playing"), self.doubling)
        if position._turns():
            return Verdict(position, made)
        text = f"{PLAYERS[table.to_move]} can't move with {table.dice[0]}-{table.dice[1]}."
        return Verdict(position._passed_on(table.men), made, announcements=(Announcement(text),))

    def _moved(self, men: tuple[Men, Men]) -> BackgammonPosition:
        mover = self.table.to_move
        seated = men if mover == 0 else (men[1], men[0])
        if men[0][OFF] == MEN:
            return BackgammonPosition(replace(self.table, men=seated, stage="over", winner=mover), self.doubling)
        return self._passed_on(seated)

    def _passed_on(self, men: tuple[Men, Men]) -> BackgammonPosition:
        table = self.table
        following = 1 - table.to_move
        may_double = self.doubling and table.owner in (-1, following) and table.cube < LARGEST_CUBE
        stage = "offering" if may_double else "rolling"
        after = replace(table, men=men, to_move=following, stage=stage, dice=(0, 0))
        return BackgammonPosition(after, self.doubling)

    def parse(self, player: Player, text: str) -> Move:
        """A turn in any order and any parts, with or without stars: `24/20 13/11`, `8/5(2)`, `24/22 22/18`, `b/22`."""
        if self.table.stage != "playing" or player not in self.turn().players or text in self._turns():
            return self._parse_word(player, text)
        own, stars = list(self.table.men[self.table.to_move]), set()
        for part in text.casefold().split():
            typed = re.fullmatch(
                r"((?:[0-9]{1,2}|b|bar|o|off)\*?(?:[/-](?:[0-9]{1,2}|b|bar|o|off)\*?)+)(?:\(([1-4])\))?", part
            )
            if part in (ROLL, DOUBLE, TAKE, DROP):
                raise IllegalMove(f"The dice are rolled already: play {self.table.dice[0]}-{self.table.dice[1]}.")
            if not typed:
                raise MalformedMove(f"{part[:20]} is no part of a turn: write as 13/11 24/20, bar/22, 6/off or 8/5(2).")
            stops = [(_number(stop.rstrip("*")), stop.endswith("*")) for stop in re.split("[/-]", typed[1])]
            if any(point > BAR for point, _ in stops):
                raise MalformedMove(f"There is no such point as in {part}.")
            stars |= {point for point, hit in stops if hit}
            times = int(typed[2] or 1)
            own[stops[0][0]] -= times
            own[stops[-1][0]] += times
        same = [name for name, (mine, _) in self._turns().items() if list(mine) == own]
        if len(same) > 1:
            same = [name for name in same if _starred(name) == stars] or same
        if len(same) == 1:
            return same[0]
        if same:
            raise AmbiguousMove(f"{text} may be {' or '.join(same)}.")
        some = "; ".join(list(self._turns())[:3])
        raise IllegalMove(f"{text} is no turn with {self.table.dice[0]}-{self.table.dice[1]}; possible are {some} ...")

    def _parse_word(self, player: Player, text: str) -> Move:
        """What is said about the cube, or any move by its name."""
        try:
            return super().parse(player, WORDS.get(" ".join(text.casefold().split()), text))
        except MalformedMove as error:
            listed = self.moves(player)
            if self.table.stage in ("offering", "answering"):
                raise MalformedMove(f"{str(error).rstrip('.')}: write {' or '.join(listed)}.") from None
            raise

    def _points(self) -> int:
        """What the game is worth: one, two for a gammon, three for a backgammon, times the cube."""
        table = self.table
        loser = table.men[1 - table.winner]
        if table.dropped or loser[OFF]:
            return table.cube
        return table.cube * (3 if any(loser[19:]) else 2)

    def result(self) -> Result | None:
        table = self.table
        if table.stage != "over":
            return None
        points, winner, loser = self._points(), PLAYERS[table.winner], PLAYERS[1 - table.winner]
        kinds = {1: "bears off", 2: "wins a gammon", 3: "wins a backgammon"}
        reason = f"{loser} drops" if table.dropped else f"{winner} {kinds[points // table.cube]}"
        standings = {winner: Standing.WIN, loser: Standing.LOSS}
        scores = {winner: points, loser: -points}
        return Result(
            {player: standings[player] for player in PLAYERS}, {player: scores[player] for player in PLAYERS}, reason
        )

    def view(self, player: Player | None) -> str:
        table = self.table
        men = "; ".join(f"{name} {' '.join(map(str, men))}" for name, men in zip(PLAYERS, table.men, strict=True))
        cube = f"; cube {table.cube} {PLAYERS[table.owner] if table.owner >= 0 else '-'}" if self.doubling else ""
        dice = f" {table.dice[0]}-{table.dice[1]}" if table.stage == "playing" else ""
        end = f" {PLAYERS[table.winner]} {'dropped' if table.dropped else ''}".rstrip() if table.stage == "over" else ""
        return f"{men}{cube}; {PLAYERS[table.to_move]} {table.stage}{dice}{end}"

    def key(self) -> Hashable:
        return (self.table, self.doubling)

    def picture(self, player: Player | None) -> Picture:
        """Drawn as the player sees it, or whoever is at turn: the own points are numbered, 1 at the lower right."""
        table = self.table
        seat = PLAYERS.index(player) if player else table.to_move
        top, bottom = (*range(13, 19), BAR, *range(19, 25)), (*range(12, 6, -1), BAR, *range(6, 0, -1))
        rows = [tuple(Cell("" if point == BAR else str(point), "muted") for point in top)]
        rows += [tuple(self._cell(seat, point, depth, upper=True) for point in top) for depth in range(SHOWN)]
        rows.append(tuple(Cell("|" if point == BAR else "", "muted") for point in top))
        rows += [
            tuple(self._cell(seat, point, depth, upper=False) for point in bottom) for depth in range(SHOWN - 1, -1, -1)
        ]
        rows.append(tuple(Cell("" if point == BAR else str(point), "muted") for point in bottom))
        notes = [Note(f"The numbers are {PLAYERS[seat]}'s.", "muted")]
        for name, men in zip(PLAYERS, table.men, strict=True):
            pips = sum(point * count for point, count in enumerate(men))
            notes.append(Note(f"{name}: {men[OFF]} off, {pips} points to go", "plain"))
        if self.doubling:
            held = f", held by {PLAYERS[table.owner]}" if table.owner >= 0 else ""
            notes.append(Note(f"The cube is at {table.cube}{held}.", "muted"))
        notes.append(Note(self._state(), "mark"))
        return Picture((Grid(tuple(rows)), *notes))

    def _state(self) -> str:
        table = self.table
        name, other = PLAYERS[table.to_move], PLAYERS[1 - table.to_move]
        result = self.result()
        if result:
            return result.reason
        said = {
            "opening": "each rolls a die, and the higher begins",
            "rolling": f"{name} rolls",
            "playing": f"{name} plays {table.dice[0]}-{table.dice[1]}",
            "offering": f"{name} rolls or doubles",
            "answering": f"{name} doubles to {2 * table.cube}: {other} takes or drops",
        }
        return said[table.stage]

    def _cell(self, seat: int, point: int, depth: int, *, upper: bool) -> Cell:
        """What is at that depth of a stack; on the bar the player's men are below and the other's above."""
        if point == BAR:
            stacks = [(1 - seat, BAR)] if upper else [(seat, BAR)]
        else:
            stacks = [(seat, point), (1 - seat, BAR - point)]
        for owner, at in stacks:
            count = self.table.men[owner][at]
            if count:
                if depth == SHOWN - 1 and count > SHOWN:
                    return Cell(str(count), "first" if owner == 0 else "second")
                if depth < count:
                    return Cell(PLAYERS[owner][0], "first" if owner == 0 else "second")
        return Cell("|" if point == BAR else "." if depth == 0 else " ", "muted")


def _number(stop: str) -> int:
    return BAR if stop in ("b", "bar") else OFF if stop in ("o", "off") else int(stop)


def _starred(name: Move) -> set[int]:
    return {_number(stop) for stop in re.findall(r"(\w+)\*", name)}


class Backgammon(Rules):
    """Players White and Black; a turn is written `13/11 24/20*`, `8/5(2)`, `bar/22`, `6/off`."""

    name = "Backgammon"
    title = "bring your men home and off, past an enemy who goes the other way"
    traits = Traits(chance=True)
    own_options = (switch("cube", False, "whether the stakes may be doubled"),)

    def players(self, options: Mapping[str, str]) -> tuple[Player, ...]:
        return PLAYERS

    def begin(self, options: Mapping[str, str]) -> Position:
        return BackgammonPosition(Table(), options["cube"] == "on")


RULES = Backgammon()
