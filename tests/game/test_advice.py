"""What engines are told by rules that give advice, and what they do where a rule gives none."""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Mapping, Sequence

import pytest

from ggtp.game import Move, Observation, Player, Position, Result, Rules, Searcher, Turn, Verdict, advice, single
from ggtp.game.guard import guarded


class Listed(Position):
    """A position of Ann's with the moves that it is made with."""

    def __init__(self, *moves: Move) -> None:
        self.listed = moves

    def turn(self) -> Turn:
        return single("Ann")

    def moves(self, player: Player) -> Sequence[Move]:
        return self.listed if player == "Ann" else ()

    def play(self, moves: Mapping[Player, Move]) -> Verdict:
        return Verdict(self, tuple(moves.items()))

    def result(self) -> Result | None:
        return None

    def view(self, player: Player | None) -> str:
        return "what there is"

    def key(self) -> Hashable:
        return self.listed


class Plain(Rules):
    """Rules that only say what all rules must."""

    name = "Plain"

    def players(self, options: Mapping[str, str]) -> tuple[Player, ...]:
        return ("Ann", "Bob")

    def begin(self, options: Mapping[str, str]) -> Position:
        return Listed("A1", "B2", "C3")


class Picky(Listed, advice.LikelyMoves):
    """Only the last move is worth a thought."""

    def likely(self, player: Player) -> Sequence[Move]:
        return self.moves(player)[-1:]


class Advised(Picky, advice.Estimates, advice.CasualMoves, advice.Determinizes, advice.HasSearcher):
    """A position with all the advice that there is."""

    def estimate(self, player: Player) -> float | None:
        return 30.0 if player == "Ann" else None

    def casual(self, player: Player, rng: random.Random) -> Move:
        return "B2"

    def determinize(self, player: Player, rng: random.Random) -> Position | None:
        return Listed(str(rng.randrange(10)))

    def searcher(self) -> Searcher | None:
        return None


class Imaginative(Plain, advice.HasHorizon, advice.HasTwin, advice.Imagines):
    """Rules with advice, but none for one who has no time."""

    name = "Imaginative"
    horizon = 0

    def begin(self, options: Mapping[str, str]) -> Position:
        return Advised("A1", "B2", "C3")

    def twin(self, options: Mapping[str, str]) -> str | None:
        return "(role ann)"

    def imagine(
        self, player: Player, values: Mapping[str, str], seen: Sequence[Observation], rng: random.Random
    ) -> Position | None:
        return Advised(player)


class Hasty(Imaginative, advice.ImaginesSoon, advice.NearlyImagines):
    """Rules that hurry where they must."""

    name = "Hasty"

    def imagine_soon(
        self,
        player: Player,
        values: Mapping[str, str],
        seen: Sequence[Observation],
        rng: random.Random,
        should_stop: Callable[[], bool],
    ) -> Position | None:
        return None if should_stop() else Listed("soon")

    def nearly(
        self, player: Player, values: Mapping[str, str], seen: Sequence[Observation], rng: random.Random
    ) -> Position | None:
        return Listed("nearly")


def rules_with_guards(rules: Rules) -> list[Rules]:
    return [rules, guarded(rules)]


@pytest.mark.parametrize("rules", rules_with_guards(Plain()))
def test_without_advice_every_move_is_as_good_and_nothing_is_known(rules: Rules) -> None:
    position, rng = rules.start(), random.Random(1)
    assert list(advice.likely(position, "Ann")) == ["A1", "B2", "C3"]
    assert {advice.casual(position, "Ann", rng) for _ in range(50)} == {"A1", "B2", "C3"}
    assert advice.estimate(position, "Ann") is None
    assert advice.searcher(position) is None
    other = advice.determinize(position, "Bob", rng)
    assert other is not None
    assert other.key() == position.key()
    assert advice.horizon(rules) == advice.HORIZON
    assert advice.twin(rules, {}) is None
    assert advice.imagine(rules, "Ann", {}, (), rng) is None
    assert advice.imagine_soon(rules, "Ann", {}, (), rng, lambda: True) is None
    assert advice.nearly(rules, "Ann", {}, (), rng) is None


@pytest.mark.parametrize("rules", rules_with_guards(Hasty()))
def test_the_advice_of_a_rule_is_asked_for(rules: Rules) -> None:
    position, rng = rules.start(), random.Random(1)
    assert list(advice.likely(position, "Ann")) == ["C3"]
    assert advice.casual(position, "Ann", rng) == "B2"
    assert [advice.estimate(position, player) for player in ("Ann", "Bob")] == [30.0, None]
    other = advice.determinize(position, "Bob", random.Random(1))
    assert other is not None
    assert other.moves("Ann") == (str(random.Random(1).randrange(10)),)
    assert advice.horizon(rules) == 0
    assert advice.twin(rules, {}) == "(role ann)"
    found = advice.imagine(rules, "Ann", {}, (), rng)
    assert found is not None
    assert found.moves("Ann") == ("Ann",)
    soon = advice.imagine_soon(rules, "Ann", {}, (), rng, lambda: False)
    assert soon is not None
    assert soon.moves("Ann") == ("soon",)
    assert advice.imagine_soon(rules, "Ann", {}, (), rng, lambda: True) is None
    near = advice.nearly(rules, "Ann", {}, (), rng)
    assert near is not None
    assert near.moves("Ann") == ("nearly",)


def test_casual_moves_are_likely_ones() -> None:
    assert {advice.casual(Picky("A1", "B2", "C3"), "Ann", random.Random(seed)) for seed in range(20)} == {"C3"}


def test_rules_that_can_not_hurry_imagine_as_they_always_do() -> None:
    found = advice.imagine_soon(Imaginative(), "Bob", {}, (), random.Random(1), lambda: True)
    assert isinstance(found, Advised)


def test_a_rule_says_whether_it_has_a_way_of_its_own() -> None:
    assert [advice.imagines(rules) for rules in (Plain(), Imaginative())] == [False, True]
    assert [advice.determinizes(rules.start()) for rules in (Plain(), Imaginative())] == [False, True]
