"""Play files: a list of supervisor commands, tried out on a table of its own before it counts."""

from __future__ import annotations

import random
from collections.abc import Callable, Generator

from ggtp.errors import CommandError, GgtpError, RuleFailed
from ggtp.game import Rules
from ggtp.play.play import HUMAN, Play, SeatPlan, person_seat
from ggtp.protocol.codec import parse_supervisor
from ggtp.protocol.commands import SUPERVISOR
from ggtp.protocol.messages import Command
from ggtp.referee.commands.playing import Playing
from ggtp.referee.commands.queries import DONE, Queries
from ggtp.referee.commands.setup import Setup
from ggtp.referee.desk import HEADER, Desk
from ggtp.referee.dispatch import handlers
from ggtp.referee.effects import FindEngine, FindRules, FoundRules, OpenJournal, ReadFile, Request
from ggtp.referee.engines import Link, forbid_reserved
from ggtp.referee.flow import Flow
from ggtp.referee.settings import Settings
from ggtp.referee.waiting import Conversation

NOT_IN_FILES = frozenset(
    {
        "quit", "load_file", "save_file", "close_file", "genmove", "withdraw", "list_rules", "list_engines",
        "list_engine_options", "get_engine_option", "list_engine_option_choices", "listen", "stop_listening",
        "list_connections", "start_tournament", "show_tournament", "pause_tournament", "resume_tournament",
        "stop_tournament", "set_concurrency", "at_game", "adjudicate_game", "replay_game", "quarantine_player",
        "admit_player", "list_rulings", "undo_ruling",
    }
)  # fmt: skip
"""Commands that make no sense while a file is tried out: they need engines, other files, other machines, or a
tournament."""

FILE_COMMANDS = {name: command for name, command in SUPERVISOR.items() if name not in NOT_IN_FILES}


class Files:
    """Loading, saving, and the journal."""

    def __init__(self, desk: Desk, flow: Flow, version: str) -> None:
        self._desk = desk
        self._flow = flow
        self._version = version

    def save_file(self, filename: str) -> Conversation[str]:
        yield from self._desk.request(OpenJournal(filename, self._desk.file_lines()))
        self._desk.journal = filename
        return DONE

    def close_file(self) -> str:
        if not self._desk.journal:
            raise CommandError("No file is open.")
        self._desk.close_journal()
        return DONE

    def load_file(self, filename: str) -> Conversation[str]:
        desk = self._desk
        text = yield from desk.request(ReadFile(filename))
        trial = Trial(desk, self._version)
        if text.startswith(HEADER) and not text.endswith("\n"):
            # Ours end with a line's end; without it the last line was cut off, and may look like another move.
            text, _, torn = text.rpartition("\n")
            trial.shown.append(f"{filename} ends in the middle of a line, which is left out: {torn}")
        for number, line in enumerate(text.split("\n"), start=1):
            try:
                yield from trial.run(line)
            except GgtpError as error:
                raise CommandError(f"{filename}, line {number}: {error}") from error
        trial.end()
        links = yield from self._start_engines(filename, trial.desk)
        self._take_over(trial, links)
        return DONE

    def _start_engines(self, filename: str, trial: Desk) -> Conversation[list[Link]]:
        """Start the engines that a file asks for; if one can't be, none is kept."""
        desk, engines = self._desk, self._flow.engines
        settings, desk.settings = desk.settings, trial.settings
        links: list[Link] = []
        try:
            for player, seat in trial.play.seats.items():
                if not seat.is_engine:
                    continue
                found = yield from desk.request(FindEngine(seat.reference))
                links.append((yield from engines.open(player, found.engine, trial.play, seat)))
            record = trial.play.record
            if record is not None:
                for link in links:
                    yield from engines.replay(link, record.cursor)
        except Exception as error:
            desk.settings = settings
            for link in links:
                engines.stop(link, kindly=True)
            if isinstance(error, CommandError | RuleFailed):
                raise CommandError(f"{filename}: {error}") from error
            raise
        return links

    def _take_over(self, trial: Trial, links: list[Link]) -> None:
        """From here on the file's play is the play."""
        desk, flow = self._desk, self._flow
        flow.engines.clear(but=links)
        flow.turn_due = None
        desk.play, desk.settings, desk.explicit = trial.desk.play, trial.desk.settings, trial.desk.explicit
        if trial.seed_set:
            desk.rng.seed(desk.settings.number("seed"))
        desk.flush()
        for text in trial.shown:
            desk.inform(text)
        record = desk.play.record
        for link in links:
            flow.engines.seat(link)
        flow.visitors.arrange()
        if record is not None:
            flow.begun()
            flow.showing.table()
            flow.visitors.look("A play file was loaded")
            flow.go_on()


class Trial:
    """A table of its own, where a file is played through without engines and without chance."""

    def __init__(self, desk: Desk, version: str) -> None:
        self._real = desk
        # Its own generator: a file that sets a seed and is refused must not have touched ours.
        self.desk = Desk(desk.settings.copy(), random.Random(0), explicit=dict(desk.explicit), replaying=True)
        self.shown: list[str] = []
        """The answers of queries in the file."""
        self.seed_set = False
        # A file means the same wherever it is loaded: the plays in it are kept, unless it says otherwise.
        self.desk.settings.set("keep_plays", "on")
        self._keeps_set = False
        flow = Flow(self.desk)
        queries = Queries(self.desk, flow, version)
        parts = (queries, Setup(self.desk, flow, queries), Playing(self.desk, flow))
        self._commands = handlers(FILE_COMMANDS, *parts)
        self._own: dict[str, Callable[..., Conversation[None]]] = {
            "set_rule": self._set_rule,
            "set_engine": self._set_engine,
            "set_engine_option": self._set_engine_option,
        }

    def end(self) -> None:
        """The whole file was run: what it does not set is as it was before."""
        if not self._keeps_set:
            self.desk.settings.set("keep_plays", self._real.settings.get("keep_plays"))

    @property
    def _play(self) -> Play:
        return self.desk.play

    def run(self, line: str) -> Conversation[None]:
        """Carry out one line of the file.

        Raises:
            GgtpError: it is refused.
        """
        command = parse_supervisor(line)
        if command is None:
            return
        if command.name in NOT_IN_FILES:
            raise CommandError(f"{command.name} can't be used in a play file.")
        if self.desk.settings.on("show_command"):
            self.shown.append(str(command))
        own = self._own.get(command.name)
        if own is not None:
            yield from own(*command.args)
            return
        self._run_here(command)

    def _run_here(self, command: Command) -> None:
        answer = self._commands[command.name](*command.args)
        if isinstance(answer, Generator):
            answer = _finish(answer)
        if command.name == "set_option":
            self.seed_set |= command.args[0].casefold() == "seed"
            self._keeps_set |= command.args[0].casefold() == "keep_plays"
        if answer != DONE:
            self.shown.append(answer)
        self.desk.effects.clear()

    def _set_rule(self, rule: str) -> Conversation[None]:
        found = yield from self._real.request(FindRules(rule))
        found.rules.start()
        self._play.choose(found.rules, found.reference)

    def _set_engine(self, player: str, engine: str) -> Conversation[None]:
        play = self._play
        player = play.find_player(player)
        seat = person_seat(engine) or SeatPlan()
        if seat.engine == HUMAN and engine.casefold() != HUMAN:
            found = yield from self._real.request(FindEngine(engine))
            if not found.engine.can_play(play.need_rules(), play.option_values()):
                raise CommandError(f"Engine {found.engine.name} can't play {play.need_rules().name}.")
            seat = SeatPlan(found.engine.name, found.reference)
        play.seats[player] = seat
        play.note(f"set_engine {player} {seat.reference}")

    def _set_engine_option(self, player: str, option: str, value: str) -> Conversation[None]:
        player = self._play.find_player(player)
        seat = self._play.seats[player]
        if not seat.is_engine:
            raise CommandError(f"{player} is played by a human.")
        forbid_reserved(option)
        seat.settings[option] = value
        self._play.note(f"set_engine_option {player} {option} {value}")
        yield from ()


class Replay:
    """Follows the lines of a play file without a table: rules are looked up, and nothing else."""

    def __init__(self, find: Callable[[str], Rules]) -> None:
        self._find = find
        self._desk = Desk(Settings.defaults({}), random.Random(0))
        self._trial = Trial(self._desk, "")

    @property
    def play(self) -> Play:
        """The play as far as it was followed."""
        return self._trial.desk.play

    def run(self, line: str) -> None:
        """Follow one line.

        Raises:
            GgtpError: it is refused, or its rules are not there.
        """
        for _ in self._trial.run(line):
            request = self._desk.effects.pop()
            assert isinstance(request, Request)
            if not isinstance(request.wish, FindRules):
                raise CommandError("Nothing but rules can be looked up here.")
            found = FoundRules(self._find(request.wish.name), request.wish.name)
            self._desk.granted(request.ticket, found)


def _finish(conversation: Conversation[str]) -> str:
    """Run a conversation that has nobody to wait for."""
    try:
        next(conversation)
    except StopIteration as stop:
        return str(stop.value)
    raise CommandError("This can't be asked while a file is loaded.")
