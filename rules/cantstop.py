"""CantStop: Sid Sackson's game of pushing one's luck with four dice."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import TypeAlias

from ggtp.errors import IllegalMove
from ggtp.game import EMPTY, Cell, Grid, Move, Note, Picture, Player, Position, Rules, Traits, number
from ggtp.game.building.turns import BY_CHANCE, ENDED, Phase, PhasedGame, TurnPosition, WinnerGame
from ggtp.game.picture import Tone

COLOURS = ("Red", "Green", "Blue", "Yellow")
TONES: tuple[Tone, ...] = ("first", "second", "third", "fourth")
COLUMNS = tuple(range(2, 13))
LENGTH = {column: 13 - 2 * abs(column - 7) for column in COLUMNS}
"""How many steps a column has: 3 for a two or a twelve, 13 for a seven."""
RUNNERS, TO_WIN = 3, 3
ROLL, STOP = "roll", "stop"
GO_ON = (ROLL, STOP)
WORDS = {**dict.fromkeys(("r", "again", "go on"), ROLL), **dict.fromkeys(("s", "end", "hold"), STOP)}
"""Other words for the same."""
SUMS = re.compile(r"(?:[0-9]+(?:[ ,;+/&-]+[0-9]+)*)?")
"""One sum or several, as people type them, or none."""


def _ways(dice: Sequence[int]) -> int:
    """In how many ways four dice that can be told apart show these numbers."""
    return factorial(len(dice)) // prod(factorial(count) for count in Counter(dice).values())


ROLLS = {" ".join(map(str, dice)): dice for dice in combinations_with_replacement(range(1, 7), 4)}
"""Every roll, the dice in ascending order."""
NAMES = tuple(ROLLS)
NUMBERS = {name: number for number, name in enumerate(NAMES)}
WEIGHTS = tuple(map(_ways, ROLLS.values()))


def pairings(dice: Sequence[int]) -> list[tuple[int, int]]:
    """The ways to make two pairs of four dice, as two sums of which the smaller is first; none twice."""
    a, b, c, d = dice
    sums = ((a + b, c + d), (a + c, b + d), (a + d, b + c))
    return list(dict.fromkeys((min(pair), max(pair)) for pair in sums))


Steps: TypeAlias = tuple[int, ...]
"""The steps climbed in each column, in the order of `COLUMNS`."""
Runners: TypeAlias = Mapping[int, int]
"""The steps that the runners have reached, by column."""


@dataclass(frozen=True, slots=True)
class CantStopState:
    """Where the markers and the runners are, who is to move, and what the dice show.

    A turn is: roll (chance), pair the dice, then roll again or stop, and so on.
    """

    markers: tuple[Steps, ...]
    to_move: int
    runners: Runners = field(default_factory=dict)
    dice: tuple[int, ...] = ()
    """The dice that are to be paired."""
    choices: tuple[tuple[Move, Runners], ...] = field(default=(), compare=False)
    """What the dice allow, with the runners after it."""
    rolling: bool = True
    winner: int = -1


def step(state: CantStopState, runners: Runners, column: int) -> Runners | None:
    """Return the runners after one step up that column, or None if none can be made."""
    here = runners.get(column)
    if here is None:
        closed = any(markers[column - 2] == LENGTH[column] for markers in state.markers)
        if closed or len(runners) == RUNNERS:
            return None
        here = state.markers[state.to_move][column - 2]
    return {**runners, column: here + 1} if here < LENGTH[column] else None


def allowed(state: CantStopState, dice: Sequence[int]) -> dict[Move, Runners]:
    """Return what the dice allow, with the runners after it. A player who can use both pairs has to."""
    choices: dict[Move, Runners] = {}
    for first, second in pairings(dice):
        for one, two in ((first, second), (second, first)):
            after = step(state, state.runners, one)
            if after is None:
                continue
            both = step(state, after, two)
            if both is not None:
                choices[f"{first} {second}"] = both
            else:
                choices[str(one)] = after
    return choices


def climbed(state: CantStopState) -> tuple[Steps, ...]:
    """Return the markers when the player stops; the others' are taken out of a column that is won."""
    won = {column for column, steps in state.runners.items() if steps == LENGTH[column]}
    after = []
    for index, markers in enumerate(state.markers):
        steps = dict(zip(COLUMNS, markers, strict=True))
        steps |= state.runners if index == state.to_move else dict.fromkeys(won, 0)
        after.append(tuple(steps.values()))
    return tuple(after)


def next_turn(state: CantStopState, markers: tuple[Steps, ...]) -> CantStopState:
    """Return the next player's turn, or the end: only the player who has just stopped can have won."""
    won = sum(steps == LENGTH[column] for column, steps in zip(COLUMNS, markers[state.to_move], strict=True))
    winner = state.to_move if won >= TO_WIN else -1
    return CantStopState(markers, (state.to_move + 1) % len(markers), winner=winner)


def sums(text: str) -> str | None:
    """Return the sums in a typed text, the smaller first, as moves name them; None if it is made of anything else."""
    return " ".join(map(str, sorted(map(int, re.findall(r"[0-9]{1,3}", text))))) if SUMS.fullmatch(text) else None


class CantStopPhase(Phase[CantStopState]):
    """A phase that knows the players' names."""

    def __init__(self, players: tuple[Player, ...]) -> None:
        self.players = players


class Rolling(CantStopPhase):
    """Chance rolls the dice; if they allow nothing, the turn is over. A move is the number of a roll."""

    def legal(self, state: CantStopState) -> Sequence[int]:
        return range(len(ROLLS)) if state.winner < 0 else ()

    def after(self, state: CantStopState, move: int) -> CantStopState:
        dice = ROLLS[NAMES[move]]
        choices = allowed(state, dice)
        if not choices:
            return next_turn(state, state.markers)
        return CantStopState(state.markers, state.to_move, state.runners, dice, tuple(choices.items()), rolling=False)

    def name(self, state: CantStopState, move: int) -> Move:
        return NAMES[move]

    def numbers(self, state: CantStopState) -> Mapping[Move, int]:
        return NUMBERS if state.winner < 0 else {}

    def weights(self, state: CantStopState) -> Sequence[int]:
        return WEIGHTS

    def remark(self, state: CantStopState, move: int, after: CantStopState) -> str:
        busted = not after.dice
        return f"{self.players[state.to_move]} can move no runner and loses this turn's steps." if busted else ""


class Pairing(CantStopPhase):
    """The player chooses what to climb. A move is the number of a choice."""

    def legal(self, state: CantStopState) -> Sequence[int]:
        return range(len(state.choices))

    def after(self, state: CantStopState, move: int) -> CantStopState:
        return CantStopState(state.markers, state.to_move, state.choices[move][1], rolling=False)

    def name(self, state: CantStopState, move: int) -> Move:
        return state.choices[move][0]

    def read(self, state: CantStopState, text: str, moves: Mapping[Move, int]) -> Sequence[Move]:
        """A choice in any order and with any signs between: `5 9`, `9+5`, `5/9`."""
        typed = text.casefold()
        wanted = WORDS.get(typed, typed)
        if wanted in GO_ON:
            player = self.players[state.to_move]
            raise IllegalMove(f"{player} can't {wanted} before a pair is chosen: {self.hint(state, moves)}.")
        found = sums(typed)
        return [found] if found is not None and found in moves else ()

    def hint(self, state: CantStopState, moves: Mapping[Move, int]) -> str:
        return f"the dice allow {', '.join(move.replace(' ', ' and ') for move in moves)}"


class Deciding(CantStopPhase):
    """The player rolls again or stops. A move is its place among `GO_ON`."""

    def legal(self, state: CantStopState) -> Sequence[int]:
        return range(len(GO_ON))

    def after(self, state: CantStopState, move: int) -> CantStopState:
        if GO_ON[move] == ROLL:
            return CantStopState(state.markers, state.to_move, state.runners)
        return next_turn(state, climbed(state))

    def name(self, state: CantStopState, move: int) -> Move:
        return GO_ON[move]

    def read(self, state: CantStopState, text: str, moves: Mapping[Move, int]) -> Sequence[Move]:
        typed = text.casefold()
        if sums(typed) is not None:
            player = self.players[state.to_move]
            raise IllegalMove(f"{player} has chosen a pair already: {self.hint(state, moves)}.")
        return [WORDS[typed]] if typed in WORDS else ()

    def hint(self, state: CantStopState, moves: Mapping[Move, int]) -> str:
        return f"write {' or '.join(GO_ON)}"


class CantStopGame(PhasedGame[CantStopState], WinnerGame[CantStopState]):
    """The rules for these players."""

    chance = True

    def __init__(self, players: tuple[Player, ...]) -> None:
        self.players = players
        self._rolling, self._pairing, self._deciding = Rolling(players), Pairing(players), Deciding(players)

    def to_move(self, state: CantStopState) -> int:
        if not state.rolling:
            return state.to_move
        return BY_CHANCE if state.winner < 0 else ENDED

    def phase(self, state: CantStopState) -> Phase[CantStopState]:
        return self._rolling if state.rolling else self._pairing if state.dice else self._deciding

    def winner(self, state: CantStopState) -> int:
        return state.winner

    def reason(self, state: CantStopState) -> str:
        return f"{self.players[state.winner]} has won {TO_WIN} columns"

    def view(self, state: CantStopState) -> str:
        parts = [
            f"{name} {' '.join(map(str, markers))}" for name, markers in zip(self.players, state.markers, strict=True)
        ]
        parts.append(
            "runners " + (" ".join(f"{column}:{state.runners[column]}" for column in sorted(state.runners)) or "-")
        )
        return "; ".join([*parts, self._due(state)])

    def _due(self, state: CantStopState) -> str:
        """What the player to move has to do, or who has won."""
        if state.winner >= 0:
            return f"{self.players[state.winner]} has won"
        name = self.players[state.to_move]
        if state.rolling:
            return f"{name} rolls"
        return f"{name} pairs {' '.join(map(str, state.dice))}" if state.dice else f"{name} rolls again or stops"

    def key(self, state: CantStopState) -> Hashable:
        runners = tuple(sorted(state.runners.items()))
        return (self.players, state.markers, state.to_move, runners, state.dice, state.rolling)

    def picture(self, state: CantStopState) -> Picture:
        rows = [tuple(Cell(str(LENGTH[column]), "muted") for column in COLUMNS)]
        for markers, tone in zip(state.markers, TONES, strict=False):
            steps = dict(zip(COLUMNS, markers, strict=True))
            rows.append(tuple(_cell(steps[column], tone, steps[column] == LENGTH[column]) for column in COLUMNS))
        rows.append(tuple(_cell(state.runners.get(column, 0), "mark") for column in COLUMNS))
        grid = Grid(tuple(rows), columns=tuple(map(str, COLUMNS)), row_labels=("steps", *self.players, "runners"))
        return Picture((grid, Note(self._due(state), "mark")))


def _cell(steps: int, tone: Tone, won: bool = False) -> Cell:
    return Cell("##" if won else str(steps), tone) if steps else EMPTY


class CantStop(Rules):
    """Two to four players; moves are the sums to climb (`6 8`, `7`), then `roll` or `stop`."""

    name = "CantStop"
    title = "climb three columns with four dice, and stop in time"
    traits = Traits(min_players=2, max_players=4, chance=True)
    own_options = (number("players", 2, 2, 4, "how many play"),)
    first_player_open = True

    def players(self, options: Mapping[str, str]) -> tuple[Player, ...]:
        return COLOURS[: int(options["players"])]

    def begin(self, options: Mapping[str, str]) -> Position:
        players = self.players(options)
        markers = ((0,) * len(COLUMNS),) * len(players)
        state = CantStopState(markers, players.index(options["starting_player"]))
        return TurnPosition(CantStopGame(players), state)


RULES = CantStop()
