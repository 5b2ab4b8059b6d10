"""Names of moves that people type and lists can hold, from the library's own."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence

from ggtp.game import HIDDEN, Move

PLAYER = re.compile(r"(?i)^(?:\[p\d+\]|player[ :=]*\d+(?: action[ :=]+| move[ :=]+|[ :,]+)?|p\d+[ :]+)\s*")
"""What begins a name with the number of its player."""
LABEL = re.compile(r"(?i)^(?:action|move)[ :=]+(?=\S)")
NEW_SHOWN = 240
"""Characters of what is new in a view that are told."""
LONG = 60
"""Characters of a line of which it is told only how it goes on."""
SUITS = str.maketrans("♠♥♦♣", "shdc")


def clean(name: str, rewrites: Sequence[tuple[str, str]] = ()) -> Move:
    """A name without its player, without commas, line ends and double blanks."""
    text = LABEL.sub("", PLAYER.sub("", name.strip()))
    for pattern, by in rewrites:
        text = re.sub(pattern, by, text)
    text = "".join(char if char.isprintable() else " " for char in text.replace(",", " ").replace(";", " "))
    text = " ".join(text.split())
    return text if text not in ("", HIDDEN) else "none"


def unique(names: Iterable[str]) -> list[Move]:
    """The same names in the same order, a number after each that has been there before."""
    taken: set[str] = set()
    found = []
    for name in names:
        text, count = name, 1
        while text in taken:
            count += 1
            text = f"{name} ({count})"
        taken.add(text)
        found.append(text)
    return found


def plain(text: str) -> str:
    """What is left of a name without case, suits' signs, blanks and brackets: two texts may be meant alike."""
    return re.sub(r"[\s()\[\]:=>-]", "", text.translate(SUITS).casefold())


def news(before: str, after: str) -> str:
    """What is new in a text: its new lines, and a mark that tells it from all other news."""
    if before == after:
        return ""
    return f"{fresh(before, after)} ~{mark(before, after)}".strip()


def fresh(before: str, after: str) -> str:
    """The lines of a text that are new, without the beginning of long ones that is not, as far as there is room."""
    old, new = before.splitlines(), after.splitlines()
    lines = []
    for number, line in enumerate(new):
        if line == old[number] if len(old) == len(new) else line in old:
            continue
        if len(line) > LONG:
            known = max((_common(line, other) for other in old), default=0)
            line = line[max(line.rfind(" ", 0, known), line.rfind("/", 0, known)) + 1 :]
        lines.append(" ".join(_words(line)))
    return " ".join(" ".join(lines).split())[:NEW_SHOWN].strip()


def mark(before: str, after: str) -> str:
    """What tells news from all other news; empty if there are none."""
    if before == after:
        return ""
    return hashlib.sha256(f"{len(before)}:{before}{after}".encode()).hexdigest()[:8]


def _common(one: str, other: str) -> int:
    """How many characters are the same at the beginning."""
    return next(
        (index for index, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]),
        min(len(one), len(other)),
    )


def _words(text: str) -> list[str]:
    return [word for word in re.split(r"[\s,;:|\[\]{}()]+", text) if word and word.isprintable()]
