"""What is learned, in games in which it is known what there is to learn."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from support.compiled_trees import MATRIX, compiled

from ggtp.search.features.experiments import NotSuitable
from ggtp.search.features.features import Feature, FeatureSet, Kind
from ggtp.search.features.learn import Learner

MISERE = """
(role a) (role b) (init (control a)) (init (pile 7))
(less 1 7 6) (less 1 6 5) (less 1 5 4) (less 1 4 3) (less 1 3 2) (less 1 2 1) (less 1 1 0)
(less 2 7 5) (less 2 6 4) (less 2 5 3) (less 2 4 2) (less 2 3 1) (less 2 2 0)
(<= (next (control b)) (true (control a))) (<= (next (control a)) (true (control b)))
(<= (legal ?p (take ?n)) (true (control ?p)) (true (pile ?m)) (less ?n ?m ?l))
(<= (legal a noop) (true (control b))) (<= (legal b noop) (true (control a)))
(<= (next (pile ?l)) (does ?p (take ?n)) (true (pile ?m)) (less ?n ?m ?l))
(<= terminal (true (pile 0)))
(<= (goal ?p 100) (true (pile 0)) (true (control ?p)))
(<= (goal ?p 0) (role ?p) (not (true (control ?p))))
(<= (goal ?p 0) (true (control ?p)) (not (true (pile 0))))
"""
"""Nim with one heap: one or two at a time, and whoever takes the last one has lost."""


GIFT = """
(role a) (role b) (init (control b)) (thing key) (thing stone) (thing straw)
(<= (legal b (give ?x)) (true (control b)) (thing ?x))
(<= (legal a noop) (true (control b))) (<= (legal b noop) (true (control a)))
(<= (legal a open) (true (control a))) (<= (legal a wait) (true (control a)))
(<= (next (control a)) (true (control b))) (<= (next (control b)) (true (control a)))
(<= (next (hand ?x)) (does b (give ?x)))
(<= (next won) (does a open) (true (hand key)))
(<= (next lost) (does a open) (not (true (hand key))))
(<= terminal (true won)) (<= terminal (true lost))
(<= (goal a 100) (true won)) (<= (goal a 0) (not (true won)))
(<= (goal b 0) (true won)) (<= (goal b 100) (not (true won)))
"""
"""One gives the other something, as in Quarto; whoever is given a key wins."""

TWO_MOVES = """
(role a) (role b) (other a b) (other b a) (init (control a)) (init (stage first)) (init (round 1))
(succ 1 2) (succ 2 3) (succ 3 4)
(<= (next (stage second)) (true (stage first))) (<= (next (stage first)) (true (stage second)))
(<= (next (control ?r)) (true (control ?r)) (true (stage first)))
(<= (next (control ?o)) (true (control ?r)) (true (stage second)) (other ?r ?o))
(<= (next (round ?n)) (true (round ?n)) (true (stage first)))
(<= (next (round ?n)) (true (round ?m)) (true (stage second)) (succ ?m ?n))
(act arm) (act strike) (act idle) (reply block) (reply wait) (reply sing) (close turn) (close rest)
(<= (legal a ?x) (true (control a)) (true (stage first)) (act ?x))
(<= (legal b ?x) (true (control b)) (true (stage first)) (reply ?x))
(<= (legal ?r ?x) (true (control ?r)) (true (stage second)) (close ?x))
(<= (legal ?r noop) (role ?r) (not (true (control ?r))))
(<= (next armed) (does a arm)) (<= (next armed) (true armed))
(<= (next blocked) (does b block)) (<= (next blocked) (true blocked))
(<= (next won) (does a strike) (true armed) (not (true blocked)))
(<= terminal (true won)) (<= terminal (true (round 4)))
(<= (goal a 100) (true won)) (<= (goal a 0) (not (true won)))
(<= (goal b 0) (true won)) (<= (goal b 100) (not (true won)))
"""
"""A turn of two moves, as in Pentago: only the first one can block, and only what was armed strikes."""


@cache
def learner(name: str, walks: int) -> Learner:
    made = Learner(compiled(name).state_kernel(), seed=3)
    made.walks(walks)
    return made


def told(name: str, feature: Feature) -> tuple[str, str, frozenset[str]]:
    network = compiled(name).network
    needs = frozenset(("not " if need & 1 else "") + network.facts[need >> 1] for need in feature.needs)
    return network.roles[feature.role], network.moves[feature.role][feature.move], needs


def of(features: FeatureSet, kind: Kind, level: int) -> list[Feature]:
    return [feature for feature, _ in features if feature.kind is kind and feature.level == level]


@pytest.mark.slow
def test_all_lines_of_tictactoe_are_learned_and_nothing_else() -> None:
    features = learner("tictactoe", 350).features
    lines = [[(x, y) for y in range(1, 4)] for x in range(1, 4)]
    lines += [[(x, y) for x in range(1, 4)] for y in range(1, 4)]
    lines += [[(i, i) for i in range(1, 4)], [(i, 4 - i) for i in range(1, 4)]]
    wins, blocks = set(), set()
    for role, other, mark in (("cross", "circle", "x"), ("circle", "cross", "o")):
        for line in lines:
            for x, y in line:
                needs = frozenset(f"(cell {a} {b} {mark})" for a, b in line if (a, b) != (x, y))
                wins.add((role, f"(mark {x} {y})", needs))
                blocks.add((other, f"(mark {x} {y})", needs))
    found = {told("tictactoe", each) for each in of(features, Kind.OFFENSIVE, 0)}
    assert found <= wins
    assert len(found) > 0.9 * len(wins)
    found = {told("tictactoe", each) for each in of(features, Kind.DEFENSIVE, 0)}
    assert found <= blocks
    assert len(found) > 0.7 * len(blocks)


def test_the_level_above_prepares_a_line() -> None:
    features = learner("tictactoe", 350).features
    found = {told("tictactoe", each) for each in of(features, Kind.OFFENSIVE, 1)}
    assert ("cross", "(mark 2 2)", frozenset({"(cell 1 1 x)", "(cell 3 3 blank)"})) in found
    assert all(any(need.endswith("blank)") for need in needs) for _, _, needs in found), "a line has room still"


def test_frequent_features_were_counted_often() -> None:
    features = learner("tictactoe", 350).features
    assert max(count for _, count in features) > 5
    assert features.walks == 350
    assert features.seconds > 0


def test_in_breakthrough_every_step_to_the_last_row_wins_and_whoever_can_take_the_pawn_does() -> None:
    name = "breakthrough_small"
    features = learner(name, 100).features
    wins = {told(name, each) for each in of(features, Kind.OFFENSIVE, 0)}
    assert {move for role, move, needs in wins if role == "white" and not needs} >= {
        f"(move {x} 4 {x} 5)" for x in "bcd"
    }
    assert all(move.endswith(" 5)" if role == "white" else " 1)") for role, move, needs in wins if not needs)
    blocks = {told(name, each) for each in of(features, Kind.DEFENSIVE, 0)}
    assert ("black", "(move b 5 c 4)", frozenset({"(cell c 4 white)"})) in blocks


@pytest.mark.slow
def test_what_wins_at_once_does_so_in_connect_four() -> None:
    """Wherever such a feature applies, the move really wins."""
    learned = learner("connect3", 100)
    lab, features = learned.lab, of(learned.features, Kind.OFFENSIVE, 0)
    assert len(features) > 40
    pool = np.stack(learned._pool)
    looks = lab.states.look_many(pool)
    applied = 0
    for each in features:
        here = pool[lab.holds(pool, each.needs) & lab.legal(looks, each.role, each.move)]
        applied += len(here)
        assert lab.won(lab.after(here, each.role, each.move), each.role).all(), told("connect3", each)
    assert applied > 20
    met = learned.met(learned.features)
    assert sum(met[each] for each in features) * len(pool) == pytest.approx(applied)


def test_where_the_loser_moves_last_moves_are_avoided_or_leave_no_good_reply() -> None:
    features = learner(MISERE, 200).features
    network = compiled(MISERE).network
    # Where two are left, taking both is legal, and loses: whether the pile is named depends on what makes it legal.
    # With five and with three, one of the moves leaves the other one a pile that wins.
    avoided = {
        (network.moves[each.role][each.move], network.facts[next(iter(each.all)) >> 1] if each.all else "")
        for each in of(features, Kind.AVOIDING, 0)
    }
    assert avoided <= {("(take 2)", ""), ("(take 2)", "(pile 2)"), ("(take 2)", "(pile 5)"), ("(take 1)", "(pile 3)")}
    assert {("(take 2)", "(pile 5)"), ("(take 1)", "(pile 3)")} <= avoided
    assert any(move == "(take 2)" and pile != "(pile 5)" for move, pile in avoided)
    wins = {(told(MISERE, each)[1], told(MISERE, each)[2]) for each in of(features, Kind.OFFENSIVE, 0)}
    assert ("(take 1)", frozenset({"(pile 2)"})) in wins
    assert ("(take 2)", frozenset({"(pile 3)"})) in wins
    assert len(wins) == 2


def test_what_lets_the_other_one_win_is_avoided() -> None:
    features = learner(GIFT, 100).features
    avoided = {told(GIFT, each) for each in of(features, Kind.AVOIDING, 0)}
    assert {each for each in avoided if each[0] == "b"} == {("b", "(give key)", frozenset())}
    wins = {told(GIFT, each) for each in of(features, Kind.OFFENSIVE, 0)}
    assert wins == {("a", "open", frozenset({"(hand key)"}))}


def test_in_a_turn_of_two_moves_the_first_one_defends() -> None:
    features = learner(TWO_MOVES, 200).features
    blocks = {told(TWO_MOVES, each) for each in of(features, Kind.DEFENSIVE, 0)}
    assert {move for _, move, _ in blocks} == {"block"}, "nothing else helps"
    assert all({"armed", "not blocked"} <= needs for _, _, needs in blocks)


def test_learning_can_be_stopped_and_goes_on() -> None:
    made = Learner(compiled("tictactoe").state_kernel(), seed=1)
    assert len(made.learn(lambda: True)) == 0
    assert len(made.learn(lambda: False, seconds=0.0)) <= len(made.walks(20))
    assert not made.over


@pytest.mark.slow
def test_it_ends_where_nothing_new_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ggtp.search.features.learn.ENOUGH", 60)
    made = Learner(compiled(MISERE).state_kernel(), seed=1)
    made.learn(lambda: False)
    assert made.over


def test_other_games_are_refused() -> None:
    with pytest.raises(NotSuitable):
        Learner(compiled(MATRIX).state_kernel())


@pytest.mark.slow
def test_more_positions_of_random_games_are_there_for_the_asking() -> None:
    learner = Learner(compiled("tictactoe").state_kernel(), 1)
    assert list(learner.positions(100, lambda: False)) == [], "nothing was learned yet, either"
    learner.walks(50)
    parts = list(learner.positions(20_000, lambda: False))
    assert np.array_equal(parts[0], learner.pool)
    assert 20_000 <= sum(map(len, parts)) < 30_000
    assert not any(learner.lab.states.look_many(part).terminal.any() for part in parts)
    assert len({row.tobytes() for row in parts[1]}) > 1000
    assert len(list(learner.positions(20_000, lambda: True))) == 1


@pytest.mark.slow
def test_levels_are_those_of_the_paper_and_no_others() -> None:
    found = Learner(compiled("connect3").state_kernel(), 1).walks(300)
    assert {feature.level for feature, _ in found} == {0, 1, 2, 3}
    for kind in (Kind.OFFENSIVE, Kind.DEFENSIVE):
        assert {feature.level for feature, _ in found if feature.kind is kind} == {0, 1, 2, 3}
    values = {feature.level: feature.value for feature, _ in found}
    assert values == pytest.approx({0: 100.0, 1: 100.0, 2: 90.0, 3: 81.0})
