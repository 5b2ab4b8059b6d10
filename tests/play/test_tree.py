"""The play tree as text."""

from __future__ import annotations

from support.playbook import Playbook, phantom

from ggtp.game.record import GameRecord
from ggtp.play.tree import tree_lines


def record(*lines: str) -> GameRecord:
    book = Playbook()
    book.lay("set_rule TicTacToe", "start", *lines)
    assert book.referee.view.play.record is not None
    return book.referee.view.play.record


def test_a_line_without_a_fork_is_one_row() -> None:
    assert tree_lines(record()) == ["0 start *"]
    assert tree_lines(record("play Cross A1", "play Circle B1", "undo")) == ["0 start, 1 Cross A1 *, 2 Circle B1"]


def test_every_fork_is_indented_oldest_first() -> None:
    tree = record("play Cross A1", "undo", "play Cross B1", "play Circle C1", "undo", "play Circle C2", "name_node x")
    assert tree_lines(tree) == [
        "0 start",
        "  1 Cross A1",
        "  2 Cross B1",
        "    3 Circle C1",
        "    4 Circle C2 [x] *",
    ]


def test_comments_follow_their_row() -> None:
    tree = record("comment_node the start", "play Cross A1", "comment_node the corner", "forfeit Circle")
    assert tree_lines(tree) == [
        "0 start, 1 Cross A1, 2 Circle forfeits *",
        "  # 0: the start",
        "  # 1: the corner",
    ]


def test_a_long_line_does_not_exhaust_the_stack() -> None:
    tree = record()
    for _ in range(3000):
        tree._grow((("x", str(len(tree.nodes))),), tree.cursor.verdict)
        tree._enter(tree.nodes[-1])
    assert len(tree_lines(tree)) == 1


def test_whoever_looks_sees_of_the_tree_what_its_player_knows() -> None:
    book = phantom("Circle")
    book.lay("play Cross A1", "force_play Circle A1", "force_play Circle B2", "play Cross B2", "play Cross C3")
    book.lay("undo", "play Cross C1", "undo")
    book.run(
        """
        show_tree
        -> 0 start, 1 Cross A1, 2 ?, 3 Circle ?, 4 Cross tries B2 *
        ->   5 Cross C3
        ->   6 Cross C1
        = Done
        list_branches
        = 5=Cross C3, 6=Cross C1
        set_option view all
        = Done
        show_tree
        -> 0 start, 1 Cross A1, 2 Circle tries A1, 3 Circle B2, 4 Cross tries B2 *
        ->   5 Cross C3
        ->   6 Cross C1
        = Done
        """
    )
