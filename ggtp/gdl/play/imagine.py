"""Positions of a game in GDL-II that explain what one player has seen: beliefs about states, made into positions."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

from ggtp.game import CHANCE, Move, Observation, Player, TurnKind
from ggtp.gdl.interpret.reasoner import Interpreter
from ggtp.gdl.language.syntax import Term
from ggtp.gdl.play.belief import FEW, Bounds, History, Moves, Step, Track, Unexplained, draw, follow, steps_of
from ggtp.gdl.play.rules import TOLD, Game, GdlPosition

PLAIN = Bounds(states=150, moves=1_500)
"""What the interpreter can look at in about a second."""
FAST = Bounds(states=2_000, moves=20_000)
HURRIED = (FEW, FEW, FEW, 50, 50)
"""How many states are to be enough after each step where there is no time: those that are drawn may all be wrong, and
to draw others is sooner done than to look at more."""
WIDER = 3
"""How often more is looked at, where what was forgotten may have been the truth."""


class Imagination:
    """What each player of one game may believe. It remembers the last belief of each, so that a play is followed."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._tracks: dict[Player, Track] = {}
        self._hurried: dict[Player, Track] = {}
        """The last belief of each that there was no time to make whole."""
        self._places: dict[Any, GdlPosition] = {}

    def position(
        self,
        player: Player,
        seen: Sequence[Observation],
        rng: random.Random,
        should_stop: Callable[[], bool] = lambda: False,
    ) -> GdlPosition | None:
        """A position of a game that still goes on and that explains what the player has seen; None where none does.

        Once it should stop, fewer of those that may be are looked at, as long as there is one.
        """
        steps = steps_of(player, seen, f"{TOLD} [")
        complete = [step for step in steps if step.told is not None]
        last = steps[-1] if len(complete) < len(steps) else None
        track = self._track(player, complete, rng, should_stop)
        if track is None:
            return None
        suits = {
            state: weight
            for state, weight in track.layers[-1].weights.items()
            if (asked := self.asked(state))
            and (last is None or last.actors <= asked)
            and self._may(state, player, last)
        }
        if not suits:
            return None
        return self._made(player, draw(track, suits, rng), last, rng)

    def _track(
        self, player: Player, steps: Sequence[Step], rng: random.Random, should_stop: Callable[[], bool]
    ) -> Track | None:
        bounds = PLAIN if isinstance(self.game.machine, Interpreter) else FAST
        try:
            track = self._found(player, steps, bounds, rng, should_stop)
        except Unexplained:
            track = None
        if track is not None:
            self._tracks[player] = track.kept()
            self._hurried[player] = track
        self._places.clear()
        return track

    def _found(
        self, player: Player, steps: Sequence[Step], bounds: Bounds, rng: random.Random, should_stop: Callable[[], bool]
    ) -> Track | None:
        known, hurried = self._tracks.get(player), self._hurried.get(player)
        track = follow(self, player, steps, bounds, rng, known, should_stop)
        if track is None and hurried is not None and should_stop():
            track = follow(self, player, steps, bounds, rng, hurried, should_stop)
        for few in HURRIED:
            if track is None and should_stop():
                track = follow(self, player, steps, bounds, rng, known, should_stop, few)
        for attempt in range(WIDER):
            if track is not None or (attempt and should_stop()):
                break
            bounds = bounds.wider()
            track = follow(self, player, steps, bounds, rng, None)  # it takes what it takes: without, nothing is known
        return track

    def _may(self, state: Any, player: Player, last: Step | None) -> bool:
        return last is None or last.own is None or self.choices(state, player, last.own) is not None

    def _made(self, player: Player, history: History, last: Step | None, rng: random.Random) -> GdlPosition:
        """The position at the end of a history, where everybody knows what it has done and perceived."""
        game = self.game
        logs: tuple[tuple[str, ...], ...] = ()
        state = game.machine.initial()
        for moves in history.moves:
            joint = dict(zip(game.roles, moves, strict=True))
            after = GdlPosition(game, state, tuple(joint.items()), logs).told()
            state, logs = after.state, after.seen_so_far
        chosen: tuple[tuple[Term, Term], ...] = ()
        players = {asked for asked in self.asked(state) if asked != CHANCE}
        if last is not None and players <= last.actors:
            choices = self.choices(state, player, last.own)
            assert choices is not None, "such states do not suit"
            drawn = [(role, rng.choice(moves)) for role, moves in zip(game.roles, choices, strict=True)]
            # Chance draws after all others, where it has anything to draw.
            waits = CHANCE in self.asked(state) and CHANCE not in last.actors
            chosen = tuple((role, move) for role, move in drawn if not (waits and role == game.chance))
        return GdlPosition(game, state, chosen, logs)

    # What `follow` asks.

    def begin(self) -> Any:
        """The state in which the game begins."""
        return self.game.machine.initial()

    def asked(self, state: Any) -> frozenset[Player]:
        """Who is asked for a move, chance included; nobody where the game is over."""
        position = self._place(state)
        turn = position.turn()
        if turn.kind is TurnKind.OVER:
            return frozenset()
        chance = self.game.chance
        draws = chance is not None and len(position.legal(chance)) > 1
        return frozenset((*turn.players, CHANCE)) if draws else frozenset(turn.players)

    def choices(self, state: Any, player: Player, own: Move | None) -> list[Sequence[Term]] | None:
        """For every role the moves that it may make, as far as the player knows; None where `own` is not possible."""
        position = self._place(state)
        turn = position.turn()
        found: list[Sequence[Term]] = []
        for role in self.game.roles:
            legal = position.legal(role)
            name = CHANCE if role == self.game.chance else str(role)
            if name == player and own is not None:
                if own not in legal:
                    return None
                found.append([legal[own]])
            elif name in turn.players or name == CHANCE:
                found.append(list(legal.values()))
            else:
                found.append([next(iter(legal.values()))])  # as a position plays for whoever is not asked
        return found

    def perceived(self, state: Any, moves: Moves, player: Player) -> Move:
        """What the player is told of a step."""
        joint = dict(zip(self.game.roles, moves, strict=True))
        return self._place(state).tell(joint, player)

    def next(self, state: Any, moves: Moves) -> Any:
        """The state after a step."""
        return self.game.machine.next(state, dict(zip(self.game.roles, moves, strict=True)))

    def _place(self, state: Any) -> GdlPosition:
        place = self._places.get(state)
        if place is None:
            place = self._places[state] = GdlPosition(self.game, state)
        return place
