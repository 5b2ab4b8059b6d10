"""The journal: the lines that are the only truth about a tournament, and what they add up to.

A journal is text, a JSON object a line, each of them with these members first and last:

    {"seq":7,"kind":"result", ... ,"crc":"5d1c03aa"}

`seq` counts from 1. `crc` is the CRC-32, as eight hexadecimal digits, of the line's bytes up to
the comma before `"crc"`, begun from the checksum of the line before (from 0 for the first): so
a line that was changed, lost, doubled or moved is found. Only the last line may be torn, when
the machine stopped while it was written; it is cut off.

    kind     members
    header   format (1), version, created, plan (complete: seats, moves of start positions)
    plan     plan (what the one before has grown to), at, text
    started  game, attempt
    moves    game, attempt, from (how many moves come before), moves, banks (seconds left; where there are any),
             facts
    result   game, attempt, scores, standings, points, moves, facts (of each move, where any are known: see
             `facts.MoveFacts`), opened (where the game has an opening), end, reason, faults, seconds, thinking, lag_ms,
             case, pattern, told, guards (what engines were kept from), idle (where it was watched)
    pause    at, text
    resume   at, text
    note     at, text
    end      at, text
    ruling   act, subject, scores, at, text (see `rulings.Ruling`)

`game` is an object: block, index, round, rule, start, seed, seats (see `results.GamePlan`).
A game has one result at most that counts; void ones may come before it. A result is on the
disk before anything is said about it; `started` and `moves` are not waited for.
"""

from __future__ import annotations

import json
import math
import re
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from msgspec import convert, to_builtins

from ggtp.errors import PlacedError
from ggtp.tournament.facts import MoveFacts
from ggtp.tournament.journal.rulings import in_force, judged, ruling_from
from ggtp.tournament.plan.growth import growth
from ggtp.tournament.plan.plan import Plan, PlanError, plan_from
from ggtp.tournament.results import Game, GamePlan, Happened, Job, Results, Ruling, blocks_of

FORMAT = 1
KINDS = ("header", "plan", "started", "moves", "result", "pause", "resume", "note", "end", "ruling")
TAIL = re.compile(rb',"crc":"([0-9a-f]{8})"\}$')


def looks_like_journal(data: bytes) -> bool:
    """Return whether a file that begins with these bytes is meant to be a journal: plans and play files do not begin
    with a brace.
    """
    return data.startswith(b"{")


class JournalError(PlacedError):
    """A journal that can't be trusted, with the place where that begins."""


class LineWriter:
    """Makes the journal's lines, each with its number and checksum."""

    def __init__(self, seq: int = 0, crc: int = 0) -> None:
        self.seq = seq
        self.crc = crc

    def line(self, kind: str, members: Mapping[str, Any]) -> bytes:
        """The next line, with its end."""
        self.seq += 1
        body = json.dumps({"seq": self.seq, "kind": kind, **members}, separators=(",", ":"), ensure_ascii=False)
        data = body[:-1].encode("utf-8", "surrogatepass")
        self.crc = zlib.crc32(data, self.crc)
        return data + b',"crc":"%08x"}\n' % self.crc

    def header(self, plan: Plan, *, version: str, created: str) -> bytes:
        """The first line."""
        return self.line("header", {"format": FORMAT, "version": version, "created": created, "plan": plan.data()})

    def grown(self, plan: Plan, *, at: str, text: str) -> bytes:
        """The plan has grown."""
        return self.line("plan", {"plan": plan.data(), "at": at, "text": text})

    def started(self, job: Job) -> bytes:
        """A game begins."""
        return self.line("started", {"game": to_builtins(job.game), "attempt": job.attempt})

    def moves(
        self,
        job: Job,
        begin: int,
        moves: Iterable[str],
        banks: Mapping[str, float] | None = None,
        facts: Sequence[MoveFacts] = (),
    ) -> bytes:
        """Moves of a running game after the first `begin` of them, what is left in each bank then, and their facts."""
        members: dict[str, Any] = {"game": to_builtins(job.game), "attempt": job.attempt}
        members |= {"from": begin, "moves": list(moves)}
        if banks:
            members["banks"] = {seat: round(seconds, 3) for seat, seconds in banks.items()}
        if facts:
            members["facts"] = to_builtins(facts)
        return self.line("moves", members)

    def result(self, game: Game) -> bytes:
        """A game has ended."""
        return self.line("result", result_data(game))

    def happened(self, event: Happened) -> bytes:
        """A pause, a resumption, a note, or the end."""
        return self.line(event.kind, {"at": event.at, "text": event.text})

    def ruling(self, ruling: Ruling) -> bytes:
        """A supervisor has decided something."""
        assert ruling.number == self.seq + 1
        return self.line("ruling", ruling.data())


@dataclass(frozen=True, slots=True)
class Line:
    """A line that was read and holds."""

    number: int
    kind: str
    members: Mapping[str, Any]


@dataclass(slots=True)
class LineReader:
    """Reads lines in order, whole ones, and checks each against the one before."""

    path: str = ""
    seq: int = 0
    crc: int = 0
    good: int = 0
    """How many bytes hold so far: where to go on writing."""

    def read(self, data: bytes, *, more: bool = False) -> list[Line]:
        """The whole lines at the beginning of `data`; a torn last line is left alone, if there is no `more` behind it.

        Raises:
            JournalError: a line is wrong and is not the last one.
        """
        lines = []
        begin = 0
        while (end := data.find(b"\n", begin)) >= 0:
            line = self._check(data[begin:end], last=end == len(data) - 1 and not more)
            if line is None:
                break
            lines.append(line)
            self.good += end + 1 - begin
            begin = end + 1
        return lines

    def _check(self, data: bytes, *, last: bool) -> Line | None:
        """One line; None for a last one that does not hold, as blocks of a file may reach a disk in any order."""
        found = TAIL.search(data)
        try:
            if found is None:
                raise ValueError("it has no checksum")
            crc = zlib.crc32(data[: found.start()], self.crc)
            if crc != int(found[1], 16):
                raise ValueError("its checksum is wrong")
            members = json.loads(data, parse_float=_finite, parse_constant=_finite)
            if members.get("seq") != self.seq + 1:
                raise ValueError(f"its number is {members.get('seq')} and not {self.seq + 1}")
            if members.get("kind") not in KINDS:
                raise ValueError(f"nobody knows its kind {members.get('kind')!r}")
        except (ValueError, RecursionError) as error:
            if last:
                return None
            raise JournalError(
                f"This line of the journal does not hold: {error}. Everything before it does.",
                path=self.path,
                line=self.seq + 1,
            ) from None
        self.seq += 1
        self.crc = crc
        return Line(self.seq, members["kind"], members)


def result_data(game: Game) -> dict[str, Any]:
    """A played game, for JSON."""
    data: dict[str, Any] = to_builtins(game)
    data = {"game": data.pop("plan"), **data}
    data["seconds"] = round(game.seconds, 4)
    data["thinking"] = {seat: round(seconds, 4) for seat, seconds in game.thinking.items()}
    data["lag_ms"] = round(game.lag_ms, 2)
    data["idle"] = {seat: [round(seconds, 3) for seconds in idle] for seat, idle in game.idle.items()}
    for name in ("facts", "guards", "idle", "opened"):
        if not data[name]:
            del data[name]
    return data


def result_from(data: Mapping[str, Any]) -> Game:
    """The played game that `result_data` wrote; journals did not always have every member.

    Raises:
        ValueError, KeyError: a member is missing or wrong.
    """
    return convert({**data, "plan": data["game"]}, Game)


@dataclass(slots=True)
class Fold:
    """Adds lines up, one after the other. `results` may be asked for at any time."""

    path: str = ""
    plan: Plan | None = None
    earlier: list[Plan] = field(default_factory=list)
    """The plans from which it has grown."""
    created: str = ""
    version: str = ""
    games: dict[str, Game] = field(default_factory=dict)
    void: list[Game] = field(default_factory=list)
    running: dict[str, Job] = field(default_factory=dict)
    happened: list[Happened] = field(default_factory=list)
    rulings: list[Ruling] = field(default_factory=list)
    ended: bool = False
    _names: frozenset[str] = frozenset()
    """The players'."""
    _line: dict[str, int] = field(default_factory=dict)
    """Where the results of games are that a ruling may still change."""

    def add(self, line: Line) -> None:
        """One more line.

        Raises:
            JournalError: it does not go with the lines before it.
        """
        try:
            self._add(line)
        except (KeyError, TypeError, ValueError, AttributeError, PlanError) as error:
            what = f"it lacks {error}" if isinstance(error, KeyError) else str(error)
            raise self._error(line, what.rstrip(".")) from None

    def _add(self, line: Line) -> None:
        members = line.members
        if (self.plan is None) != (line.kind == "header"):
            raise ValueError("a journal begins with its header and has one only")
        match line.kind:
            case "header":
                if members["format"] != FORMAT:
                    raise ValueError(f"its format is {members['format']}, and only {FORMAT} is known")
                self.plan = plan_from(members["plan"])
                self._names = frozenset(self.plan.names)
                self.created, self.version = str(members["created"]), str(members["version"])
            case "plan":
                self._grow(plan_from(members["plan"]), str(members["at"]), str(members["text"]))
            case "started":
                job = convert(members, Job)
                self._see_planned(job.game)
                self.running[job.id] = job
            case "moves":
                self._moves(convert(members, Job), members["from"])
            case "result":
                self._result(result_from(members), line.number)
            case "ruling":
                self._ruling(ruling_from(line.number, members))
            case kind:
                self.happened.append(Happened(kind, str(members["at"]), str(members["text"])))
                self.ended = kind == "end"

    def _grow(self, plan: Plan, at: str, text: str) -> None:
        assert self.plan is not None  # nothing comes before the header
        growth(self.plan, plan)
        self.earlier.append(self.plan)
        self.plan, self.ended, self._names = plan, False, frozenset(plan.names)
        self.happened.append(Happened("plan", at, text))

    def _moves(self, fresh: Job, begin: int) -> None:
        """A running game has made the moves of `fresh` after its first `begin`."""
        running = self.running.get(fresh.id)
        if running is None or running.attempt != fresh.attempt:
            raise ValueError(f"game {fresh.id} has moves and was not started")
        if begin > len(running.moves):
            raise ValueError(f"moves of game {fresh.id} are missing")
        self.running[fresh.id] = running.moved(begin, fresh.moves, fresh.banks, fresh.facts)

    def _see_planned(self, game: GamePlan) -> None:
        """See that a game is one of the plan."""
        assert self.plan is not None
        rules = self.plan.rules
        if not 0 <= game.rule < len(rules) or not 0 <= game.start < len(rules[game.rule].starts):
            raise ValueError(
                f"the plan has no rule {game.rule} with a start position {game.start}, as of game {game.id}"
            )
        if game.seats.keys() != set(rules[game.rule].seats) or not self._names.issuperset(game.seats.values()):
            raise ValueError(f"the plan has no such seats and players as game {game.id}")

    def _result(self, game: Game, number: int) -> None:
        self._see_planned(game.plan)
        _see_scored(game)
        if game.id in self.games:
            raise ValueError(f"game {game.id} has a second result")
        self.running.pop(game.id, None)
        if game.end == "void":
            self.void.append(game)
        else:
            self.games[game.id] = game
            self._line[game.id] = number

    def _ruling(self, ruling: Ruling) -> None:
        self.rulings.append(ruling)
        if ruling.act == "replay":
            self.void.append(judged(self.games.pop(ruling.subject), (ruling,)))
            self.ended = False

    def _error(self, line: Line, what: str) -> JournalError:
        return JournalError(
            f"This line of the journal makes no sense: {what}. Everything before it does.",
            path=self.path,
            line=line.number,
        )

    def results(self) -> Results:
        """What it comes to.

        Raises:
            JournalError: there is not even a header.
        """
        if self.plan is None:
            raise JournalError("This is no journal of a tournament: it has no header.", path=self.path)
        force = in_force(self.rulings)
        known = [
            judged(game, [ruling for ruling in force if ruling.number > self._line[game.id]])
            for game in self.games.values()
        ]
        games = tuple(sorted(known, key=lambda game: (game.plan.block, game.plan.index)))
        counted = tuple(game for game in games if game.counts)
        return Results(
            plan=self.plan,
            created=self.created,
            version=self.version,
            games=counted,
            void=(*self.void, *(game for game in games if not game.counts)),
            running=tuple(self.running.values()),
            blocks=blocks_of(self.plan, counted),
            happened=tuple(self.happened),
            rulings=tuple(self.rulings),
            ended=self.ended,
        )


def read_journal(data: bytes, path: str = "") -> Results:
    """What a journal's bytes come to; a torn last line counts for nothing.

    Raises:
        JournalError: it is no journal, or it was damaged before its last line.
    """
    if data and not looks_like_journal(data):
        raise JournalError("It is no journal.", path=path, line=1)
    fold = Fold(path)
    for line in LineReader(path).read(data):
        fold.add(line)
    return fold.results()


def _finite(text: str) -> float:
    """The number of a text.

    Raises:
        ValueError: it is infinite, or none.
    """
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text} is no finite number")
    return number


def _see_scored(game: Game) -> None:
    """See that the scores and standings of a game are such, and of its seats.

    Raises:
        ValueError: they are not.
    """
    seats = game.plan.seats.keys()
    if not seats >= {*game.scores, *game.standings, *game.points}:
        raise ValueError(f"game {game.id} has scores of other seats than its own")
    if not all(0.0 <= score <= 1.0 for score in game.scores.values()):
        raise ValueError(f"the scores of game {game.id} are not from 0 to 1")
