"""The part `disk`: full disks, read-only ones, and folders that are removed, under everything that is written."""

from __future__ import annotations

import random
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from itertools import islice
from pathlib import Path

from ggtp.bench.attack.engines import describe
from ggtp.bench.attack.kills import games
from ggtp.bench.attack.parts import Attempt, Site
from ggtp.bench.attack.program import GUARD, Ended, Folders, Hung, Program, Said
from ggtp.bench.attack.small_disk import SmallDisk, small_disk
from ggtp.bench.attack.tally import Kind
from ggtp.bench.attack.traces import Traces
from ggtp.bench.attack.verdicts import raw, shows_error
from ggtp.errors import GgtpError
from ggtp.tournament.journal.journal import read_journal
from ggtp.tournament.results import Results
from ggtp.ui.console.environment import ExitStatus

ROUNDS = 16
KIB = 1024
MOST_LINES = 600
"""How many commands are said at most until a disk is full."""
GAMES = 60
MATCH_SECONDS = 240.0
"""For a match that takes a second or two, on a busy machine."""


@contextmanager
def begin(site: Site) -> Iterator[Attempt]:
    """Try each way in turn."""
    with small_disk(site.folder / "probe", 16 * KIB):
        pass

    def attempt(number: int, rng: random.Random) -> None:
        site.tally.attempted()
        disk = DiskAttack(site, number, rng)
        way = disk.ways[number % len(disk.ways)]
        disk.try_(way)

    yield attempt


class DiskAttack:
    """One program and what it writes to."""

    def __init__(self, site: Site, number: int, rng: random.Random) -> None:
        self._site = site
        self._rng = rng
        self._base = site.folder / str(number)
        self._folders = Folders(self._base)
        self._traces = Traces()
        self._way = ""
        self.ways: tuple[Callable[[], None], ...] = (
            self.full_play_file,
            self.full_journal,
            self.removed_folder,
            self.read_only,
            self.full_cache,
            self.full_temporary,
            self.removed_match,
        )

    def try_(self, way: Callable[[], None]) -> None:
        """Try one way, and see that no program hangs, shows an error of Python or leaves anything."""
        self._way = getattr(way, "__name__", "").replace("_", " ")
        self._site.tally.add(self._way.replace(" ", "_"))
        try:
            way()
        except Hung as why:
            self._found("hung", str(why))
        except Ended as why:
            self._found("tracebacks", f"the program has ended: {why}")
        finally:
            if left := self._traces.left(GUARD):
                self._found("left", f"{len(left)} processes: {list(left.values())[:3]}")
            self._traces.kill()

    # Play files.

    def full_play_file(self) -> None:
        """The disk becomes full while a game is recorded."""
        with self._disk(64 * KIB) as disk:
            path = disk.folder / "play.ggtp"
            program = self._program()
            begun = self._begin(program, path)
            disk.fill(self._rng.randrange(4 * KIB))
            answered = self._play(program, begun)
            self._closed(program, path, answered)

    def removed_folder(self) -> None:
        """The folder of the play file is removed."""
        folder = self._folders.work / "games"
        folder.mkdir()
        program = self._program()
        begun = self._begin(program, folder / "play.ggtp")
        begun += self._play(program, [], self._rng.randrange(1, 9))
        shutil.rmtree(folder)
        answered = self._play(program, begun, 20)
        if not self._said_closed(program):
            self._found("lost", "nobody was told that the play file is gone")
        self._whole_elsewhere(program, answered)

    def _begin(self, program: Program, path: Path) -> list[str]:
        """Begin to record; the lines of the file."""
        self._done(program.say("set_rule TicTacToe"), "set_rule")
        self._done(program.say(f"save_file {path}"), "save_file")
        return ["set_rule TicTacToe"]

    def _play(self, program: Program, before: list[str], most: int = MOST_LINES) -> list[str]:
        """Play until the file is closed, or most lines were said; the lines that were carried out."""
        answered = list(before)
        for line in islice(games(self._rng), most):
            said = program.say(line)
            self._done(said, line)
            answered.append(line.replace("play ", "force_play ", 1) if line.startswith("play ") else line)
            if any("is closed" in news for news in said.news):
                break
        return answered

    def _closed(self, program: Program, path: Path, answered: list[str]) -> None:
        """The file was closed and this was said: what is in it is what was answered before, and nothing is lost."""
        if not self._said_closed(program):
            self._site.tally.add("not_full")
        written = [line for line in path.read_text().splitlines() if not line.startswith("#")]
        if written[-1:] and not path.read_text().endswith("\n"):
            written.pop()  # a line that was torn when the disk was full
        if written != answered[: len(written)] or len(written) < len(answered) - 1:
            self._found("lost", f"{len(answered)} lines were answered, and {len(written)} are in the file")
        self._whole_elsewhere(program, answered)

    def _whole_elsewhere(self, program: Program, answered: list[str]) -> None:
        """A game that is complete in memory can be saved elsewhere, and is loaded again."""
        path = self._folders.work / "elsewhere.ggtp"
        self._done(program.say(f"save_file {path}"), "save_file elsewhere")
        written = [line for line in path.read_text().splitlines() if not line.startswith(("#", "set_option"))]
        if written != answered:
            self._found("lost", f"{len(answered)} lines were carried out, and {len(written)} are saved elsewhere")
        before = program.say("list_played_moves").answer
        self._done(program.say(f"load_file {path}"), "load_file")
        if program.say("list_played_moves").answer != before:
            self._found("lost", "the game that was saved elsewhere is another one")
        self._quit(program)

    def _said_closed(self, program: Program) -> bool:
        return any("is closed" in line or "The whole play is in" in line for line in program.heard)

    # Journals.

    def full_journal(self) -> None:
        """The disk becomes full under a journal; with room it goes on to its end."""
        with self._disk(256 * KIB) as disk:
            journal = disk.folder / "match.journal"
            disk.fill(self._rng.randrange(2 * KIB, 32 * KIB))
            program = self._program(*self._match(journal))
            status = program.wait(MATCH_SECONDS)
            self._shown(program)
            before = self._read(journal)
            if status == ExitStatus.DONE:
                self._site.tally.add("not_full")
            elif "No space left on device" not in program.errors + "\n".join(program.heard):
                self._found("tracebacks", f"status {status} and no reason: {program.errors[-200:]}")
            disk.empty()
            if not journal.exists() or not journal.stat().st_size:
                return
            again = self._program("tournament", str(journal), "--plain")
            status = again.wait(MATCH_SECONDS)
            self._shown(again)
            after = self._read(journal)
            if after is None or status != ExitStatus.DONE:
                self._found("lost", f"it did not go on: status {status}, {again.errors[-200:]}")
                return
            counted = Counter(game.id for game in after.games)
            if len(counted) != GAMES or max(counted.values()) > 1:
                self._found("lost", f"{len(counted)} of {GAMES} games are there")
            kept = {game.id: game for game in after.games}
            if before is not None and any(kept.get(game.id) != game for game in before.games):
                self._found("lost", "a game that was finished is another one")

    def removed_match(self) -> None:
        """The folder of a journal is removed while it is written."""
        folder = self._folders.work / "evening"
        folder.mkdir()
        program = self._program(*self._match(folder / "match.journal"))
        program.hear()
        shutil.rmtree(folder, ignore_errors=True)
        status = program.wait(MATCH_SECONDS)
        self._shown(program)
        if status not in (ExitStatus.DONE, ExitStatus.REFUSED):
            self._found("tracebacks", f"status {status}: {program.errors[-200:]}")

    def _match(self, journal: Path) -> list[str]:
        players = [str(describe(self._folders.work, name, "stdio", self._traces.mark)) for name in ("Alpha", "Beta")]
        words = ["match", *players, "--rule", "TicTacToe", "--games", str(GAMES), "--journal", str(journal)]
        return [*words, "--plain", "--seed", "1", "--concurrency", "1"]

    def _read(self, journal: Path) -> Results | None:
        if not journal.exists() or not journal.stat().st_size:
            return None
        try:
            return read_journal(journal.read_bytes(), str(journal))
        except GgtpError as why:
            self._found("lost", f"the journal can't be read: {why}")
            return None

    # Everything else.

    def read_only(self) -> None:
        """Nothing can be written there, and what is there can be read."""
        with self._disk(256 * KIB) as disk:
            path = disk.folder / "play.ggtp"
            program = self._program()
            self._begin(program, path)
            self._play(program, [], 9)
            self._done(program.say("close_file"), "close_file")
            disk.read_only()
            for line in (f"save_file {disk.folder / 'other.ggtp'}", f"save_file {path}"):
                if program.say(line).done:
                    self._found("lost", f"{line} was carried out on a disk that is read-only")
            self._done(program.say(f"load_file {path}"), "load_file")
            self._quit(program)
            for words in (
                ["report", str(path), "-o", str(disk.folder / "page.html")],
                ["key", str(disk.folder / "key")],
                self._match(disk.folder / "match.journal"),
            ):
                refused = self._program(*words)
                if refused.wait(MATCH_SECONDS) != ExitStatus.REFUSED:
                    self._found("lost", f"ggtp {words[0]} was not refused on a disk that is read-only")
                self._shown(refused)

    def full_cache(self) -> None:
        """Engines play although compiled rules can't be kept."""
        with self._disk(64 * KIB, self._folders.home / ".cache") as disk:
            disk.fill(0)
            self._play_with_engines("gdl/tictactoe", "MCTS")

    def full_temporary(self) -> None:
        """No temporary file can be written: engines are refused, or they play."""
        with self._disk(32 * KIB, self._folders.temporary) as disk:
            disk.fill(self._rng.choice((0, 0, 4 * KIB)))
            self._play_with_engines("TicTacToe", "Random")

    def _play_with_engines(self, rule: str, engine: str) -> None:
        program = self._program()
        self._done(program.say(f"set_rule {rule}"), "set_rule")
        players = program.say("list_players").answer.removeprefix("= ").split(", ")
        program.say("set_option time_move 200")
        for player in players:
            program.say(f"set_engine {player} {engine}", MATCH_SECONDS)
        self._done(program.say("start"), "start")
        for player in players:
            program.say(f"genmove {player}", MATCH_SECONDS)
        self._quit(program)

    def _quit(self, program: Program) -> None:
        self._done(program.say("quit"), "quit")
        if program.wait() not in (ExitStatus.DONE, ExitStatus.REFUSED):
            self._found("tracebacks", f"it did not end well: {program.errors[-200:]}")
        self._shown(program)

    def _disk(self, size: int, at: Path | None = None) -> AbstractContextManager[SmallDisk]:
        return small_disk(self._base / "disk" if at is None else at, size)

    def _program(self, *words: str) -> Program:
        return Program(self._folders, self._traces, self._site.variables, *words)

    def _done(self, said: Said, line: str) -> None:
        if not said.done:
            self._found("lost", f"{line} was refused: {said.answer}")

    def _shown(self, program: Program) -> None:
        """See that nobody was shown an error of Python."""
        if shows_error(program.errors) or "internal error" in program.errors:
            self._found("tracebacks", program.errors[-400:])
        for line in raw([*program.heard, *program.errors.splitlines()]):
            self._found("raw", repr(line[:200]))

    def _found(self, kind: Kind, what: str) -> None:
        self._site.tally.found(kind, f"{self._way}: {what}")
