"""What may have happened in a game of which one player sees only a part.

A *belief* is every state that explains what the player has done and perceived so far, each with
its probability, if the others had moved at random. It is kept step by step, with the moves that
lead from each state to each, so that a whole history can be drawn: the last state first, and then
back to the start. Where there are too many states, some are drawn and the others forgotten.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from math import prod
from typing import Any, NamedTuple, Protocol, TypeAlias

from ggtp.game import CHANCE, Move, Observation, Player, Seen
from ggtp.gdl.language.syntax import Term

FEW = 10
"""How many states are enough after a step where there is no time: of fewer, often none explains the next step."""
Moves: TypeAlias = tuple[Term, ...]
"""A move of every role, in the order of the roles."""


class Unexplained(LookupError):
    """Nothing that can have happened explains what a player has observed, however long one looks."""


class Step(NamedTuple):
    """What a player knows of a step: who was asked, what it did itself, and what it perceived."""

    actors: frozenset[Player]
    own: Move | None
    told: Move | None
    """None as long as the step is not complete."""


class Arena(Protocol):
    """The game, as far as beliefs ask about it."""

    def begin(self) -> Any:
        """The state in which the game begins."""

    def asked(self, state: Any) -> frozenset[Player]:
        """Who is asked for a move in the state, chance included; nobody where the game is over."""

    def choices(self, state: Any, player: Player, own: Move | None) -> list[Sequence[Term]] | None:
        """For every role the moves that it may make, as far as the player knows; None where `own` is not possible."""

    def perceived(self, state: Any, moves: Moves, player: Player) -> Move:
        """What the player is told of a step."""

    def next(self, state: Any, moves: Moves) -> Any:
        """The state after a step."""


class Bounds(NamedTuple):
    """How much of the possible is looked at."""

    states: int
    """That are kept after a step."""
    moves: int
    """Joint moves that are tried in a step, from all states together."""

    def wider(self) -> Bounds:
        """Twice as much."""
        return Bounds(2 * self.states, 2 * self.moves)


@dataclass(slots=True)
class Layer:
    """The states that may be, with their weights, and how each can have come about."""

    weights: dict[Any, float]
    ways: dict[Any, list[tuple[Any, Moves, float]]] = field(default_factory=dict)
    """For each state: states before it, moves that lead to it, and what that way weighs."""
    complete: bool = True
    """Whether no state was left out of it that might be, given those before."""


@dataclass(frozen=True, slots=True)
class Track:
    """A player's belief after each of some steps; the first layer is the start."""

    steps: tuple[Step, ...]
    layers: tuple[Layer, ...]
    whole: int
    """After how many steps the belief is all that was to be found, and not what there was time for."""

    def kept(self) -> Track:
        """The steps after which it is whole: what to go on from."""
        return Track(self.steps[: self.whole], self.layers[: self.whole + 1], self.whole)


class History(NamedTuple):
    """One way in which it may have been."""

    moves: list[Moves]
    """The moves of each complete step."""
    state: Any
    """Where they lead."""


def steps_of(player: Player, seen: Sequence[Observation], is_told: str) -> tuple[Step, ...]:
    """What a player observed, step by step; the last step may be incomplete.

    Args:
        is_told: with what the text begins by which a player is told its percepts, as a draw of chance.
    """
    steps: list[Step] = []
    acted: dict[Player, Move] = {}
    for item in seen:
        if not isinstance(item, Seen):
            continue  # moves that are no moves change nothing in these games
        if item.actor == CHANCE and item.text.startswith(is_told):
            steps.append(Step(frozenset(acted), acted.get(player), item.text))
            acted = {}
        else:
            acted[item.actor] = item.text
    if acted:
        steps.append(Step(frozenset(acted), acted.get(player), None))
    return tuple(steps)


def follow(
    arena: Arena,
    player: Player,
    steps: Sequence[Step],
    bounds: Bounds,
    rng: random.Random,
    known: Track | None,
    should_stop: Callable[[], bool] = lambda: False,
    few: int = FEW,
) -> Track | None:
    """The player's belief after the steps, begun from what is known already; None where nothing was found.

    Once it should stop, no more is looked at than leads to so few states after each step.

    Raises:
        Unexplained: there is nothing to be found, since all that may have been was looked at.
    """
    done = 0
    layers: list[Layer] = [Layer({arena.begin(): 1.0})]
    if known is not None:
        while done < min(len(steps), len(known.steps)) and steps[done] == known.steps[done]:
            done += 1
        layers = list(known.layers[: done + 1])
    whole, cut = done, False
    for step in steps[done:]:
        layer, short = _after(arena, player, layers[-1], step, bounds, rng, should_stop, few)
        if not layer.weights:
            if layer.complete and all(before.complete for before in layers):
                raise Unexplained(f"nothing explains {step}")
            return None
        layers.append(layer)
        cut = cut or short
        whole += not cut
    return Track(tuple(steps), tuple(layers), whole)


def _after(
    arena: Arena,
    player: Player,
    layer: Layer,
    step: Step,
    bounds: Bounds,
    rng: random.Random,
    should_stop: Callable[[], bool],
    few: int,
) -> tuple[Layer, bool]:
    """The belief after a step, and whether there was no time to find all of it."""
    new = Layer({})
    states = list(layer.weights.items())
    rng.shuffle(states)
    allowed, cut = bounds.moves, False
    for number, (state, weight) in enumerate(states):
        if arena.asked(state) != step.actors:
            continue
        hurried = should_stop()
        if cut or (hurried and len(new.weights) >= few):
            cut = True
            break
        choices = arena.choices(state, player, step.own)
        if choices is None:
            continue
        count = prod(map(len, choices))
        # Each state has its share of what is left, so that all of them get a chance.
        share = max(1, allowed // (len(states) - number))
        tried = min(count, share)
        new.complete = new.complete and tried == count
        allowed -= tried
        for moves in _joint_moves(choices, count, share, rng, in_order=not hurried):
            if arena.perceived(state, moves, player) != step.told:
                continue
            if len(new.weights) >= few and should_stop():
                cut = True
                break
            after = arena.next(state, moves)
            way = weight / tried
            new.weights[after] = new.weights.get(after, 0.0) + way
            new.ways.setdefault(after, []).append((state, moves, way))
    new.complete = new.complete and not cut and len(new.weights) <= bounds.states
    _thin(new, bounds.states, rng)
    return new, cut


def _joint_moves(
    choices: Sequence[Sequence[Term]], count: int, share: int, rng: random.Random, *, in_order: bool
) -> Iterator[Moves]:
    """All joint moves, or so many of them at random."""
    if count <= share:
        listed = list(product(*choices))
        if not in_order:
            rng.shuffle(listed)  # only the first that fit will be looked at
        yield from listed
        return
    for _ in range(share):
        yield tuple(rng.choice(moves) for moves in choices)


def _thin(layer: Layer, most: int, rng: random.Random) -> None:
    """Keeps some states where there are too many, likely ones more likely, and makes the weights add up to one."""
    weights = layer.weights
    if len(weights) > most:
        # Drawn without replacement: the states with the largest of such numbers (Efraimidis and Spirakis).
        ranked = sorted(weights, key=lambda state: rng.random() ** (1 / max(weights[state], 1e-300)), reverse=True)
        for state in ranked[most:]:
            del weights[state]
            del layer.ways[state]
    total = sum(weights.values())
    for state in weights:
        weights[state] /= total


def draw(track: Track, suits: Mapping[Any, float], rng: random.Random) -> History:
    """A history to one of the states that suit, as likely as it is believed."""
    state = rng.choices(list(suits), list(suits.values()))[0]
    end = state
    moves: list[Moves] = []
    for layer in reversed(track.layers[1:]):
        ways = layer.ways[state]
        state, made, _ = rng.choices(ways, [weight for _, _, weight in ways])[0]
        moves.append(made)
    moves.reverse()
    return History(moves, end)
