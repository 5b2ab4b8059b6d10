"""Runs a tournament: gives out games, writes the journal, and counts only what is on the disk.

    runner = Runner(plan, journal, version="ggtp 0.1.0", now=...)
    await runner.run(lambda on_message, on_lost: Pool(...))

What was played before is read from the journal. `finish` lets running games end, `stop` does
not; either way the journal says how it stands, and the next run goes on from there.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from ggtp import __version__
from ggtp.arena.journal_file import TournamentJournal, write_private
from ggtp.arena.messages import Moved, News, Played, Withdrawn
from ggtp.arena.pool import OnLost, OnNews, Players
from ggtp.arena.trials import Trials
from ggtp.errors import CommandError, GgtpError
from ggtp.faults import STOP
from ggtp.game.chance import new_key
from ggtp.tournament.journal.journal import JournalError, result_from
from ggtp.tournament.journal.recollection import Recollection, need, recollect
from ggtp.tournament.plan.growth import growth
from ggtp.tournament.plan.plan import SAME_MEETINGS, Plan, PlanError
from ggtp.tournament.results import FaultSeen, Game, Happened, Job, Ruling
from ggtp.tournament.schedule.schedule import Part
from ggtp.tournament.standings.lost_workers import FAULT, unexplained_text

MakePlayers = Callable[[OnNews, OnLost], Players]
LOG_LINES = 200
REPEATS_TOLD = 3
"""How many repeated blocks in a row, for each that differs, are warned of."""
NO_EVIDENCE = (
    "Repeats are no evidence: engines without chance need more start positions, such as random_moves makes, or options "
    "that bring chance."
)


class TournamentFailed(GgtpError):
    """The tournament can't go on now; the journal holds what was played."""


@dataclass(slots=True)
class Live:
    """A running game, for whoever looks."""

    job: Job
    """With the moves that are known by now."""
    since: float


@dataclass(frozen=True, slots=True)
class RunnerListeners:
    """What a runner tells those who run it. Each is called where it is given."""

    result: Callable[[Game], None] | None = None
    """A game has ended, and its result counts."""
    log: Callable[[str], None] | None = None
    """Something has happened that people want to read."""


class Runner:
    """One tournament. What is public may be looked at while it runs."""

    def __init__(
        self,
        plan: Plan | None,
        journal: TournamentJournal,
        *,
        version: str,
        now: Callable[[], str],
        resume: bool = True,
        listeners: RunnerListeners = RunnerListeners(),  # noqa: B008 - it never changes
    ) -> None:
        """Read what was played before, and begin a journal where there is none.

        `ended` tells afterwards whether every game was played. Without `resume` nothing is going to be played,
        and the journal does not say so.

        Raises:
            JournalError: the journal is damaged or of another plan, or there is no plan at all.
            PlanError: nobody could play it.
        """
        self._journal = journal
        self._now = now
        self._listeners = listeners
        self.finishing = False
        """Whether no more games are begun, for good or until `resume`."""
        self.running: dict[str, Live] = {}
        self.log: deque[str] = deque(maxlen=LOG_LINES)
        self.began = time.monotonic()
        self.played = 0
        """How many games this run has played."""
        self.part_played = False
        """Whether the part that is played here was played, and others are missing."""
        self._quoted: dict[str, str] = {}
        """What each player's engine wrote last when that was said."""
        self._paused = False
        self._pending: list[tuple[Game, str]] = []
        self._told_restless: set[str] = set()
        self._players: Players | None = None
        self._over: asyncio.Future[None] | None = None
        found = self._read(plan)
        self.ledger, self.rulings, self.ended = found.ledger, found.rulings, found.ended
        self.resumed = journal.writer.seq > 0
        """Whether there was an earlier run."""
        self.plan = self.ledger.plan
        self._trials = Trials(self.plan)
        self._told_unexplained: list[str] = []
        if journal.writer.seq == 0:
            self._write(journal.writer.header(self.plan, version=version, created=now()))
        elif resume and not self.ended:
            self._write(journal.writer.happened(Happened("resume", now())))

    def _read(self, plan: Plan | None) -> Recollection:
        path = str(self._journal.path)
        begun = keyed(plan, new_key(random.SystemRandom())) if plan is not None else None
        found = need(recollect(self._journal.lines, path, plan=begun), path)
        if plan is None or not self._journal.writer.seq:
            return found
        known = found.ledger.plan
        wanted = settled(keyed(plan, known.seed), known)
        if wanted == known:
            return found
        try:
            text = growth(known, wanted)
        except PlanError as error:
            raise JournalError(
                f"The journal is of another plan: {error} Give another journal with --journal, or name this one alone "
                "to go on with it.",
                path=path,
            ) from None
        self._write(self._journal.writer.grown(wanted, at=self._now(), text=text), sync=True)
        self.say(f"The plan has grown: {text}.")
        return need(recollect(self._journal.lines, path), path)

    # For whoever runs it.

    async def run(self, make_players: MakePlayers) -> None:
        """Play until the end, or until `finish` or `stop`.

        Raises:
            TournamentFailed: it can't go on: the disk is full, or nobody is left who plays.
        """
        if self.ended:
            return
        self._over = asyncio.get_running_loop().create_future()
        self._players = make_players(self._heard, self._lost)
        self.began = time.monotonic()
        try:
            await self._players.start()
            self._fill()
            await self._over
        finally:
            players, self._players = self._players, None
            await players.close()

    def take_part(self, part: Part) -> None:
        """Play a part of the blocks alone: others are played elsewhere, and journals put together by `merging`.

        Raises:
            PlanError: what is due follows from results that are elsewhere.
        """
        if self.plan.format not in SAME_MEETINGS or self.plan.sprt is not None:
            what = self.plan.format if self.plan.format not in SAME_MEETINGS else "sequential test"
            raise PlanError(f"A {what} can't be played in parts: what is due in it follows from all results.")
        self.ledger.part = part

    def finish(self, why: str = "") -> None:
        """Begin no more games; the running ones end, and then `run` does."""
        if not self.finishing:
            self.finishing = True
            self.say(f"No more games are begun{f': {why}' if why else ''}; those that are running end.")
            self._withdraw()
        self._fill()

    def stop(self, by: str = "") -> None:
        """End `run` now; running games can be gone on with later. `by` is who wants it and why."""
        self.finishing = True
        if by:
            self.say(f"Stopped {by}.")
        self._commit(go_on=False)  # a game that has ended is not lost
        self._conclude("stopped", by)

    def pause(self, by: str = "") -> None:
        """Begin no more games until `resume`."""
        self._paused = True
        self._withdraw()
        self._supervised("pause", by)
        self.say(f"Paused{f' {by}' if by else ''}: running games end.")

    def resume(self, by: str = "") -> None:
        """Go on."""
        self._paused = False
        self._supervised("resume", by)
        self.say(f"Going on{f', {by}' if by else ''}.")
        self._fill()

    def _supervised(self, act: str, by: str) -> None:
        """Write down what a supervisor has done."""
        self._write(self._journal.writer.happened(Happened(act, self._now(), by)), sync=True)

    def decree(self, act: str, subject: str, by: str, scores: Mapping[str, float] | None = None) -> Ruling:
        """Write a ruling down, and let it be in force from now on.

        Raises:
            CommandError: games that were played since depend on what it would change; nothing has changed.
        """
        self._commit(go_on=False)
        ruling = Ruling(self._journal.writer.seq + 1, act, subject, self._now(), by, scores or {})
        path = str(self._journal.path)
        found = need(recollect(self._journal.lines, path, further=(ruling,)), path)
        found.ledger.part = self.ledger.part
        if not found.ledger.catch_up(set(self.running)):
            raise CommandError("Who met whom since then depends on it: it can't be changed any more.")
        self._write(self._journal.writer.ruling(ruling), sync=True)
        found.ledger.lost_workers.trials |= self.ledger.lost_workers.trials
        self._trials.released()  # the new ledger has them due
        self.ledger, self.rulings = found.ledger, found.rulings
        self.ended = self.ended and act != "replay"
        self.say(f"Ruling {ruling.words()}")
        self._fill()
        return ruling

    async def resize(self, concurrency: int, by: str) -> None:
        """Play so many games at once from now on.

        Raises:
            CommandError: whoever plays can't do that.
        """
        assert self._players is not None
        await self._players.resize(concurrency)
        self._supervised("note", f"{concurrency} games at once {by}")
        self.say(f"{concurrency} games at once from now on, {by}.")
        self._fill()

    def result_of(self, game_id: str) -> Game | None:
        """The result of a game that counts, as it was played; None where there is none."""
        found: Game | None = None
        for line in self._journal.lines():
            if line.kind == "result" and (game := result_from(line.members)).id == game_id:
                found = game
            elif line.kind == "ruling" and line.members["act"] == "replay" and line.members["subject"] == game_id:
                found = None
        return found if found is not None and found.counts else None

    @property
    def players(self) -> Players | None:
        """Who plays the games; nobody where it does not run."""
        return self._players

    def note(self, text: str) -> None:
        """Write something down that may matter to whoever reads the journal."""
        if not self.ended:
            self._write(self._journal.writer.happened(Happened("note", self._now(), text)))

    @property
    def over(self) -> bool:
        """Whether this run is over, but for leaving."""
        return self._over is not None and self._over.done()

    @property
    def path(self) -> Path:
        """Where the journal is."""
        return self._journal.path

    @property
    def limit_ms(self) -> int:
        """The shortest limit of the plan in milliseconds; 0 where there is none, or nothing to play."""
        return 0 if self.ended else self.plan.limit_ms

    @property
    def paused(self) -> bool:
        """Whether games are begun only after `resume`."""
        return self._paused

    @property
    def rate(self) -> float:
        """Games a second in this run."""
        seconds = time.monotonic() - self.began
        return self.played / seconds if seconds > 0 else 0.0

    # Games.

    def _fill(self) -> None:
        """Begin as many games as there is room for."""
        players = self._players
        if players is None or self._over is None or self._over.done():
            return
        lines = b""
        while not self.finishing and not self._paused and not self._pending and players.room > 0:
            workers, out = self.ledger.lost_workers, self.ledger.out
            trial = self._trials.next(workers, out)
            if trial is not None:
                players.give(trial)
                continue
            due = self.ledger.next()
            if isinstance(due, Game):
                self._await_commit(due)
                break
            if due is None:
                break
            if self._trials.holds(due, workers, out):
                continue
            self.running[due.id] = Live(due, time.monotonic())
            lines += self._journal.writer.started(due)
            if due.moves:
                lines += self._journal.writer.moves(due, 0, due.moves, due.banks, due.facts)
            players.give(due)
        self._write(lines)
        if not self.running and not self._pending and not self._trials.running:
            if self.ledger.exhausted():
                self._conclude("end")
            elif self.ledger.part is not None and self.ledger.drained:
                self.part_played = True
                self._conclude("pause")
            elif self.finishing:
                self._conclude("pause")

    def _heard(self, news: News) -> None:
        """Take in what a worker says of a game. What nobody waits for, such as a second result, counts for nothing."""
        match news:
            case Moved():
                live = self._live(news.game, news.attempt)
                if live is not None:
                    live.job = live.job.moved(news.begin, news.moves, news.banks, news.facts)
                    self._write(self._journal.writer.moves(live.job, news.begin, news.moves, news.banks, news.facts))
            case Played(game, case):
                if self._live(game.id, game.attempt) is not None:
                    del self.running[game.id]
                    self._await_commit(game, case)
                elif name := self._trials.over(game.id):
                    self._tried(name, lost=False)
            case Withdrawn(jobs):
                for job in jobs:
                    live = self._live(job.id, job.attempt)
                    if live is not None:
                        del self.running[job.id]
                        self.ledger.put_back(live.job)
                    else:
                        self._trials.withdrawn(job)
                self._fill()

    def _live(self, game: str, attempt: int) -> Live | None:
        """A game that is running, in that attempt."""
        live = self.running.get(game)
        return live if live is not None and live.job.attempt == attempt else None

    def _await_commit(self, game: Game, case: str = "") -> None:
        """Count a result after this turn of the loop, so that results that came together are written together."""
        self._pending.append((game, case))
        if len(self._pending) == 1:
            asyncio.get_running_loop().call_soon(self._commit)

    def _withdraw(self) -> None:
        """Have back the games that were given out and not begun: nobody should wait for them."""
        if self._players is not None:
            self._players.withdraw()

    def _commit(self, *, go_on: bool = True) -> None:
        """Write down what is pending, have it on the disk, and only then count it and begin other games."""
        pending, self._pending = self._pending, []
        if not pending or self._over is None or self._over.done():
            return
        games = [self._case(game, case) if case else game for game, case in pending]
        self._write(b"".join(self._journal.writer.result(game) for game in games), sync=True)
        if self._over.done():
            return  # it could not be written
        for game in games:
            self.ledger.record(game)
            self.played += game.end != "quarantine"
            self._look_at(game)
            if self._listeners.result is not None:
                with suppress(OSError):
                    self._listeners.result(game)
        if any(fault.fault == FAULT for game in games for fault in game.faults):
            self._blame()
        if go_on:
            self._fill()

    def _quote(self, fault: FaultSeen) -> None:
        """Say what an engine wrote last, as a traceback, unless the last time was the same."""
        if fault.last_words and self._quoted.get(fault.player) != fault.last_words:
            self._quoted[fault.player] = fault.last_words
            for line in fault.last_lines():
                self.say(f"  {fault.player} said: {line}")

    def _look_at(self, game: Game) -> None:
        """What a game's faults, or a test that is decided, mean for the tournament."""
        for fault in game.faults:
            self.say(f"Game {game.id}: fault of {fault.player or 'nobody'}, {fault.fault}: {fault.what}")
            self._quote(fault)
            if fault.price == STOP.price:
                self.finish(f"{fault.fault} has the price stop")
            elif fault.fault == "start" and fault.player and not self.ledger.standings.rows[fault.player].games:
                self.finish(f"{fault.player} has not played a single game")
        for name, idle in self.ledger.standings.restless().items():
            if name not in self._told_restless:
                self._told_restless.add(name)
                self.say(f"Warning: {idle.warning(name)}")
        self._tell_repeats()
        test = self.ledger.test
        if test is not None and test.verdict and not self._told_verdict:
            self._told_verdict = True
            self.say(f"The sequential test is decided: {test.verdict}, LLR {test.ratio:.2f}.")

    def _tell_repeats(self) -> None:
        """Say once that only repeats are played, and once that this is why it ends."""
        repetition = self.ledger.repetition
        if not self._told_repeats and repetition.only(REPEATS_TOLD):
            self._told_repeats = True
            self.say(f"Warning: the last {repetition.streak} blocks repeat earlier ones move by move. {NO_EVIDENCE}")
        if not self._told_only_repeats and self.ledger.only_repeats:
            self._told_only_repeats = True
            self.say(f"No more games are begun: the last {repetition.streak} blocks repeat earlier ones move by move.")

    _told_verdict = _told_repeats = _told_only_repeats = False

    def _lost(self, jobs: list[Job], why: str, players: frozenset[str]) -> None:
        """The worker of these games is gone: replay them, and count the players whose engines were there."""
        fault = FaultSeen("", "", FAULT, why, self.plan.prices[FAULT], present=tuple(sorted(players)))
        for job in jobs:
            if self._live(job.id, job.attempt) is not None:
                del self.running[job.id]
                self._await_commit(Game(job.game, end="void", reason=why, faults=(fault,), attempt=job.attempt))
            elif name := self._trials.over(job.id):
                self._tried(name, lost=True)
        if self._players is not None and not self._players.alive:
            self._fail(TournamentFailed(f"Nobody is left who plays: {why}"))

    # Lost workers.

    def _tried(self, name: str, *, lost: bool) -> None:
        """A trial game is over, or its worker is lost."""
        self.ledger.lost_workers.tried(name, lost=lost)
        self.say(f"{name} played a trial game alone, and its worker {'was lost' if lost else 'was not lost'}.")
        self._blame()
        for job in self._trials.released():
            self.ledger.put_back(job)
        self._fill()

    def _blame(self) -> None:
        """Rule on the players that are the cause of lost workers; warn where nobody knows who it is."""
        while blamed := self.ledger.lost_workers.blamed(self.ledger.out):
            name, why = next(iter(blamed.items()))
            by = f"by the tournament: {why}"
            self.decree("lose" if self.plan.lost_workers_price == "loss" else "quarantine", name, by)
            for game in self._profits(name):
                with suppress(CommandError):  # later pairings depend on it
                    self.decree("adjudicate", game.id, by, self.ledger.forfeited(game.plan, {name}).scores)
        players = self.ledger.lost_workers.unexplained(self.ledger.out)
        if players and players != self._told_unexplained:
            self._told_unexplained = players
            self.say(f"Warning: {unexplained_text(players)}")

    def _profits(self, name: str) -> list[Game]:
        """The games that a player did not lose after an earlier attempt had lost its worker."""
        lost: set[str] = set()
        found = {}
        for line in self._journal.lines():
            if line.kind == "result":
                game = result_from(line.members)
                if name in game.plan.seats.values() and any(fault.fault == FAULT for fault in game.faults):
                    lost.add(game.id)
                elif game.id in lost and game.counts and game.player_scores().get(name, 0.0) > 0:
                    found[game.id] = game
        return list(found.values())

    def _case(self, game: Game, text: str) -> Game:
        folder = case_folder(self._journal.path)
        name = f"{game.id}-{game.attempt}.ggtp"
        try:
            folder.mkdir(exist_ok=True)
            write_private(folder / name, text)
        except OSError as error:
            self.say(f"The case file {name} could not be written: {error.strerror}.")
            return game
        return replace(game, case=name)

    # The end.

    def _conclude(self, kind: str, by: str = "") -> None:
        if self._over is None or self._over.done():
            return
        if kind == "end":
            self.ended = True
            text = f"{self.ledger.standings.games} games"
        else:
            text = f"{len(self.running)} games are running" if kind == "stopped" else ""
            text += f", stopped {by}" if by else ""
        self._write(
            self._journal.writer.happened(Happened("end" if kind == "end" else "pause", self._now(), text)), sync=True
        )
        if not self._over.done():
            self._over.set_result(None)

    def _fail(self, error: GgtpError) -> None:
        if self._over is not None and not self._over.done():
            self._over.set_exception(error)

    def _write(self, data: bytes, *, sync: bool = False) -> None:
        if not data:
            return
        try:
            moved = self._journal.secure()
            self._journal.write(data, sync=sync)
        except OSError as error:
            failed = TournamentFailed(f"{self._journal.path} can't be written: {error.strerror}.")
            if self._over is None:
                raise failed from None
            self._fail(failed)
        else:
            if moved:
                self.say(f"Warning: {moved}")

    def say(self, text: str) -> None:
        """Tell whoever looks."""
        self.log.append(text)
        if self._listeners.log is not None:
            with suppress(OSError):  # whoever looked is gone, and the games go on
                self._listeners.log(text)


def case_folder(journal: Path) -> Path:
    """Where the case files of a journal are."""
    return journal.with_name(f"{journal.name}.cases")


def keyed(plan: Plan, key: int | None) -> Plan:
    """The plan with this key, where it has no seed of its own."""
    return replace(plan, seed=key) if plan.seed is None else plan


def settled(plan: Plan, found: Plan) -> Plan:
    """The plan with the deals that were settled on when its journal began: sandboxes may have come or gone since."""
    if plan.deals != found.deals:
        return plan
    pairs = zip(plan.rules, found.rules, strict=False)
    rules = [replace(rule, deals=old.deals, chance=old.chance) for rule, old in pairs]
    return replace(plan, rules=(*rules, *plan.rules[len(rules) :]))


def now() -> str:
    """The time, as journals have it."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def open_runner(
    plan: Plan | None,
    path: Path,
    *,
    resume: bool = True,
    listeners: RunnerListeners = RunnerListeners(),  # noqa: B008 - it never changes
) -> tuple[Runner, TournamentJournal]:
    """A tournament and its journal, which is to be closed.

    Raises:
        GgtpError, OSError: the journal can't be used.
    """
    journal = TournamentJournal(path)
    try:
        version = f"ggtp {__version__}"
        return Runner(plan, journal, version=version, now=now, resume=resume, listeners=listeners), journal
    except BaseException:
        journal.close()
        raise
