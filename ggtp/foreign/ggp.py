"""What a game manager of general game playing says to a player, and what the player answers.

| message | text | answer |
| --- | --- | --- |
| INFO | `( INFO )` | `( ( name N ) ( status available ) )` |
| PREVIEW | `( PREVIEW (<rules> ) <seconds> )` | `ready` |
| START | `( START <match> <role> (<rules> ) <start clock> <play clock>)` | `ready` |
| PLAY | `( PLAY <match> NIL )`, `( PLAY <match> (<moves> ) )` | a move |
| STOP | `( STOP <match> (<moves> ) )` | `done` |
| ABORT | `( ABORT <match> )` | `aborted` |

The blanks are those of the Java reference, to the byte. Head words are read in any case.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from ggtp.errors import RemoteProtocolError
from ggtp.foreign.expressions import SHOWN, Expression, read, write, write_list

NIL = "NIL"
READY, BUSY, DONE, ABORTED, NOTHING = "ready", "busy", "done", "aborted", "nil"
AVAILABLE = "available"

LONGEST_CLOCK = 86_400
"""No clock is longer than a day."""
LONGEST_NAME = 200
"""Of a match: it is repeated in every message."""

Expressions: TypeAlias = tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Info:
    """Who are you, and are you free?"""

    def __str__(self) -> str:
        return "( INFO )"


@dataclass(frozen=True, slots=True)
class Preview:
    """Rules that may be played soon."""

    rules: Expressions
    seconds: int

    def __str__(self) -> str:
        return f"( PREVIEW {write_list(self.rules)} {self.seconds} )"


@dataclass(frozen=True, slots=True)
class Start:
    """A match begins."""

    match: str
    role: str
    rules: Expressions
    start_clock: int
    play_clock: int

    def __str__(self) -> str:
        clocks = f"{self.start_clock} {self.play_clock}"
        return f"( START {self.match} {self.role} {write_list(self.rules)} {clocks})"


@dataclass(frozen=True, slots=True)
class Play:
    """What was played last, in the order of the roles; a move is wanted. None at the first step."""

    match: str
    moves: Expressions | None = None

    def __str__(self) -> str:
        return f"( PLAY {self.match} {NIL if self.moves is None else write_list(self.moves)} )"


@dataclass(frozen=True, slots=True)
class Stop:
    """The match is over with these moves."""

    match: str
    moves: Expressions | None = None

    def __str__(self) -> str:
        return f"( STOP {self.match} {NIL if self.moves is None else write_list(self.moves)} )"


@dataclass(frozen=True, slots=True)
class Abort:
    """The match is given up."""

    match: str

    def __str__(self) -> str:
        return f"( ABORT {self.match} )"


Message: TypeAlias = Info | Preview | Start | Play | Stop | Abort


def read_message(text: str) -> Message:
    """What a game manager says.

    Raises:
        RemoteProtocolError: nothing that a player understands.
    """
    said = read(text)
    match said:
        case (str(head), *rest):
            return _message(head.upper(), tuple(rest), text)
        case _:
            raise RemoteProtocolError("not a message of a game manager", text[:SHOWN])


def _message(head: str, rest: Expressions, text: str) -> Message:
    match head, rest:
        case "INFO", ():
            return Info()
        case "PREVIEW", (tuple(rules), str(seconds)):
            return Preview(rules, _clock(seconds, text))
        case "START", (str(name), str(role), tuple(rules), str(start), str(play)):
            return Start(_name(name, text), role, rules, _clock(start, text), _clock(play, text))
        case "PLAY", (str(name), moves):
            return Play(_name(name, text), _moves(moves, text))
        case "STOP", (str(name), moves):
            return Stop(_name(name, text), _moves(moves, text))
        case "ABORT", (str(name),):
            return Abort(_name(name, text))
    raise RemoteProtocolError("not a message of a game manager", text[:SHOWN])


def _clock(text: str, message: str) -> int:
    if text.isascii() and text.isdigit() and len(text) < 10 and int(text) <= LONGEST_CLOCK:
        return int(text)
    raise RemoteProtocolError("a clock is a whole number of seconds", message[:SHOWN])


def _name(text: str, message: str) -> str:
    if len(text) > LONGEST_NAME:
        raise RemoteProtocolError(f"a match has a name of at most {LONGEST_NAME} characters", message[:SHOWN])
    return text


def _moves(moves: Expression, message: str) -> Expressions | None:
    if isinstance(moves, tuple):
        return moves
    if moves.upper() == NIL:
        return None
    raise RemoteProtocolError("moves are NIL or a list", message[:SHOWN])


def info_text(name: str, *, busy: bool) -> str:
    """What a player says about itself."""
    return write((("name", name), ("status", BUSY if busy else AVAILABLE)))


def read_info(text: str) -> dict[str, str]:
    """What a player has said about itself, by small words; a bare word is its status.

    Raises:
        RemoteProtocolError: it is nothing of the kind.
    """
    said = read(text)
    if isinstance(said, str):
        return {"status": said.lower()}
    found = {}
    for pair in said:
        match pair:
            case (str(name), *values):
                found[name.lower()] = " ".join(map(write, values))
    return found
