"""Choosing a move in a game with secrets: a search in time, and what it has to say about itself."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import inf
from typing import Protocol

from ggtp.game import Move, Player, Position, Rules
from ggtp.search.hidden.options import Settings
from ggtp.search.hidden.search import InformationSearch, Trees
from ggtp.search.hidden.worlds import Worlds
from ggtp.search.watch import Watch

RESERVED, FORGETTING = 0.6, 0.95
"""How much of a move's time may be kept back on a machine that lets us wait, and how slowly that is forgotten."""


class Known(Protocol):
    """The play as far as the player knows it: what the kit hands to an engine."""

    player: Player
    position: Position
    rng: random.Random
    settings: Mapping[str, str]

    @property
    def rules(self) -> Rules:
        """The rules of the game."""

    @property
    def rule_options(self) -> Mapping[str, str]:
        """Every option of the rules with its value."""

    def moves(self) -> Sequence[Move]:
        """What the player may try now."""

    def tables(self, count: int, should_stop: Callable[[], bool]) -> Iterator[Position]:
        """Other positions that explain what the player has seen."""

    def suggest(self, move: Move) -> None:
        """Say what is best so far, in case that time is over before a move is chosen."""


class Limited(Protocol):
    """How long there is to think."""

    deadline: float | None

    def limit(self, seconds: float) -> None:
        """No longer than this from now on."""

    def should_stop(self) -> bool:
        """Whether to stop."""


class Chooser:
    """Searches one position after the other, each in a thread of its own that nobody waits for when time is over."""

    def __init__(self) -> None:
        self._asked: tuple[InformationSearch, float] | None = None
        """While it thinks: what searches, and since when."""
        self._watch = Watch()
        self._delay = 0.0
        """Seconds by which searches were over later than they should, on a busy machine."""

    def choose(self, game: Known, budget: Limited, trees: Trees, settings: Settings) -> tuple[Move, dict[str, object]]:
        """The best move that is known when time is over, and what there is to report."""
        began = time.monotonic()
        if settings.seconds is not None:
            budget.limit(settings.seconds)
        moves = game.moves()
        if len(moves) == 1:
            return moves[0], {"move": moves[0]}
        end = self._end(budget)

        def over() -> bool:
            return budget.should_stop() or (end is not None and time.monotonic() >= end)

        # Where only playouts limit the search, equal seeds are to make equal searches.
        clock = None if end is None and settings.playouts is not None else time.monotonic
        # A thread that is still in the middle of a step of slow rules has its source of chance for itself.
        rng = game.rng if self._watch.over(end) else random.Random(game.rng.random())
        worlds = Worlds(game.player, game.position, game.tables(settings.tables, over), settings.tables, rng, clock)
        search = InformationSearch(game.rules, game.rule_options, game.player, moves, worlds, trees, settings, rng)
        self._asked = search, began

        def left() -> float:
            now = time.monotonic()
            return inf if end is None else (end - now) / max(now - began, 1e-9)

        try:
            self._watch.run(lambda: search.run(over, left, game.suggest), end, budget.should_stop)
        finally:
            self._asked = None
        if end is not None and (late := time.monotonic() - end) > 0:
            self._delay = max(late, FORGETTING * self._delay)
        facts = self._facts(search, time.monotonic() - began)
        decision = search.decision()
        # Where there was no time for anything, any move will do.
        chosen = search.chosen(decision) if decision.playouts else game.rng.choice(moves)
        return chosen, {**facts, "move": chosen}

    def facts(self) -> dict[str, object]:
        """What is known of the search that is under way; nothing where there is none."""
        asked = self._asked
        return self._facts(asked[0], time.monotonic() - asked[1]) if asked is not None else {}

    def _facts(self, search: InformationSearch, seconds: float) -> dict[str, object]:
        facts = search.decision(seconds).report("visits")
        del facts["solved"]  # nothing is certain here
        return {**facts, "tables": len(search.worlds.positions), "drawn": search.worlds.drawn}

    def _end(self, budget: Limited) -> float | None:
        """When the search must be over: sooner on a machine that has let us wait of late."""
        if budget.deadline is None:
            return None
        left = max(0.0, budget.deadline - time.monotonic())
        return budget.deadline - min(self._delay, RESERVED * left)
