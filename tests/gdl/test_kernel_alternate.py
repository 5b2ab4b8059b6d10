"""Steps of two kinds: hints are followed in two moves of a period and in no others, whoever else plays meanwhile."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from support.compiled_trees import compiled
from support.lanes import KEPT

from ggtp.gdl.kernel import PlayoutKernel, chunks, one_function, table
from ggtp.gdl.kernel_single import pack, rows
from ggtp.gdl.program import build_step
from ggtp.gdl.program_guide import ATTACK, Guide, Hint

NETWORK = compiled("tictactoe").network
START = rows([pack(NETWORK, NETWORK.initial)])


def hint(role: int, move: str) -> Hint:
    return Hint(role, NETWORK.moves[role].index(move), ATTACK, 0, ())


def kernel(period: int, make: object = table) -> PlayoutKernel:
    hints = [hint(0, "(mark 1 1)"), hint(1, "(mark 2 2)")]
    program = build_step(NETWORK, guide=Guide(tuple(hints), period=period))
    made: PlayoutKernel = make(program, kept=KEPT)  # type: ignore[operator]
    made.seed(7)
    return made


def after(played: PlayoutKernel, moves: int) -> Counter[frozenset[str]]:
    """Which marks stand after so many moves of many games."""
    played.run_from(np.repeat(START, played.lanes, axis=0), max_steps=moves)
    found: Counter[frozenset[str]] = Counter()
    for row in played.lane_states():
        held = int.from_bytes(row.tobytes(), "little")
        marks = [text for i, text in enumerate(NETWORK.facts) if held >> i & 1 and text.startswith("(cell")]
        found[frozenset(text for text in marks if not text.endswith("blank)"))] += 1
    return found


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
    program = build_step(NETWORK, guide=Guide((hint(0, "(mark 1 1)"),), period=2))
    results = []
    for make in (table, one_function, chunks):
        made = make(program, kept=KEPT, words=4)
        made.seed(11)
        results.append(made.playouts(1000).goals)
    assert results[0] == results[1] == results[2]


def test_without_a_period_there_is_one_kind_of_step() -> None:
    assert build_step(NETWORK, guide=Guide((hint(0, "(mark 1 1)"),))).calm is None
    assert build_step(NETWORK).calm is None
