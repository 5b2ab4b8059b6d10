"""In the child: positions that explain what a player has seen, found by playing there.

A position of the house asks the child for everything; here, where the library is, it asks the library's state, and only
for what is needed. That makes histories cheap enough to be mended until they explain everything.
"""

from __future__ import annotations

import random
import time
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from ggtp.game import CHANCE, Move, Observation, Player, Refused, Seen, Traits
from ggtp.game.histories import Historian, History
from ggtp.openspiel.child import FINE, Library, view_of
from ggtp.openspiel.naming import clean, news, unique
from ggtp.openspiel.rules import OpenSpielPosition, Step, Table, Telling
from ggtp.openspiel.spec import GameSpec

SECONDS = 0.25
"""How long a history is looked for; next time it goes on."""
SHARE = 0.2
"""How much of that, once more, is spent on changing one that explains everything already."""
WALK = 30
"""Attempts at changing it."""
TRIES = 100_000
MOST_KEPT = 64
"""For how many players histories are remembered."""

named = lru_cache(100_000)(clean)


class LocalPosition(OpenSpielPosition):
    """A position whose state is here."""

    __slots__ = ("_listed", "_seen", "_state", "_tells")

    def __init__(self, table: Table, history: tuple[Step, ...], state: Any) -> None:
        self._table = table
        self._history = history
        self._state = state
        self._listed = False
        self._seen: dict[int, str] = {}
        self._tells: dict[tuple[Move, int], str] = {}
        names = table.players
        if state.is_terminal():
            self._kind, self._movers = "over", ()
        elif state.is_chance_node():
            self._kind, self._movers = "chance", ()
        elif state.is_simultaneous_node():
            self._kind = "joint"
            self._movers = tuple(name for index, name in enumerate(names) if state.legal_actions(index))
        else:
            self._kind, self._movers = "single", (names[state.current_player()],)
        self._moves = {}
        self._chance = ()

    def moves(self, player: Player) -> Sequence[Move]:
        return tuple(self._list().get(player, ()))

    def chance(self) -> Sequence[tuple[Move, int]]:
        self._list()
        return self._chance

    def _list(self) -> dict[Player, dict[Move, int]]:
        if not self._listed:
            self._listed = True
            state, rewrites = self._state, self._table.spec.rewrites
            if self._kind == "chance":
                outcomes = state.chance_outcomes()
                possible = [(action, max(1, round(FINE * chance))) for action, chance in outcomes if chance > 0]
                texts = unique(named(state.action_to_string(-1, action), rewrites) for action, _ in possible)
                self._moves[CHANCE] = dict(zip(texts, (action for action, _ in possible), strict=True))
                self._chance = tuple(zip(texts, (weight for _, weight in possible), strict=True))
            for player in self._movers:
                index = self._table.players.index(player)
                actions = state.legal_actions(index)
                texts = unique(named(state.action_to_string(index, action), rewrites) for action in actions)
                self._moves[player] = dict(zip(texts, actions, strict=True))
        return self._moves

    def play(self, moves: Mapping[Player, Move]) -> Any:
        self._list()
        return super().play(moves)

    def _after(self, step: Step) -> OpenSpielPosition:
        after = self._state.clone()
        if isinstance(step, tuple):
            after.apply_actions(list(step))
        else:
            after.apply_action(step)
        return LocalPosition(self._table, (*self._history, step), after)

    def _told_of(self, outcome: Move, number: int) -> str:
        told = self._tells.get((outcome, number))
        if told is None:
            after = self._state.clone()
            after.apply_action(self._list()[CHANCE][outcome])
            told = self._tells[outcome, number] = news(self.seen_by(number), view_of(after, number))
        return told

    def seen_by(self, number: int) -> str:
        text = self._seen.get(number)
        if text is None:
            text = self._seen[number] = view_of(self._state, number)
        return text


class Nowhere:
    """In place of a link: nothing is asked that is not here."""

    def ask(self, request: Mapping[str, Any]) -> dict[str, Any]:
        raise AssertionError(request)


def imagine(library: Library, request: Mapping[str, Any]) -> dict[str, Any]:
    """The actions of a history that explains what a player has seen, or None."""
    key, game = library.game(request["game"], request["parameters"])
    about, player = request["spec"], request["player"]
    spec = GameSpec(
        game=request["game"],
        title="",
        traits=Traits(hidden=True),
        open_moves=about["open_moves"],
        refusal=about["refusal"],
        rewrites=tuple((pattern, by) for pattern, by in about["rewrites"]),
    )
    table = Table(spec, request["parameters"], tuple(request["players"]), Nowhere())
    seen: list[Observation] = [
        Seen(item[0], item[1]) if len(item) == 2 else Refused(item[0], item[1]) for item in request["seen"]
    ]
    known = library.imagined.get((key, player))
    found = _find(
        LocalPosition(table, (), game.new_initial_state()), player, seen, known, random.Random(request["seed"])
    )
    # Also where something is left to explain: next time it begins there.
    library.imagined[key, player] = seen, found
    if len(library.imagined) > MOST_KEPT:
        library.imagined.pop(next(iter(library.imagined)))
    if not found.explains(seen):
        return {"history": None}
    position = found.position
    telling = isinstance(position, Telling)
    last = position.following if isinstance(position, Telling) else position
    assert isinstance(last, OpenSpielPosition)
    return {"history": last.history, "telling": telling}


def _find(
    first: LocalPosition,
    player: Player,
    seen: Sequence[Observation],
    known: tuple[Sequence[Observation], History] | None,
    rng: random.Random,
) -> History:
    historian = Historian(player, rng)
    end = time.monotonic() + SECONDS
    before = known[1] if known is not None and list(seen[: len(known[0])]) == list(known[0]) else None
    history = historian.begin(first, seen, before)
    history = historian.mend(history, seen, TRIES, lambda: time.monotonic() >= end)
    if not history.explains(seen):
        return history
    end = time.monotonic() + SHARE * SECONDS
    return historian.shuffle(history, seen, WALK, lambda: time.monotonic() >= end)
