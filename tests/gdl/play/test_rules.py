"""Rulesheets as rules of the house: turns, chance, percepts, texts of moves, results, and the contract."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest
from support.lanes import KEPT
from support.paths import RULES

from ggtp.errors import IllegalMove, MalformedMove, RulesError
from ggtp.game import CHANCE, HIDDEN, Position, Standing, TurnKind, advice
from ggtp.game.checks.contract import check_rules
from ggtp.gdl.ground.grounder import ground
from ggtp.gdl.language.parse import parse_term
from ggtp.gdl.network.build import build
from ggtp.gdl.play.compiled import CompiledGame
from ggtp.gdl.play.rules import MOST_ROLES, GdlPosition, GdlRules, load_text, move_text

FOLDER = RULES / "gdl"

TURNS = """(role left) (role right) (init (phase alone))
    (<= (legal left (say ?w)) (true (phase alone)) (word ?w)) (<= (legal right noop) (true (phase alone)))
    (<= (legal ?r (say ?w)) (true (phase both)) (role ?r) (word ?w))
    (<= (legal left noop) (true (phase forced))) (<= (legal right (bow)) (true (phase forced)))
    (<= (legal ?r noop) (true (phase idle)) (role ?r))
    (word yes) (word (no thanks))
    (<= (next (phase both)) (true (phase alone))) (<= (next (phase forced)) (true (phase both)))
    (<= (next (phase idle)) (true (phase forced))) (<= (next (phase end)) (true (phase idle)))
    (<= terminal (true (phase end))) (<= (goal left 30) (true (phase end))) (<= (goal right 70) (true (phase end)))"""

DICE = """(role random) (role a) (role b) (init (rolls 0))
    (<= (legal random (roll ?n)) (true (rolls 0)) (die ?n)) (<= (legal random noop) (true (rolls ?n)) (die ?n))
    (<= (legal a (guess ?n)) (die ?n)) (legal b noop)
    (die 1) (die 2) (die 3)
    (<= (next (rolls ?n)) (does random (roll ?n)))
    (<= (next (guessed ?n)) (does a (guess ?n)))
    (<= terminal (true (rolls ?n)) (die ?n))
    (<= (goal a 100) (true (rolls ?n)) (true (guessed ?n))) (<= (goal a 0) (not right)) (goal b 50)
    (<= right (true (rolls ?n)) (true (guessed ?n)))"""

SECRET = """(role a) (role b) (init (round 1))
    (<= (legal ?r (put ?n)) (role ?r) (n ?n)) (n 1) (n 2)
    (<= (next (round 2)) (true (round 1))) (<= (next (round 3)) (true (round 2)))
    (<= (sees b (first ?n)) (does a (put ?n)) (true (round 1)))
    (<= terminal (true (round 3))) (goal a 0) (goal b 100)"""


def bundled(name: str) -> GdlRules:
    return load_text((FOLDER / f"{name}.gdl").read_text("utf-8"), f"gdl/{name}")


def compiled(rules: GdlRules) -> GdlRules:
    rules.use(CompiledGame(build(ground(rules.sheet)), KEPT).machine())
    return rules


@pytest.fixture(params=["interpreted", "compiled"])
def make(request: pytest.FixtureRequest):
    """Makes rules from a text, played by either machine."""

    def load(text: str) -> GdlRules:
        rules = load_text(text, "game")
        return compiled(rules) if request.param == "compiled" else rules

    return load


# Turns.


def test_turns(make) -> None:
    position = make(TURNS).begin({})
    assert (position.turn().kind, position.turn().players) == (TurnKind.SINGLE, ("left",))
    assert list(position.moves("left")) == ["say (no thanks)", "say yes"]
    assert list(position.moves("right")) == []
    position = position.play({"left": "say yes"}).position
    assert (position.turn().kind, position.turn().players) == (TurnKind.JOINT, ("left", "right"))
    verdict = position.play({"left": "say yes", "right": "say (no thanks)"})
    assert verdict.made == (("left", "say yes"), ("right", "say (no thanks)"))
    position = verdict.position
    # Only one move each, and only right's is more than waiting.
    assert (position.turn().kind, position.turn().players) == (TurnKind.SINGLE, ("right",))
    assert list(position.moves("right")) == ["(bow)"]
    position = position.play({"right": "(bow)"}).position
    assert position.turn().players == ("left",)
    position = position.play({"left": "noop"}).position
    assert position.turn().kind is TurnKind.OVER
    assert list(position.moves("left")) == []
    result = position.result()
    assert result is not None
    assert result.standings == {"left": Standing.LOSS, "right": Standing.WIN}
    assert result.scores == {"left": 30, "right": 70}


def test_traits() -> None:
    assert load_text(TURNS, "game").traits.joint
    assert not bundled("tictactoe").traits.joint
    assert bundled("tictactoe").traits.zero_sum
    assert not load_text(DICE, "game").traits.zero_sum
    assert not load_text(DICE.replace("(goal b 50)", "(<= (goal b ?n) (true (rolls ?n)))"), "game").traits.zero_sum
    assert load_text(TURNS, "game").traits.zero_sum
    dice = load_text(DICE, "game").traits
    assert (dice.chance, dice.hidden, dice.min_players) == (True, False, 2)
    secret = load_text(SECRET, "game").traits
    assert (secret.chance, secret.hidden) == (True, True)


def test_wrong_players_and_moves(make) -> None:
    position = make(TURNS).begin({})
    for moves in ({"right": "noop"}, {"left": "say yes", "right": "noop"}, {"left": "say maybe"}, {}):
        with pytest.raises(IllegalMove):
            position.play(moves)
    assert position.result() is None


# Texts of moves.


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("say yes", "say yes"),
        ("(say yes)", "say yes"),
        (" SAY   Yes ", "say yes"),
        ("( say yes )", "say yes"),
        ("say(no thanks)", "say (no thanks)"),
        ("(say (no thanks))", "say (no thanks)"),
        ("say ( no  thanks )", "say (no thanks)"),
    ],
)
def test_moves_are_read_in_many_forms(text: str, move: str) -> None:
    assert load_text(TURNS, "game").begin({}).parse("left", text) == move


@pytest.mark.parametrize("text", ["", "say", "(say yes", "say no", "((say yes))", "noop", "\0", "say yes yes"])
def test_what_is_no_move_is_refused(text: str) -> None:
    position = load_text(TURNS, "game").begin({})
    with pytest.raises(MalformedMove):
        position.parse("left", text)
    with pytest.raises(IllegalMove):
        position.parse("right", text)


def test_a_compound_without_arguments_keeps_its_parentheses() -> None:
    assert move_text(parse_term("(noop)")) == "(noop)"
    text = (
        "(role p) (init s) (legal p (bow)) (legal p bow) (<= terminal (not (true s))) (goal p 1) (<= (next t) (true s))"
    )
    position = load_text(text, "game").begin({})
    assert [position.parse("p", typed) for typed in ("(BOW)", "( bow )", "Bow")] == ["(bow)", "(bow)", "bow"]
    assert move_text(parse_term("noop")) == "noop"
    assert move_text(parse_term("(move 1 (a b))")) == "move 1 (a b)"


# Chance.


def test_chance_follows_the_players(make) -> None:
    rules = make(DICE)
    assert rules.players({}) == ("a", "b")
    position = rules.begin({})
    assert position.turn().players == ("a",)
    position = position.play({"a": "guess 2"}).position
    assert position.turn().kind is TurnKind.CHANCE
    assert list(position.chance()) == [("roll 1", 1), ("roll 2", 1), ("roll 3", 1)]
    assert "chosen" in position.view(None)
    with pytest.raises(IllegalMove):
        position.play({CHANCE: "roll 4"})
    won = position.play({CHANCE: "roll 2"}).position.result()
    lost = position.play({CHANCE: "roll 3"}).position.result()
    assert won is not None
    assert lost is not None
    assert (won.scores, lost.scores) == ({"a": 100, "b": 50}, {"a": 0, "b": 50})


# Percepts.


def test_nobody_sees_a_secret_move(make) -> None:
    position = make(SECRET).begin({})
    assert position.turn().kind is TurnKind.JOINT
    assert position.seen("a", "put 1", "b") == HIDDEN
    assert position.seen("a", "put 1", "a") == "put 1"
    dealt = position.play({"a": "put 2", "b": "put 1"}).position
    ((told, weight),) = dealt.chance()
    assert (told, weight) == ("tell a [] b [(first 2)]", 1)
    assert dealt.seen(CHANCE, told, "a") == "tell []"
    assert dealt.seen(CHANCE, told, "b") == "tell [(first 2)]"
    after = dealt.play({CHANCE: told}).position
    assert "(first 2)" in after.view("b")
    assert "put 2" not in after.view("b")
    assert "put 2" in after.view("a")
    assert "round" in after.view(None)
    assert after.determinize("a", random.Random(1)) is None


def test_without_percepts_everything_is_seen() -> None:
    position = bundled("tictactoe").begin({})
    assert position.seen("cross", "mark 1 1", "circle") == "mark 1 1"
    assert advice.determinize(position, "circle", random.Random(1)) is position


# Results.


@pytest.mark.parametrize(("points", "standing"), [(100, Standing.WIN), (40, Standing.DRAW), (0, Standing.LOSS)])
def test_a_game_for_one(points: int, standing: Standing) -> None:
    text = f"(role p) (init s) (legal p go) (<= terminal (not (true s))) (goal p {points}) (<= (next t) (true s))"
    result = load_text(text, "game").begin({}).play({"p": "go"}).position.result()
    assert result is not None
    assert (result.standings, result.scores) == ({"p": standing}, {"p": points})


def test_odd_goals() -> None:
    text = (
        "(role a) (role b) (init s) (legal a go) (legal b go) (<= terminal (true s)) (goal a 10) (goal a 90) (goal b x)"
    )
    result = load_text(text, "game").begin({}).result()
    assert result is not None
    assert result.scores == {"a": 90, "b": 0}


def test_a_player_without_a_move_ends_the_game() -> None:
    text = """(role a) (role b) (init s) (legal a go) (<= (legal b go) (true t))
        (<= terminal (true t)) (goal a 1) (goal b 2)"""
    position = load_text(text, "game").begin({})
    assert position.turn().kind is TurnKind.OVER
    result = position.result()
    assert result is not None
    assert result.reason.startswith("b has no legal move")


def test_rules_that_cannot_be_played() -> None:
    with pytest.raises(RulesError) as caught:
        load_text("(role a)\n(<= (p ?x) 5", "game", "x.kif")
    assert caught.value.path == "x.kif"


# The machine that plays.


def test_another_machine_plays_what_begins_later() -> None:
    rules = bundled("tictactoe")
    old = rules.begin({})
    compiled(rules)
    new = rules.begin({})
    assert isinstance(old, GdlPosition)
    assert isinstance(new, GdlPosition)
    assert isinstance(old.state, frozenset)
    assert isinstance(new.state, bytes)
    for position in (old, new):
        after: Position = position.play({"cross": "mark 2 2"}).position
        assert after.view(None) == after.view("circle")
        assert list(after.moves("circle")) == [f"mark {x} {y}" for x in "123" for y in "123" if (x, y) != ("2", "2")]
    assert old.view(None) == new.view(None)
    assert old.picture(None) == new.picture(None)
    assert new.key() == rules.begin({}).key()


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    ["tictactoe", "connect3", "rockpaperscissors", "threepoint", "buttons", "phantomtictactoe", "cardgame", "bidding"],
)
def test_the_contract(name: str) -> None:
    assert check_rules(compiled(bundled(name)), rng=random.Random(1), games=5) == []


@pytest.mark.parametrize("text", [TURNS, DICE, SECRET])
def test_the_contract_of_small_rules(text: str, make) -> None:
    assert check_rules(make(text), rng=random.Random(1), games=5) == []


def test_only_a_few_moves_are_looked_at_before_anybody_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[int] = []
    real = GdlPosition.play
    monkeypatch.setattr(GdlPosition, "play", lambda self, moves: looked.append(1) or real(self, moves))
    many = TURNS.replace("(word yes)", " ".join(f"(word w{number})" for number in range(600)))
    # With two words the second state is looked at, in which both move; with hundreds that would take too long.
    assert load_text(TURNS, "few").traits.joint
    assert looked
    looked.clear()
    assert not load_text(many, "many").traits.joint
    assert not looked


def test_people_are_told_what_they_perceive_and_nothing_of_hidden_draws() -> None:
    position = bundled("cardgame").begin({})
    dealt = position.play({CHANCE: "deal sun 1"}).position
    assert position.spoken(CHANCE, "deal sun 1", "north") == ""
    told = dealt.moves(CHANCE)[0]
    assert dealt.spoken(CHANCE, told, "north") == "tell dealt sun 1"
    assert dealt.spoken(CHANCE, told, "south") == ""
    after = dealt.play({CHANCE: told}).position
    assert after.picture("north").plain() == ["  1 sees dealt sun 1", "north waits"]
    assert after.picture("south").plain() == ["nothing has been seen yet", "south waits"]
    assert load_text(DICE, "game").begin({}).spoken("a", "roll", "b") == "roll"


def crowd(roles: int) -> str:
    """Rules in which so many players choose at the same time, once."""
    names = " ".join(f"(role p{number})" for number in range(roles))
    return f"""{names} (init (step 0)) (<= (legal ?r yes) (role ?r)) (<= (legal ?r no) (role ?r))
        (<= (next (step 1)) (true (step 0))) (<= terminal (true (step 1))) (<= (goal ?r 50) (role ?r))"""


def lines_of_a_game(roles: int, more: str) -> int:
    """How many lines of code are run to load such a game, and to play it to its end."""
    lines = 0

    def count(_frame: FrameType, event: str, _arg: object) -> Callable[..., Any]:
        nonlocal lines
        lines += event == "line"
        return count

    text = crowd(roles) + more
    sys.settrace(count)
    try:
        position = load_text(text, "crowd").start()
        position = position.play({player: position.moves(player)[0] for player in position.turn().players}).position
        if position.turn().kind is TurnKind.CHANCE:
            position = position.play({CHANCE: position.draw(random.Random(1))}).position
        assert position.result() is not None
    finally:
        sys.settrace(None)
    return lines


@pytest.mark.parametrize("percepts", ["", "(<= (sees ?r ok) (does ?r yes))"])
def test_work_grows_with_the_number_of_roles_and_no_faster(percepts: str) -> None:
    few, many, more = (lines_of_a_game(roles, percepts) for roles in (50, 100, 200))
    assert more - many < 2.2 * (many - few)


def test_more_roles_than_a_game_may_have_are_refused() -> None:
    assert len(load_text(crowd(MOST_ROLES), "crowd").players({})) == MOST_ROLES
    with pytest.raises(RulesError, match=f"name {MOST_ROLES + 1} roles; a game may have {MOST_ROLES}"):
        load_text(crowd(MOST_ROLES + 1), "crowd")
