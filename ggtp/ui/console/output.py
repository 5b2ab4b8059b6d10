"""What subcommands print: names, replies and reasons come from others, so everything goes through here."""

from __future__ import annotations

from typing import TextIO

from ggtp.protocol.text import one_line


def say(out: TextIO, *lines: str) -> None:
    """Write lines at once. What could disturb a terminal, or turn text around, is written as an escape."""
    out.write("".join(f"{one_line(line)}\n" for line in lines))
    out.flush()


def complain(err: TextIO, text: str) -> None:
    """Write an error or a warning, which may have several lines."""
    say(err, *f"ggtp: {text}".split("\n"))
