"""The part `kills`: kill -9 at random instants, and what is on the disk afterwards."""

from __future__ import annotations

import random
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from ggtp.bench.attack.parts import Attempt, Site
from ggtp.bench.attack.program import Ended, Folders, Hung, Program
from ggtp.bench.attack.tournament_kills import TournamentKills
from ggtp.bench.attack.traces import Traces

ROUNDS = 40
GONE_SECONDS = 20.0
"""How long processes may take to end after their referee was killed."""
LATEST_KILL = 0.3
"""Seconds after its first command within which the program at a prompt is killed."""
MOST_GAMES = 400


@contextmanager
def begin(site: Site) -> Iterator[Attempt]:
    """Kill by turns what plays a tournament and what records a game."""

    window = 0.0

    def attempt(number: int, rng: random.Random) -> None:
        nonlocal window
        if number % 2 == 0:
            PlayFile(site, number, rng).attempt()
            return
        if not window:
            window = TournamentKills(site, -1, rng, 0.0).undisturbed()
            site.tally.measured("tournament_s", window)
        TournamentKills(site, number, rng, window).attempt()

    yield attempt


class PlayFile:
    """A person plays TicTacToe, and the program is killed: no answered command may be lost."""

    def __init__(self, site: Site, number: int, rng: random.Random) -> None:
        self._site = site
        self._rng = rng
        self._folders = Folders(site.folder / str(number))
        self._file = self._folders.work / "play.ggtp"
        self._traces = Traces()

    def attempt(self) -> None:
        """Kill, look, load, look again."""
        tally = self._site.tally
        tally.attempted()
        told, answered = self._until_killed()
        tally.add("commands", len(answered))
        if left := self._traces.left(GONE_SECONDS):
            tally.found(
                "left", f"After kill -9 of the program {len(left)} processes are left: {list(left.values())[:3]}"
            )
        self._traces.kill()
        lines = self._file.read_text().splitlines() if self._file.exists() else []
        written = [line.removeprefix("force_") for line in lines if not line.startswith("#")][1:]
        if written[: len(answered)] != answered:
            at = sum(1 for _ in zip(written, answered, strict=False))
            tally.found("lost", f"{len(answered)} commands were answered, the file has {len(written)}, up to {at}.")
        elif len(written) > len(told):
            tally.found("doubled", f"{len(told)} commands were sent, and the file has {len(written)}.")
        self._load(written)

    def _until_killed(self) -> tuple[list[str], list[str]]:
        """The commands that were sent, and those that were answered."""
        program = Program(self._folders, self._traces, self._site.variables)
        told: list[str] = []
        answered: list[str] = []
        try:
            for line in ("set_rule TicTacToe", f"save_file {self._file}"):
                program.say(line)
            killer = threading.Timer(self._rng.random() * LATEST_KILL, program.signal, [signal.SIGKILL])
            killer.start()
            for line in games(self._rng):
                told.append(line)
                program.say(line)
                answered.append(line)
        except Ended:
            pass
        except Hung as why:
            self._site.tally.found("hung", f"Before the kill: {why}")
        finally:
            program.end()
        return told, answered

    def _load(self, written: list[str]) -> None:
        tally = self._site.tally
        program = Program(self._folders, self._traces, self._site.variables)
        try:
            said = program.say(f"load_file {self._file}")
            if not said.done:
                tally.found("lost", f"The file of a killed program can't be loaded: {said.answer}")
            moves = played(written)
            answer = program.say("list_played_moves").answer
            if said.done and moves and answer != f"= {', '.join(moves)}":
                tally.found("lost", f"Moves {moves} were played, and after loading there are: {answer}")
            program.say("quit")
            program.wait()
        except (Hung, Ended) as why:
            tally.found("hung" if isinstance(why, Hung) else "tracebacks", f"Loading: {why}")
        finally:
            program.end()


def games(rng: random.Random) -> Iterator[str]:
    """The commands of games of TicTacToe at random."""
    for _ in range(MOST_GAMES):
        yield "start"
        squares = [column + row for row in "123" for column in "ABC"]
        rng.shuffle(squares)
        for square, player in zip(squares[:5], ("Cross", "Circle") * 3, strict=False):  # nobody has three before
            yield f"play {player} {square}"
            if rng.random() < 0.1:
                yield "undo"
                yield "redo"


def played(written: list[str]) -> list[str]:
    """The moves of the last game in these commands, without those that are undone."""
    moves: list[str] = []
    length = 0
    for line in written:
        command, _, rest = line.partition(" ")
        if command == "start":
            moves, length = [], 0
        elif command == "play":
            moves, length = [*moves[:length], rest], length + 1
        else:
            length += 1 if command == "redo" else -1
    return moves[:length]
