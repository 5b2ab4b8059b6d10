"""Keeps the tables of a play: makes them when they are asked for, moves them on, and mends those that are refuted.

> When a move is validated, all the tables are updated. If the game is an incomplete information
> one, the validated move could be illegal on some tables.

A table is moved on from the nearest place where it stood. Where what was seen since refutes it, another is found, by
the first of these ways that leads anywhere: the rule draws one; a table of the same player that stood a few moves ago,
or many, is moved on in another way; a history is sampled from the start.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING

from ggtp.errors import GgtpError
from ggtp.game import Player, Position, Rules, advice
from ggtp.kit.following.tables import Table, follow, refuse

if TYPE_CHECKING:
    from ggtp.kit.following.play import PlayNode

TRIES = 200
"""How often a history is sampled for a table before the engine makes do with an old one."""
DRAWN = 40
"""How often the rule is asked to draw a position."""
RETRACED = 8
"""How often another way to here is looked for from one place before."""
GUESSED, NEARLY = 12, 4
"""How many positions are looked at for a move that was not refused, where nothing explains what was seen; and how many
of those explain most of it."""
KEPT = 64
"""How many places back tables are kept: what stood before can be made again."""


class Keeper:
    """The tables of one play. They may be asked for by two threads at once: one that answers, and one that thinks."""

    def __init__(self, rules: Rules, values: Mapping[str, str], first: Position, log: Callable[[str], None]) -> None:
        self._rules = rules
        self._values = values
        self._first = first
        self._log = log
        self._lock = threading.Lock()
        self._complained = False
        self.contradicted = False
        """Whether the last table that was asked for does not explain all that was seen."""

    def table(
        self,
        node: PlayNode,
        number: int,
        player: Player,
        rng: random.Random,
        should_stop: Callable[[], bool],
        *,
        to_move: bool = False,
    ) -> Position | None:
        """The player's table of that number at a place; with `to_move`, one in which it is the player's turn."""
        key = (number, player)
        table = self._known(node, key) or self._moved_on(node, key, rng)
        if table is not None and not _fits(table, player, to_move):
            table = None
        if table is None:
            table = self._mended(node, player, rng, should_stop, to_move)
        self.contradicted = table is None
        if table is None:
            if not self._complained:
                self._complained = True
                self._log("no table explains all that was seen; one that explains most of it must do")
            return self._makeshift(node, key, rng, to_move)
        self._keep(node, key, table)
        return table.position

    def refused(self, node: PlayNode, player: Player) -> None:
        """The player's move was refused at a place: what stands there knows it now, or is given up."""
        with self._lock:
            known = dict(node.tables)
        tables = {key: refuse(table, node.refused[-1], player) for key, table in known.items() if key[1] == player}
        with self._lock:
            node.tables = {key: table for key, table in tables.items() if table is not None}

    def imagine(
        self,
        node: PlayNode,
        player: Player,
        rng: random.Random,
        tries: int,
        should_stop: Callable[[], bool] = lambda: False,
        *,
        by_rule: bool = True,
    ) -> Position | None:
        """A full position that explains what `player` has observed up to the node, drawn at random."""
        # Games without secrets never need it, and an engine should be up fast.
        from ggtp.game.hidden.sampling import imagine, sample

        look = imagine if by_rule else sample
        try:
            return look(self._rules, player, self._values, node.observations(), rng, tries, should_stop)
        except (LookupError, ValueError) as error:
            # Rules may rely on what was observed being of their game; a referee may tell anything.
            self._log(f"nothing can be imagined after what was seen: {error!r}")
            return None

    # How it is done.

    def _known(self, node: PlayNode, key: tuple[int, Player]) -> Table | None:
        with self._lock:
            return node.tables.get(key)

    def _keep(self, node: PlayNode, key: tuple[int, Player], table: Table) -> None:
        with self._lock:
            node.tables[key] = table
            old: PlayNode | None = node
            for _ in range(KEPT):
                old = old.parent if old is not None else None
            if old is not None:
                old.tables = {}

    def _moved_on(self, node: PlayNode, key: tuple[int, Player], rng: random.Random) -> Table | None:
        """The table, made from the nearest one before; None where it does not fit."""
        missing: list[PlayNode] = []
        here = node
        while (table := self._known(here, key)) is None and here.parent is not None:
            missing.append(here)
            here = here.parent
        table = table or self._begin(here, key[1])
        for child in reversed(missing):
            table = _followed(table, child, key[1], rng) if table is not None else None
            if table is not None:
                self._keep(child, key, table)
        return table

    def _begin(self, root: PlayNode, player: Player) -> Table | None:
        table: Table | None = Table(self._first)
        for refusal in root.refused:
            table = None if table is None else refuse(table, refusal, player)
        return table

    def _mended(
        self, node: PlayNode, player: Player, rng: random.Random, should_stop: Callable[[], bool], to_move: bool
    ) -> Table | None:
        for _ in range(DRAWN):
            # Some rules need several attempts, each of which goes on where the last one ended.
            position = self.imagine(node, player, rng, 0, should_stop)
            if position is not None and _fits(Table(position), player, to_move):
                return Table(position)
            if should_stop() or not advice.imagines(self._rules):
                break
        table = self._retraced(node, player, rng, should_stop, to_move)
        if table is not None:
            return table
        position = self.imagine(node, player, rng, TRIES, should_stop, by_rule=False)
        return Table(position) if position is not None and _fits(Table(position), player, to_move) else None

    def _retraced(
        self, node: PlayNode, player: Player, rng: random.Random, should_stop: Callable[[], bool], to_move: bool
    ) -> Table | None:
        """Another way from tables that stood some moves ago to here: first from near, then from farther back."""
        missing: list[PlayNode] = []
        here, back = node, 1
        while here.parent is not None:
            missing.append(here)
            here = here.parent
            if len(missing) < back:
                continue
            back *= 2
            with self._lock:
                stood = [table for (_, whose), table in here.tables.items() if whose == player]
            for start in rng.choices(stood, k=RETRACED) if stood else ():
                if should_stop():
                    return None
                table: Table | None = start
                for child in reversed(missing):
                    table = None if table is None or should_stop() else _followed(table, child, player, rng)
                if table is not None and _fits(table, player, to_move):
                    return table
        return None

    def _makeshift(self, node: PlayNode, key: tuple[int, Player], rng: random.Random, to_move: bool) -> Position:
        """In place of a table: something to choose a move from, which is legal as far as the player can know."""
        if not to_move:
            return self._older(node, key).position
        player, refused = key[1], {refusal.move for refusal in node.refused}
        first: Position | None = None
        for found in islice(self._guesses(node, player, rng), GUESSED):
            first = first or found
            # What was refused here is not tried again as long as there is anything else.
            if any(move not in refused for move in found.moves(player)):
                return found
        return first if first is not None else self._older(node, key).position

    def _guesses(self, node: PlayNode, player: Player, rng: random.Random) -> Iterator[Position]:
        """Positions on the player's turn, those first that explain most of what was seen."""
        from ggtp.game.hidden.sampling import anywhere, nearly  # hardly ever needed

        seen = node.observations()
        for _ in range(NEARLY):
            with suppress(GgtpError, LookupError, ValueError):
                found = nearly(self._rules, player, self._values, seen, rng)
                if found is not None:
                    yield found
        here: PlayNode | None = node
        while here is not None:
            with self._lock:
                stood = [table for (_, whose), table in here.tables.items() if whose == player]
            yield from (table.position for table in stood[:1] if _fits(table, player, to_move=True))
            here = here.parent
        # Who is asked for a move has one: some move that players make about now is better than none.
        for _ in range(GUESSED):
            found = anywhere(self._rules, player, self._values, len(seen), rng)
            if found is not None:
                yield found

    def _older(self, node: PlayNode, key: tuple[int, Player]) -> Table:
        here: PlayNode | None = node
        while here is not None:
            table = self._known(here, key)
            if table is not None:
                return table
            here = here.parent
        return Table(self._first)


def _followed(table: Table, node: PlayNode, player: Player, rng: random.Random) -> Table | None:
    """The table at a place, from one at the place before."""
    found = follow(table, node.actor, node.text, player, rng)
    for refusal in node.refused:
        found = None if found is None else refuse(found, refusal, player)
    return found


def _fits(table: Table, player: Player, to_move: bool) -> bool:
    # Who is asked to move is in no turn that is half told: what is not told of it was refused to others.
    return not to_move or (not table.pending and player in table.position.turn().players)
