"""The findings about an engine, as values."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, TypeAlias

Grade: TypeAlias = Literal["ok", "warning", "failed", "skipped"]
MOST_DETAILS = 8
"""The most findings of a check that are told."""


@dataclass(slots=True)
class Check:
    """One promise of an engine, and whether it keeps it."""

    name: str
    grade: Grade = "ok"
    text: str = ""
    """The subject of the check, or its result, in a clause."""
    details: list[str] = field(default_factory=list)
    """The findings, a sentence each."""

    def fail(self, what: str) -> None:
        """Note a breach of the protocol."""
        self.grade = "failed"
        self._note(what)

    def warn(self, what: str) -> None:
        """Note something that the protocol allows and that costs games or time."""
        if self.grade == "ok":
            self.grade = "warning"
        self._note(what)

    def skip(self, why: str) -> None:
        """Note why this was not looked at."""
        self.grade, self.text = "skipped", why

    def lines(self, width: int) -> Iterable[str]:
        """As people read it: a line, and what is wrong below it; names take as much room as `width` says."""
        mark = "FAILED" if self.grade == "failed" else self.grade
        yield f"{mark:<8} {self.name:<{width}}  {self.text}".rstrip()
        yield from (f"{'':<8} {'':<{width}}    {detail}" for detail in self.details)

    def _note(self, what: str) -> None:
        if len(self.details) < MOST_DETAILS and what not in self.details:
            self.details.append(what)


@dataclass(frozen=True, slots=True)
class Verdict:
    """All findings about an engine."""

    engine: str
    rule: str
    player: str
    checks: tuple[Check, ...]

    @property
    def conforms(self) -> bool:
        """True if no check has failed."""
        return all(check.grade != "failed" for check in self.checks)

    def data(self) -> dict[str, Any]:
        """As JSON has it."""
        checks = [asdict(check) for check in self.checks]
        return {"engine": self.engine, "rule": self.rule, "player": self.player, "conforms": self.conforms,
                "checks": checks}  # fmt: skip

    def summary(self) -> str:
        """Return a sentence that says how many checks have failed."""
        failed = sum(check.grade == "failed" for check in self.checks)
        warned = sum(check.grade == "warning" for check in self.checks)
        skipped = sum(check.grade == "skipped" for check in self.checks)
        others = [
            f"{count} {what}"
            for count, what in ((warned, f"warning{'s' * (warned != 1)}"), (skipped, "skipped"))
            if count
        ]
        end = f" ({', '.join(others)})" if others else ""
        first = f"{failed} of {len(self.checks)} checks failed" if failed else "No check failed"
        return f"{first}{end}."
