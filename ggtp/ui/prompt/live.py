"""A table that is redrawn in place: in a game whose clock runs on, pictures would scroll away faster than one can read.

While the play is *lively* the last picture and the last few lines stand above the line that is being typed, and nothing
of it is printed. As soon as it is not, everything is printed as ever, beginning with the next picture.
"""

from __future__ import annotations

import io
from collections import deque
from collections.abc import Callable
from typing import Protocol

from rich.console import Console
from rich.text import Text

from ggtp.driver.screen import Screen
from ggtp.game import Picture
from ggtp.ui.drawing.render import INDENT, answer_line, news_line, picture_lines

FASTER = 2.0
"""A play is lively whose turns end by themselves within so many seconds."""
LINES = 4
"""How many of the last lines stand above the table, where there is room."""
DONE = "= Done"


class PromptScreen(Screen, Protocol):
    """A screen that shows what the prompt itself has to say, too."""

    def note(self, text: str) -> None:
        """A line that is none of the protocol's."""


class LiveScreen:
    """A screen before another one: keeps what is shown in place, and hands on what is printed."""

    def __init__(self, screen: PromptScreen, lively: Callable[[], bool], *, ascii_only: bool) -> None:
        self._screen = screen
        self._lively = lively
        self._ascii_only = ascii_only
        self._picture: Picture | None = None
        self._lines: deque[Text] = deque(maxlen=LINES)
        self._refusal: Text | None = None
        """What was wrong with what was typed last: it stays until something else was typed."""
        self._drawn: tuple[int, int, str] | None = None
        """The last frame, and for what size it was made: a prompt asks for it several times."""

    def respond(self, text: str) -> None:
        """A closing line: a refusal stands above the table, and what was done is seen on it; answers are printed."""
        self._drawn = None
        self._refusal = answer_line(text) if text.startswith("?") and self._lively() else None
        if not self._lively() or (text.startswith("=") and text != DONE):
            self._screen.respond(text)

    def inform(self, text: str) -> None:
        """The text of a `->` line."""
        if self._lively():
            self._drawn = None
            self._lines.append(news_line(text))
        else:
            self._screen.inform(text)

    def draw(self, picture: Picture) -> None:
        """A picture of the table."""
        self._drawn = None
        if self._lively():
            self._picture = picture
        else:
            self._picture = None
            self._lines.clear()
            self._screen.draw(picture)

    def note(self, text: str) -> None:
        """What the prompt itself has to say is printed."""
        self._screen.note(text)

    def settle(self) -> None:
        """Print the table that has stood in place, where it does not any more and nothing was drawn since."""
        if self._picture is not None and not self._lively():
            self.draw(self._picture)

    def frame(self, columns: int, rows: int) -> str:
        """What stands above the line that is typed, as text with escape sequences; nothing while all is printed.

        The table, what was refused below it, and lines above it as far as there are rows for them.
        """
        if self._picture is None or not self._lively():
            return ""
        if self._drawn is None or self._drawn[:2] != (columns, rows):
            self._drawn = (columns, rows, self._rendered(self._picture, columns, rows))
        return self._drawn[2]

    def _rendered(self, picture: Picture, columns: int, rows: int) -> str:
        room = max(8, columns - INDENT)
        table = [Text(" " * INDENT) + line for line in picture_lines(picture, room, ascii_only=self._ascii_only)]
        stream = io.StringIO()
        console = Console(file=stream, force_terminal=True, color_system="standard", width=columns, highlight=False)
        refusal = list(self._refusal.wrap(console, columns)) if self._refusal is not None else []
        spare = max(0, rows - len(table) - len(refusal))
        lines = list(self._lines)[-spare:] if spare else []
        for line in (*lines, *table, *refusal):
            console.print(line, overflow="ellipsis", no_wrap=True, markup=False, emoji=False)
        return stream.getvalue()
