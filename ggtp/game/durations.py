"""Times as people write them: THE reader for commands, options, plans and the command line.

A *duration* is a number with a unit, `300ms`, `5s`, `2m` or `1h`, or a number without one, which means what it always
meant in its place: milliseconds, or seconds where a command counts seconds. A *time control* is a duration for each
move, a bank with an increment such as `5+0.1`, or both. Beside a plus, numbers without a unit are seconds, as everybody
writes them who plays with clocks.

Answers and files have the numbers of milliseconds, which every program reads.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import NamedTuple

from ggtp.errors import OptionError

UNITS = {"ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000}
"""Milliseconds of each unit."""
DAY_MS = 86_400_000
EXAMPLES = "300ms, 5s or 2m"
CONTROL_EXAMPLES = "300ms for each move, 5+0.1 for a bank and an increment, or both, as in '5+0.1 1s'"

_DURATION = re.compile(r"\+?(\d{1,20}(?:\.\d{1,9})?|\.\d{1,9})(ms|s|m|h)?", re.ASCII | re.IGNORECASE)


class Control(NamedTuple):
    """A time control in milliseconds; 0 is without limit."""

    move: int = 0
    bank: int = 0
    increment: int = 0

    def text(self) -> str:
        """As `read_control` reads it: `5+0.1`, `300ms`, `5+0.1 300ms`, or `0` without any limit."""
        bank = f"{_seconds(self.bank)}+{_seconds(self.increment)}" if self.bank or self.increment else ""
        move = f"{self.move}ms" if self.move else ""
        return " ".join(part for part in (bank, move) if part) or "0"


def read_milliseconds(text: str, plain: str = "ms") -> Decimal | None:
    """The milliseconds of a duration, exactly; None for anything else.

    Args:
        text: what was written.
        plain: the unit of a number without one.
    """
    found = _DURATION.fullmatch(text)
    if found is None:
        return None
    return Decimal(found[1]) * UNITS[(found[2] or plain).casefold()]


def whole_milliseconds(text: str, plain: str = "ms") -> int | None:
    """The milliseconds of a duration; None for anything else, or for a part of a millisecond."""
    exact = read_milliseconds(text, plain)
    return int(exact) if exact is not None and exact == int(exact) else None


def read_control(text: str, most: int = DAY_MS) -> Control:
    """A time control.

    Raises:
        OptionError: it is none, or has a time of more than `most` milliseconds.
    """
    control: dict[str, int] = {}
    for word in text.split():
        bank, plus, increment = word.partition("+")
        times = {"bank": (bank, "s"), "increment": (increment, "s")} if plus else {"move": (word, "ms")}
        for name, (time, plain) in times.items():
            value = whole_milliseconds(time, plain)
            if name in control or value is None or value > most:
                raise OptionError(f"No time control {text}: write {CONTROL_EXAMPLES}.")
            control[name] = value
    if not control:
        raise OptionError(f"No time control: write {CONTROL_EXAMPLES}.")
    if control.get("increment") and not control["bank"]:
        raise OptionError(f"No time control {text}: an increment needs a bank, as in 5+0.1.")
    return Control(**control)


def _seconds(milliseconds: int) -> str:
    text = f"{milliseconds / 1000:.3f}".rstrip("0")
    return text.rstrip(".")
