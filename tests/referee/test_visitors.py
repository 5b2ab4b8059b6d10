"""People on other machines: which seat they get, and that nobody is told what only another may know."""

from __future__ import annotations

import random

import pytest
from support.playbook import Actor, Playbook

TURN = "-> It is your turn."


def seated(rule: str = "TicTacToe", *lines: str) -> Playbook:
    """Carol is Cross, whoever moves for Circle sits at the prompt."""
    book = Playbook()
    book.lay(f"set_rule {rule}", "set_engine Cross person:carol", *lines)
    book.join(1, "carol")
    book.lay("start")
    return book


def test_a_seat_waits_for_whom_it_is_meant() -> None:
    book = Playbook()
    book.lay("set_rule TicTacToe", "set_engine Cross person:Carol", "start")
    assert book.say("list_players") == "= Cross=person:Carol, Circle=human"
    book.join(1, "dave")
    assert book.whispers[1] == ["-> There is no seat for you yet. You will be told when there is."]
    book.join(2, "carol")
    assert book.whispers[2][0] == "-> You are Cross in TicTacToe"
    assert book.whispers[2][-1] == TURN
    book.lay("set_engine Circle person:dave")
    assert book.whispers[1][1] == "-> You are Circle in TicTacToe"
    assert TURN not in book.whispers[1]


def test_who_leaves_finds_the_seat_again() -> None:
    book = seated()
    assert book.visitor(1, "play B2")[-1] == "= Done"
    book.leave(1)
    assert "-> carol has left; the seat of Cross is kept" in book.log
    book.lay("play Circle A1")
    book.join(2, "carol")
    assert book.whispers[2][:5] == [
        "-> You are Cross in TicTacToe",
        "->   A B C",
        "-> 3 . . .",
        "-> 2 . X .",
        "-> 1 O . .",
    ]
    assert book.visitor(2, "play C3")[-1] == "= Done"
    assert book.visitor(1, "play A3") == []


def test_anybody_may_take_a_seat_for_anybody_and_chooses_among_them() -> None:
    book = Playbook()
    book.lay("set_rule TicTacToe", "set_engine Cross person:*", "set_engine Circle person:*")
    book.join(1, "carol", "circle")
    book.join(2, "dave")
    book.join(3, "eve")
    assert [book.whispers[number][0] for number in (1, 2, 3)] == [
        "-> You are Circle in TicTacToe",
        "-> You are Cross in TicTacToe",
        "-> There is no seat for you yet. You will be told when there is.",
    ]
    book.leave(2)
    book.join(4, "frank")
    assert book.referee._flow.visitors.present[3].player == "Cross"  # eve has waited longer
    assert book.referee._flow.visitors.present[1].player == "Circle"


def test_one_who_loses_a_seat_is_told() -> None:
    book = seated()
    book.lay("set_engine Cross human")
    assert book.whispers[1][-1] == "-> You have no seat any more."
    assert book.visitor(1, "play A1") == ["? There is no seat for you yet. You will be told when there is."]
    book.lay("set_engine Cross person:carol")
    assert book.whispers[1][-1] == TURN
    book.lay("set_rule Nim")
    assert book.whispers[1][-1] == "-> You have no seat any more."


def test_a_seat_that_names_nobody_is_refused() -> None:
    book = Playbook()
    book.lay("set_rule TicTacToe")
    for name in ("", "a b", "a:b", "**", "x" * 65):
        assert book.say(f"set_engine Cross person:{name}").startswith("? ")
    assert book.say("get_engine Cross") == "= human"


def test_a_play_file_keeps_the_seat() -> None:
    book = seated()
    book.lay("save_file a.ggtp")
    book.visitor(1, "play B2")
    book.lay("close_file")
    assert "set_engine Cross person:carol" in book.files["a.ggtp"]
    assert book.files["a.ggtp"].endswith("force_play Cross B2\n")
    again = Playbook(files=book.files)
    again.join(1, "carol")
    again.lay("load_file a.ggtp")
    assert again.whispers[1][1] == "-> You are Cross in TicTacToe"
    assert again.say("get_engine_option Cross x") == "? Cross is played by a human."


def test_the_play_is_told_as_it_goes() -> None:
    book = seated()
    assert book.visitor(1, "play B2") == [
        "-> Cross plays B2",
        "->   A B C",
        "-> 3 . . .",
        "-> 2 . X .",
        "-> 1 . . .",
        "= Done",
    ]
    begin = len(book.whispers[1])
    book.lay("play Circle A1", "undo", "redo", "forfeit Circle")
    told = book.whispers[1][begin:]
    assert told[0] == "-> Circle plays A1"
    assert told.count("-> The play goes on from another place") == 2
    assert "-> Circle forfeits" in told
    assert told[-1] == "-> Cross=win, Circle=loss"


def test_an_engine_and_a_person_elsewhere_play() -> None:
    book = Playbook(engines={"Mute": lambda: Actor(["A1", "A2"])})
    book.lay("set_rule TicTacToe", "set_engine Cross person:carol", "set_engine Circle Mute")
    book.join(1, "carol")
    book.lay("start")
    assert "-> Circle plays A1" in book.visitor(1, "play B2")
    assert book.say("genmove") == "? It is a human's turn: Cross."


def test_in_a_joint_turn_nobody_sees_a_choice_before_all_have_chosen() -> None:
    book = Playbook()
    book.lay("set_rule RockPaperScissors", "set_engine Left person:carol", "set_engine Right person:dave")
    book.join(1, "carol")
    book.join(2, "dave")
    book.lay("start")
    begin = len(book.whispers[2])
    assert book.visitor(1, "play paper")[-1] == "= Done"
    assert book.whispers[2][begin:] == ["-> Left has chosen"]
    book.visitor(2, "play rock")
    assert "-> Left plays Paper" in book.whispers[2][begin:]


# Nothing but what may be known: whatever happens in secret, the bytes are the same.


def heard_by_cross(circle: list[str], cross: list[str]) -> list[str]:
    """All that carol hears as Cross, of a play in which both try what is listed, each until one of it stands."""
    book = seated("PhantomTicTacToe", "set_option view all")
    circle, cross = list(circle), list(cross)
    while cross:
        turn = book.referee.view.play.turn().players[0]
        if turn == "Cross":
            book.visitor(1, f"play {cross.pop(0)}")
        elif circle:
            book.lay(f"play Circle {circle.pop(0)}")
        else:
            break
    book.visitor(1, "show_table")
    book.visitor(1, "list_possible_moves")
    book.visitor(1, "list_played_moves")
    book.visitor(1, "get_result")
    return book.whispers[1]


@pytest.mark.parametrize("square", ["A1", "B1", "C1", "A2", "C2", "A3", "B3"])
def test_a_hidden_move_leaves_no_trace(square: str) -> None:
    assert heard_by_cross([square], ["B2"]) == heard_by_cross(["C3"], ["B2"])


def test_a_try_in_vain_leaves_no_trace_with_others() -> None:
    assert heard_by_cross(["B2", "C3"], ["B2"]) == heard_by_cross(["C3"], ["B2"])
    assert heard_by_cross(["B2", "A1", "B2", "C1", "C3"], ["B2", "C1"]) == heard_by_cross(["A1", "C3"], ["B2", "C1"])


def test_in_random_plays_the_bytes_follow_from_what_was_seen() -> None:
    rng = random.Random(3)
    squares = [f"{column}{row}" for column in "ABC" for row in "123"]
    by_seen: dict[tuple[str, ...], list[str]] = {}
    repeated = 0
    for _ in range(120):
        heard = heard_by_cross(rng.sample(squares, 5), rng.choice((["B2", "A1"], ["B2", "C3"], ["A1", "B2"])))
        # What Cross has seen in such a play: its own moves and refusals, and that Circle has moved.
        seen = tuple(line for line in heard if " plays " in line or " tries " in line)
        assert all("Circle" not in line or line == "-> Circle plays ?" for line in seen)
        repeated += seen in by_seen
        assert by_seen.setdefault(seen, heard) == heard
    assert repeated > 60


def test_an_engine_s_fault_is_told_without_what_it_tried() -> None:
    book = Playbook(engines={"Bad": lambda: Actor(["Z9 at C3"])}, defaults={"fault_illegal": "forfeit"})
    book.lay("set_rule PhantomTicTacToe", "set_engine Cross person:carol", "set_engine Circle Bad")
    book.join(1, "carol")
    book.lay("start")
    book.visitor(1, "play B2")
    assert "-> Circle forfeits" in book.whispers[1]
    assert not [line for line in book.whispers[1] if "C3" in line or "Z9" in line or "Bad" in line]
