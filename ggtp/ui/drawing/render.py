"""Pictures and protocol lines as rich renderables: colours, boards with coordinates, narrow terminals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from ggtp.game.picture import Cell, Grid, Note, Picture, Tone, cell_text
from ggtp.protocol.text import one_line
from ggtp.ui.console.environment import Environment

# The terminal's own colours, so that they suit dark and light ones.
TONES: dict[Tone, str] = {
    "plain": "",
    "empty": "dim",
    "first": "bold cyan",
    "second": "bold magenta",
    "third": "bold green",
    "fourth": "bold yellow",
    "fifth": "bold blue",
    "sixth": "bold red",
    "mark": "bold reverse",
    "good": "bold green",
    "bad": "bold red",
    "muted": "dim",
}
# On a dark square the foreground is ours too, or it might be dark on dark.
DARK_SQUARE = "grey74 on grey30"
DARK_TONES: dict[Tone, str] = TONES | {
    "empty": "",
    "first": "bold bright_cyan",
    "second": "bold bright_magenta",
    "third": "bold bright_green",
    "fourth": "bold bright_yellow",
    "fifth": "bold bright_blue",
    "sixth": "bold bright_red",
    "good": "bold bright_green",
    "bad": "bold bright_red",
}
LABEL = "dim"
ANSWER, REFUSAL, NEWS = "green", "bold red", "cyan"
INDENT = 2
FOOT_ROWS = 6
"""From this many rows on, the columns are labelled below the board too."""
FOOT_LABEL = 3
"""If their labels are no longer than this: words are the heads of a list, and no board's."""


@dataclass(frozen=True, slots=True)
class Layout:
    """How a grid is laid out: how wide a cell is, and the room at each side of it."""

    cell: int
    before: int
    after: int
    margin: int
    """The width of the row labels, with the blank behind them."""
    shift: int
    """How far each row is right of the one above it."""

    @property
    def pitch(self) -> int:
        """From one cell to the next."""
        return self.before + self.cell + self.after

    def columns(self, rows: int, room: int) -> int:
        """How many columns fit into `room`."""
        return max(1, (room - self.margin - self.shift * max(0, rows - 1)) // self.pitch)


def layout(grid: Grid, room: int, ascii_only: bool) -> Layout:
    """The roomy layout where it fits, else the tight one."""
    cell = max(
        (cell_len(text) for text in (*_texts(grid, ascii_only), *map(one_line, grid.columns))),
        default=1,
    )
    margin = max((cell_len(one_line(label)) + 1 for label in grid.row_labels), default=0)
    roomy = Layout(cell, 1, 1, margin, _shift(cell + 2, grid))
    tight = Layout(cell, 0, 1, margin, _shift(cell + 1, grid))
    widest = max((len(row) for row in grid.rows), default=0)
    if (grid.chequered or grid.shape == "hex") and roomy.columns(len(grid.rows), room) >= widest:
        return roomy
    return tight


def _shift(pitch: int, grid: Grid) -> int:
    return (pitch + 1) // 2 if grid.shape == "hex" else 0


def _texts(grid: Grid, ascii_only: bool) -> Iterator[str]:
    return (one_line(cell_text(cell, ascii_only)) for row in grid.rows for cell in row)


def board(grid: Grid, room: int, *, ascii_only: bool = False) -> Iterator[Text]:
    """The lines of a board; one that is too wide is drawn in stripes, some columns after the others."""
    plan = layout(grid, room, ascii_only)
    widest = max((len(row) for row in grid.rows), default=0)
    fit = plan.columns(len(grid.rows), room)
    for first in range(0, widest, fit):
        if first:
            yield Text()
        yield from _stripe(grid, plan, range(first, min(widest, first + fit)), ascii_only)


def _stripe(grid: Grid, plan: Layout, columns: range, ascii_only: bool) -> Iterator[Text]:
    labels = [one_line(label) for label in grid.columns[columns.start : columns.stop]]
    if labels:
        yield _labels(labels, plan, 0)
    for index, row in enumerate(grid.rows):
        label = one_line(grid.row_labels[index]) if index < len(grid.row_labels) else ""
        line = Text(" " * (plan.margin - 1 - cell_len(label)) if plan.margin else "")
        line.append(f"{label} " if plan.margin else "", LABEL)
        line.append(" " * (plan.shift * index))
        for column in columns:
            if column < len(row):
                # The lower left square of a chessboard is dark.
                dark = grid.chequered and (len(grid.rows) - 1 - index + column) % 2 == 0
                _append_cell(line, row[column], plan, dark, ascii_only)
        if not grid.chequered:
            line.rstrip()
        yield line
    if max(map(len, labels), default=FOOT_LABEL + 1) <= FOOT_LABEL and len(grid.rows) >= FOOT_ROWS:
        yield _labels(labels, plan, plan.shift * len(grid.rows))


def _labels(labels: Sequence[str], plan: Layout, shift: int) -> Text:
    row = "".join(" " * plan.before + _centred(label, plan.cell) + " " * plan.after for label in labels)
    return Text((" " * (plan.margin + shift) + row).rstrip(), LABEL)


def _append_cell(line: Text, cell: Cell, plan: Layout, dark: bool, ascii_only: bool) -> None:
    text = _centred(one_line(cell_text(cell, ascii_only)), plan.cell)
    square = DARK_SQUARE if dark else ""
    tone = (DARK_TONES if dark else TONES)[cell.tone]
    line.append(" " * plan.before, square)
    line.append(text, f"{square} {tone}".strip())
    line.append(" " * plan.after, square)


def _centred(text: str, width: int) -> str:
    space = max(0, width - cell_len(text))
    return " " * (space // 2) + text + " " * (space - space // 2)


def picture_lines(picture: Picture, room: int, *, ascii_only: bool = False) -> Iterator[Text]:
    """The lines of a picture, in at most `room` columns; a note that is longer is wrapped when it is printed."""
    for part in picture.parts:
        if isinstance(part, Note):
            yield Text(one_line(part.text), TONES[part.tone])
        else:
            yield from board(part, room, ascii_only=ascii_only)


def answer_line(text: str) -> Text:
    """A closing line: the sign of an answer stands out, a refusal does as a whole."""
    if text.startswith("?"):
        return Text(text, REFUSAL)
    line = Text(text)
    line.stylize(ANSWER, 0, 1 if text != "= Done" else None)
    return line


def news_line(text: str) -> Text:
    """A `->` line."""
    return Text.assemble(("->", NEWS), " ", text) if text else Text("->", NEWS)


class RichScreen:
    """Where a person reads what the referee says."""

    def __init__(self, console: Console, *, ascii_only: bool) -> None:
        self._console = console
        self._ascii_only = ascii_only

    def respond(self, text: str) -> None:
        """A closing line: `= ...` or `? ...`."""
        self._print((answer_line(self._safe(text)),))

    def inform(self, text: str) -> None:
        """The text of a `->` line."""
        self._print((news_line(self._safe(text).rstrip()),))

    def draw(self, picture: Picture) -> None:
        """A picture of the table."""
        room = max(8, self._console.width - INDENT)
        lines = picture_lines(picture, room, ascii_only=self._ascii_only)
        self._print(Text(" " * INDENT) + line for line in lines)

    def note(self, text: str) -> None:
        """What the prompt itself has to say, which is none of the protocol's lines."""
        self._print((Text(self._safe(text), "dim"),))

    def _print(self, lines: Iterable[Text]) -> None:
        self._console.print(Text("\n").join(lines), overflow="fold", highlight=False, markup=False, emoji=False)

    def _safe(self, text: str) -> str:
        text = one_line(text)
        if not self._ascii_only:
            return text
        return text.encode("ascii", "backslashreplace").decode("ascii")


def new_screen(env: Environment) -> RichScreen:
    """A screen on the standard output, whatever stands for it at each moment: the prompt does, while it is shown."""
    variables: Mapping[str, str] = env.variables
    # Highlighting would colour numbers in the middle of a board; width is asked of the terminal each time.
    console = Console(highlight=False, _environ=variables)
    return RichScreen(console, ascii_only=env.ascii_only)
