"""CantStop: Sid Sackson's game of pushing one's luck with four dice."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import TypeAlias

from ggtp.errors import IllegalMove, MalformedMove
from ggtp.game import (
    CHANCE,
    CHANCE_TURN,
    EMPTY,
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
    Traits,
    Turn,
    Verdict,
    number,
    result_by_winner,
    single,
)
from ggtp.game.picture import Tone

COLOURS = ("Red", "Green", "Blue", "Yellow")
TONES: tuple[Tone, ...] = ("first", "second", "third", "fourth")
TURNS = {player: single(player) for player in COLOURS}
COLUMNS = tuple(range(2, 13))
LENGTH = {column: 13 - 2 * abs(column - 7) for column in COLUMNS}
"""How many steps a column has: 3 for a two or a twelve, 13 for a seven."""
RUNNERS, TO_WIN = 3, 3
ROLL, STOP = "roll", "stop"
GO_ON = (ROLL, STOP)
WORDS = {**dict.fromkeys(("r", "again", "go on"), ROLL), **dict.fromkeys(("s", "end", "hold"), STOP)}
"""Other words for the same."""


def _ways(dice: Sequence[int]) -> int:
    """In how many ways four dice that can be told apart show these numbers."""
    return factorial(len(dice)) // prod(factorial(count) for count in Counter(dice).values())


ROLLS = {" ".join(map(str, dice)): dice for dice in combinations_with_replacement(range(1, 7), 4)}
"""Every roll, the dice in ascending order."""
OUTCOMES = tuple((text, _ways(dice)) for text, dice in ROLLS.items())


def pairings(dice: Sequence[int]) -> list[tuple[int, int]]:
    """The ways to make two pairs of four dice, as two sums of which the smaller is first; none twice."""
    a, b, c, d = dice
    sums = ((a + b, c + d), (a + c, b + d), (a + d, b + c))
    return list(dict.fromkeys((min(pair), max(pair)) for pair in sums))


Steps: TypeAlias = tuple[int, ...]
"""The steps climbed in each column, in the order of `COLUMNS`."""
Runners: TypeAlias = Mapping[int, int]
"""The steps that the runners have reached, by column."""


class CantStopPosition(Position):
    """Where the markers and the runners are, who is at turn, and what the dice show.

    A turn is: roll (chance), pair the dice, then roll again or stop, and so on.
    """

    __slots__ = ("_choices", "_dice", "_markers", "_players", "_rolling", "_runners", "_to_move", "_winner")

    def __init__(
        self,
        players: tuple[Player, ...],
        markers: tuple[Steps, ...],
        to_move: int,
        *,
        runners: Runners | None = None,
        dice: tuple[int, ...] = (),
        choices: Mapping[Move, Runners] | None = None,
        rolling: bool = True,
        winner: Player | None = None,
    ) -> None:
        self._players = players
        self._markers = markers
        self._to_move = to_move
        self._runners = runners or {}
        self._dice = dice
        self._choices = choices or {}
        self._rolling = rolling
        self._winner = winner

    def _marker(self, player: int, column: int) -> int:
        return self._markers[player][column - 2]

    def _step(self, runners: Runners, column: int) -> Runners | None:
        """The runners after one step up that column, or None where none can be made."""
        here = runners.get(column)
        if here is None:
            closed = any(markers[column - 2] == LENGTH[column] for markers in self._markers)
            if closed or len(runners) == RUNNERS:
                return None
            here = self._marker(self._to_move, column)
        return {**runners, column: here + 1} if here < LENGTH[column] else None

    def _allowed(self, dice: Sequence[int]) -> dict[Move, Runners]:
        """What the dice allow, with the runners after it. Who can use both pairs has to."""
        choices: dict[Move, Runners] = {}
        for first, second in pairings(dice):
            for one, two in ((first, second), (second, first)):
                after = self._step(self._runners, one)
                if after is None:
                    continue
                both = self._step(after, two)
                if both is not None:
                    choices[f"{first} {second}"] = both
                else:
                    choices[str(one)] = after
        return choices

    def turn(self) -> Turn:
        if self._rolling:
            return OVER if self._winner else CHANCE_TURN
        return TURNS[self._players[self._to_move]]

    def moves(self, player: Player) -> Sequence[Move]:
        if self._rolling:
            return tuple(ROLLS) if player == CHANCE and not self._winner else ()
        if player != self._players[self._to_move]:
            return ()
        return tuple(self._choices) if self._dice else GO_ON

    def parse(self, player: Player, text: str) -> Move:
        """A choice in any order and with any signs between: `5 9`, `9+5`, `5/9`."""
        if self._rolling or player != self._players[self._to_move]:
            return super().parse(player, text)
        typed = " ".join(text.casefold().split())
        numbers = " ".join(map(str, sorted(map(int, re.findall(r"[0-9]{1,3}", typed)))))
        wanted = numbers if re.fullmatch(r"[0-9]+(?:[ ,;+/&-]+[0-9]+)*", typed) else WORDS.get(typed, typed)
        listed = self.moves(player)
        if wanted in listed:
            return wanted
        choices = ", ".join(move.replace(" ", " and ") for move in listed) if self._dice else " or ".join(listed)
        remedy = f"the dice allow {choices}" if self._dice else f"write {choices}"
        if self._dice and wanted in (ROLL, STOP):
            raise IllegalMove(f"{player} can't {wanted} before a pair is chosen: {remedy}.")
        if not self._dice and wanted == numbers:
            raise IllegalMove(f"{player} has chosen a pair already: {remedy}.")
        raise MalformedMove(f"No move named {text[:40]} for player {player}: {remedy}.")

    def chance(self) -> Sequence[tuple[Move, int]]:
        return OUTCOMES if self.turn() is CHANCE_TURN else ()

    def play(self, moves: Mapping[Player, Move]) -> Verdict:
        ((player, move),) = moves.items()
        if move not in self.moves(player):
            raise IllegalMove(f"No move named {move} for player {player}.")
        made = ((player, move),)
        if self._rolling:
            return self._rolled(ROLLS[move], made)
        if self._dice:
            return Verdict(self._same_turn(runners=self._choices[move]), made)
        if move == ROLL:
            return Verdict(self._same_turn(rolling=True), made)
        return Verdict(self._next_turn(self._climbed()), made)

    def _rolled(self, dice: tuple[int, ...], made: tuple[tuple[Player, Move], ...]) -> Verdict:
        choices = self._allowed(dice)
        if choices:
            return Verdict(self._same_turn(dice=dice, choices=choices), made)
        text = f"{self._players[self._to_move]} can move no runner and loses this turn's steps."
        return Verdict(self._next_turn(self._markers), made, announcements=(Announcement(text),))

    def _same_turn(
        self,
        *,
        runners: Runners | None = None,
        dice: tuple[int, ...] = (),
        choices: Mapping[Move, Runners] | None = None,
        rolling: bool = False,
    ) -> CantStopPosition:
        return CantStopPosition(
            self._players,
            self._markers,
            self._to_move,
            runners=self._runners if runners is None else runners,
            dice=dice,
            choices=choices,
            rolling=rolling,
        )

    def _next_turn(self, markers: tuple[Steps, ...]) -> CantStopPosition:
        """The next player's turn, or the end: only who has just stopped can have won."""
        won = sum(steps == LENGTH[column] for column, steps in zip(COLUMNS, markers[self._to_move], strict=True))
        winner = self._players[self._to_move] if won >= TO_WIN else None
        return CantStopPosition(self._players, markers, (self._to_move + 1) % len(self._players), winner=winner)

    def _climbed(self) -> tuple[Steps, ...]:
        """The markers when the player stops; out of a column that is won the others' are taken."""
        won = {column for column, steps in self._runners.items() if steps == LENGTH[column]}
        after = []
        for index, markers in enumerate(self._markers):
            steps = dict(zip(COLUMNS, markers, strict=True))
            steps |= self._runners if index == self._to_move else dict.fromkeys(won, 0)
            after.append(tuple(steps.values()))
        return tuple(after)

    def result(self) -> Result | None:
        if self._winner is None:
            return None
        return result_by_winner(self._players, self._winner, f"{self._winner} has won {TO_WIN} columns")

    def view(self, player: Player | None) -> str:
        parts = [
            f"{name} {' '.join(map(str, markers))}" for name, markers in zip(self._players, self._markers, strict=True)
        ]
        parts.append(
            "runners " + (" ".join(f"{column}:{self._runners[column]}" for column in sorted(self._runners)) or "-")
        )
        return "; ".join([*parts, self._state()])

    def _state(self) -> str:
        """Who has to do what."""
        if self._winner:
            return f"{self._winner} has won"
        name = self._players[self._to_move]
        if self._rolling:
            return f"{name} rolls"
        return f"{name} pairs {' '.join(map(str, self._dice))}" if self._dice else f"{name} rolls again or stops"

    def key(self) -> Hashable:
        runners = tuple(sorted(self._runners.items()))
        return (self._players, self._markers, self._to_move, runners, self._dice, self._rolling)

    def picture(self, player: Player | None) -> Picture:
        rows = [tuple(Cell(str(LENGTH[column]), "muted") for column in COLUMNS)]
        for index, tone in zip(range(len(self._players)), TONES, strict=False):
            steps = {column: self._marker(index, column) for column in COLUMNS}
            rows.append(tuple(_cell(steps[column], tone, steps[column] == LENGTH[column]) for column in COLUMNS))
        rows.append(tuple(_cell(self._runners.get(column, 0), "mark") for column in COLUMNS))
        grid = Grid(tuple(rows), columns=tuple(map(str, COLUMNS)), row_labels=("steps", *self._players, "runners"))
        return Picture((grid, Note(self._state(), "mark")))


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
        return CantStopPosition(players, markers, players.index(options["starting_player"]))


RULES = CantStop()
