"""One player: the best playout is found again move by move, and played out."""

import numpy as np
import pytest
from support.compiled_trees import compiled, searched, state_after

from ggtp.gdl.kernel.single import rows
from ggtp.gdl.program.step import GENERATOR
from ggtp.search.mcts.compiled.solo import replay
from ggtp.search.mcts.options import VALUE, VISITS

PUZZLES = ("buttons", "lightsout", "queens", "pancakes", "eightpuzzle")


@pytest.mark.slow
@pytest.mark.parametrize("name", PUZZLES)
def test_a_playout_in_a_lane_is_found_again(name: str) -> None:
    game = compiled(name)
    kernel, single = game.best(), game.state_kernel()
    start = state_after(game)
    starts = np.repeat(rows([start]), 40, axis=0)
    kernel.seed(11)
    before = kernel._memory.array()[GENERATOR : GENERATOR + 2].ravel().copy()
    outcomes = kernel.run_from(starts)
    for lane in (0, 17, int(outcomes.goals[:, 0].argmax())):
        moves = replay(kernel.twin(), single, starts, lane, before, int(outcomes.goals[lane, 0]))
        assert moves is not None
        assert len(moves) == outcomes.lengths[lane]
        state = start
        for move in moves:
            assert move in single.legal(state)[0]
            state = single.next(state, [move])
        assert single.look(state).terminal
        assert single.look(state).goals == [outcomes.goals[lane, 0]]


def test_a_wrong_goal_is_not_explained() -> None:
    game = compiled("buttons")
    kernel = game.best()
    starts = np.repeat(rows([state_after(game)]), 4, axis=0)
    assert replay(kernel, game.state_kernel(), starts, 0, np.zeros(64, np.uint64) + 7, 99) is None


@pytest.mark.slow
@pytest.mark.parametrize("name", ["queens", "lightsout", "buttons"])
def test_the_best_playout_is_played_out_to_the_maximum(name: str) -> None:
    search = searched(name, playouts=3_000_000)
    (player,) = search.players
    state, kernel = state_after(search.game), search.game.state_kernel()
    assert search.settled
    assert search.decision(player).best == 1.0
    while not kernel.look(state).terminal:
        assert search.begin(state)
        assert search.settled  # nothing more to search: the way is known
        decision = search.decision(player)
        texts = [move for move in search.game.network.moves[0] if move.strip("()") == decision.chosen(VISITS).move]
        state = kernel.next(state, [search.game.network.moves[0].index(texts[0])])
    assert kernel.look(state).goals == [100]


def test_the_best_found_counts_not_the_mean() -> None:
    search = searched("eightpuzzle", playouts=3_000)
    decision = search.decision(search.players[0])
    assert decision.best is not None
    assert decision.best > max(choice.value for choice in decision.choices)
    assert decision.chosen(VISITS).move == decision.chosen(VALUE).move == decision.planned
