"""`ggtp watch`: look at a tournament that runs elsewhere, through its journal, or manage it.

Looking disturbs nothing.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import time
from collections import deque
from collections.abc import Callable, Iterator
from itertools import takewhile
from pathlib import Path

from ggtp.arena.control import NotRunning, ask
from ggtp.arena.journal_file import read_lines
from ggtp.arena.runner import Live, open_runner
from ggtp.arena.supervision import supervise
from ggtp.catalogue import Catalogue
from ggtp.catalogue.paths import open_regular
from ggtp.errors import CommandError
from ggtp.tournament.journal.journal import Fold, JournalError, Line, LineReader, result_from
from ggtp.tournament.journal.recollection import need, recollect
from ggtp.tournament.journal.rulings import ruling_from
from ggtp.tournament.results import Game
from ggtp.tournament.standings.ledger import Ledger
from ggtp.tournament.standings.table import remark_lines, table_lines
from ggtp.ui.console.arguments import seconds
from ggtp.ui.console.environment import Environment, ExitStatus
from ggtp.ui.console.output import complain, say
from ggtp.ui.drawing.dashboard import Dashboard, Scene

REFRESH_SECONDS = 0.5
RATE_RESULTS = 200
"""The rate is that of so many last results."""
LOG_LINES = 20
OFFLINE = ("adjudicate_game", "replay_game", "quarantine_player", "admit_player", "list_rulings", "undo_ruling")
"""What can be said to a tournament that does not run."""


class Follower:
    """Reads a journal as it grows."""

    def __init__(self, path: Path) -> None:
        """Open it, and read what is there.

        Raises:
            OSError: it can't be read, or is no regular file.
            JournalError: it is none, or damaged.
        """
        self._fd = open_regular(path)
        self._path = str(path)
        self._reader = LineReader(self._path)
        self._fold = Fold(self._path)
        self._ledger: Ledger | None = None
        self._times: deque[float] = deque(maxlen=RATE_RESULTS)
        self._since: dict[str, float] = {}
        self.log: deque[str] = deque(maxlen=LOG_LINES)
        self.state = "running"
        self._caught_up = False
        try:
            self.read()
            self._caught_up = True
            if self._ledger is None:
                raise JournalError("This is no journal of a tournament: it has no header.", path=str(path))
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Close the file."""
        os.close(self._fd)

    @property
    def ledger(self) -> Ledger:
        """How it stands."""
        assert self._ledger is not None
        return self._ledger

    def read(self) -> bool:
        """Take in what is new; whether there was anything."""
        before = self._reader.seq
        lines = list(read_lines(self._fd, self._reader))
        ruled = any(line.kind in ("ruling", "plan") for line in lines)
        for line in lines:
            if not ruled:
                self._count(line)
            self._take(line)
        if ruled:  # what was decided may change what was counted long ago, and what has grown what is due
            found = need(recollect(self._lines, self._path), self._path)
            self._fold, self._ledger = found.fold, found.ledger
        return self._reader.seq > before

    def _lines(self) -> Iterator[Line]:
        """Everything that was read so far, again."""
        lines = read_lines(self._fd, LineReader(self._path))
        return takewhile(lambda line: line.number <= self._reader.seq, lines)

    def _count(self, line: Line) -> None:
        self._fold.add(line)
        if self._ledger is None:
            assert self._fold.plan is not None
            self._ledger = Ledger(self._fold.plan)
        elif line.kind == "result":
            game = result_from(line.members)
            self._ledger.recall(game)
            self._fold.void.clear()
            if game.id in self._fold.games:
                self._fold.games[game.id] = Game(game.plan)

    def _take(self, line: Line) -> None:
        if line.kind == "result":
            game = result_from(line.members)
            self._since.pop(game.id, None)
            if self._caught_up:
                self._times.append(time.monotonic())
            self.log.extend(f"Game {game.id}: {f.player or 'nobody'}, {f.fault}: {f.what}" for f in game.faults)
        elif line.kind == "started":
            game_id = f"{line.members['game']['block']}.{line.members['game']['index']}"
            self._since[game_id] = time.monotonic()
        elif line.kind == "ruling":
            self.log.append(f"Ruling {ruling_from(line.number, line.members).words()}")
        elif line.kind in ("plan", "pause", "resume", "note", "end"):
            self.state = {"pause": "paused", "resume": "running", "end": "ended"}.get(line.kind, self.state)
            self.log.append(f"{line.members['at']} {line.kind} {line.members['text']}".rstrip())

    def scene(self) -> Scene:
        """What there is to show."""
        running = [Live(job, self._since.get(job.id, time.monotonic())) for job in self._fold.running.values()]
        rate = 0.0
        if len(self._times) > 1:
            rate = (len(self._times) - 1) / max(1e-6, time.monotonic() - self._times[0])
        ledger = self.ledger
        return Scene(
            ledger.plan, ledger.standings, running if self.state == "running" else [], ledger.total, rate, self.state,
            list(self.log),
        )  # fmt: skip


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `ggtp watch`."""
    parser.add_argument("journal", metavar="JOURNAL", help="the journal of a tournament")
    ways = parser.add_mutually_exclusive_group()
    ways.add_argument("--once", action="store_true", help="print how it stands and leave")
    ways.add_argument("--pause", action="store_true", help="have it begin no more games; running ones end")
    ways.add_argument("--resume", action="store_true", help="have it go on after a pause")
    ways.add_argument("--stop", action="store_true", help="have it stop now; it can be gone on with later")
    ways.add_argument("--say", metavar="LINE", help="say a line as at its prompt, such as adjudicate_game 12.1 draw")
    parser.add_argument("--why", default="", metavar="TEXT", help="the reason, for the journal")
    parser.add_argument("--plain", action="store_true", help="print the table now and then instead of a live one")
    parser.add_argument("--interval", type=seconds, default=10.0, help="seconds between plain tables (10)")


def run(env: Environment, args: argparse.Namespace) -> ExitStatus:
    """Show how it stands until it has ended, or until Ctrl-C; or manage it."""
    for verb in ("pause", "resume", "stop"):
        if getattr(args, verb):
            return _manage(env, Path(args.journal), f"{verb}_tournament {args.why}")
    if args.say is not None:
        return _manage(env, Path(args.journal), f"{args.say} {args.why}")
    follower = Follower(Path(args.journal))
    try:
        if args.once:
            _print(env, follower)
        elif args.plain or not env.interactive:
            _follow_plainly(env, follower, args.interval)
        else:
            _follow(env, follower)
    except KeyboardInterrupt:
        return ExitStatus.DONE
    finally:
        follower.close()
    return ExitStatus.DONE


def _manage(env: Environment, journal: Path, line: str) -> ExitStatus:
    """Say a line to the tournament, as at its prompt. What was decided about games needs nobody who plays."""
    try:
        *shown, answer = ask(journal, line)
    except NotRunning:
        if line.partition(" ")[0] not in OFFLINE:
            raise
        *shown, answer = _offline(journal, line)
    for text in shown:
        say(env.stdout, text)
    if answer.startswith("="):
        say(env.stdout, answer[2:])
        return ExitStatus.DONE
    complain(env.stderr, answer[2:])
    return ExitStatus.REFUSED


def _offline(journal: Path, line: str) -> list[str]:
    command, _, words = line.partition(" ")
    runner, file = open_runner(None, journal, resume=False)
    try:
        *shown, answer = asyncio.run(supervise(runner, command, words, "after the games"))
    except CommandError as error:
        return [f"? {error}"]
    finally:
        file.close()
    return [*shown, f"= {answer}"]


def _print(env: Environment, follower: Follower) -> None:
    ledger = follower.ledger
    of = f" of {ledger.total}" if ledger.total is not None else ""
    say(env.stdout, f"{ledger.plan.name}: {follower.state}, {ledger.standings.games}{of} games")
    plain = env.ascii_only
    for line in (*table_lines(ledger.standings, ascii_only=plain), *remark_lines(ledger, ascii_only=plain)):
        say(env.stdout, line)
    env.stdout.flush()


def _follow_plainly(
    env: Environment, follower: Follower, interval: float, sleep: Callable[[float], None] = time.sleep
) -> None:
    _print(env, follower)
    while follower.state != "ended":
        sleep(interval)
        if follower.read():
            _print(env, follower)


def _follow(env: Environment, follower: Follower) -> None:
    dashboard = Dashboard(env, Catalogue.from_environment(env.variables))
    dashboard.show(follower.scene, follower.ledger.plan)
    try:
        while follower.state != "ended":
            time.sleep(REFRESH_SECONDS)
            follower.read()
            dashboard.refresh()
    finally:
        dashboard.end()
    _print(env, follower)
