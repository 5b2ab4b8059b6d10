"""Reads the values of settings, and collects what is wrong with them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from difflib import get_close_matches

from ggtp.vgdl.language.faults import Fault, Severity
from ggtp.vgdl.language.reader import Setting, Word
from ggtp.vgdl.language.vocabulary import NOWHERE, WAYS, Vector

MOST = 2**31 - 1


class Values:
    """Reads one text's settings; every fault is kept, and a default given in the stead of what is wrong."""

    def __init__(self) -> None:
        self.faults: list[Fault] = []

    def fault(self, message: str, word: Word, severity: Severity = Severity.ERROR) -> None:
        """Notes a fault at a word."""
        self.faults.append(Fault(message, word.line, word.column, severity))

    def number(self, setting: Setting, default: float) -> float:
        """A number, perhaps with a point."""
        try:
            value = float(setting.value)
        except ValueError:
            value = math.nan
        if math.isfinite(value) and abs(value) <= MOST:
            return value
        self._wrong(setting, "a number")
        return default

    def whole(self, setting: Setting, default: int = 0, low: int = -MOST, high: int = MOST) -> int:
        """A whole number within bounds."""
        try:
            value = int(setting.value)
        except ValueError:
            self._wrong(setting, "a whole number")
            return default
        if low <= value <= high:
            return value
        self._wrong(setting, f"a whole number from {low} to {high}")
        return default

    def wholes(self, setting: Setting) -> tuple[int, ...]:
        """Whole numbers with commas between them."""
        found = []
        for part in setting.value.split(","):
            try:
                value = int(part)
            except ValueError:
                self._wrong(setting, "whole numbers with commas between them")
                return ()
            if abs(value) > MOST:
                self._wrong(setting, f"numbers up to {MOST}")
                return ()
            found.append(value)
        return tuple(found)

    def flag(self, setting: Setting) -> bool:
        """True or False, in any case."""
        folded = setting.value.casefold()
        if folded not in ("true", "false", "1", "0"):
            self._wrong(setting, "True or False")
        return folded in ("true", "1")

    def way(self, setting: Setting) -> Vector:
        """A direction."""
        found = WAYS.get(setting.value.upper())
        if found is None:
            self._wrong(setting, "UP, DOWN, LEFT or RIGHT")
            return NOWHERE
        return found

    def names(self, setting: Setting, known: Mapping[str, int], what: str) -> tuple[int, ...]:
        """The numbers of names with commas between them; those that are unknown are faults, and left out."""
        found = []
        for name in setting.value.split(","):
            if name in known:
                found.append(known[name])
            else:
                self.fault(f"there is no {what} {name or 'without a name'}{near(name, known)}", setting.word)
        return tuple(found)

    def name(self, setting: Setting, known: Mapping[str, int], what: str) -> int:
        """The number of one name; -1 where it is unknown, which is a fault."""
        found = self.names(setting, known, what)
        return found[0] if found else -1

    def _wrong(self, setting: Setting, wanted: str) -> None:
        self.fault(f"{setting.name} is {wanted}, not {setting.value or 'nothing'}", setting.word)


def near(text: str, names: Iterable[str]) -> str:
    """A question after the name that may be meant, or nothing."""
    found = get_close_matches(text, list(names), 1)
    return f"; is it {found[0]}?" if found else ""
