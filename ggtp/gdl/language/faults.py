"""Faults: what is wrong with a rulesheet, where, and what to do about it.

A fault is a value, so that a reader can list all of them; the first one that stops a game
becomes a `RulesError` only where somebody wants to play.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from ggtp.errors import RulesError


class Severity(Enum):
    """How bad it is."""

    ERROR = "error"
    """The rulesheet means nothing, or not what it says: it can't be played."""
    WARNING = "warning"
    """It can be played, but the language forbids it, or it looks like a mistake."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong; `line` and `column` count from one, 0 means no place in particular."""

    message: str
    remedy: str = ""
    """What the author can do about it, as one sentence."""
    line: int = 0
    column: int = 0
    severity: Severity = Severity.ERROR

    def __str__(self) -> str:
        place = f"{self.line}:{self.column}: " if self.line else ""
        remedy = f" {self.remedy}" if self.remedy else ""
        return f"{place}{self.severity.value}: {self.message}{remedy}"


def errors(faults: Iterable[Fault]) -> list[Fault]:
    """The faults that forbid playing."""
    return [fault for fault in faults if fault.severity is Severity.ERROR]


def in_order(faults: Iterable[Fault]) -> list[Fault]:
    """The faults from the top of the text to its end, each once; those without a place come last."""
    return sorted(dict.fromkeys(faults), key=lambda fault: (not fault.line, fault.line, fault.column))


def source_line(text: str, line: int) -> str | None:
    """That line of the text, counted as the reader counts; tabs are blanks, so that a caret fits under it."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if not 1 <= line <= len(lines):
        return None
    return lines[line - 1].removeprefix("\ufeff").replace("\t", " ")


def as_error(fault: Fault, text: str, path: str = "") -> RulesError:
    """The fault as an error that can draw its place in the text."""
    message = f"{fault.message} {fault.remedy}".strip()
    source = source_line(text, fault.line) if fault.line else None
    return RulesError(message, path=path, line=fault.line, column=fault.column, source=source)
