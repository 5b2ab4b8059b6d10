"""The linear evaluator: what it sees in positions, what random games teach it, and searches that follow it."""

import random
from dataclasses import dataclass

import numpy as np
import pytest
from support.compiled_trees import WIDE, compiled, never, state_after
from support.evaluators import mcts_over_positions, mcts_over_rows, minimax_over_positions, minimax_over_rows

from ggtp.catalogue import Catalogue
from ggtp.gdl.kernel.single import rows, unpack
from ggtp.search.evaluation.evaluator import PositionGame, RowGame
from ggtp.search.evaluation.learning import Lessons
from ggtp.search.evaluation.linear import MOST_SEEN, STAGES, Linear, seen_in


@dataclass(frozen=True)
class Board:
    stones: tuple[int, ...]
    mover: str


@pytest.mark.parametrize(
    ("key", "seen"),
    [
        (5, ["(bit k 1)", "(bit k 3)"]),
        (-2, ["(minus k 2)"]),
        (0, []),
        (True, ["(bit k 1)"]),
        (b"\x01\x01", ["(bit k 1)", "(bit k 9)"]),
        ("a(", ["(letter k 0 97)", "(letter k 1 40)"]),
        ((1, ("x",)), ["(bit k_0 1)", "(letter k_1_0 0 120)"]),
        (frozenset({(2, "b"), "(cell 1 1)"}), ["(member k _2_b_)", "(member k _cell_1_1_)"]),
        (Board((0, 1), "x"), ["(bit k_0_1 1)", "(letter k_1 0 120)"]),
        (None, []),
    ],
)
def test_what_is_seen_in_keys(key, seen) -> None:
    assert list(seen_in(key)) == seen


def studied(rule: str, games: int = STAGES[-1], seed: int = 1):
    """The leaves of a rule in Python after so many random games, and its rules and options."""
    rules = Catalogue.from_environment({}).find_rules(rule)
    values = rules.complete({})
    leaves = Linear().of_positions(PositionGame(rules, values, seed))
    left = iter(range(games))
    leaves.study(lambda: next(left, None) is None)
    return leaves, rules.begin(values)


def test_before_it_has_learned_anything_nobody_is_ahead() -> None:
    leaves, first = studied("TicTacToe", STAGES[0] - 1)
    assert leaves.values([first, first]).tolist() == [[0.5, 0.5]] * 2


def test_it_learns_in_stages_and_goes_on_where_it_was_interrupted() -> None:
    leaves, first = studied("TicTacToe", STAGES[0] - 1)
    left = iter(range(2))
    assert leaves.study(lambda: next(left, None) is None)
    early = leaves.values([first]).tolist()
    assert leaves.study(never)
    assert not leaves.study(never)
    whole, _ = studied("TicTacToe")
    assert leaves.values([first]).tolist() == whole.values([first]).tolist() != early


def test_it_knows_that_the_middle_is_worth_most_and_an_edge_least() -> None:
    leaves, first = studied("TicTacToe")
    after = [first.play({"Cross": move}).position for move in ("B2", "A1", "B1")]
    middle, corner, edge = leaves.values(after)[:, 0]
    assert middle > corner > edge


def test_it_knows_that_more_checkers_are_better() -> None:
    """Of random games, most of what is won is won by those who have more men."""
    leaves, position = studied("Checkers")
    rng = random.Random(3)
    ahead, behind = [], []
    for _ in range(20):
        here = position
        for _ in range(30):
            if here.result() is not None:
                break
            (player,) = here.turn().players
            here = here.play({player: rng.choice(here.moves(player))}).position
        text = here.view(None).split()[0] if here.result() is None else ""
        lead = sum(map(text.count, "bB")) - sum(map(text.count, "wW"))
        if abs(lead) >= 2:
            (ahead if lead > 0 else behind).append(leaves.values([here])[0])
    assert ahead
    assert behind
    black = int(np.mean(ahead, axis=0).argmax())
    assert np.mean(ahead, axis=0)[black] > 0.5 > np.mean(behind, axis=0)[black]


def test_values_are_those_of_lessons_in_compiled_games() -> None:
    game = compiled("connect3")
    leaves = Linear().of_rows(RowGame(game, 7))
    states = [state_after(game), state_after(game, "(drop 1)"), state_after(game, "(drop 1)", "(drop 1)", "(drop 2)")]
    assert leaves.values(rows(states)).tolist() == [[0.5, 0.5]] * 3
    assert leaves.study(never)
    assert not leaves.study(never)
    lessons = Lessons(game.state_kernel(), 7)
    lesson = lessons.learn(never)
    wanted = [[lesson.expected(role, unpack(state)) / 100 for role in range(2)] for state in states]
    assert leaves.values(rows(states)) == pytest.approx(np.clip(wanted, 0, 1))


def test_long_keys_are_not_seen_to_their_ends() -> None:
    leaves, first = studied("TicTacToe")
    long = type("Long", (), {"key": lambda self: "x" * 10 * MOST_SEEN})()
    assert leaves.values([first, long]).shape == (2, 2)


@pytest.mark.parametrize("search", [mcts_over_positions, minimax_over_positions])
def test_searches_over_positions_take_the_middle_that_it_has_learned_to_prize(search) -> None:
    assert search(Linear()) == "B2"


def test_searches_over_rows_take_what_it_has_learned_to_prize() -> None:
    """Ten of a hundred moves make a fact hold that wins three moves later, which neither search sees."""
    assert mcts_over_rows(Linear(), playouts=200, name=WIDE).startswith("say 7")
    assert minimax_over_rows(Linear(), name=WIDE).startswith("say 7")
