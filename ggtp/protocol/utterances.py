"""What is said to engines: commands with their row of Table 2 and their bytes, made once and said often."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from ggtp.errors import LocalProtocolError
from ggtp.protocol.codec import encode_command
from ggtp.protocol.commands import ENGINE, EngineCommand
from ggtp.protocol.messages import Command

LONGEST_KEPT = 64
"""The length of the longest move that is remembered with its line, so that the memory for them stays small."""


class Utterance(NamedTuple):
    """A command with its row of Table 2 and its line: what is said to several engines, or again, is made once."""

    spec: EngineCommand
    command: Command
    line: bytes


def utterance(command: Command) -> Utterance:
    """The command as it can be said to any engine.

    Raises:
        LocalProtocolError: it is no command of Table 2, or not one line.
    """
    spec = ENGINE.get(command.name)
    if spec is None:
        raise LocalProtocolError(f"not a command of Table 2: {command}")
    line = encode_command(command)
    if b"\n" in line or b"\r" in line:
        raise LocalProtocolError(f"a line's end inside {command.name}")
    return Utterance(spec, command, line)


CONNECT = utterance(Command("connect_engine"))
DISCONNECT = utterance(Command("disconnect_engine"))
LIST_OPTIONS = utterance(Command("list_options"))
START = utterance(Command("start"))
UNDONE = utterance(Command("undone_move"))
REDONE = utterance(Command("redone_move"))
HAVE_TO_PLAY = utterance(Command("have_to_play"))


def have_to_play(seconds: float | None) -> Utterance:
    """The request for a move, with the time for it where it is limited."""
    return HAVE_TO_PLAY if seconds is None else utterance(Command("have_to_play", (str(int(seconds * 1000)),)))


def made_move(actor: str, move: str) -> Utterance:
    """The news of a move: what is said most often, to several engines, and in many games again and again."""
    return _made_move(actor, move) if len(move) <= LONGEST_KEPT else utterance(Command("made_move", (actor, move)))


@lru_cache(maxsize=1024)
def _made_move(actor: str, move: str) -> Utterance:
    return utterance(Command("made_move", (actor, move)))
