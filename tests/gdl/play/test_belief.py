"""Beliefs: every state that explains what was seen, as likely as it is, and no more of them than may be."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from ggtp.game import CHANCE, HIDDEN, Refused, Seen
from ggtp.gdl.language.syntax import Constant, Term
from ggtp.gdl.play.belief import Bounds, Moves, Step, Unexplained, draw, follow, steps_of

WIDE = Bounds(1000, 100_000)
DIGITS = [Constant(str(number)) for number in range(10)]


class Sums:
    """Two players name a digit in each step; the state is the sum of all, and `a` is told whether it is even."""

    def begin(self) -> int:
        return 0

    def asked(self, state: int) -> frozenset[str]:
        return frozenset({"a", "b"}) if state < 60 else frozenset()

    def choices(self, state: int, player: str, own: str | None) -> list[Sequence[Term]] | None:
        if own == "ten":
            return None
        return [[DIGITS[int(own)]] if own is not None else DIGITS, DIGITS]

    def perceived(self, state: int, moves: Moves, player: str) -> str:
        return "even" if self.next(state, moves) % 2 == 0 else "odd"

    def next(self, state: int, moves: Moves) -> int:
        return state + sum(int(str(move)) for move in moves)


BOTH = frozenset({"a", "b"})


def step(own: str, told: str) -> Step:
    return Step(BOTH, own, told)


def test_a_belief_has_every_state_with_its_probability() -> None:
    track = follow(Sums(), "a", [step("3", "odd"), step("1", "odd")], WIDE, random.Random(1), None)
    assert track is not None
    counts = Counter(3 + b + 1 + c for b in range(0, 10, 2) for c in range(1, 10, 2))
    assert track.layers[-1].weights == pytest.approx({state: count / 25 for state, count in counts.items()})


def test_histories_are_drawn_as_likely_as_they_are() -> None:
    track = follow(Sums(), "a", [step("0", "odd"), step("0", "odd")], WIDE, random.Random(1), None)
    assert track is not None
    rng = random.Random(2)
    drawn = Counter()
    for _ in range(5000):
        history = draw(track, track.layers[-1].weights, rng)
        assert sum(int(str(moves[1])) for moves in history.moves) == history.state
        drawn[tuple(str(moves[1]) for moves in history.moves)] += 1
    assert {first for first, _ in drawn} == set("13579")
    assert len(drawn) == 25
    assert max(drawn.values()) < 2 * min(drawn.values())


def test_what_is_known_is_not_worked_out_again() -> None:
    class Counting(Sums):
        asked_for: list[int] = []

        def next(self, state: int, moves: Moves) -> int:
            self.asked_for.append(state)
            return super().next(state, moves)

    arena, rng = Counting(), random.Random(1)
    first = follow(arena, "a", [step("3", "odd"), step("1", "odd")], WIDE, rng, None)
    arena.asked_for.clear()
    again = follow(arena, "a", [step("3", "odd"), step("1", "odd")], WIDE, rng, first)
    assert not arena.asked_for
    assert again == first
    other = follow(arena, "a", [step("3", "odd"), step("2", "even")], WIDE, rng, first)
    assert other is not None
    assert 0 not in arena.asked_for
    assert other.layers[1] == first.layers[1]


def test_where_nothing_explains_what_was_seen() -> None:
    rng = random.Random(1)
    for wrong in (step("3", "red"), step("ten", "odd"), Step(frozenset({"a"}), "3", "odd")):
        with pytest.raises(Unexplained):
            follow(Sums(), "a", [wrong], WIDE, rng, None)
    # Where not all was looked at, something might explain it.
    assert follow(Sums(), "a", [step("3", "odd"), step("3", "red")], Bounds(1, 1000), rng, None) is None
    assert follow(Sums(), "a", [step("3", "red")], Bounds(5, 1), rng, None) is None


def test_no_more_than_may_be_is_kept_or_tried() -> None:
    class Counting(Sums):
        tries = 0

        def perceived(self, state: int, moves: Moves, player: str) -> str:
            self.tries += 1
            return super().perceived(state, moves, player)

    arena = Counting()
    steps = [Step(BOTH, None, "odd")] * 3
    track = follow(arena, "c", steps, Bounds(5, 40), random.Random(1), None)
    assert track is not None
    assert [len(layer.weights) <= 5 for layer in track.layers] == [True] * 4
    assert arena.tries <= 3 * 40 + 5
    assert sum(track.layers[-1].weights.values()) == pytest.approx(1)
    assert Bounds(5, 40).wider() == (10, 80)


def test_steps() -> None:
    seen: list[Any] = [
        Seen(CHANCE, HIDDEN),
        Seen(CHANCE, "tell [x]"),
        Seen("b", HIDDEN),
        Refused("nonsense"),
        Seen("a", "go"),
        Seen(CHANCE, "tell []"),
        Seen("a", "stop"),
    ]
    assert steps_of("a", seen, "tell [") == (
        Step(frozenset({CHANCE}), None, "tell [x]"),
        Step(BOTH, "go", "tell []"),
        Step(frozenset({"a"}), "stop", None),
    )
    assert steps_of("a", [], "tell [") == ()


def test_where_there_is_no_time_a_few_states_do_and_they_are_not_gone_on_from() -> None:
    steps = [Step(BOTH, None, "odd")] * 3
    whole = follow(Sums(), "c", steps, WIDE, random.Random(1), None)
    hurried = follow(Sums(), "c", steps, WIDE, random.Random(1), None, lambda: True, 2)
    assert whole is not None
    assert hurried is not None
    assert whole.whole == len(steps)
    assert whole.kept() == whole
    assert hurried.whole == 0
    assert hurried.kept().layers == whole.layers[:1]
    for fewer, all_of_them in zip(hurried.layers[1:], whole.layers[1:], strict=True):
        assert len(fewer.weights) == 2 < len(all_of_them.weights)
        assert set(fewer.weights) <= set(all_of_them.weights)


def test_what_was_found_before_time_was_over_is_kept() -> None:
    steps = [Step(BOTH, None, "odd")] * 3
    count = 0

    def should_stop() -> bool:
        nonlocal count
        count += 1
        return count > 2 * looks

    looks = 10**6
    assert follow(Sums(), "c", steps[:1], WIDE, random.Random(1), None, should_stop, 2) is not None
    count, looks = 0, count
    track = follow(Sums(), "c", steps, WIDE, random.Random(1), None, should_stop, 2)
    assert track is not None
    assert track.whole in (1, 2)
    assert len(track.kept().steps) == track.whole
