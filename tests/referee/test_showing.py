"""What the supervisor is shown of a play: who looks decides it."""

from __future__ import annotations

import pytest
from support.playbook import Playbook, phantom


def test_a_human_is_shown_only_what_its_player_knows() -> None:
    book = phantom("Circle")
    book.run(
        """
        play Cross A1
        -> Cross plays A1
        = Done
        force_play Circle A1
        = Done
        force_play Circle B2
        -> Circle plays ?
        = Done
        play Cross B2
        -> Cross tries B2: refused, the square is taken
        = Done
        """
    )


def test_what_others_try_in_vain_draws_no_table(monkeypatch: pytest.MonkeyPatch) -> None:
    book = phantom("Circle", show_table="on")
    drawn: list[object] = []
    monkeypatch.setattr(type(book.referee.desk), "draw", lambda _, picture: drawn.append(picture))
    book.lay("play Cross A1", "force_play Circle A1")
    assert len(drawn) == 1
    book.lay("force_play Circle B2", "play Cross B2")
    assert len(drawn) == 3


def test_a_deal_card_by_card_is_one_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    book = Playbook(defaults={"show_table": "on", "seed": "7"})
    book.lay("set_rule openspiel/leduc_poker")
    drawn: list[object] = []
    monkeypatch.setattr(type(book.referee.desk), "draw", lambda _, picture: drawn.append(picture))
    book.lay("start")
    assert len(book.since(0, "-> Chance plays ")) == 2
    assert len(drawn) == 1
    book.lay("set_option chance off", "start")
    assert len(drawn) == 2  # nobody knows when chance is to draw
    book.lay("genmove")
    assert len(drawn) == 3


def test_two_humans_at_one_prompt_do_not_see_each_other_s_moves() -> None:
    book = phantom()
    book.run(
        """
        play Cross A1
        -> Cross plays ?
        = Done
        play Circle A1
        -> Circle tries A1: refused, the square is taken
        = Done
        """
    )


def test_the_supervisor_can_choose_whose_knowledge_is_shown() -> None:
    book = phantom("Circle", show_possible_moves="on")
    book.run(
        """
        set_option view all
        = Done
        play Cross A1
        -> Cross plays A1
        -> Circle=A1, B1, C1, A2, B2, C2, A3, B3, C3
        = Done
        force_play Circle B2
        -> Circle plays B2
        -> Cross=B1, C1, A2, B2, C2, A3, B3, C3
        = Done
        set_option view circle
        = Done
        get_option view
        = Circle
        play Cross C3
        -> Cross plays ?
        -> Circle=A1, B1, C1, A2, C2, A3, B3, C3
        = Done
        set_option view Square
        ? No player named Square.
        """
    )


def test_pictures_show_what_the_viewer_knows() -> None:
    book = phantom("Circle", show_table="on")
    book.lay("play Cross A1", "force_play Circle B2")
    assert "O" not in "".join(book.since(0, "| "))
