"""Steps of several kinds: whose they are, and that hints are looked for in some of them and in no others."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest
from support.compiled_trees import compiled
from support.lanes import KEPT
from support.networks import evaluate

from ggtp.gdl.kernel.playouts import PlayoutKernel, chunks, one_function, table
from ggtp.gdl.kernel.single import pack, rows
from ggtp.gdl.network.network import Network
from ggtp.gdl.program import build
from ggtp.gdl.program.build import build_step
from ggtp.gdl.program.guide import ATTACK, AVOID, DEFEND, Guide, Hint

NETWORK = compiled("tictactoe").network
START = rows([pack(NETWORK, NETWORK.initial)])


def hint(role: int, move: str) -> Hint:
    return Hint(role, NETWORK.moves[role].index(move), ATTACK, 0, ())


def kernel(period: int, make: object = table) -> PlayoutKernel:
    hints = [hint(0, "(mark 1 1)"), hint(1, "(mark 2 2)")]
    steps = build_step(NETWORK, guide=Guide(tuple(hints), period=period))
    made: PlayoutKernel = make(steps, kept=KEPT)  # type: ignore[operator]
    made.seed(7)
    return made


def after(played: PlayoutKernel, moves: int) -> Counter[frozenset[str]]:
    """Which marks stand after so many moves of many games."""
    played.run_from(np.repeat(START, played.lanes, axis=0), max_steps=moves)
    found: Counter[frozenset[str]] = Counter()
    for row in played.lane_states():
        found[_marks(row)] += 1
    return found


def _marks(row: np.ndarray[tuple[int], np.dtype[np.uint64]]) -> frozenset[str]:
    held = int.from_bytes(row.tobytes(), "little")
    marks = [text for i, text in enumerate(NETWORK.facts) if held >> i & 1 and text.startswith("(cell")]
    return frozenset(text for text in marks if not text.endswith("blank)"))


@pytest.mark.parametrize("make", [table, one_function, chunks])
def test_both_players_have_their_hints_once_a_period(make: object) -> None:
    assert after(kernel(2, make), 2).keys() == {frozenset({"(cell 1 1 x)", "(cell 2 2 o)"})}


def test_other_moves_are_made_without_hints() -> None:
    late = NETWORK.moves[0].index("(mark 3 3)")
    needs = (2 * NETWORK.facts.index("(cell 1 1 x)"),)
    for period, certain in ((1, True), (2, False)):
        guide = Guide((hint(0, "(mark 1 1)"), Hint(0, late, ATTACK, 0, needs)), period=period)
        played = table(build_step(NETWORK, guide=guide), kept=KEPT)
        found = after(played, 3)
        third = sum(count for marks, count in found.items() if "(cell 3 3 x)" in marks)
        taken = sum(count for marks, count in found.items() if "(cell 3 3 o)" in marks)
        assert (third + taken == played.lanes) == certain


TURNS = """
(role white) (role black) (init (step 0)) (init (control white)) (init (stage one))
(move a) (move b) SUCCESSORS
(<= (legal ?p (do STAGE ?m)) (true (control ?p)) (true (stage ?s)) (move ?m))
(<= (legal ?p noop) (role ?p) (not (true (control ?p))))
(<= (next (did ?p ?m ?n)) (does ?p (do ?s ?m)) (true (step ?n)))
(<= (next (did ?p ?m ?n)) (true (did ?p ?m ?n)))
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
(<= (next (stage two)) (true (stage one)))
(<= (next (stage one)) (true (stage two)))
(<= (next (control ?p)) (true (control ?p)) (true (stage one)))
(<= (next (control white)) (true (control black)) (true (stage two)))
(<= (next (control black)) (true (control white)) (true (stage two)))
(<= terminal (true (step 24)))
(<= (goal white 100) (true (did ?p a ?n)) (true (did ?p b ?m)) (succ ?n ?m))
(<= (goal black 100) (true (did ?p b ?n)) (true (did ?p a ?m)) (succ ?n ?m))
"""
"""Turns of two moves, which are the same in both stages or not."""


def turns(*, staged: bool) -> Network:
    """What is made of these rules."""
    text = TURNS.replace("SUCCESSORS", " ".join(f"(succ {n} {n + 1})" for n in range(24)))
    return compiled(text.replace("STAGE", "?s" if staged else "any")).network


@pytest.mark.parametrize(
    ("staged", "gates", "period"),
    [(True, 100_000, 2), (True, 100_000, 4), (False, 100_000, 2), (False, 100_000, 4), (False, 0, 2), (False, 0, 3)],
)
def test_in_turns_of_two_moves_hints_are_for_both_players_and_both_moves(
    monkeypatch: pytest.MonkeyPatch, staged: bool, gates: int, period: int
) -> None:  # fmt: skip
    monkeypatch.setattr(build, "_TRIED_BOTH_WAYS", gates)
    network = turns(staged=staged)
    hints = [
        Hint(role, number, ATTACK, 0, ())
        for role in (0, 1) for number, text in enumerate(network.moves[role]) if text.endswith(" a)")
    ]  # fmt: skip
    made = build_step(network, guide=Guide(tuple(hints), period=period))
    assert len(made.phases) == (4 if staged else 2 if gates else 1)
    played = table(made, kept=KEPT)
    start = rows([pack(network, network.initial)])
    played.run_from(np.repeat(start, played.lanes, axis=0), max_steps=23)
    found, moves = Counter[tuple[str, int]](), Counter[tuple[str, int]]()
    for row in played.lane_states():
        held = int.from_bytes(row.tobytes(), "little")
        for fact, text in enumerate(network.facts):
            if held >> fact & 1 and text.startswith("(did"):
                _, role, move, step = text.strip("()").split()
                found[role, int(step) % 2] += move == "a"
                moves[role, int(step) % 2] += 1
    shares = {place: found[place] / moves[place] for place in moves}
    assert len(shares) == 4
    assert all(0.54 < share < 0.93 for share in shares.values()), "half without hints, all with them"


def test_every_game_begins_with_hints_whatever_was_played_before() -> None:
    played = kernel(3)
    for moves in (1, 2, 3, 4, 5):
        after(played, moves)
        assert after(played, 1).keys() == {frozenset({"(cell 1 1 x)"})}


def test_twins_do_not_disturb_each_other() -> None:
    one, two = kernel(2), kernel(2).twin()
    alone = kernel(2)
    alone.seed(3)
    one.seed(3)
    expected = [alone.playouts(alone.lanes).goals for _ in range(3)]
    found = []
    for _ in range(3):
        after(two, 1)
        found.append(one.playouts(one.lanes).goals)
    assert found == expected


def test_games_are_counted_as_ever() -> None:
    stats = kernel(2).playouts(2000)
    assert stats.games >= 2000
    assert sum(stats.goals[0].values()) == stats.games
    assert stats.unfinished == 0
    assert 5 * stats.games <= stats.steps <= 9 * stats.games
    assert set(stats.goals[0]) <= {0, 50, 100}


def test_the_same_games_by_every_kernel() -> None:
    steps = build_step(NETWORK, guide=Guide((hint(0, "(mark 1 1)"),), uses=(10, 8), period=2))
    results = []
    for make in (table, one_function, chunks):
        made = make(steps, kept=KEPT, words=4)
        made.seed(11)
        results.append(made.playouts(1000).goals)
    assert results[0] == results[1] == results[2]


def test_without_hints_there_is_one_kind_of_step() -> None:
    assert build_step(NETWORK).phases == ()
    simultaneous = build_step(NETWORK, merge=False, guide=Guide((hint(0, "(mark 1 1)"),)))
    assert simultaneous.phases == (), "nor where all choose at once, and always follow hints"


def test_steps_without_hints_are_for_periods_only() -> None:
    always, sometimes = (
        build_step(NETWORK, guide=Guide((hint(0, "(mark 1 1)"),), uses=(10, 8), period=period)) for period in (1, 2)
    )
    assert [phase.calm is None for phase in always.phases] == [True, True]
    assert [phase.calm is None for phase in sometimes.phases] == [False, False]


@pytest.mark.parametrize(("gates", "period"), [(100_000, 1), (100_000, 2), (0, 1), (0, 2)])
def test_games_follow_hints_independently_of_each_other(
    monkeypatch: pytest.MonkeyPatch, gates: int, period: int
) -> None:  # fmt: skip
    """Otherwise the mean of many games from one state would be worth no more than that of a few."""
    monkeypatch.setattr(build, "_TRIED_BOTH_WAYS", gates)
    hints = [hint(0, "(mark 2 2)"), *(hint(1, f"(mark {place})") for place in ("1 2", "2 1", "2 3", "3 2"))]
    played = table(build_step(NETWORK, guide=Guide(tuple(hints), uses=(10, 8), period=period)), kept=KEPT, words=8)
    played.seed(2)
    states = np.repeat(START, played.lanes, axis=0)
    batches = np.stack([played.run_from(states).goals[:, 0] for _ in range(300)])
    assert batches.mean(axis=1).var(ddof=1) < 1.5 * batches.var() / played.lanes


def test_a_step_of_one_player_is_shorter() -> None:
    hints = tuple(hint(role, move) for role in (0, 1) for move in NETWORK.moves[role] if move.startswith("(mark"))
    split, merged = (build_step(NETWORK, merge=merge, guide=Guide(hints)) for merge in (True, False))
    assert split.operations < 0.75 * merged.operations


def test_games_in_which_it_is_the_others_turn_wait() -> None:
    second = rows([pack(NETWORK, [NETWORK.facts.index(text) for text in AFTER_ONE])])
    states = np.concatenate([np.repeat(START, 40, axis=0), np.repeat(second, 24, axis=0)])
    hints = (hint(0, "(mark 1 1)"), hint(1, "(mark 1 1)"))
    played = table(build_step(NETWORK, guide=Guide(hints)), kept=KEPT, words=1)
    played.run_from(states, max_steps=0)
    assert {len(_marks(row)) for row in played.lane_states()} == {0, 1}
    played.run_from(states, max_steps=1)
    marks = [_marks(row) for row in played.lane_states()]
    assert set(marks[:40]) == {frozenset({"(cell 1 1 x)"})}
    assert set(marks[40:]) == {frozenset({"(cell 3 3 x)", "(cell 1 1 o)"})}
    played.run_from(states, max_steps=2)
    assert [len(_marks(row)) for row in played.lane_states()] == [2] * 40 + [3] * 24


@pytest.mark.parametrize("make", [table, one_function])
def test_games_are_as_long_as_they_have_moves(make: object) -> None:
    """Whoever waits makes none."""
    second = rows([pack(NETWORK, [NETWORK.facts.index(text) for text in AFTER_ONE])])
    states = np.concatenate([np.repeat(START, 40, axis=0), np.repeat(second, 24, axis=0)])
    played = kernel(1, make)
    found = np.stack([played.run_from(states).lengths for _ in range(200)])
    assert (found[:, :40].min(), found[:, :40].max()) == (5, 9)
    assert (found[:, 40:].min(), found[:, 40:].max()) == (5, 8), "a mark stands there already"
    most = np.stack([played.run_from(states, max_steps=6).lengths for _ in range(200)])
    assert set(most[:, :40].ravel().tolist()) == {-1, 5, 6}
    assert set(most[:, 40:].ravel().tolist()) == {-1, 5, 6}
    assert (most[:, 40:] < 0).mean() == pytest.approx((found[:, 40:] > 6).mean(), abs=0.03)


def test_all_games_end_whoever_begins() -> None:
    second = rows([pack(NETWORK, [NETWORK.facts.index(text) for text in AFTER_ONE])])
    states = np.concatenate([START, *[second] * 3] * 16)
    played = kernel(1, one_function).run_from(states)
    assert ((played.lengths >= 4) & (played.lengths <= 10)).all()
    assert set(played.goals.sum(axis=1).tolist()) == {100}


AFTER_ONE = [
    text for text in (NETWORK.facts[i] for i in NETWORK.initial) if text not in ("(cell 3 3 blank)", "(control cross)")
] + ["(cell 3 3 x)", "(control circle)"]


@pytest.mark.slow
@pytest.mark.parametrize(("uses", "gates"), [((16, 16), 100_000), ((10, 8), 100_000), ((5, 0), 100_000), ((12, 4), 0)])
def test_games_are_those_of_a_slow_reference(
    monkeypatch: pytest.MonkeyPatch, uses: tuple[int, int], gates: int
) -> None:  # fmt: skip
    monkeypatch.setattr(build, "_TRIED_BOTH_WAYS", gates)
    centre, corner = (2 * NETWORK.facts.index(f"(cell {place} blank)") for place in ("2 2", "1 1"))
    hints = (
        *(Hint(role, NETWORK.moves[role].index("(mark 2 2)"), ATTACK, 0, ()) for role in (0, 1)),
        *(Hint(role, NETWORK.moves[role].index("(mark 1 1)"), DEFEND, 0, (centre ^ 1,)) for role in (0, 1)),
        Hint(0, NETWORK.moves[0].index("(mark 3 3)"), ATTACK, 1, (corner ^ 1,)),
        *(Hint(role, NETWORK.moves[role].index("(mark 1 2)"), AVOID, 0, ()) for role in (0, 1)),
    )
    guide = Guide(hints, (1e9,), uses)
    made = build_step(NETWORK, guide=guide)
    assert len(made.phases) == (2 if gates else 0), "in large games, players share a step"
    played = one_function(made, kept=KEPT, words=1)
    played.seed(3)
    games = 200_000
    stats = played.playouts(games)
    slow = [_slow_game(guide, random.Random(seed)) for seed in range(3000)]
    assert stats.mean(0) == pytest.approx(sum(goal for goal, _ in slow) / len(slow), abs=3.0)
    assert stats.steps / stats.games == pytest.approx(sum(length for _, length in slow) / len(slow), abs=0.1)


def _slow_game(guide: Guide, chance: random.Random) -> tuple[int, int]:
    """A random game with hints, one move at a time: the goal of the first role, and how long it took."""
    facts, made = tuple(NETWORK.initial), 0
    while not (now := evaluate(NETWORK, facts)).terminal:
        joint = [moves[0] for moves in now.legal]
        role = max((0, 1), key=lambda each: len(now.legal[each]))
        if len(now.legal[role]) > 1 or made == 8:
            joint[role] = chance.choice(_preferred(guide, role, facts, now.legal[role], chance))
        facts, made = evaluate(NETWORK, facts, joint).next, made + 1
    return now.goals[0], made


def _preferred(
    guide: Guide, role: int, facts: tuple[int, ...], legal: tuple[int, ...], chance: random.Random
) -> list[int]:
    if chance.randrange(16) >= guide.parts(role):
        return list(legal)
    held = set(facts)
    applying: dict[tuple[int, int], set[int]] = {}
    for each in guide.hints:
        if each.role == role and each.move in legal and all((n >> 1 in held) != (n & 1) for n in each.needs):
            applying.setdefault((each.rank, each.purpose), set()).add(each.move)
    for key in ((0, ATTACK), (0, DEFEND)):
        if key in applying:
            return sorted(applying[key])
    good = [move for move in legal if move not in applying.get((0, AVOID), ())] or list(legal)
    return [move for move in good if move in applying.get((1, ATTACK), ())] or good
