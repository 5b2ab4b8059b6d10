"""What a person on another machine may say, and that it is no more than that."""

from __future__ import annotations

import pytest
from support.playbook import Playbook

from ggtp.protocol.commands import SEAT, SEAT_COMMANDS, SUPERVISOR
from ggtp.referee.commands.seats import Seats
from ggtp.referee.effects import StartEngine


def seated(rule: str = "TicTacToe") -> Playbook:
    book = Playbook(engines=["Mute"])
    book.lay(f"set_rule {rule}", "set_engine Cross person:carol")
    book.join(1, "carol")
    book.lay("start")
    return book


def test_every_command_has_a_method_and_a_closing_line() -> None:
    for row in SEAT_COMMANDS:
        assert callable(getattr(Seats, row.name))
    book = seated()
    lines = ["show_table", "list_possible_moves", "play A1", "get_result", "list_played_moves", "list_players"]
    lines += ["help", "help play", "resign", "leave"]
    assert {line.split()[0] for line in lines} == set(SEAT) - {"tell"}
    for line in lines:
        told = book.visitor(1, line)
        assert told[-1].startswith("= "), line
        assert all(text.startswith("-> ") for text in told[:-1])


def test_a_move_may_be_typed_alone() -> None:
    book = seated()
    assert book.visitor(1, " b2 ")[-1] == "= Done"
    assert book.say("list_played_moves") == "= Cross B2"
    assert book.visitor(1, "A1") == ["? Unknown command A1. Use help to see the commands."], "it is not her turn"


def test_a_move_whose_name_begins_with_play_is_understood_alone() -> None:
    book = Playbook(defaults={"seed": "7"})
    book.lay("set_rule gdl/cardgame", "set_engine north person:carol")
    book.join(1, "carol")
    book.lay("start")
    move = book.referee.view.play.position.moves("north")[0]
    assert move.startswith("play ")
    assert book.visitor(1, "play moon 9")[-1] == "? No move named moon 9 for player north."
    assert book.visitor(1, move)[-1] == "= Done"


@pytest.mark.parametrize("name", sorted(set(SUPERVISOR) - set(SEAT)))
def test_no_command_of_the_supervisor_s_is_understood(name: str) -> None:
    book = seated()
    before = book.snapshot()
    (told,) = book.visitor(1, f"{name} x y")
    assert told.startswith(f"? Unknown command {name}. Use help")
    after = book.snapshot()
    assert before == after


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("play", "? Usage: play move"),
        ("play Z9", "? No move named Z9 for player Cross."),
        ("show_table Circle", "? Usage: show_table"),
        ("list_possible_moves Circle", "? Usage: list_possible_moves"),
        ("help nothing", "? No help on nothing. Use help to see what there is."),
        ("Z9", "? Unknown command Z9. Use help to see the commands."),
        ("x" * 5000, "? A line of more than 4096 characters."),
    ],
)
def test_what_is_refused_is_told_and_changes_nothing(line: str, answer: str) -> None:
    book = seated()
    before = book.snapshot()
    assert book.visitor(1, line) == [answer]
    assert book.snapshot() == before


def test_moves_are_asked_for_and_made() -> None:
    book = seated()
    assert book.visitor(1, "list_possible_moves") == ["= A1, B1, C1, A2, B2, C2, A3, B3, C3"]
    assert book.visitor(1, "play b2")[-1] == "= Done"
    assert book.visitor(1, "list_possible_moves") == ["= none"]
    assert book.visitor(1, "play A1") == ["? It is not Cross's turn."]
    assert book.visitor(1, "list_played_moves") == ["= Cross B2"]
    assert book.visitor(1, "list_players") == ["= Cross=you, Circle=human"]


def test_blank_lines_get_no_answer() -> None:
    book = seated()
    assert book.visitor(1, "") == []
    assert book.visitor(1, "# hello") == []


def test_who_resigns_has_lost() -> None:
    book = seated()
    assert book.visitor(1, "resign no time left")[-1] == "= Done"
    assert book.say("get_result") == "= Cross=loss, Circle=win"
    assert book.visitor(1, "resign") == ["? The play is over."]


def test_before_the_start_there_is_nothing_to_play() -> None:
    book = Playbook()
    book.lay("set_rule TicTacToe", "set_engine Cross person:carol")
    book.join(1, "carol")
    assert book.whispers[1][-1] == "-> The play has not begun."
    assert book.visitor(1, "play A1") == ["? The play is not started. Use start."]
    assert book.visitor(1, "resign") == ["? The play is not started. Use start."]


def test_while_the_supervisor_s_command_waits_a_person_waits_too() -> None:
    book = seated()
    book.hold = lambda wish: isinstance(wish, StartEngine)
    book.say("set_engine Circle Mute")
    assert book.visitor(1, "play B2") == []
    book.deny("It does not start.")
    assert book.whispers[1][-1] == "= Done"
    assert book.say("list_played_moves") == "= Cross B2"


def test_the_referee_s_goodbye_is_told() -> None:
    book = seated()
    book.lay("quit")
    assert book.whispers[1][-1] == "= Goodbye"
