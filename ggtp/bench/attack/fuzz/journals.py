"""Journals: whatever is done to one, it is refused at a line, or read as its beginning; forged ones can be reported."""

from __future__ import annotations

import random
import zlib
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

from ggtp.bench.attack.fuzz.corpus import encoded
from ggtp.bench.attack.fuzz.rounds import fuzzing
from ggtp.bench.attack.fuzz.trial import Budget, Wrong
from ggtp.tournament.journal.journal import TAIL, JournalError, LineReader, LineWriter, read_journal
from ggtp.tournament.plan.plan import plan_from
from ggtp.tournament.report.data import make_report
from ggtp.tournament.report.forms import report_csv, report_json
from ggtp.tournament.results import Game, GamePlan, Happened, Job

SEATS = ("Left", "Right")


def journal(games: int) -> bytes:
    """A journal of Nim with everything in it but rulings."""
    data = {
        "name": "evening",
        "seed": 3,
        "blocks": max(games, 1),
        "player": [{"name": "A", "engine": "Random"}, {"name": "B", "engine": "Random"}],
        "rule": [{"rule": "Nim", "seats": list(SEATS)}],
    }
    writer = LineWriter()
    lines = [writer.header(plan_from(data), version="1", created="2026-01-01T00:00:00+00:00")]
    lines.append(writer.happened(Happened("note", "2026-01-01T00:00:01+00:00", "calibration")))
    for number in range(games):
        seats = dict(zip(SEATS, ("A", "B") if number % 2 == 0 else ("B", "A"), strict=True))
        plan = GamePlan(number // 2 + 1, number % 2, 1, 0, 0, 1234 + number // 2, seats)
        job = Job(plan)
        lines.append(writer.started(job))
        lines.append(writer.moves(job, 0, ["Left take 1 from A"], {"Left": 4.5}))
        result = Game(
            plan,
            scores={"Left": 1.0, "Right": 0.0},
            standings={"Left": "win", "Right": "loss"},
            moves=("Left take 1 from A", "Right take 2 from A"),
            end="void" if number == 1 else "rules",
            reason="Right has taken the last one.",
            seconds=1.5,
            thinking={"Left": 0.5, "Right": 0.25},
        )
        lines.append(writer.result(result))
    lines.append(writer.happened(Happened("end", "2026-01-01T00:00:09+00:00", "it is over")))
    return b"".join(lines)


WHOLE = journal(6)


ROUNDS = 30
begin = fuzzing("journals")


def seeds(_environ: Mapping[str, str]) -> Sequence[str]:
    """Some journals."""
    return [WHOLE.decode(), journal(0).decode(), journal(1).decode()]


def reader(_environ: Mapping[str, str]) -> Callable[[str, Budget], str]:
    """Reads journals."""
    return read


def read(text: str, _budget: Budget) -> str:
    """Read a mutant as it is, and with checksums that hold; and a journal with one byte changed or cut off."""
    _damage(random.Random(zlib.crc32(encoded(text))))
    with suppress(JournalError):
        read_journal(encoded(text), "fuzz")
    results = read_journal(forged(encoded(text)), "fuzz")
    report = make_report(results)
    report_json(report)
    for table in ("games", "standings", "pairs", "rules", "faults"):
        report_csv(report, table)
    return f"{len(results.games).bit_length()} {len(results.void).bit_length()} {results.ended}"


def forged(data: bytes) -> bytes:
    """The same lines with checksums that hold, as somebody would write them who wants to be believed."""
    crc, lines = 0, []
    for line in data.split(b"\n"):
        if line:
            found = TAIL.search(line)
            body = line[: found.start()] if found else line.rstrip(b"}")
            crc = zlib.crc32(body, crc)
            lines.append(body + b',"crc":"%08x"}' % crc)
    return b"".join(line + b"\n" for line in lines)


def _damage(rng: random.Random) -> None:
    """See that damage is refused, or that what is read is the beginning of what was written."""
    at = rng.randrange(len(WHOLE))
    changed = bytes([WHOLE[at] ^ (1 << rng.randrange(8))])
    for what, data in (
        (f"cut at {at}", WHOLE[:at]),
        (f"byte {at} changed", WHOLE[:at] + changed + WHOLE[at + 1 :]),
        (f"byte {at} left out", WHOLE[:at] + WHOLE[at + 1 :]),
        (f"zeros from {at} on", WHOLE[:at] + bytes(len(WHOLE) - at)),
    ):
        whole = LineReader().read(WHOLE)
        try:
            found = LineReader().read(data)
        except JournalError:
            continue
        if found != whole[: len(found)]:
            raise Wrong("lost", f"a journal with {what} is read as another one")
