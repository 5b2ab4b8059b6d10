"""Imagined positions of games in GDL-II: they look to the player as the true one does, and all of them come up."""

from __future__ import annotations

import random

import pytest
from support.lanes import KEPT
from support.paths import RULES

from ggtp.game import CHANCE, Observation, Player, Position, Seen, TurnKind
from ggtp.game.hidden.sampling import observed
from ggtp.gdl.ground.grounder import ground
from ggtp.gdl.network.build import build
from ggtp.gdl.play.belief import Bounds, Moves
from ggtp.gdl.play.compiled import CompiledGame
from ggtp.gdl.play.imagine import Imagination
from ggtp.gdl.play.rules import GdlPosition, GdlRules, load_text

FOLDER = RULES / "gdl"

# Both put something at the same time and a coin is tossed; each sees the sum of the coin and what the other has put.
MIXED = """(role random) (role a) (role b) (init (round 1))
    (<= (legal ?r (put ?n)) (player ?r) (n ?n)) (<= (legal random (toss ?n)) (n ?n))
    (player a) (player b) (n 0) (n 1) (other a b) (other b a)
    (<= (next (round 2)) (true (round 1))) (<= (next (round 3)) (true (round 2)))
    (<= (next (put ?r ?n)) (does ?r (put ?n)))
    (plus 0 0 0) (plus 0 1 1) (plus 1 0 1) (plus 1 1 2)
    (<= (sees ?r (sum ?s)) (other ?r ?o) (does ?o (put ?n)) (does random (toss ?m)) (plus ?n ?m ?s))
    (<= terminal (true (round 3))) (goal random 0) (goal a 50) (goal b 50)"""


def bundled(name: str) -> GdlRules:
    return load_text((FOLDER / f"{name}.gdl").read_text("utf-8"), f"gdl/{name}")


def compiled(rules: GdlRules) -> GdlRules:
    rules.use(CompiledGame(build(ground(rules.sheet)), KEPT).machine())
    return rules


def play(rules: GdlRules, rng: random.Random) -> list[tuple[Position, dict[Player, list[Observation]]]]:
    """A random play: each position that is not the last, with what each player has observed by then."""
    position: Position = rules.begin({})
    seen: dict[Player, list[Observation]] = {player: [] for player in rules.players({})}
    result = []
    while position.turn().kind is not TurnKind.OVER:
        result.append((position, {player: list(found) for player, found in seen.items()}))
        moves = {
            actor: position.draw(rng) if actor == CHANCE else rng.choice(position.moves(actor))
            for actor in position.turn().players
        }
        verdict = position.play(moves)
        for player, found in seen.items():
            found += observed(position, verdict, player)
        position = verdict.position
    return result


@pytest.mark.slow
@pytest.mark.parametrize("machine", ["interpreted", "compiled"])
@pytest.mark.parametrize("name", ["cardgame", "phantomtictactoe", "mixed"])
def test_what_is_imagined_looks_like_the_truth(name: str, machine: str) -> None:
    rules = load_text(MIXED, "mixed") if name == "mixed" else bundled(name)
    if machine == "compiled":
        compiled(rules)
    rng = random.Random(f"{name} {machine}")
    other = False
    for position, seen in play(rules, rng):
        for player, found in seen.items():
            imagined = rules.imagine(player, {}, found, rng)
            assert isinstance(imagined, GdlPosition)
            assert imagined.view(player) == position.view(player)
            assert imagined.turn() == position.turn()
            assert imagined.moves(player) == position.moves(player)
            other |= imagined.key() != position.key()
    assert other


@pytest.mark.slow
@pytest.mark.parametrize("name", ["cardgame", "phantomtictactoe"])
def test_what_is_imagined_in_a_hurry_looks_like_the_truth(name: str) -> None:
    rules, rng = bundled(name), random.Random(f"{name} in a hurry")
    for position, seen in play(rules, rng):
        for player, found in seen.items():
            imagined = rules.imagine_soon(player, {}, found, rng, lambda: True)
            assert imagined is not None
            assert imagined.view(player) == position.view(player)
            assert imagined.moves(player) == position.moves(player)


def test_in_a_hurry_less_is_looked_at() -> None:
    class Counting(Imagination):
        looked = 0

        def next(self, state: object, moves: Moves) -> object:
            self.looked += 1
            return super().next(state, moves)

    rules, rng = bundled("cardgame"), random.Random(1)
    seen = next(seen for position, seen in play(rules, rng) if "south" in position.turn().players)["south"]
    calm, hasty = Counting(rules.game), Counting(rules.game)
    assert calm.position("south", seen, rng) is not None
    assert hasty.position("south", seen, rng, lambda: True) is not None
    assert 0 < hasty.looked < calm.looked / 2


def test_everything_that_may_be_comes_up_and_nothing_else() -> None:
    rules, rng = load_text(MIXED, "mixed"), random.Random(1)
    start = rules.begin({})
    chosen = start.play({"a": "put 0", "b": "put 1"})
    tossed = chosen.position.play({CHANCE: "toss 0"})
    told = tossed.position.play({CHANCE: tossed.position.moves(CHANCE)[0]})
    seen = [*observed(start, chosen, "a"), *observed(chosen.position, tossed, "a")]
    seen += observed(tossed.position, told, "a")
    # The sum is one: either b has put it, or the coin shows it.
    drawn = {
        frozenset(str(fact) for fact in position.game.machine.facts(position.state))
        for position in (rules.imagine("a", {}, seen, rng) for _ in range(50))
        if isinstance(position, GdlPosition)
    }
    assert drawn == {
        frozenset({"(round 2)", "(put a 0)", "(put b 0)"}),
        frozenset({"(round 2)", "(put a 0)", "(put b 1)"}),
    }


def test_in_the_middle_of_a_step() -> None:
    rules, rng = load_text(MIXED, "mixed"), random.Random(1)
    start = rules.begin({})
    verdict = start.play({"a": "put 0", "b": "put 1"})
    seen = observed(start, verdict, "a")
    # One of two has moved: no position is between. Both have: chance is to draw.
    before = rules.imagine("a", {}, seen[:1], rng)
    assert before is not None
    assert before.key() == start.key()
    between = [rules.imagine("a", {}, seen, rng) for _ in range(20)]
    assert {position.turn().kind for position in between if position} == {TurnKind.CHANCE}
    assert len({position.key() for position in between if position}) == 2
    after = verdict.position.play({CHANCE: "toss 1"})
    dealing = rules.imagine("a", {}, [*seen, *observed(verdict.position, after, "a")], rng)
    assert dealing is not None
    assert dealing.moves(CHANCE)[0].startswith("tell ")


def test_what_can_not_have_been_seen_is_not_imagined() -> None:
    rules, rng = load_text(MIXED, "mixed"), random.Random(1)
    start = rules.begin({})
    verdict = start.play({"a": "put 0", "b": "put 1"})
    seen = observed(start, verdict, "b")
    assert rules.imagine("a", {}, seen, rng) is None
    assert Imagination(rules.game).position("a", seen, rng) is None


def test_games_without_percepts_are_not_imagined() -> None:
    assert bundled("tictactoe").imagine("cross", {}, [], random.Random(1)) is None


@pytest.mark.slow
def test_in_a_hurry_other_states_are_drawn_before_all_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Bounds, "wider", lambda _: pytest.fail("that takes what it takes"))
    rules, rng = bundled("cardgame"), random.Random(1)
    for seed in range(8):
        asked: set[Player] = set()
        for position, seen in play(rules, random.Random(seed)):
            for player in set(position.turn().players) - asked - {CHANCE}:
                asked.add(player)  # for its first move, after all that was dealt
                imagination = Imagination(rules.begin({}).game)  # type: ignore[attr-defined]
                imagined = imagination.position(player, seen[player], rng, lambda: True)
                assert imagined is not None
                assert imagined.view(player) == position.view(player)
        assert asked == {"north", "south"}


def test_what_nothing_can_explain_is_not_looked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Bounds, "wider", lambda _: pytest.fail("there is nothing to be found"))
    rules = bundled("cardgame")
    nonsense = [Seen("north", "play moon 7"), Seen(CHANCE, "tell [(played north moon 7)]")]
    imagination = Imagination(rules.begin({}).game)  # type: ignore[attr-defined]
    assert imagination.position("south", nonsense, random.Random(1)) is None
    deal = play(rules, random.Random(1))[2][1]["south"]
    assert imagination.position("south", [*deal, *nonsense], random.Random(1)) is None
    assert imagination.position("south", deal, random.Random(1)) is not None
