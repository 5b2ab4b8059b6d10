"""The linear evaluator: everything that is seen in a position is worth some points, which random games have taught.

Of compiled games these are the facts, and `learning` says what they are worth. Of other rules it is what stands in the
key of a position: bits of numbers, letters of words, members of sets, each in its place; what shares a kind and a
place, such as a piece wherever it stands, is learned together. Until something was learned, all positions are even.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import TYPE_CHECKING, ClassVar

from ggtp.game import Move, Player, Position, Turn
from ggtp.search.evaluation.evaluator import Evaluator, Leaves, PositionGame, RowGame, Rows, Values
from ggtp.search.playouts.loop import Playouts
from ggtp.search.playouts.policy import Context, Mover

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Reals = npt.NDArray[np.float64]

STAGES = (64, 256, 512)
"""After how many random games it is found out what they have taught; then it is enough."""
EACH = 8
"""Positions of a game that are learned from: those that follow each other are nearly the same."""
PENALTY = 100
"""Positions that would be needed to outweigh the wish that nothing is worth anything."""
BETWEEN_WORDS = re.compile(r"\W+")
MOST_SEEN = 1024
"""The largest number of facts read from a position: a key may hold the whole game."""


def even(leaves: int, players: int) -> Values:
    """Nobody is ahead."""
    import numpy as np

    return np.full((leaves, players), 0.5)


class LinearRows(Leaves[Rows]):
    """What the facts of a compiled game are worth; for all leaves of a batch at once."""

    def __init__(self, game: RowGame) -> None:
        from ggtp.search.evaluation.learning import Lessons
        from ggtp.search.evaluation.store import load_lesson

        self._roles = list(game.roles)
        self._lessons = Lessons(game.compiled.state_kernel(), game.seed, known=load_lesson(game.compiled))

    def values(self, leaves: Rows) -> Values:
        """The sums of what holds."""
        import numpy as np

        lesson = self._lessons.lesson
        if lesson is None:
            return even(len(leaves), len(self._roles))
        worth = lesson.worth[self._roles]
        bits = np.unpackbits(leaves.astype("<u8").view(np.uint8), axis=1, count=worth.shape[1], bitorder="little")
        return np.clip((bits @ worth.T + lesson.base[self._roles]) / 100, 0.0, 1.0)

    def study(self, should_stop: Callable[[], bool]) -> bool:
        """Go on with the lessons."""
        before = self._lessons.lesson
        return self._lessons.learn(should_stop) is not before


def seen_in(key: Hashable, place: str = "k") -> Iterator[str]:
    """Return the facts in a key, as terms of GDL: facts of one kind share arguments."""
    if is_dataclass(key):
        key = tuple(getattr(key, part.name) for part in fields(key))
    if isinstance(key, tuple):
        for number, part in enumerate(key):
            yield from seen_in(part, f"{place}_{number}")
    elif isinstance(key, int | bytes):
        number = int.from_bytes(key, "little") if isinstance(key, bytes) else key
        size, sign = abs(number), "minus" if number < 0 else "bit"
        while size:
            low = size & -size
            yield f"({sign} {place} {low.bit_length()})"
            size ^= low
    elif isinstance(key, str):
        yield from (f"(letter {place} {number} {ord(letter)})" for number, letter in enumerate(key))
    elif isinstance(key, frozenset):
        yield from sorted(f"(member {place} {BETWEEN_WORDS.sub('_', str(part))})" for part in key)


class Noting(Mover):
    """Moves at random, and notes where."""

    on_searchers: ClassVar[bool] = False

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.seen: list[Position] = []

    def start(self, position: Position) -> None:
        """A game begins."""
        self.seen = []

    def step(self, position: Position, turn: Turn) -> tuple[Mapping[Player, Move], Position]:
        """Note the position."""
        self.seen.append(position)
        return super().step(position, turn)


class LinearPositions(Leaves[Sequence[Position]]):
    """Values of positions: linear weights, learned from random games, of the facts in their keys."""

    def __init__(self, game: PositionGame) -> None:
        from ggtp.search.mcts.positions.values import result_values

        players = game.players
        self._players = len(players)
        self._rng = random.Random(game.seed)
        context = Context(players, self._rng, lambda result: result_values(result, players))
        self._mover = Noting(context)
        self._playouts = Playouts(context, self._mover, unfinished=0.5)
        self._first = game.rules.begin(game.options)
        self._games = 0
        self._positions: list[list[str]] = []
        """What was seen, position by position."""
        self._results: list[Sequence[float]] = []
        """What came of each."""
        self._worth: dict[str, Reals] = {}
        self._base: Reals | None = None

    def values(self, leaves: Sequence[Position]) -> Values:
        """The sums of what is seen."""
        import numpy as np

        if self._base is None:
            return even(len(leaves), self._players)
        sums = np.tile(self._base, (len(leaves), 1))
        for total, leaf in zip(sums, leaves, strict=True):
            for text in self._seen(leaf):
                if (worth := self._worth.get(text)) is not None:
                    total += worth
        return np.clip(sums, 0.0, 1.0)

    def study(self, should_stop: Callable[[], bool]) -> bool:
        """Play random games, one by one, and find out after each stage what they teach."""
        learned = False
        while self._games < STAGES[-1] and not should_stop():
            values = self._playouts.play(self._first, lambda: False, (), [])
            seen = self._mover.seen
            for position in self._rng.sample(seen, min(EACH, len(seen))):
                self._positions.append(self._seen(position))
                self._results.append(values)
            self._games += 1
            if self._games in STAGES:
                self._conclude()
                learned = True
        return learned

    def _seen(self, position: Position) -> list[str]:
        return [text for text, _ in zip(seen_in(position.key()), range(MOST_SEEN), strict=False)]

    def _conclude(self) -> None:
        import numpy as np

        from ggtp.search.evaluation.regression import Kinship, Positions, regress

        facts = {text: number for number, text in enumerate(dict.fromkeys(t for each in self._positions for t in each))}
        held = np.array([facts[text] for each in self._positions for text in each], np.int64)
        counts = np.array([len(each) for each in self._positions], np.int64)
        positions = Positions([(held, counts)], len(facts))
        kinship = Kinship(list(facts))
        results = np.array(self._results)
        worth, self._base = np.zeros((len(facts), self._players)), results.mean(axis=0)
        for seat in range(self._players):
            for found, base in regress(positions, results[:, seat], kinship, PENALTY):
                worth[:, seat], self._base[seat] = found, base
        self._worth = dict(zip(facts, worth, strict=True))


@dataclass(frozen=True, slots=True)
class Linear(Evaluator):
    """A linear function of what is seen in a position, learned from random games."""

    name: ClassVar[str] = "linear"
    positions: ClassVar[bool] = True
    rows: ClassVar[bool] = True

    def of_positions(self, game: PositionGame) -> Leaves[Sequence[Position]]:
        """Of the keys of positions."""
        return LinearPositions(game)

    def of_rows(self, game: RowGame) -> Leaves[Rows]:
        """Of the facts of a compiled game."""
        return LinearRows(game)
