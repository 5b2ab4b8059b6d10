"""Faults: what is wrong with the text of a game or of a level, and where.

A fault is a value, so that a reader can list all of them. Errors stop a strict reader; a
lenient one leaves out the line that has them, as the framework does for which games are written.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from ggtp.errors import RulesError

SHOWN = 8
"""How many faults are told in one error; a text with more of them has one cause for most."""


class Severity(Enum):
    """How bad it is."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong; `line` and `column` count from one, 0 means no place in particular."""

    message: str
    line: int = 0
    column: int = 0
    severity: Severity = Severity.ERROR

    def __str__(self) -> str:
        place = f"{self.line}:{self.column}: " if self.line else ""
        return f"{place}{self.severity.value}: {self.message}"


def errors(faults: Iterable[Fault]) -> list[Fault]:
    """The faults that forbid playing, from the top of the text to its end."""
    found = [fault for fault in faults if fault.severity is Severity.ERROR]
    return sorted(dict.fromkeys(found), key=lambda fault: (not fault.line, fault.line, fault.column))


def as_error(faults: Iterable[Fault], text: str, path: str = "") -> RulesError:
    """All errors as one that is placed at the first of them, and names the others with their places."""
    found = errors(faults)
    first = found[0]
    message = first.message
    for other in found[1:SHOWN]:
        message += f"; {other.line}:{other.column}: {other.message}"
    if len(found) > SHOWN:
        message += f"; and {len(found) - SHOWN} more"
    lines = text.splitlines()
    source = lines[first.line - 1].replace("\t", " ") if 0 < first.line <= len(lines) else None
    return RulesError(message, path=path, line=first.line, column=first.column, source=source)
