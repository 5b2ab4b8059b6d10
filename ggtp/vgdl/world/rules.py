"""Any video game as ordinary rules of the house: one player, and a turn is a tick.

Where chance matters, it has a turn after each of the player's: what it draws is the seed of
that one tick. So a play file replays exactly, and whoever looks ahead knows what has been
drawn, but nothing of what will be.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field

from ggtp.errors import GgtpError, IllegalMove, MalformedMove, OptionError
from ggtp.game import (
    CHANCE,
    CHANCE_TURN,
    OVER,
    Move,
    Option,
    Picture,
    Player,
    Position,
    Result,
    Rules,
    Standing,
    Traits,
    Turn,
    TurnKind,
    Verdict,
    duration,
    single,
)
from ggtp.vgdl.language.analysis import has_chance
from ggtp.vgdl.language.definition import Game
from ggtp.vgdl.language.level import Level, parse_level
from ggtp.vgdl.language.vocabulary import Action
from ggtp.vgdl.world.chance import MASK, Chance
from ggtp.vgdl.world.picture import draw
from ggtp.vgdl.world.snapshot import Shelf, Snapshot
from ggtp.vgdl.world.tick import LAST_TICK, advance
from ggtp.vgdl.world.world import UNDECIDED, WON, World

PLAYER: Player = "Avatar"
NIL = "nil"
ORDER = (Action.LEFT, Action.RIGHT, Action.UP, Action.DOWN, Action.USE)
ACTIONS: Mapping[Move, Action] = {NIL: Action.NIL, **{action.name.lower(): action for action in ORDER}}
DELAY = 40
"""Milliseconds of a tick."""
START = 1.0
"""Seconds for an engine before the first tick."""

ReadLevel = Callable[[str], tuple[str, str]]
"""The text and the path of a level, for its number or its path; may raise a `GgtpError`."""


class VideoPosition(Position):
    """A game between two ticks, or in the middle of one: then chance has yet to draw."""

    __slots__ = ("_action", "_delay", "_random", "_snapshot")

    def __init__(self, snapshot: Snapshot, is_random: bool, delay: float | None, action: Move | None = None) -> None:
        """The snapshot may be shared with another position."""
        self._snapshot = snapshot
        self._random = is_random
        self._delay = delay
        self._action = action

    @property
    def world(self) -> World:
        """The world, which may be that of other positions: nobody may change it."""
        return self._snapshot.world

    def turn(self) -> Turn:
        if self.world.ended:
            return OVER
        if self._action is not None:
            return CHANCE_TURN
        if self._delay is None:
            return single(PLAYER)
        return Turn(TurnKind.SINGLE, (PLAYER,), self._delay, {PLAYER: NIL})

    def moves(self, player: Player) -> Sequence[Move]:
        if player != PLAYER or self.world.ended or self._action is not None:
            return ()
        avatar = self.world.avatar
        if avatar is None or avatar.disabled or avatar.kind.word is None:
            return (NIL,)
        return (*(action.name.lower() for action in ORDER if action in avatar.kind.word.actions), NIL)

    def play(self, moves: Mapping[Player, Move]) -> Verdict:
        if len(moves) != 1:
            raise IllegalMove("One moves at a time.")
        ((player, move),) = moves.items()
        if player == CHANCE and self._action is not None and not self.world.ended:
            seed = _seed(move)
            return Verdict(self._after(self._action, seed), ((CHANCE, move),))
        if move not in self.moves(player):
            raise IllegalMove(f"No move named {move} for player {player}.")
        if self._random:
            return Verdict(VideoPosition(self._snapshot, True, self._delay, move), ((player, move),))
        return Verdict(self._after(move, 0), ((player, move),))

    def _after(self, move: Move, seed: int) -> VideoPosition:
        world = self.world.twin()
        world.chance = Chance(seed)
        advance(world, ACTIONS[move])
        return VideoPosition(Snapshot(world, self._snapshot.shelf), self._random, self._delay)

    def parse(self, player: Player, text: str) -> Move:
        if player == CHANCE and self._action is not None:
            try:
                return str(_seed(text.strip()))
            except IllegalMove as error:
                raise MalformedMove(str(error)) from error
        return super().parse(player, text)

    def draw(self, rng: random.Random) -> Move:
        return str(rng.randrange(MASK + 1))

    def result(self) -> Result | None:
        world = self.world
        if not world.ended:
            return None
        ticks = f"{world.tick + 1} tick{'s' * (world.tick != 0)}"
        if world.winner == WON:
            # A win is worth something, whatever it has cost.
            return Result({PLAYER: Standing.WIN}, {PLAYER: max(1, world.score)}, f"won in {ticks}")
        if world.winner == UNDECIDED:
            return Result({PLAYER: Standing.LOSS}, {PLAYER: world.score}, "the level means nothing to the game")
        over = f"time-out after {ticks}" if world.tick >= LAST_TICK else f"lost in {ticks}"
        return Result({PLAYER: Standing.LOSS}, {PLAYER: world.score}, over)

    def view(self, player: Player | None) -> str:
        lines = self.picture(None).plain()
        waiting = "" if self._action is None else f" {self._action}"
        return f"{' '.join(line.replace(' ', '') for line in lines[:-1])} {lines[-1]}{waiting}"

    def key(self) -> Hashable:
        world = self.world
        sprites = tuple(
            (
                sprite.kind.number, sprite.x, sprite.y, sprite.last_move, sprite.orientation, sprite.age, sprite.start,
                sprite.made, sprite.kept, sprite.way, sprite.health, sprite.disabled, sprite.first_tick,
                tuple(sorted(sprite.resources.items())),
            )
            for kind, group in enumerate(world.groups)
            if kind not in world.background
            for sprite in group
        )  # fmt: skip
        timers = tuple((timer.first, timer.due, timer.effect.line) for timer in world.timers)
        return (self._action, self._delay, world.tick, world.score, world.winner, timers, sprites)

    def picture(self, player: Player | None) -> Picture:
        return draw(self.world)


def _seed(text: str) -> int:
    if text.isascii() and text.isdigit() and len(text) <= 15 and int(text) <= MASK and text == str(int(text)):
        return int(text)
    raise IllegalMove(f"Chance draws a whole number from 0 to {MASK}, not {text}.")


@dataclass(frozen=True, slots=True)
class LevelOption(Option):
    """The option that names a level; a value that no level can be made of is refused at once."""

    check: Callable[[str], object] | None = field(default=None, compare=False)

    def canonical(self, text: str) -> str:
        if self.check is not None:
            try:
                self.check(text)
            except GgtpError as error:
                raise OptionError(f"No level {text}: {error}") from error
        return text


class VideoRules(Rules):
    """The rules of one game."""

    name: str  # type: ignore[misc]  # each object has its own
    title: str  # type: ignore[misc]
    traits: Traits  # type: ignore[misc]
    own_options: tuple[Option, ...]  # type: ignore[misc]

    def __init__(self, name: str, game: Game, title: str, read_level: ReadLevel, levels: int) -> None:
        """A game that was read, and how to get at its levels, of which so many are numbered."""
        self.name = name
        self.title = title
        self.game = game
        self._read_level = read_level
        self._random = has_chance(game)
        self.traits = Traits(min_players=1, max_players=1, chance=self._random, zero_sum=False)
        several = f"0 to {levels - 1}, or the path of a file" if levels else "the path of a file"
        self.own_options = (
            LevelOption("level", "0", f"which level is played: {several}", check=self.level),
            duration("delay", DELAY, 0, 3_600_000, "milliseconds of a tick, then nil is played; 0: no hurry"),
        )

    def level(self, name: str) -> Level:
        """A level by its number or path.

        Raises:
            GgtpError: there is none, or it can't be used; placed as far as is known.
        """
        text, path = self._read_level(name)
        return parse_level(text, self.game, path)

    def players(self, options: Mapping[str, str]) -> tuple[Player, ...]:
        return (PLAYER,)

    def start_clock(self, options: Mapping[str, str]) -> float:
        return START if int(options["delay"]) else 0.0

    def begin(self, options: Mapping[str, str]) -> Position:
        try:
            world = World(self.game, self.level(options["level"]))
        except GgtpError as error:
            raise OptionError(f"No level {options['level']}: {error}") from error
        milliseconds = int(options["delay"])
        delay = milliseconds / 1000 if milliseconds else None
        return VideoPosition(Snapshot(world, Shelf(world)), self._random, delay)
