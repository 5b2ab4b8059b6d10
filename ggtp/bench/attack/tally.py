"""What an attack found: how often something was tried, and a finding for each thing that went wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Literal, TypeAlias, get_args

Kind: TypeAlias = Literal["lost", "doubled", "hung", "leaked", "raw", "left", "tracebacks", "blamed"]
"""What can go wrong. Each is a count of the result:

    lost        a finished game, an answered move or a written file that is gone
    doubled     a game or a move that is there twice
    hung        no answer, or no end, in time
    leaked      hidden information that an engine got, and descriptors, files or memory that stay
    raw         lines of output with controls, or with characters that turn text around
    left        processes that outlive their referee or their dismissal
    tracebacks  errors of Python that somebody was shown, and programs that ended by themselves
    blamed      a fault with the wrong name, or at the wrong player's cost
"""

KINDS: tuple[Kind, ...] = get_args(Kind)
MOST_FINDINGS = 200
"""How many findings of a part are kept in words; all are counted."""
MOST_WORDS = 600


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that went wrong."""

    part: str
    round: int
    kind: Kind
    what: str
    """A sentence with all that is needed to try it again, beside the seed and the round."""


@dataclass(slots=True)
class Tally:
    """What came of one part so far."""

    part: str
    round: int = 0
    """The round that is being played; a finding belongs to it."""
    tried: int = 0
    counts: Counter[Kind] = field(default_factory=Counter)
    findings: list[Finding] = field(default_factory=list)
    figures: dict[str, float] = field(default_factory=dict)
    skipped: str = ""
    """Why the part can't be tried here; empty if it was."""
    seconds: float = 0.0
    first: int = 0
    """The first round that was played; `round` is the one to go on with."""

    def attempted(self, count: int = 1) -> None:
        """Count attempts."""
        self.tried += count

    def found(self, kind: Kind, what: str) -> None:
        """Write down what went wrong in this round."""
        self.counts[kind] += 1
        if len(self.findings) < MOST_FINDINGS:
            self.findings.append(Finding(self.part, self.round, kind, what[:MOST_WORDS]))

    def measured(self, name: str, value: float) -> None:
        """Set a figure of the part, such as `lines_per_s`."""
        self.figures[name] = value

    def add(self, name: str, amount: float = 1) -> None:
        """Add to a figure of the part."""
        self.figures[name] = self.figures.get(name, 0) + amount

    @property
    def bad(self) -> int:
        """How many things went wrong."""
        return self.counts.total()

    def row(self) -> dict[str, object]:
        """The part as the JSON has it."""
        return {
            "tried": self.tried,
            **{kind: self.counts[kind] for kind in KINDS},
            "first_round": self.first,
            "next_round": self.round,
            "seconds": round(self.seconds, 2),
            "figures": {name: round(value, 3) for name, value in self.figures.items()},
            "skipped": self.skipped,
        }


def result(seed: int, tallies: Iterable[Tally]) -> dict[str, object]:
    """What the whole campaign came to, as the JSON has it."""
    rows = list(tallies)
    return {
        "seed": seed,
        "tried": sum(tally.tried for tally in rows),
        **{kind: sum(tally.counts[kind] for tally in rows) for kind in KINDS},
        "seconds": round(sum(tally.seconds for tally in rows), 2),
        "parts": {tally.part: tally.row() for tally in rows},
        "findings": [asdict(finding) for tally in rows for finding in tally.findings],
    }
