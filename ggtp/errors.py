"""Every exception of the house.

One rule for all of them: *if a command fails, nothing has changed.*

    GgtpError
    ├── ProtocolError (abstract)
    │   ├── LocalProtocolError     we tried to say something illegal: our bug
    │   └── RemoteProtocolError    the peer did; carries the line
    ├── CommandError               understood, but it cannot be done now; its text is the answer
    │   ├── UnknownCommand         no such command
    │   ├── OptionError            no such option, or no such value
    │   └── MoveRefused            a move that the player may not make now
    ├── MoveError (ValueError)     a text that is no move
    │   ├── MalformedMove          it can't be read as a move of this game
    │   ├── IllegalMove            it can be read, but may not be played now
    │   └── AmbiguousMove          it fits several moves
    ├── PlacedError                has path, line and column and draws the caret
    │   ├── RulesError             a rule file that can't be used
    │   ├── EngineFileError        an engine description that can't be used
    │   ├── PlayFileError          a play file that can't be followed; a CommandError, too
    │   └── KeyFileError           a key, or a file of keys, that can't be used
    ├── NotFound                   no guest of that name; carries near names
    │   ├── RulesNotFound
    │   └── EngineNotFound
    ├── RuleFailed                 a rule's code did what it may not: the rule's fault, and nobody's at the table
    ├── NotCompiled                rules that only the interpreter can play; says why
    ├── EngineError                an engine program let us down
    │   ├── EngineFailedToStart
    │   ├── EngineTerminated       carries exit status and the tail of stderr
    │   └── EngineTimedOut
    └── TransportError             the wire let us down
        ├── Backlogged             the other end does not read, and too much is waiting
        ├── ConnectionLost
        ├── MessageTooLong
        └── NotAdmitted            a door that our key does not open
"""

from __future__ import annotations

from collections.abc import Sequence

MOST_CHARACTERS = 2000
"""How long a message may be: what it quotes of a file may be the whole file."""
MOST_SHOWN = 160
"""How many characters of a line are shown with a caret."""


def clipped(text: str, most: int = MOST_CHARACTERS) -> str:
    """Return a text without its middle, if it has more characters than may be."""
    return text if len(text) <= most else f"{text[: most // 2]} ... {text[-most // 4 :]}"


class GgtpError(Exception):
    """The root of all errors that the house raises on purpose."""


class ProtocolError(GgtpError):
    """Abstract: one of the two ends broke the protocol."""

    def __init__(self, message: str, line: str = "") -> None:
        if type(self) is ProtocolError:
            raise TypeError("ProtocolError is abstract: say whose fault it was")
        super().__init__(message)
        self.line = line


class LocalProtocolError(ProtocolError):
    """We tried to say something that the protocol forbids now: a bug of ours."""


class RemoteProtocolError(ProtocolError):
    """The peer said something that the protocol forbids now; `line` is what it said."""


class CommandError(GgtpError):
    """A command was understood but cannot be done; the text is the answer to the supervisor."""


class UnknownCommand(CommandError):
    """There is no command of that name."""


class OptionError(CommandError):
    """No option of that name, or a value that it does not take."""


class MoveRefused(CommandError):
    """A move that its player may not make now: whoever made it, a person or an engine, is to blame."""


class MoveError(GgtpError, ValueError):
    """A text that is no move here and now; the text says why in one sentence."""


class MalformedMove(MoveError):
    """The text cannot be read as a move of this game."""


class IllegalMove(MoveError):
    """The text can be read as a move, but it may not be played now."""


class AmbiguousMove(MoveError):
    """The text fits more than one move."""


class PlacedError(GgtpError):
    """An error at a place in a text: `path`, `line` and `column` count from one, 0 means unknown."""

    def __init__(
        self, message: str, *, path: str = "", line: int = 0, column: int = 0, source: str | None = None
    ) -> None:
        message = clipped(message)
        super().__init__(message)
        self.message = message
        self.path = path
        self.line = line
        self.column = column
        self.source = source

    def place(self) -> str:
        """`path:line:column`, as far as it is known."""
        parts = [self.path] if self.path else []
        if self.line:
            parts.append(str(self.line))
            if self.column:
                parts.append(str(self.column))
        return ":".join(parts)

    def caret(self) -> list[str]:
        """The line of the source, of a long one what is near the column, with a caret under the column; or nothing."""
        if self.source is None or not self.line or not self.column:
            return []
        begin = max(0, self.column - MOST_SHOWN // 2) if len(self.source) > MOST_SHOWN else 0
        return [self.source[begin : begin + MOST_SHOWN], " " * (self.column - 1 - begin) + "^"]

    def __str__(self) -> str:
        place = self.place()
        return f"{place}: {self.message}" if place else self.message


class RulesError(PlacedError):
    """A rule file that cannot be used."""


class EngineFileError(PlacedError):
    """An engine description that cannot be used."""


class PlayFileError(PlacedError, CommandError):
    """A play file that cannot be followed; `source` is the line that was refused."""

    def place(self) -> str:
        """`path, line 3`, as far as it is known."""
        return ", ".join(part for part in (self.path, f"line {self.line}" if self.line else "") if part)

    def caret(self) -> list[str]:
        """The line that was refused."""
        return [self.source] if self.source else []


class KeyFileError(PlacedError):
    """A key, or a file of keys, that cannot be used."""


class NotFound(GgtpError):
    """No guest of that name; `near` holds names that look like it."""

    kind = "thing"

    def __init__(self, name: str, near: Sequence[str] = ()) -> None:
        hint = f" Did you mean {' or '.join(near)}?" if near else ""
        super().__init__(f"No {self.kind} named {name}.{hint}")
        self.name = name
        self.near = tuple(near)


class RulesNotFound(NotFound):
    """No rule of that name in any of the places where we look."""

    kind = "rule"


class EngineNotFound(NotFound):
    """No engine of that name in any of the places where we look."""

    kind = "engine"


class RuleFailed(GgtpError):
    """A rule raised what it may not, or did not come to an end; see `ggtp.game.guard`."""

    def __init__(self, rule: str, method: str, place: str, what: str) -> None:
        at = f" ({place})" if place else ""
        super().__init__(f"The rule {rule} failed in {method}{at}: {what}.")
        self.rule = rule
        self.method = method
        self.place = place
        """`file:line`, or nothing where it is not known."""
        self.what = what


class NotCompiled(GgtpError):
    """Rules could not be compiled, within what that may take; the interpreter can still play them."""


class EngineError(GgtpError):
    """An engine program let us down; `last_words` is the tail of its stderr."""

    def __init__(self, message: str, last_words: str = "") -> None:
        super().__init__(message)
        self.last_words = last_words


def last_line(last_words: str) -> str:
    """The last line of what a program wrote to its standard error; nothing if it wrote nothing."""
    return last_words.strip().rpartition("\n")[2].strip()


def with_last_words(sentence: str, last_words: str) -> str:
    """The sentence that says how a program failed, followed by the last line that it wrote, if there is one."""
    last = last_line(last_words)
    return f"{sentence} Its last words: {last}" if last else sentence


class EngineFailedToStart(EngineError):
    """The program could not be executed, or never connected."""


class EngineTerminated(EngineError):
    """The program ended while we needed it."""

    def __init__(self, message: str, last_words: str = "", status: int | None = None) -> None:
        super().__init__(message, last_words)
        self.status = status


class EngineTimedOut(EngineError):
    """The program did not answer in time."""


class TransportError(GgtpError):
    """The wire let us down."""


class Backlogged(TransportError):
    """The other end does not read what it is told, and too much is waiting for it already."""


class ConnectionLost(TransportError):
    """The other end is gone."""


class MessageTooLong(TransportError):
    """A line was longer than the ceiling allows; `limit` is the ceiling in bytes."""

    def __init__(self, limit: int) -> None:
        super().__init__(f"a line of more than {limit} bytes")
        self.limit = limit


class NotAdmitted(TransportError):
    """Whoever listens there does not let us in, or is not who it should be."""
