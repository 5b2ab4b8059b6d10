"""Play files: they are replayed apart before they count, and then their engines are started."""

from __future__ import annotations

from ggtp.errors import CommandError, RuleFailed
from ggtp.game import Rules
from ggtp.play.play import Play, SeatPlan
from ggtp.play.replay import Replay, command_lines, progress_words, torn_warning
from ggtp.protocol.commands import PLAY_FILE
from ggtp.protocol.introduction import forbid_reserved
from ggtp.protocol.messages import Command
from ggtp.protocol.waiting import Conversation
from ggtp.referee.commands.queries import DONE, Queries
from ggtp.referee.desk import Desk
from ggtp.referee.dispatch import handlers
from ggtp.referee.effects import FindEngine, FindRules, OpenJournal, ReadFile
from ggtp.referee.engines import Link
from ggtp.referee.flow import Flow

ASKING = {
    name: command for name, command in PLAY_FILE.items() if not command.recorded and name not in ("play", "force_play")
}
"""Commands of a play file that ask and change nothing."""


PROGRESS_SECONDS = 3.0
"""How often it is said how far a long file is replayed."""

MOST_SHOWN = 1 << 24
"""How many characters of answers are kept until the whole file is replayed."""


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
        text = yield from self._desk.request(ReadFile(filename))
        if next(command_lines(text), None) is None:
            raise CommandError(f"{filename} has no commands.")  # rather a file that was lost than an empty play
        trial = Trial(self._desk, self._version, filename)
        replay = Replay(trial, trial.desk.play)
        yield from replay.follow(text, filename)
        if replay.torn:
            trial.shown.insert(0, torn_warning(filename, replay.torn))
        links = yield from self._start_engines(filename, trial.desk)
        self._take_over(trial, links, seeded="seed" in replay.options)
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

    def _take_over(self, trial: Trial, links: list[Link], *, seeded: bool) -> None:
        """From here on the file's play is the play."""
        desk, flow = self._desk, self._flow
        flow.engines.clear(but=links)
        flow.stop_clocks()
        desk.play, desk.settings, desk.explicit = trial.desk.play, trial.desk.settings, trial.desk.explicit
        if seeded:
            desk.reseed()
        desk.flush()
        for text in trial.shown:
            desk.inform(text)
        record = desk.play.record
        for link in links:
            flow.engines.seat(link)
        flow.visitors.arrange()
        if record is not None:
            flow.begun()
            for node in record.nodes:
                node.banks = dict(flow.banks)  # clocks are not in the file
            flow.showing.table()
            flow.visitors.look("A play file was loaded")
            flow.go_on()


class Trial:
    """A table of its own for a file that is replayed: it finds what the file names, and answers what the file asks."""

    def __init__(self, desk: Desk, version: str, filename: str) -> None:
        self._real = desk
        self._filename = filename
        self._told_at = desk.now
        """When it was last said how far the file is replayed."""
        # Its own generator: a file that sets a seed and is refused must not have touched ours.
        self.desk = Desk(desk.settings.copy(), explicit=dict(desk.explicit))
        self._characters = 0
        """How many characters the answers have, and the commands that are shown."""
        self.shown: list[str] = []
        """The answers of queries in the file."""
        self._asking = handlers(ASKING, Queries(self.desk, Flow(self.desk), version))

    def find_rules(self, name: str) -> Conversation[tuple[Rules, str]]:
        found = yield from self._real.request(FindRules(name))
        return found.rules, found.reference

    def find_engine(self, play: Play, name: str) -> Conversation[SeatPlan]:
        found = yield from self._real.request(FindEngine(name))
        if not found.engine.can_play(play.need_rules(), play.option_values()):
            raise CommandError(f"Engine {found.engine.name} can't play {play.need_rules().name}.")
        return SeatPlan(found.engine.name, found.reference)

    def set_option(self, name: str, value: str) -> tuple[str, str]:
        return self.desk.set_option(name, value)

    def check_engine_option(self, name: str) -> None:
        forbid_reserved(name)

    def pause(self, line: int, lines: int) -> Conversation[None]:
        yield from self._real.pause()
        if self._real.now - self._told_at >= PROGRESS_SECONDS:
            self._told_at = self._real.now
            self._real.inform(progress_words(self._filename, line, lines))

    def said(self, command: Command) -> None:
        if self.desk.settings.on("show_command"):
            self._show(str(command))

    def _show(self, text: str) -> None:
        self._characters += len(text)
        if self._characters > MOST_SHOWN:
            raise CommandError(f"The answers that a play file asks for may have {MOST_SHOWN} characters.")
        self.shown.append(text)

    def asked(self, command: Command) -> None:
        answer = self._asking[command.name](*command.args)
        if not isinstance(answer, str):
            answer = _finish(answer)
        if answer != DONE:
            self._show(answer)


def _finish(conversation: Conversation[str]) -> str:
    """Run a conversation that has nobody to wait for."""
    try:
        next(conversation)
    except StopIteration as stop:
        return str(stop.value)
    raise CommandError("This can't be asked while a file is loaded.")
