"""The part `engines`: every way of the zoo in real games, at a prompt in both seats and in a tournament."""

from __future__ import annotations

import json
import os
import random
import signal
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from ggtp.bench.attack.parts import Attempt, Site
from ggtp.bench.attack.program import Ended, Folders, Hung, Program
from ggtp.bench.attack.traces import Traces, entries, tree, until
from ggtp.bench.attack.verdicts import at_prompt, faults_in, in_tournament, raw, shows_error
from ggtp.bench.attack.zoo import engine as zoo_engine
from ggtp.bench.attack.zoo.planting import PLANTED
from ggtp.bench.attack.zoo.ways import WAYS, Way
from ggtp.errors import GgtpError
from ggtp.tournament.journal.journal import read_journal
from ggtp.tournament.results import Results

ROUNDS = len(WAYS)
SEATS = ("Cross", "Circle")
GONE_SECONDS = 20.0
"""How long the processes of a dismissed engine may stay, on a busy machine."""
MOST_DESCRIPTORS = 2
"""How many descriptors a program may have more than after its first game: the loop opens one or the other late."""
PATIENT = {
    "answer_time": 20_000,
    "patience": 30_000,
    "connect_time": 20_000,
    "time_move": 0,
    "time_bank": 0,
    "time_margin": 100,
    "line_limit": 16 << 20,
    "engine_memory": 4096,
    "engine_processes": 64,
}
"""Deadlines that no engine meets because the machine is busy; what a way asks for is set over them."""
IMPATIENT = {"answer_time": 700, "patience": 700}
POLICIES = ("exit", "silence", "protocol", "flood", "limit", "illegal", "late")
IN_PLANS = {"time_move": "move", "time_bank": "bank", "time_margin": "margin"}
SECRET = "sesame-58"
"""What stands in files that no engine should read."""


@contextmanager
def begin(site: Site) -> Iterator[Attempt]:
    """Write down the engines, and let each way play."""
    names = list(WAYS)
    zoo = Zoo(site)
    try:
        yield lambda number, rng: zoo.attempt(WAYS[names[number % len(names)]], number, rng)
    finally:
        zoo.close()


def describe(folder: Path, name: str, wire: str, mark: str, *words: str) -> Path:
    """Write the description of an engine of the zoo, and return its path."""
    argv = ["{python}", "-S", zoo_engine.__file__, "{endpoint}", "--raw", "--mark", mark, *words]
    path = folder / f"{name.lower()}.toml"
    path.write_text(f'name = "{name}"\nargv = {json.dumps(argv)}\ntransport = "{wire}"\n', "utf-8")
    return path


def settings(way: Way) -> dict[str, int]:
    """The options of the referee that a way asks for."""
    return {name: int(value) for name, _, value in (word.partition("=") for word in way.settings.split())}


class Zoo:
    """All ways, one after the other; the program at the prompt stays as long as all goes well."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._tally = site.tally
        self._traces = Traces()
        self._folders = Folders(site.folder / "prompt")
        self._engines = site.folder / "engines"
        self._engines.mkdir()
        (self._folders.home / "secret.key").write_text(SECRET)
        self._prompt: Program | None = None
        self._open = 0
        self.level = "standard"
        """The sandbox that engines get."""
        self._apart: dict[str, bool] = {}
        """For each level of sandbox whether engines in it are kept from seeing others, as far as it was looked at."""

    def close(self) -> None:
        """End the program, and see that it leaves nothing."""
        if self._prompt is not None:
            self._quit(self._prompt)
        self._traces.kill()

    def attempt(self, way: Way, number: int, rng: random.Random) -> None:
        """Play one way everywhere."""
        wire = rng.choice(way.wires.split())
        self._site.say(f"{way.name} over {wire}")
        self.level = "off" if number // len(WAYS) % 2 else "standard"
        for seat in SEATS:
            self._tally.attempted()
            self.at_prompt(way, wire, seat)
        self._tally.attempted()
        folder = self._site.folder / f"tournament{number}"
        Contest(self._site, way, wire, folder, level=self.level, harmless=self._harmless(way)).play()

    # -- at a prompt --------------------------------------------------------------------------------------------

    def at_prompt(self, way: Way, wire: str, seat: str) -> None:
        """A game at the prompt against an engine that does nothing wrong."""
        program = self._program()
        at = len(program.heard)
        try:
            refused = self._game(program, way, wire, seat)
            result = program.say("get_result").answer
            self._dismiss(program, way)
        except (Hung, Ended) as why:
            self._broken(program, way, seat, why)
            return
        heard = program.heard[at:]
        for what in at_prompt(way, seat, refused, faults_in(heard), result):
            self._found("blamed", way, wire, seat, f"{what}. {' | '.join(heard[-12:])}")
        for line in raw(heard):
            self._found("raw", way, wire, seat, repr(line[:200]))
        loot = _loot(heard) if way.outside else ""
        broken = shows_error(program.errors)
        if not self._harmless(way):
            self._tally.add("unprotected", bool(loot or broken))
        elif broken:
            self._found("tracebacks", way, wire, seat, program.errors[-400:])
        elif loot:
            self._found("leaked", way, wire, seat, loot)
        if broken:
            self._drop(program)
        if way.group == "planting":
            self._after_planting(way)

    def _program(self) -> Program:
        if self._prompt is None:
            self._prompt = Program(self._folders, self._traces, self._site.variables)
            self._prompt.say("get_version")
            self._open = 0
        return self._prompt

    def _game(self, program: Program, way: Way, wire: str, seat: str) -> bool:
        """Play it; return whether the evil engine was refused its seat."""
        other = SEATS[1 - SEATS.index(seat)]
        loot = f"{self._folders.home / 'secret.key'}{os.pathsep}{self._folders.work / 'play.ggtp'}"
        words = ("--fault", way.name, "--loot", loot, *way.arguments.split())
        evil = describe(self._engines, "Evil", wire, self._traces.mark, *words)
        good = describe(self._engines, "Good", "stdio", self._traces.mark)
        self._do(program, "set_rule TicTacToe", "set_option wait on", f"save_file {self._folders.work / 'play.ggtp'}")
        for name, value in {"sandbox": self.level, **PATIENT, **settings(way)}.items():
            self._do(program, f"set_option {name} {value}")
        self._do(program, *(f"set_option fault_{name} forfeit" for name in POLICIES))
        self._do(program, f"set_engine {other} {good}")
        self._apart[self.level] = not self._sees_others()
        if not program.say(f"set_engine {seat} {evil}").done:
            return True
        if way.impatient:
            self._do(program, *(f"set_option {name} {value}" for name, value in IMPATIENT.items()))
        if way.asked:
            self._ask(program, seat)
        program.say("start")
        if way.asked:
            program.say(f"get_engine_option {seat} Loot")
        program.say("get_last_move")  # waits for the end of the game
        return False

    def _do(self, program: Program, *lines: str) -> None:
        for line in lines:
            said = program.say(line)
            if not said.done:
                raise Ended(f"{line} was refused: {said.answer}")

    def _ask(self, program: Program, seat: str) -> None:
        """Ask for all that a way may lie about; whatever is answered is right, if it is an answer."""
        program.say(f"list_engine_options {seat}")
        for line in ("get_engine_option", "list_engine_option_choices"):
            program.say(f"{line} {seat} Style")
        program.say(f"set_engine_option {seat} Style wild")

    def _dismiss(self, program: Program, way: Way) -> None:
        """Send the engines away: nothing of them may be left."""
        self._do(program, "close_file", *(f"set_engine {seat} human" for seat in SEATS), "get_version")
        if not until(lambda: not self._traces.engines(), GONE_SECONDS):
            left = list(self._traces.engines().values())
            if self._harmless(way):
                self._found("left", way, "", "", f"{len(left)} processes of dismissed engines are left: {left[:3]}")
            else:
                self._tally.add("unprotected")
                self._quit(program)  # nothing outlives the referee, in a sandbox or not
        self._open = self._open or program.descriptors()
        if not until(lambda: program.descriptors() <= self._open + MOST_DESCRIPTORS, GONE_SECONDS):
            self._found("leaked", way, "", "", f"{program.descriptors()} descriptors are open, and {self._open} before")
            self._drop(program)
        if self._harmless(way) and (files := [*self._traces.files(), *entries(self._folders.temporary)]):
            self._found("leaked", way, "", "", f"files are left: {[str(path) for path in files[:5]]}")
        self._sweep()

    def _sweep(self) -> None:
        for path in (*self._traces.files(), *entries(self._folders.temporary)):
            if path.is_file() or path.is_symlink() or path.is_fifo():
                path.unlink(missing_ok=True)

    def _after_planting(self, way: Way) -> None:
        """Let a program and an engine of the project run where the evil one was, and clean up."""
        self._tally.add("looked_for_planted")
        kept = {"home/secret.key", "work/play.ggtp"}
        left = sorted(name for name in tree(self._folders.home.parent) if name.startswith(("home/", "work/")))
        if self._harmless(way) and (planted := [name for name in left if name not in kept]):
            self._found("leaked", way, "", "", f"files are left: {planted[:5]}")
        if self._prompt is not None:
            self._quit(self._prompt)
        program = self._program()
        for line in ("set_rule TicTacToe", "set_option wait on", "set_engine Cross Random", "start", "list_engines"):
            program.say(line)
        self._quit(program)
        if PLANTED in program.errors or any(PLANTED in line for line in program.heard):
            if self._harmless(way) or way.name == "plants-modules":  # no program of ours looks for modules there
                self._found("leaked", way, "", "", f"planted code was run: {program.errors[-300:]}")
            else:
                self._tally.add("unprotected")
        for name in left:
            if name not in kept:
                (self._folders.home.parent / name).unlink(missing_ok=True)

    def _broken(self, program: Program, way: Way, seat: str, why: Exception) -> None:
        """The program has ended or hangs, which only something from outside may do to it."""
        program.signal(signal.SIGCONT)
        if self._harmless(way):
            self._found("hung" if isinstance(why, Hung) else "tracebacks", way, "", seat, f"at the prompt: {why}")
        else:
            self._tally.add("unprotected")
        self._drop(program)
        self._sweep()

    def _drop(self, program: Program) -> None:
        program.end()
        self._prompt = None

    def _quit(self, program: Program) -> None:
        try:
            program.tell("quit")
            program.wait()
        except (Hung, Ended) as why:
            self._tally.found("hung", f"quit: {why}")
        if left := self._traces.left(GONE_SECONDS):
            self._tally.found("left", f"After quit {len(left)} processes are left: {list(left.values())[:3]}")
        self._drop(program)

    # -- what engines can do ------------------------------------------------------------------------------------

    def _sees_others(self) -> bool:
        """Return whether a running engine is in the process namespace that we are in."""
        for pid in self._traces.engines():
            try:
                if os.readlink(f"/proc/{pid}/ns/pid") == os.readlink("/proc/self/ns/pid"):
                    words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
                    if b"bwrap" not in words[0]:
                        return True
            except OSError:
                continue
        return False

    def _harmless(self, way: Way) -> bool:
        """Whether the way can't harm anybody else, so that a referee that suffers is at fault."""
        return not way.outside or self._apart.get(self.level, False)

    def _found(self, kind: str, way: Way, wire: str, seat: str, what: str) -> None:
        where = f"{way.name}{f' over {wire}' if wire else ''}{f' as {seat}' if seat else ''}"
        self._tally.found(kind, f"{where}: {what}")  # type: ignore[arg-type]  # one of the kinds


def _loot(heard: list[str]) -> str:
    """What an engine has stolen, by its own words."""
    found = [line for line in heard if " of " in line or "secret.key" in line]
    return next((line for line in found if line.startswith(("= environ", "= memory", "= /", "= 0 of"))), "")


class Contest:
    """A match of two games between an evil engine and a good one, in processes of their own."""

    def __init__(
        self, site: Site, way: Way, wire: str, folder: Path, *, level: str = "standard", harmless: bool = True
    ) -> None:
        """A match over one wire.

        Args:
            site: where it is told what was found.
            way: what the evil engine does.
            wire: how it is connected.
            folder: for all files.
            level: the sandbox that engines get.
            harmless: whether the way can't harm anybody else there.
        """
        self._tally = site.tally
        self._way = way
        self._wire = wire
        self._level = level
        self._variables: Mapping[str, str] = site.variables
        self._traces = Traces()
        self._folders = Folders(folder)
        self._harmless = harmless

    def play(self) -> None:
        """Play it, and look at the journal and at what is left."""
        journal = self._folders.work / "attack.journal"
        program = Program(
            self._folders,
            self._traces,
            self._variables,
            "tournament",
            str(self._plan()),
            "--json",
            "--journal",
            str(journal),
        )
        try:
            status = program.wait()
        except Hung as why:
            if self._harmless:
                self._found("hung", str(why))
            else:
                self._tally.add("unprotected")
            status = 0
        finally:
            left = self._traces.left(GONE_SECONDS if self._harmless else 0.0)
            program.end()
        if left and self._harmless:
            self._found("left", f"{len(left)} processes: {list(left.values())[:3]}")
        if status not in (0, 1) and self._harmless:
            self._found("tracebacks", f"the tournament ended with status {status}: {program.errors[-300:]}")
        if shows_error(program.errors) and self._harmless:
            self._found("tracebacks", program.errors[-400:])
        for line in raw([*program.heard, *program.errors.splitlines()]):
            self._found("raw", repr(line[:200]))
        self._judge(journal)
        files = [*self._traces.files(), *entries(self._folders.temporary)]
        if files and self._harmless:
            self._found("leaked", f"files are left: {[str(path) for path in files[:5]]}")
        for path in files:
            if not path.is_dir():
                path.unlink(missing_ok=True)

    def _plan(self) -> Path:
        words = ("--fault", self._way.name, *self._way.arguments.split())
        evil = describe(self._folders.work, "Evil", self._wire, self._traces.mark, *words)
        good = describe(self._folders.work, "Good", "stdio", self._traces.mark)
        wanted = settings(self._way)
        time = {IN_PLANS[name]: value for name, value in wanted.items() if name in IN_PLANS}
        if self._way.impatient:
            time["patience"] = 1000
        path = self._folders.work / "plan.toml"
        lines = ['name = "attack"', 'format = "match"', "seed = 1", "replays = 0", f'sandbox = "{self._level}"']
        lines.append(f"memory = {wanted.get('engine_memory', 4096)}")
        lines += ["[time]", *(f"{name} = {value}" for name, value in time.items())]
        for name, engine in (("Evil", evil), ("Good", good)):
            lines += ["[[player]]", f'name = "{name}"', f'engine = "{engine}"']
        path.write_text("\n".join([*lines, "[[rule]]", 'rule = "TicTacToe"', ""]))
        return path

    def _judge(self, journal: Path) -> None:
        try:
            results: Results = read_journal(journal.read_bytes(), str(journal))
        except (OSError, GgtpError) as why:
            if self._harmless:
                self._found("lost", f"the journal can't be read: {why}")
            return
        if not self._harmless:
            self._tally.add("unprotected", any(fault.fault in ("referee", "worker") for fault in results.faults))
            return
        for what in in_tournament(self._way, results, "Evil", len(SEATS)):
            self._found("blamed", what)

    def _found(self, kind: str, what: str) -> None:
        self._tally.found(kind, f"{self._way.name} over {self._wire}, tournament: {what}")  # type: ignore[arg-type]  # one of the kinds
