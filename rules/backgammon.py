"""Backgammon: bring fifteen men home and off, past an enemy who goes the other way; with or without the cube."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from ggtp.errors import IllegalMove, MalformedMove
from ggtp.game import Cell, Grid, Move, Note, Picture, Player, Position, Result, Rules, Standing, Traits, switch
from ggtp.game.building.turns import BY_CHANCE, ENDED, Phase, PhasedGame, TurnPosition

WHITE, BLACK = "White", "Black"
PLAYERS = (WHITE, BLACK)
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
WEIGHTS = tuple(1 if high == low else 2 for high, low in ROLLS.values())
OPENINGS = {f"White {a} Black {b}": (a, b) for a in range(1, 7) for b in range(1, 7) if a != b}
STOP = r"(?:[0-9]{1,2}|b|bar|o|off)\*?"
PART = re.compile(rf"({STOP}(?:[/-]{STOP})+)(?:\(([1-4])\))?")
"""A part of a turn, as people type it."""
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
    """All that there is to know: the men, whose turn it is, the dice, the cube, and what is to be done."""

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
    doubling: bool = False
    """Whether the cube is used."""
    ways: tuple[tuple[tuple[Men, Men], tuple[Hop, ...]], ...] = field(default=(), compare=False, repr=False)
    """The turns that the dice allow: the men afterwards, the mover's first, and a way to them."""


def rolled(table: Table, mover: int, dice: tuple[int, int]) -> Table:
    """Return the table with dice to play, the higher first; if the player can't move, the turn is over."""
    ways = turns(table.men[mover], table.men[1 - mover], dice)
    if not ways:
        return passed_on(table, mover, table.men)
    return replace(table, to_move=mover, stage="playing", dice=dice, ways=tuple(ways.items()))


def passed_on(table: Table, mover: int, men: tuple[Men, Men]) -> Table:
    """Return the table at the turn of the other player."""
    following = 1 - mover
    may_double = table.doubling and table.owner in (-1, following) and table.cube < LARGEST_CUBE
    stage = "offering" if may_double else "rolling"
    return replace(table, men=men, to_move=following, stage=stage, dice=(0, 0), ways=())


class Saying(Phase[Table]):
    """A phase in which there is always the same to choose from. A move is the place of a text."""

    def __init__(self, *texts: Move) -> None:
        self.texts = texts
        self._numbers = {text: number for number, text in enumerate(texts)}

    def legal(self, state: Table) -> Sequence[int]:
        return range(len(self.texts))

    def name(self, state: Table, move: int) -> Move:
        return self.texts[move]

    def numbers(self, state: Table) -> Mapping[Move, int]:
        return self._numbers

    def read(self, state: Table, text: str, moves: Mapping[Move, int]) -> Sequence[Move]:
        meant = WORDS.get(text.casefold())
        if meant is None or meant in moves:
            return () if meant is None else (meant,)
        hint = self.hint(state, moves)
        raise MalformedMove(f"No move named {meant} for player {GAME.mover(state)}{f': {hint}' if hint else ''}.")


class Rolling(Saying):
    """Chance rolls the dice."""

    def weights(self, state: Table) -> Sequence[int]:
        return WEIGHTS

    def _roll(self, state: Table, move: int) -> tuple[int, tuple[int, int]]:
        """Who moves, and the dice, the higher first."""
        return state.to_move, ROLLS[self.texts[move]]

    def after(self, state: Table, move: int) -> Table:
        return rolled(state, *self._roll(state, move))

    def remark(self, state: Table, move: int, after: Table) -> str:
        mover, (high, low) = self._roll(state, move)
        return "" if after.stage == "playing" else f"{PLAYERS[mover]} can't move with {high}-{low}."


class Opening(Rolling):
    """Each player rolls a die, and the higher begins with both."""

    def weights(self, state: Table) -> Sequence[int]:
        return (1,) * len(self.texts)

    def _roll(self, state: Table, move: int) -> tuple[int, tuple[int, int]]:
        white, black = OPENINGS[self.texts[move]]
        return (0, (white, black)) if white > black else (1, (black, white))


class Cube(Saying):
    """The player to move rolls or doubles; the other takes the cube or drops the game."""

    def after(self, state: Table, move: int) -> Table:
        word = self.texts[move]
        if word == TAKE:
            return replace(state, stage="rolling", cube=2 * state.cube, owner=1 - state.to_move)
        if word == DROP:
            return replace(state, stage="over", winner=state.to_move, dropped=True)
        return replace(state, stage="rolling" if word == ROLL else "answering")

    def hint(self, state: Table, moves: Mapping[Move, int]) -> str:
        return f"write {' or '.join(self.texts)}"


class Playing(Phase[Table]):
    """The player moves by the dice. A move is the place of a turn among those that the dice allow."""

    def legal(self, state: Table) -> Sequence[int]:
        return range(len(state.ways))

    def after(self, state: Table, move: int) -> Table:
        men, mover = state.ways[move][0], state.to_move
        seated = men if mover == 0 else (men[1], men[0])
        if men[0][OFF] == MEN:
            return replace(state, men=seated, stage="over", winner=mover, ways=())
        return passed_on(state, mover, seated)

    def name(self, state: Table, move: int) -> Move:
        return write(state.ways[move][1])

    def read(self, state: Table, text: str, moves: Mapping[Move, int]) -> Sequence[Move]:
        """A turn in any order and any parts, with or without stars: `24/20 13/11`, `8/5(2)`, `24/22 22/18`, `b/22`."""
        own, stars = list(state.men[state.to_move]), set()
        for part in text.casefold().split():
            typed = PART.fullmatch(part)
            if part in (ROLL, DOUBLE, TAKE, DROP):
                raise IllegalMove(f"The dice are rolled already: play {state.dice[0]}-{state.dice[1]}.")
            if not typed:
                raise MalformedMove(f"{part[:20]} is no part of a turn: write as 13/11 24/20, bar/22, 6/off or 8/5(2).")
            stops = [(_number(stop.rstrip("*")), stop.endswith("*")) for stop in re.split("[/-]", typed[1])]
            if any(point > BAR for point, _ in stops):
                raise MalformedMove(f"There is no such point as in {part}.")
            stars |= {point for point, hit in stops if hit}
            times = int(typed[2] or 1)
            own[stops[0][0]] -= times
            own[stops[-1][0]] += times
        same = [name for name, number in moves.items() if list(state.ways[number][0][0]) == own]
        if not same:
            some = "; ".join(list(moves)[:3])
            raise IllegalMove(f"{text} is no turn with {state.dice[0]}-{state.dice[1]}; possible are {some} ...")
        return [name for name in same if _starred(name) == stars] or same


PHASES: Mapping[str, Phase[Table]] = {
    "opening": Opening(*OPENINGS),
    "rolling": Rolling(*ROLLS),
    "playing": Playing(),
    "offering": Cube(ROLL, DOUBLE),
    "answering": Cube(TAKE, DROP),
    "over": Playing(),  # no dice, no turns
}
"""By the stage of a table."""


class BackgammonGame(PhasedGame[Table]):
    """The rules as functions of a table."""

    players = PLAYERS
    chance = True

    def phase(self, state: Table) -> Phase[Table]:
        return PHASES[state.stage]

    def to_move(self, state: Table) -> int:
        if state.stage == "over":
            return ENDED
        if state.stage in ("opening", "rolling"):
            return BY_CHANCE
        return 1 - state.to_move if state.stage == "answering" else state.to_move

    def result(self, state: Table) -> Result | None:
        if state.stage != "over":
            return None
        points, winner, loser = _points(state), PLAYERS[state.winner], PLAYERS[1 - state.winner]
        kinds = {1: "bears off", 2: "wins a gammon", 3: "wins a backgammon"}
        reason = f"{loser} drops" if state.dropped else f"{winner} {kinds[points // state.cube]}"
        standings = {player: Standing.WIN if player == winner else Standing.LOSS for player in PLAYERS}
        scores = {player: points if player == winner else -points for player in PLAYERS}
        return Result(standings, scores, reason)

    def view(self, state: Table) -> str:
        men = "; ".join(f"{name} {' '.join(map(str, men))}" for name, men in zip(PLAYERS, state.men, strict=True))
        cube = f"; cube {state.cube} {PLAYERS[state.owner] if state.owner >= 0 else '-'}" if state.doubling else ""
        dice = f" {state.dice[0]}-{state.dice[1]}" if state.stage == "playing" else ""
        end = f" {PLAYERS[state.winner]} {'dropped' if state.dropped else ''}".rstrip() if state.stage == "over" else ""
        return f"{men}{cube}; {PLAYERS[state.to_move]} {state.stage}{dice}{end}"

    def picture(self, state: Table) -> Picture:
        return draw(state, state.to_move)


GAME = BackgammonGame()


class BackgammonPosition(TurnPosition[Table]):
    """A table, drawn as each player sees it."""

    __slots__ = ()

    def picture(self, player: Player | None) -> Picture:
        return draw(self.state, PLAYERS.index(player)) if player else super().picture(player)


def _points(table: Table) -> int:
    """What the game is worth: one, two for a gammon, three for a backgammon, times the cube."""
    loser = table.men[1 - table.winner]
    if table.dropped or loser[OFF]:
        return table.cube
    return table.cube * (3 if any(loser[19:]) else 2)


def draw(table: Table, seat: int) -> Picture:
    """Draw the table as a player sees it: the own points are numbered, 1 at the lower right."""
    top, bottom = (*range(13, 19), BAR, *range(19, 25)), (*range(12, 6, -1), BAR, *range(6, 0, -1))
    rows = [tuple(Cell("" if point == BAR else str(point), "muted") for point in top)]
    rows += [tuple(_cell(table, seat, point, depth, upper=True) for point in top) for depth in range(SHOWN)]
    rows.append(tuple(Cell("|" if point == BAR else "", "muted") for point in top))
    rows += [
        tuple(_cell(table, seat, point, depth, upper=False) for point in bottom) for depth in range(SHOWN - 1, -1, -1)
    ]
    rows.append(tuple(Cell("" if point == BAR else str(point), "muted") for point in bottom))
    notes = [Note(f"The numbers are {PLAYERS[seat]}'s.", "muted")]
    for name, men in zip(PLAYERS, table.men, strict=True):
        pips = sum(point * count for point, count in enumerate(men))
        notes.append(Note(f"{name}: {men[OFF]} off, {pips} points to go", "plain"))
    if table.doubling:
        held = f", held by {PLAYERS[table.owner]}" if table.owner >= 0 else ""
        notes.append(Note(f"The cube is at {table.cube}{held}.", "muted"))
    notes.append(Note(_due(table), "mark"))
    return Picture((Grid(tuple(rows)), *notes))


def _due(table: Table) -> str:
    """What is to be done, or how the game ended."""
    name, other = PLAYERS[table.to_move], PLAYERS[1 - table.to_move]
    result = GAME.result(table)
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


def _cell(table: Table, seat: int, point: int, depth: int, *, upper: bool) -> Cell:
    """What is at that depth of a stack; on the bar the player's men are below and the other's above."""
    if point == BAR:
        stacks = [(1 - seat, BAR)] if upper else [(seat, BAR)]
    else:
        stacks = [(seat, point), (1 - seat, BAR - point)]
    for owner, at in stacks:
        count = table.men[owner][at]
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
        return BackgammonPosition(GAME, Table(doubling=options["cube"] == "on"))


RULES = Backgammon()
