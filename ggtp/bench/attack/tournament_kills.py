"""A tournament whose referee, workers and engines are killed at random instants, and which is resumed each time."""

from __future__ import annotations

import os
import random
import re
import signal
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress

from ggtp.bench.attack.engines import describe
from ggtp.bench.attack.parts import Site
from ggtp.bench.attack.program import GUARD, Folders, Hung, Program
from ggtp.bench.attack.tally import Kind
from ggtp.bench.attack.traces import Traces, entries, until
from ggtp.bench.attack.verdicts import raw, shows_error
from ggtp.errors import GgtpError
from ggtp.tournament.journal.journal import read_journal
from ggtp.tournament.results import Game, Results
from ggtp.ui.console.environment import ExitStatus

PLAYERS = (("Alpha", "stdio"), ("Beta", "tcp"), ("Gamma", "zmq"))
BLOCKS = 4
GAMES = len(PLAYERS) * 2 * BLOCKS
"""Each pair meets in both seatings of every block."""
MOST_KILLS = 3
GONE_SECONDS = 20.0
END_SECONDS = 240.0
"""For a tournament that takes seconds, on a busy machine."""
WORKER = "ggtp.arena.worker"
COUNT = re.compile(r"\b(\d+)/(\d+) games")
VICTIMS = ("referee", "referee", "worker", "engine", "all")


class TournamentKills:
    """One tournament with some kills."""

    def __init__(self, site: Site, number: int, rng: random.Random, window: float) -> None:
        """Kill within a window of that many seconds after the start, or after what is to be killed is there."""
        self._site = site
        self._window = window
        self._rng = rng
        self._folders = Folders(site.folder / str(number))
        self._journal = self._folders.work / "attack.journal"
        self._traces = Traces()
        self._engine_kills = 0
        self._done: dict[str, Game] = {}
        """The games that were finished at the last look."""
        self._history: list[str] = []

    def attempt(self) -> None:
        """Kill and resume, and then play to the end."""
        words = self._words()
        try:
            over = False
            for _ in range(self._rng.randint(1, MOST_KILLS)):
                over = over or self._leg(words, self._rng.choice(VICTIMS))
                if self._journal.exists() and self._journal.stat().st_size:  # it is empty before anything has begun
                    words = [str(self._journal)]
            for _ in range(MOST_KILLS):
                over = over or self._leg(words, "")
            self._look_at_the_end()
        finally:
            self._traces.kill()

    def undisturbed(self) -> float:
        """Play without a kill; return how many seconds that takes."""
        began = time.monotonic()
        try:
            self._leg(self._words(), "")
            took = time.monotonic() - began
            self._look_at_the_end()
        finally:
            self._traces.kill()
        return took

    def _words(self) -> list[str]:
        return [self._plan(), "--journal", str(self._journal)]

    def _plan(self) -> str:
        path = self._folders.work / "plan.toml"
        lines = ['name = "attack"', 'format = "round-robin"', f"blocks = {BLOCKS}", "seed = 1", "replays = 20"]
        for name, wire in PLAYERS:
            engine = describe(self._folders.work, name, wire, self._traces.mark)
            lines += ["[[player]]", f'name = "{name}"', f'engine = "{engine}"']
        path.write_text("\n".join([*lines, "[[rule]]", 'rule = "TicTacToe"', ""]))
        return str(path)

    def _leg(self, words: Sequence[str], victim: str) -> bool:
        """Run until something is killed, or to the end; return whether that was reached."""
        program = Program(
            self._folders, self._traces, self._site.variables, "tournament", *words, "--plain", "--concurrency", "2"
        )
        killed = False
        try:
            if victim:
                self._site.tally.attempted()
                until(lambda: not program.alive or self._pids(program, victim), GUARD)
                time.sleep(self._rng.random() * self._window)  # any instant will do, so nothing is waited for
                killed = self._kill(program, victim)
            status = program.wait(END_SECONDS)
        except Hung as why:
            self._found("hung", str(why))
            return True
        finally:
            if left := self._traces.left(GONE_SECONDS):
                self._found("left", f"{len(left)} processes: {list(left.values())[:3]}")
            program.end()
        self._look_at(program)
        if victim in ("referee", "all") and killed:
            return False
        if status == ExitStatus.REFUSED and self._engine_kills:
            return False  # an engine that was killed while it started stops the tournament, which can be resumed
        if status != 0:
            self._found("tracebacks", f"it ended with status {status}: {program.errors[-300:]}")
        return True

    def _kill(self, program: Program, victim: str) -> bool:
        """Kill one of those, or all; return whether there was any."""
        pids = self._pids(program, victim)
        if not pids or not program.alive:
            return False
        for pid in pids if victim == "all" else [self._rng.choice(pids)]:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self._engine_kills += victim == "engine"
        self._site.tally.add(f"{victim}_kills")
        self._history.append(victim)
        return True

    def _pids(self, program: Program, victim: str) -> list[int]:
        """The processes of which one is to be killed, or all."""
        if victim == "referee":
            return [program.pid]
        processes = self._traces.processes()
        workers = sorted(pid for pid, words in processes.items() if WORKER in words)
        if victim == "worker":
            return workers
        if victim == "all":
            return [program.pid, *workers]
        return sorted(pid for pid, words in processes.items() if self._traces.mark in words)

    def _read(self) -> Results | None:
        try:
            data = self._journal.read_bytes()
            return read_journal(data, str(self._journal)) if data else None
        except FileNotFoundError:
            return None
        except (OSError, GgtpError) as why:
            self._found("lost", f"the journal can't be read: {why}")
            return None

    def _look_at(self, program: Program) -> None:
        """Compare what was said, and what was finished before, with what the journal says now."""
        said = [*program.heard, *program.errors.splitlines()]
        for line in raw(said):
            self._found("raw", repr(line[:200]))
        if shows_error(program.errors):
            self._found("tracebacks", program.errors[-400:])
        results = self._read()
        games = {} if results is None else {game.id: game for game in results.games}
        told = max((int(found[1]) for line in said if (found := COUNT.search(line))), default=0)
        if told > len(games):
            self._found("lost", f"{told} games were said to be played, and the journal has {len(games)}")
        for name, game in self._done.items():
            if games.get(name) != game:
                self._found("lost", f"game {name} was finished, and is now {games.get(name)}")
        self._done = games

    def _look_at_the_end(self) -> None:
        """Every game is there once, and whoever was blamed had been killed."""
        results = self._read()
        if results is None:
            self._found("lost", "there is no journal")
            return
        counted = Counter(game.id for game in results.games)
        if doubled := [name for name, count in counted.items() if count > 1]:
            self._found("doubled", f"games {doubled}")
        if not results.ended or len(counted) < GAMES:
            self._found("lost", f"{len(counted)} of {GAMES} games are there, ended: {results.ended}")
        blamed = [fault for fault in results.faults if fault.player]
        if len(blamed) > self._engine_kills or any(fault.fault not in ("exit", "start") for fault in blamed):
            faults = [(fault.player, fault.fault, fault.what) for fault in blamed]
            self._found("blamed", f"{self._engine_kills} engines were killed, and there are faults {faults}")
        strange = [game.id for game in results.games if not game.faults and game.scores.get("Cross") != 1.0]
        if strange:
            self._found("blamed", f"games {strange} have another result than without kills")
        if files := [path for path in entries(self._folders.work) if path.suffix == ".control"]:
            self._found("leaked", f"files are left: {[str(path) for path in files]}")
        if left := [
            f"{path.name} with {[below.name for below in entries(path)]}" for path in entries(self._folders.temporary)
        ]:
            self._found("leaked", f"files for temporary use are left: {left}")

    def _found(self, kind: Kind, what: str) -> None:
        self._site.tally.found(kind, f"tournament, killed {', '.join(self._history) or 'nobody'}: {what}")
