"""Messages: Table 3 has six answers, in the paper's order and spelling."""

from __future__ import annotations

import pytest

from ggtp.protocol.messages import ACKNOWLEDGE, Answer, AnswerKind, Command


def test_a_command_reads_as_its_line() -> None:
    assert str(Command("made_move", ("Cross", "take 2 from B"))) == "made_move Cross take 2 from B"
    assert str(Command("start")) == "start"


def test_the_answers_of_table_3_and_ours() -> None:
    assert [kind.value for kind in AnswerKind] == [
        "reply",
        "acknowledge",
        "invalid_option_name",
        "invalid_option_value",
        "invalid_table_number",
        "select_move",
        "tell_message",
    ]


def test_messages_are_values() -> None:
    assert Answer(AnswerKind.ACKNOWLEDGE) == ACKNOWLEDGE
    assert hash(Command("a", ("b",))) == hash(Command("a", ("b",)))
    with pytest.raises(AttributeError):
        Command("a").name = "x"
