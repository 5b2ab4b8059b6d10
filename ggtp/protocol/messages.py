"""Messages: what is said, apart from how it is written."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


@dataclass(frozen=True, slots=True)
class Command:
    """A command word and its arguments."""

    name: str
    args: tuple[str, ...] = ()

    def __str__(self) -> str:
        return " ".join((self.name, *self.args))


class AnswerKind(Enum):
    """What an engine may say: Table 3 of the protocol."""

    REPLY = "reply"
    ACKNOWLEDGE = "acknowledge"
    INVALID_OPTION_NAME = "invalid_option_name"
    INVALID_OPTION_VALUE = "invalid_option_value"
    INVALID_TABLE_NUMBER = "invalid_table_number"
    SELECT_MOVE = "select_move"
    TELL_MESSAGE = "tell_message"
    """Ours: only from engines that list the option `messages`, where the rule lets partners talk."""


@dataclass(frozen=True, slots=True)
class Answer:
    """One line of an engine. `text` is the data of a reply, or the selected move."""

    kind: AnswerKind
    text: str = ""


ACKNOWLEDGE = Answer(AnswerKind.ACKNOWLEDGE)
