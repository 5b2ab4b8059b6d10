"""One line of text to one message, and back."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from functools import lru_cache

from ggtp.errors import CommandError, RemoteProtocolError, UnknownCommand
from ggtp.protocol.commands import ENGINE, SUPERVISOR, SupervisorCommand
from ggtp.protocol.messages import ACKNOWLEDGE, Answer, AnswerKind, Command
from ggtp.protocol.text import BLANKS, one_line, split_words

LINE_END = "\r\n"

SHOWN = 60
"""How much of a faulty line is quoted in an error."""

LONGEST_KEPT = 64
"""How long a line may be that is remembered with its meaning: the lines of a game come again and again."""
KEPT = 1024


def parse_supervisor(line: str, table: Mapping[str, SupervisorCommand] = SUPERVISOR) -> Command | None:
    """A line of the supervisor; None for a blank line or a comment, which get no answer.

    With another table, a line of somebody who may say less.

    Raises:
        UnknownCommand: no such command; the text is the answer.
        CommandError: wrong arguments, or no line of text at all.
    """
    text = line.strip(BLANKS + LINE_END)
    if not text or text.startswith("#"):
        return None
    if "\n" in text or "\r" in text:
        raise CommandError("A line's end inside a line.")
    if not text.isascii() and any("\ud800" <= char <= "\udfff" for char in text):
        # Half characters, as terminals give for bytes that are no text: no wire and no file takes them.
        raise CommandError("The line is not UTF-8.")
    name, *rest = split_words(text, 2)
    spec = table.get(name)
    if spec is None:
        near = get_close_matches(name.casefold()[:SHOWN], table, n=1, cutoff=0.7)
        hint = f" Did you mean {near[0]}?" if near else ""
        shown = name if len(name) <= SHOWN else name[:SHOWN] + "..."
        all_of_them = "list_commands" if "list_commands" in table else "help"
        raise UnknownCommand(f"Unknown command {shown}. Use {all_of_them} to see the commands.{hint}")
    most = len(spec.parameters)
    args = split_words(rest[0], most) if rest and most else rest
    if not spec.fewest <= len(args) <= most:
        raise CommandError(f"Usage: {spec.usage}")
    return Command(name, tuple(args))


def is_comment(line: str) -> bool:
    """Whether a supervisor's line is blank or a comment, which get no answer."""
    text = line.strip(BLANKS + LINE_END)
    return not text or text.startswith("#")


def encode_command(command: Command) -> bytes:
    """A command for an engine, as the bytes of its line without the line's end."""
    return " ".join((command.name, *command.args)).encode()


_FEWEST = {name: sum(not parameter.optional for parameter in command.parameters) for name, command in ENGINE.items()}


def decode_command(line: bytes) -> Command:
    """A line of the referee, as an engine reads it.

    Raises:
        RemoteProtocolError: it is none of Table 2, or its arguments are wrong.
    """
    # A seed, or what is left on a clock, never comes again: to remember it would only fill the memory.
    again = line.startswith(b"made_move ") or b" " not in line
    return _decode_kept_command(line) if again and len(line) <= LONGEST_KEPT else _decode_command(line)


def _decode_command(line: bytes) -> Command:
    text = _decode(line)
    name, *rest = split_words(text, 2) or [""]
    spec = ENGINE.get(name)
    if spec is None:
        raise RemoteProtocolError("not a command of Table 2", shown(text))
    most = len(spec.parameters)
    args = split_words(rest[0], most) if rest and most else rest
    if not _FEWEST[name] <= len(args) <= most:
        raise RemoteProtocolError(f"wrong arguments for {name}", shown(text))
    return Command(name, tuple(args))


_decode_kept_command = lru_cache(KEPT)(_decode_command)


def encode_answer(answer: Answer) -> bytes:
    """An engine's line, as bytes without the line's end."""
    if answer.kind is AnswerKind.SELECT_MOVE:
        return b"select_move " + answer.text.rstrip(BLANKS).encode()
    return f"{answer.kind.value} {answer.text}".rstrip(BLANKS).encode()


_KINDS = {kind.value: kind for kind in AnswerKind}


def decode_answer(line: bytes) -> Answer:
    """A line of an engine, as the referee reads it.

    Raises:
        RemoteProtocolError: it is none of Table 3.
    """
    if line == b"acknowledge":  # by far the most frequent
        return ACKNOWLEDGE
    return _decode_kept_answer(line) if len(line) <= LONGEST_KEPT else _decode_answer(line)


def _decode_answer(line: bytes) -> Answer:
    text = _decode(line)
    name, *rest = split_words(text, 2) or [""]
    kind = _KINDS.get(name)
    if kind is None:
        raise RemoteProtocolError("not an answer of Table 3", shown(text))
    takes_text = kind in (AnswerKind.REPLY, AnswerKind.SELECT_MOVE, AnswerKind.TELL_MESSAGE)
    if rest and not takes_text:
        raise RemoteProtocolError(f"{name} takes no argument", shown(text))
    if not rest and kind is AnswerKind.SELECT_MOVE:
        raise RemoteProtocolError("select_move without a move", shown(text))
    return Answer(kind, rest[0] if rest else "")


_decode_kept_answer = lru_cache(KEPT)(_decode_answer)


def _decode(line: bytes) -> str:
    try:
        text = line.rstrip(b"\r\n").decode()
    except UnicodeDecodeError:
        raise RemoteProtocolError("bytes that are not UTF-8", shown(line.decode("latin-1"))) from None
    if "\n" in text or "\r" in text:
        # ZeroMQ carries such a line as one message; said back to an engine it would be two lines.
        raise RemoteProtocolError("a line's end inside a line", shown(text))
    return text


def shown(text: str) -> str:
    """The beginning of a faulty line, safe to print."""
    return one_line(text[:SHOWN]) + ("..." if len(text) > SHOWN else "")
