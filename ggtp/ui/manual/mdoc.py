"""Manual pages as plain text, for where there is no `man`: a small reader of mdoc.

It knows what pages of ours use, keeps the words of everything else, and never fails.
"""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass, field

from ggtp.tournament.columns import columns
from ggtp.ui.manual.mdoc_words import GLUE, QUOTED, Words, plain, split

INDENT = 4
TAG = 8
STEPS = {"bullet": 2, "dash": 2, "hyphen": 2, "enum": 4, "item": 0, "inset": 0, "ohang": 0, "diag": 0, "column": 0}
"""How far the text of an item stands from where its list begins; `TAG` for all other kinds of lists."""


def render(source: str, width: int = 80) -> list[str]:
    """The lines of a page, none of them longer than `width` where words allow it."""
    page = _Page(max(width, 40))
    for line in source.translate({ord(GLUE): None, ord(QUOTED): None}).split("\n"):
        page.feed(line.rstrip("\r"))
    page.flush()
    while page.lines and not page.lines[-1]:
        page.lines.pop()
    return [line.replace("\xa0", " ").replace(GLUE, "") for line in page.lines]


def summary(source: str) -> str:
    """What the page is about, in one line: its `.Nd`."""
    found = re.search(r"^\.Nd[ \t]+(.+)$", source, re.MULTILINE)
    return " ".join(Words("").of(split(found[1])).split()) if found else ""


@dataclass(slots=True)
class _List:
    """A list that is open."""

    kind: str
    compact: bool
    indent: int
    """Where it begins."""
    items: int = 0
    rows: list[list[str]] = field(default_factory=list)
    """What a list of columns holds, until its end tells how wide they are."""

    @property
    def step(self) -> int:
        return STEPS.get(self.kind, TAG)


class _Page:
    def __init__(self, width: int) -> None:
        self.lines: list[str] = []
        self._width = width
        self._indent = 0
        self._hang = 0
        """How much further the lines after the first of a paragraph stand."""
        self._mark = ""
        """What the first line of the paragraph begins with: the mark of an item, and blanks."""
        self._words = Words("")
        self._text = ""
        self._lists: list[_List] = []
        self._shifts: list[int] = []
        """How far each open display has moved the text to the right."""
        self._literal = False
        self._section = ""
        self._under_heading = False
        self._head: str | None = None
        """The beginning of an item whose head goes over several lines."""
        self._macros = {
            "Sh": self._sh, "Ss": self._ss, "Nd": self._nd, "Nm": self._nm, "Pp": self._pp, "Lp": self._pp,
            "sp": self._pp, "br": self._br, "Bl": self._bl, "It": self._it, "El": self._el, "Bd": self._bd,
            "Ed": self._ed, "Dl": self._dl, "D1": self._dl, "Xc": self._xc,
        }  # fmt: skip

    def feed(self, line: str) -> None:
        """One line of the source."""
        if not line.startswith((".", "'")):
            self._plain(plain(line))
            return
        text = line[1:].lstrip()
        if text.startswith('\\"') or not text:
            return
        name, *rest = split(text)
        macro = self._macros.get(name.text)
        if macro is not None:
            macro(" ".join(word.source for word in rest))
        elif name.text not in SILENT:
            self._plain(self._words.of([name, *rest]))

    def flush(self) -> None:
        """Write the paragraph that has gathered."""
        text, self._text = self._text.replace(GLUE, "").strip(" "), ""
        mark, self._mark = self._mark, ""
        if not text:
            self._write(*([mark.rstrip()] if mark else []))
            return
        first, later = mark or " " * self._indent, " " * (self._indent + self._hang)
        wrapped = textwrap.wrap(
            text, self._width, initial_indent=first, subsequent_indent=later,
            break_long_words=False, break_on_hyphens=False,
        )  # fmt: skip
        self._write(*wrapped)

    def _write(self, *lines: str) -> None:
        self.lines += lines
        self._under_heading = self._under_heading and not lines

    def _plain(self, text: str) -> None:
        if self._head is not None:
            self._head = self._words.joined(self._head, text)
        elif self._lists and self._lists[-1].kind == "column" and self._lists[-1].rows:
            row = self._lists[-1].rows[-1]
            row[-1] = self._words.joined(row[-1], text)
        elif self._literal:
            self.flush()
            self._write((" " * self._indent + text).rstrip())
        elif not text.strip():
            self._pp("")
        else:
            self._text = self._words.joined(self._text, text)

    def _blank(self) -> None:
        self.flush()
        if self.lines and self.lines[-1] and not self._under_heading:
            self.lines.append("")

    # Sections and paragraphs.

    def _sh(self, text: str) -> None:
        self._leave_all()
        self._section = self._words.of(split(text))
        self._heading(0)
        self._indent, self._hang = INDENT, INDENT if self._section == "SYNOPSIS" else 0

    def _ss(self, text: str) -> None:
        self._leave_all()
        self._section = self._words.of(split(text))
        self._heading(INDENT // 2)
        self._indent, self._hang = INDENT, 0

    def _heading(self, indent: int) -> None:
        self._blank()
        self.lines.append(" " * indent + self._section)
        self._under_heading = True

    def _leave_all(self) -> None:
        self.flush()
        self._lists.clear()
        self._shifts.clear()
        self._literal, self._head = False, None

    def _nd(self, text: str) -> None:
        self._text = f"{self._text} - {self._words.of(split(text))}"

    def _nm(self, text: str) -> None:
        if self._section == "SYNOPSIS" and self._head is None and not self._lists:
            self.flush()
        self._plain(self._words.of(split(f"Nm {text}")))

    def _pp(self, text: str) -> None:
        self._blank()

    def _br(self, text: str) -> None:
        self.flush()

    # Displays.

    def _bd(self, text: str) -> None:
        self.flush()
        if "-compact" not in text.split():
            self._blank()
        self._literal = "-literal" in text or "-unfilled" in text
        self._shifts.append(INDENT if "-offset" in text else 0)
        self._indent += self._shifts[-1]

    def _ed(self, text: str) -> None:
        self.flush()
        self._indent -= self._shifts.pop() if self._shifts else 0
        self._literal = False
        self._blank_outside_lists()

    def _dl(self, text: str) -> None:
        self._blank()
        self._write(" " * (self._indent + INDENT) + self._words.of(split(text)))

    def _blank_outside_lists(self) -> None:
        if not any(opened.compact for opened in self._lists):
            self._blank()

    # Lists.

    def _bl(self, text: str) -> None:
        words = text.split()
        kind = next((word[1:] for word in words if word[1:] in KINDS and word[:1] == "-"), "tag")
        self.flush()
        if "-offset" in words:
            self._indent += INDENT
        self._lists.append(_List(kind, "-compact" in words, self._indent))
        if not self._lists[-1].compact:
            self._blank()

    def _it(self, text: str) -> None:
        if not self._lists:
            self._plain(self._words.of(split(text)))
            return
        words = split(text)
        if words and words[-1].text == "Xo":
            self._head = self._words.of(words[:-1])
            return
        opened = self._lists[-1]
        if opened.kind == "column":
            cells: list[list[str]] = [[]]
            for word in words:
                if word.text == "Ta":
                    cells.append([])
                else:
                    cells[-1].append(word.source)
            opened.rows.append([self._words.of(split(" ".join(cell))) for cell in cells])
            return
        self._item(opened, self._words.of(words))

    def _xc(self, text: str) -> None:
        head, self._head = self._head, None
        if head is not None and self._lists:
            self._item(self._lists[-1], self._words.joined(head, self._words.of(split(text))))

    def _item(self, opened: _List, head: str) -> None:
        self.flush()
        if opened.items and not opened.compact:
            self._blank()
        opened.items += 1
        mark = {"bullet": "-", "dash": "-", "hyphen": "-", "enum": f"{opened.items}."}.get(opened.kind, head)
        self._hang = 0
        self._indent = opened.indent + opened.step
        if not opened.step:
            self._text = head
        elif len(mark) < (TAG - 1 if opened.step == TAG else opened.step):
            self._mark = " " * opened.indent + mark.ljust(opened.step)
        else:
            self._write(" " * opened.indent + mark)

    def _el(self, text: str) -> None:
        self.flush()
        if not self._lists:
            return
        closed = self._lists.pop()
        for line in columns(closed.rows, right=()):
            self._write((" " * closed.indent + line).rstrip())
        self._hang = 0
        outer = self._lists[-1] if self._lists else None
        self._indent = INDENT + sum(self._shifts) if outer is None else outer.indent + outer.step
        self._blank_outside_lists()


KINDS = frozenset(
    {"bullet", "column", "dash", "diag", "enum", "hang", "hyphen", "inset", "item", "ohang", "tag"}
)  # fmt: skip
SILENT = frozenset({"Dd", "Dt", "Os", "Bk", "Ek", "Sm", "Rs", "Re", "Bf", "Ef", "Tg", "ad", "na", "nh", "hy", "ne"})
"""Macros that say nothing, or nothing that plain text could show."""
