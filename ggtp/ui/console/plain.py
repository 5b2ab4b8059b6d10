"""Pure protocol lines, without colour: what a program at the other end of a pipe reads."""

from __future__ import annotations

from typing import TextIO

from ggtp.game import Picture
from ggtp.ui.console.output import say


class PlainScreen:
    """Writes closing lines as they are, and everything else behind an arrow."""

    def __init__(self, out: TextIO, *, ascii_only: bool) -> None:
        self._out = out
        self._ascii_only = ascii_only
        self.refused = 0
        """How many commands were refused so far."""

    def echo(self, line: str) -> None:
        """The command itself, in a transcript."""
        self._write(line)

    def respond(self, text: str) -> None:
        """A closing line; the reader may wait for it, so it is sent at once."""
        self.refused += text.startswith("?")
        self._write(text)

    def inform(self, text: str) -> None:
        """A `->` line."""
        self._write(f"-> {text}".rstrip())

    def draw(self, picture: Picture) -> None:
        """The table, a `->` line for each of its lines."""
        for line in picture.plain(ascii_only=self._ascii_only):
            self._write(f"-> {line}".rstrip())

    def _write(self, line: str) -> None:
        encoding = self._out.encoding or "utf-8"
        say(self._out, line.encode(encoding, "backslashreplace").decode(encoding))
