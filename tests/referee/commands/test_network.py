"""The door to other machines, and what follows when somebody behind it is lost."""

from __future__ import annotations

import pytest
from support.playbook import Actor, Playbook

from ggtp.referee.effects import Request, StartEngine

ALICE = "remote:alice"


def test_listening_says_where_and_with_which_key() -> None:
    Playbook().run("""
        list_connections
        ? Nobody listens. Use listen.
        listen *:9150
        -> Listening at tcp://*:9150 with the key 0123
        = Done
        list_connections
        = alice engine 127.0.0.1
        stop_listening
        = Done
        stop_listening
        ? Nobody listens. Use listen.
    """)


def test_only_known_keys_come_in_unless_it_is_said() -> None:
    book = Playbook()
    book.run("""
        listen *:9150 everybody
        ? everybody is neither known nor anyone.
        listen *:9150 ANYONE
        -> Listening at tcp://*:9150 with the key 0123
        -> Anyone may connect, whether the key is known or not
        = Done
    """)
    assert book.door == "*:9150 anyone"


def test_a_play_file_does_not_open_the_door() -> None:
    book = Playbook(files={"a.ggtp": "set_rule TicTacToe\nlisten *:9150\n"})
    assert book.say("load_file a.ggtp") == "? a.ggtp, line 2: listen can't be used in a play file."
    assert book.door == ""


def lost(moves: list[str], **options: str) -> Playbook:
    """A play in which alice was asked for a move two seconds ago and is lost now; nobody has come again."""
    actors = [Actor(), Actor(moves)]
    book = Playbook(engines={ALICE: lambda: actors.pop(0)}, defaults=options)
    book.lay("set_rule TicTacToe", f"set_engine Cross {ALICE}", "start")
    book.hold = lambda wish: isinstance(wish, StartEngine)
    book.wait(2.0)
    book.fail(1, "lost", "the connection is lost.")
    return book


def patience(book: Playbook) -> float:
    """How long it is waited for."""
    wishes = [effect.wish for effect in book.effects if isinstance(effect, Request)]
    return [wish.bounds.connect_seconds for wish in wishes if isinstance(wish, StartEngine)][-1]


def test_who_comes_again_gets_its_seat_back_and_the_play_told() -> None:
    book = Playbook(engines={ALICE: lambda: Actor(["A1", "C3"])})
    book.lay("set_rule TicTacToe", f"set_engine Cross {ALICE}", "start")
    book.lay("play Circle B2")
    again = Actor(["A3"])
    book.actors[ALICE] = lambda: again
    book.fail(1, "lost", "the connection is lost.")
    book.lay("play Circle A2")
    told = [line for line in again.heard if line.startswith(("start", "made_move", "have_to"))]
    assert told[:5] == [
        "start",
        "made_move Cross A1",
        "made_move Circle B2",
        "made_move Cross C3",
        "made_move Circle A2",
    ]
    assert book.say("list_played_moves") == "= Cross A1, Circle B2, Cross C3, Circle A2, Cross A3"
    assert "-> Waiting for remote:alice of Cross" in book.log


def limit(book: Playbook) -> float | None:
    """The seconds that the engine of Cross has for its move."""
    return next(seat.limit for seat in book.referee.view.status(book.now).seats if seat.player == "Cross")


def test_one_that_was_lost_is_waited_for() -> None:
    book = lost(["B2"], reconnect_time="7000")
    assert patience(book) == 7.0
    assert book.say("get_result") == "= none"
    book.grant()
    assert book.say("list_played_moves") == "= Cross B2"


def test_time_runs_on_while_it_is_away() -> None:
    book = lost([], time_move="5000", time_bank="60000")
    assert patience(book) == pytest.approx(3.1)
    book.wait(1.0)
    book.grant()
    assert limit(book) == pytest.approx(2.0)
    book.wait(0.5)
    book.engine(2, "select_move A1")
    assert book.say("get_clock Cross") == "= 56500"


def test_time_is_held_while_it_is_away_if_so_set() -> None:
    book = lost([], time_move="5000", time_bank="60000", away_clock="hold")
    assert patience(book) == 60.0
    book.wait(40.0)
    book.grant()
    assert limit(book) == pytest.approx(3.0)
    book.wait(0.5)
    book.engine(2, "select_move A1")
    assert book.say("get_clock Cross") == "= 57500"


def test_a_second_loss_in_one_move_gives_no_time_back() -> None:
    book = lost([], time_move="5000", away_clock="hold")
    book.actors[ALICE] = Actor
    book.grant()
    book.wait(1.0)
    book.fail(2, "lost", "the connection is lost.")
    book.grant()
    assert limit(book) == pytest.approx(2.0)


def test_who_does_not_come_again_is_what_an_end_is() -> None:
    book = lost([], fault_exit="forfeit")
    book.deny("Engine remote:alice is not there.")
    assert book.say("get_result") == "= Cross=loss, Circle=win"
    assert any("it did not come back" in line for line in book.log)


def test_without_a_policy_the_play_is_held_until_the_supervisor_goes_on() -> None:
    book = lost(["C1"])
    book.deny("Engine remote:alice is not there.")
    assert book.log[-1] == "-> Engine remote:alice is not there. The play is held."
    book.lay("genmove")
    book.grant()
    assert book.say("list_played_moves") == "= Cross C1"


def test_other_policies_hold_for_a_loss_too() -> None:
    book = lost([], fault_lost="random")
    assert len(book.say("list_played_moves").split(",")) == 1
    assert book.say("get_last_move").startswith("= Cross ")
    book = lost([], fault_lost="forfeit")
    assert book.say("get_result") == "= Cross=loss, Circle=win"


def test_a_seat_that_was_given_to_another_meanwhile_is_not_taken_back() -> None:
    book = lost(["A1"])
    book.lay("set_engine Cross human")
    book.grant()
    assert book.say("get_engine Cross") == "= human"
    assert book.say("list_played_moves") == "= none"
