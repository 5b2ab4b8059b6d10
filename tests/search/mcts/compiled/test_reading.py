"""What a tree says: choices of everybody, summed or apart, and a line that can be played."""

import pytest
from support.compiled_trees import MATRIX, never, searched, searching, state_after

from ggtp.search.mcts.compiled.reading import line_from, move_text
from ggtp.search.mcts.options import BOUND, DECOUPLED, VALUE, VISITS


def test_moves_are_written_as_the_house_writes_them() -> None:
    assert [move_text(text) for text in ("(mark 1 2)", "noop", "(noop)")] == ["mark 1 2", "noop", "(noop)"]


def test_moves_at_the_same_time_are_summed_over_the_others_or_chosen_apart() -> None:
    joint = searched(MATRIX, playouts=4_000).decision("row")
    assert joint.chosen(VISITS).move == "up"
    assert {choice.move: choice.value for choice in joint.choices} == pytest.approx({"up": 0.7, "down": 0.575})
    apart = searched(MATRIX, playouts=4_000, simultaneous=DECOUPLED)
    assert apart.decision("row").chosen(VISITS).move == "down"
    assert apart.decision("col").chosen(VISITS).move == "right"


def test_the_line_can_be_played() -> None:
    search = searched("connect3", playouts=10_000)
    line = search.decision(search.players[0]).line
    assert len(line) > 2
    state_after(search.game, *(f"({move})" for move in line))


def test_the_line_begins_with_the_move_that_is_made() -> None:
    search = searched("connect3", playouts=10_000)
    assert search.tree is not None
    choices = search.decision(search.players[0]).choices
    for choice in choices:
        assert line_from(search.tree, search.root, choice.move)[0] == choice.move
    for final in (BOUND, VISITS, VALUE):
        decision = searched("connect3", playouts=10_000, solver=False, final=final).decision(search.players[0])
        assert decision.line[0] == decision.chosen(final).move


@pytest.mark.parametrize("made", [(), ("1 1",), ("1 1", "1 2", "3 3"), ("1 1", "1 2", "3 3", "1 3", "3 1")])
def test_the_line_begins_so_after_a_look_ahead_too(made: tuple[str, ...]) -> None:
    """Also where all is lost, and several moves are as bad as each other."""
    search = searching("tictactoe", *(f"(mark {place})" for place in made))
    player = search.players[len(made) % 2]
    search.load_scouts()
    search.deepen(player, None, most_nodes=20_000)
    search.run(never)
    decision = search.decision(player)
    assert decision.solved
    assert decision.line[0] == decision.chosen(search.settings.final).move


def test_moves_at_the_same_time_are_joined_in_the_line() -> None:
    search = searched(MATRIX, playouts=4_000)
    assert search.tree is not None
    (joint,) = line_from(search.tree, search.root)
    assert len(joint.split("+")) == 2
