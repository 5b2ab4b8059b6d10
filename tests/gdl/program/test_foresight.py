"""Random games whose players look two moves ahead, and the games in which there are none."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from support.compiled_trees import compiled

from ggtp.gdl.kernel.playouts import PlayoutKernel, table
from ggtp.gdl.kernel.single import pack, rows
from ggtp.gdl.program import foresight
from ggtp.gdl.program.foresight import build_foreseeing, foresight_for

GAME = compiled("tictactoe")
NETWORK = GAME.network

TOSSED = """
(role hero) (role random) (init (turn hero))
(<= (legal hero bet) (true (turn hero))) (<= (legal hero stay) (true (turn hero)))
(<= (legal hero noop) (true (turn random)))
(<= (legal random heads) (true (turn random))) (<= (legal random tails) (true (turn random)))
(<= (legal random noop) (true (turn hero)))
(<= (next (turn random)) (true (turn hero))) (<= (next (turn hero)) (true (turn random)))
(<= (next staked) (does hero bet)) (<= (next staked) (true staked))
(<= (next (fell ?side)) (does random ?side) (distinct ?side noop))
(<= terminal (true (fell ?side)))
(<= won (true staked) (true (fell heads)))
(<= (goal hero 100) won) (<= (goal hero 0) (not won))
(<= (goal random 0) won) (<= (goal random 100) (not won))
"""
"""A hero, and a coin that would gain by showing tails."""


def kernel_of(name: str) -> PlayoutKernel:
    game = compiled(name)
    program = build_foreseeing(game.network, game.step)
    assert program is not None
    kernel = table(program)
    kernel.seed(3)
    return kernel


KERNEL = kernel_of("tictactoe")


def board(text: str, control: str) -> bytes:
    """A state of Tic Tac Toe from its three rows."""
    marks = {".": "blank", "x": "x", "o": "o"}
    cells = {
        f"(cell {row} {column} {marks[mark]})"
        for row, line in enumerate(text.split("/"), 1)
        for column, mark in enumerate(line, 1)
    }
    held = cells | {f"(control {control})"}
    assert held <= set(NETWORK.facts)
    return pack(NETWORK, [NETWORK.facts.index(fact) for fact in sorted(held)])


def moves_from(state: bytes, kernel: PlayoutKernel = KERNEL) -> Counter[str]:
    """Which cells are marked first in many games."""
    kernel.run_from(np.repeat(rows([state]), kernel.lanes, axis=0), max_steps=1)
    was = {fact for i, fact in enumerate(NETWORK.facts) if state[i // 8] >> i % 8 & 1}
    found: Counter[str] = Counter()
    for row in kernel.lane_states():
        held = int.from_bytes(row.tobytes(), "little")
        now = {fact for i, fact in enumerate(NETWORK.facts) if held >> i & 1 and fact.endswith((" x)", " o)"))}
        found[" ".join((now - was).pop().split()[1:3])] += 1
    return found


def test_who_can_win_does() -> None:
    state = board("xx./oo./...", NETWORK.roles[0])
    outcomes = KERNEL.run_from(np.repeat(rows([state]), KERNEL.lanes, axis=0))
    assert (outcomes.lengths == 1).all()
    assert (outcomes.goals == [100, 0]).all()


def test_who_can_not_win_prevents_that_the_other_does() -> None:
    assert set(moves_from(board("xx./o../...", NETWORK.roles[1]))) == {"1 3"}


def test_where_all_is_lost_anything_is_played_and_where_nothing_is_decided_too() -> None:
    doomed = moves_from(board("xx./xo./..o", NETWORK.roles[1]))
    assert set(doomed) == {"1 3", "2 3", "3 1", "3 2"}
    calm = moves_from(pack(NETWORK, NETWORK.initial))
    assert len(calm) == 9
    assert max(calm.values()) < 2 * min(calm.values())


def test_nobody_fills_the_square_below_a_threat() -> None:
    """In Connect Four, random games go on until somebody has to."""
    game = compiled("connectfour")
    plain, ahead = game.best(), kernel_of("connectfour")
    state = np.repeat(rows([pack(game.network, game.network.initial)]), 4 * ahead.lanes, axis=0)
    assert ahead.run_from(state).lengths.mean() > plain.run_from(state).lengths.mean() + 4


def test_nobody_eats_what_is_poisoned_before_it_is_all_there_is() -> None:
    """In Chomp, no move wins, and the one that loses may be made at any time."""
    game = compiled("chomp")
    plain, ahead = game.best(), kernel_of("chomp")
    state = np.repeat(rows([pack(game.network, game.network.initial)]), 4 * ahead.lanes, axis=0)
    assert plain.run_from(state).lengths.min() == 1
    assert ahead.run_from(state).lengths.min() > 1


@pytest.mark.slow
@pytest.mark.parametrize("name", ["pegsolitaire", "rockpaperscissors", "reversi_small", "breakthrough_small"])
def test_there_are_none_where_it_can_not_be_seen_what_wins_or_does_not_help(name: str) -> None:
    """One player; moves at the same time; wins that are hard to see; many moves."""
    game = compiled(name)
    assert build_foreseeing(game.network, game.step) is None


def test_chance_is_no_opponent() -> None:
    """It shows either side, whatever is said to be good for it."""
    game = compiled(TOSSED)
    assert build_foreseeing(game.network, game.step) is None
    state = np.repeat(rows([pack(game.network, game.network.initial)]), 2000, axis=0)
    assert 15 < game.best().run_from(state).goals[:, 0].mean() < 35


def test_what_costs_too_much_is_not_made(monkeypatch: pytest.MonkeyPatch) -> None:
    assert foresight_for(GAME.step) > 0
    monkeypatch.setattr(foresight, "COSTLIEST", 1)
    assert build_foreseeing(NETWORK, GAME.step) is None
    for limit in ("MOST_WORK", "MOST_MOVES"):
        with monkeypatch.context() as patched:
            patched.setattr(foresight, limit, 9)
            assert foresight_for(GAME.step) == 0
    monkeypatch.setattr(foresight, "MOST_MOVES", 9)
    monkeypatch.setattr(foresight, "build_step", lambda *_, **__: pytest.fail("it was tried"))
    assert build_foreseeing(NETWORK, GAME.step) is None
