"""One journal of several: machines that have each played a part of the same plan, every game counted once.

The new journal has the header of the first one, what its plan has grown to, and then, journal after journal, the
results and rulings about the games that it is the first to have, and its notes. Games that were interrupted go on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from ggtp.tournament.journal.journal import Fold, JournalError, LineReader, LineWriter, looks_like_journal, result_from
from ggtp.tournament.journal.rulings import ruling_from
from ggtp.tournament.plan.growth import difference
from ggtp.tournament.plan.plan import Plan
from ggtp.tournament.results import Game, Happened, Job, Ruling

Entry: TypeAlias = Game | Ruling | Happened


@dataclass(slots=True)
class Source:
    """A journal that was read."""

    path: str
    plans: tuple[Plan, ...]
    """From the first to what it has grown to."""
    created: str
    version: str
    entries: list[Entry]
    """Results, rulings and notes, in order."""
    running: tuple[Job, ...]


@dataclass(slots=True)
class Merged:
    """A journal's bytes, and what there is to say of them."""

    data: bytes = b""
    counts: dict[str, int] = field(default_factory=dict)
    """Path to how many games count that come from there."""
    twice: int = 0
    """How many games that count are in another journal, too."""
    cases: dict[str, list[str]] = field(default_factory=dict)
    """Path to the names of the case files that its results name."""


def read_source(data: bytes, path: str) -> Source:
    """Read a journal.

    Raises:
        JournalError: it is none, or was damaged before its last line.
    """
    if data and not looks_like_journal(data):
        raise JournalError("It is no journal.", path=path, line=1)
    fold = Fold(path)
    entries: list[Entry] = []
    for line in LineReader(path).read(data):
        fold.add(line)
        if line.kind == "result":
            entries.append(result_from(line.members))
        elif line.kind == "ruling":
            entries.append(ruling_from(line.number, line.members))
        elif line.kind == "note":
            entries.append(fold.happened[-1])
    results = fold.results()  # refuses what has no header
    return Source(path, (*fold.earlier, results.plan), fold.created, fold.version, entries, results.running)


def merge(sources: Sequence[Source], at: str) -> Merged:
    """Put journals of the same plan together.

    Raises:
        JournalError: they are of different plans.
    """
    whole = max(sources, key=lambda source: len(source.plans))
    for source in sources:
        for one, other in zip(source.plans, whole.plans, strict=False):
            if one != other:
                raise JournalError(
                    f"The journals are of different plans: {difference(one, other, 'here', f'in {whole.path}')}.",
                    path=source.path,
                )
    first = sources[0]
    writer = LineWriter()
    lines = [writer.header(whole.plans[0], version=first.version, created=min(s.created for s in sources))]
    lines += [writer.grown(plan, at=at, text="merged") for plan in whole.plans[1:]]
    owners = _owners(sources)
    found = Merged()
    for source in sources:
        lines += _taken(source, owners, writer, found)
        note = f"{found.counts[source.path]} games from {source.path}"
        lines.append(writer.happened(Happened("note", at, note)))
    begun: dict[str, Job] = {}
    for job in (job for source in sources for job in source.running):
        if job.id not in owners and len(job.moves) >= len(begun[job.id].moves if job.id in begun else ()):
            begun[job.id] = job
    for job in begun.values():
        lines += [writer.started(job), *([writer.moves(job, 0, job.moves, job.banks, job.facts)] if job.moves else [])]
    found.data = b"".join(lines)
    return found


def _owners(sources: Sequence[Source]) -> dict[str, str]:
    """Game to the journal whose results of it are kept: the first in which it counts, or else in which it ended."""
    counting: dict[str, str] = {}
    ended: dict[str, str] = {}
    for source in sources:
        for entry in source.entries:
            if isinstance(entry, Game):
                (counting if entry.counts else ended).setdefault(entry.id, source.path)
    return {**ended, **counting}


def _taken(source: Source, owners: Mapping[str, str], writer: LineWriter, found: Merged) -> list[bytes]:
    """The lines of what is kept of a journal."""
    lines = []
    numbers: dict[str, str] = {}
    """What the rulings are called there, and here."""
    counting: set[str] = set()
    for entry in source.entries:
        if isinstance(entry, Game):
            if owners[entry.id] != source.path:
                found.twice += entry.counts
                continue
            if entry.counts:
                counting.add(entry.id)
            if entry.case:
                found.cases.setdefault(source.path, []).append(entry.case)
            lines.append(writer.result(entry))
        elif isinstance(entry, Happened):
            lines.append(writer.happened(entry))
        else:
            subject = numbers.get(entry.subject) if entry.act == "undo" else entry.subject
            if subject is None or owners.get(subject, source.path) != source.path:
                continue  # it is about a game, or a ruling, that is not taken from here
            number = writer.seq + 1
            numbers[str(entry.number)] = str(number)
            lines.append(writer.ruling(Ruling(number, entry.act, subject, entry.at, entry.text, entry.scores)))
    found.counts[source.path] = len(counting)
    return lines
