"""What is said to engines is made once."""

from __future__ import annotations

import pytest

from ggtp.protocol.commands import ENGINE
from ggtp.protocol.messages import Command
from ggtp.protocol.utterances import HAVE_TO_PLAY, LONGEST_KEPT, START, Utterance, have_to_play, made_move, utterance


def test_an_utterance_is_a_command_with_its_row_and_its_line() -> None:
    assert Utterance(ENGINE["start"], Command("start"), b"start") == START
    assert utterance(Command("set_option", ("rule", "Tic tac"))).line == b"set_option rule Tic tac"


@pytest.mark.parametrize(("seconds", "line"), [(1.5, b"have_to_play 1500"), (0.0015, b"have_to_play 1")])
def test_a_request_for_a_move_tells_the_time_in_milliseconds(seconds: float, line: bytes) -> None:
    assert have_to_play(seconds).line == line


def test_a_request_without_a_limit_tells_none() -> None:
    assert have_to_play(None) is HAVE_TO_PLAY
    assert HAVE_TO_PLAY.line == b"have_to_play"


def test_short_moves_are_remembered_and_long_ones_are_not() -> None:
    short, long = "A1", "x" * (LONGEST_KEPT + 1)
    assert made_move("Cross", short) is made_move("Cross", short)
    assert made_move("Cross", long) is not made_move("Cross", long)
    assert made_move("Cross", long).line == b"made_move Cross " + long.encode()
