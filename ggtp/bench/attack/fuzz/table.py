"""A table without processes: the real referee, requests that are granted at once, and engines that say what they are
told to say."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from ggtp.catalogue import Catalogue
from ggtp.errors import CommandError, GgtpError
from ggtp.game import Rules
from ggtp.protocol.text import join_list
from ggtp.referee.effects import (
    AnyWish,
    CloseJournal,
    Draw,
    Effect,
    FindEngine,
    FindRules,
    FoundEngine,
    FoundRules,
    Inform,
    Journal,
    Leave,
    LinkId,
    ListConnections,
    Listen,
    ListEngines,
    ListRules,
    ManageTournament,
    OpenJournal,
    Pause,
    ReadFile,
    Request,
    Respond,
    StartEngine,
    StopEngine,
    StopListening,
    Tell,
    Whisper,
)
from ggtp.referee.events import (
    Denied,
    EngineFailed,
    EngineSaid,
    Event,
    Granted,
    Interrupted,
    JournalFailed,
    SupervisorSaid,
    TimePassed,
)
from ggtp.referee.referee import Referee

OPTIONS = ("rule", "rule_options", "player", "seed", "threads")
LOOKS = 300
"""How often the referee may want to look at the clock while some time passes."""


@dataclass(frozen=True, slots=True)
class Scripted:
    """The description of an engine that nobody starts."""

    name: str = "Mute"
    options: Mapping[str, str] = field(default_factory=dict)

    def can_play(self, rules: Rules, values: Mapping[str, str]) -> bool:
        """It plays everything."""
        return True


class Table:
    """One referee, and everything around it in memory."""

    def __init__(self, find: Callable[[str], Rules], files: Mapping[str, str], defaults: dict[str, str]) -> None:
        """An empty table.

        Args:
            find: finds rules by their names.
            files: texts by path; what is saved is added.
            defaults: options of the referee that are not as usual.
        """
        self.referee = Referee(version="ggtp fuzz", defaults=defaults)
        self.files = dict(files)
        self.answers: list[str] = []
        """The closing lines since they were taken last."""
        self.news: list[str] = []
        """The text that was shown beside them."""
        self.left = False
        """Whether the program would have ended."""
        self.obliging = True
        """Whether engines answer at once, but for moves; otherwise they say nothing by themselves."""
        self._find = find
        self._open = ""
        self._now = 1000.0
        self._events: deque[Event] = deque()
        self.links: set[LinkId] = set()
        """The engines that run."""

    def said(self, line: str) -> None:
        """The supervisor says a line."""
        self._happen(SupervisorSaid(line, self._now, True))

    def heard(self, link: LinkId, line: bytes) -> None:
        """An engine says a line."""
        self._happen(EngineSaid(link, line, self._now))

    def failed(self, link: LinkId, fault: str) -> None:
        """An engine fails."""
        self._happen(EngineFailed(link, fault, "it failed.", "last\nwords", self._now))

    def interrupted(self) -> None:
        """The supervisor wants the command at hand to end."""
        self._happen(Interrupted(self._now))

    def disk_failed(self) -> None:
        """The play file can't be written."""
        self._open = ""
        self._happen(JournalFailed("No space left on device.", self._now))

    def pass_time(self, seconds: float) -> None:
        """Let time pass."""
        until = self._now + seconds
        for _ in range(LOOKS):
            due = self.referee.next_due()
            if due is None or due > until:
                break
            self._now = max(self._now, due)
            self._happen(TimePassed(self._now))
        self._now = until
        self._happen(TimePassed(until))

    def _happen(self, event: Event) -> None:
        self._events.append(event)
        while self._events:
            for effect in self.referee.handle(self._events.popleft()):
                self._carry_out(effect)

    def _carry_out(self, effect: Effect) -> None:
        match effect:
            case Respond(text):
                self.answers.append(text)
            case Inform(text):
                self.news.append(text)
            case Draw(picture):
                self.news += picture.plain()
            case Tell(link, line, asks):
                self._told(link, line.decode())
                if asks:
                    self.referee.asked(link, self._now)
            case StopEngine(link):
                self.links.discard(link)
            case Journal(lines):
                if self._open:
                    self.files[self._open] += "".join(f"{line}\n" for line in lines)
            case CloseJournal():
                self._open = ""
            case Leave():
                self.left = True
            case Whisper():
                pass
            case Request(ticket, wish):
                self._events.append(self._fulfilled(ticket, wish))

    def _told(self, link: LinkId, line: str) -> None:
        name = line.partition(" ")[0]
        if not self.obliging or name == "have_to_play" or link not in self.links:
            return
        answer = "acknowledge"
        if name == "list_options":
            answer = f"reply {join_list(OPTIONS)}"
        elif name.startswith(("get_", "list_")):
            answer = f"reply {name}"
        self._events.append(EngineSaid(link, answer.encode(), self._now))

    def _fulfilled(self, ticket: int, wish: AnyWish) -> Event:
        try:
            return Granted(ticket, self._granted(wish), self._now)
        except GgtpError as error:
            return Denied(ticket, str(error), self._now)

    def _granted(self, wish: AnyWish) -> object:
        match wish:
            case FindRules(name):
                rules = self._find(name)
                return FoundRules(rules, rules.name)
            case ListRules():
                return ["Nim", "TicTacToe"]
            case FindEngine(name):
                if name.casefold() != "mute":
                    raise CommandError(f"No engine named {name}.")
                return FoundEngine(Scripted(), "Mute")
            case ListEngines():
                return [Scripted()]
            case StartEngine(link):
                self.links.add(link)
                return None
            case ReadFile(path):
                if path not in self.files:
                    raise CommandError(f"{path}: No such file.")
                return self.files[path]
            case OpenJournal(path, lines):
                self.files[path] = "".join(f"{line}\n" for line in lines)
                self._open = path
                return None
            case Pause() | StopListening():
                return None
            case Listen(address):
                return f"tcp://{address}", "0123"
            case ListConnections():
                return ["alice engine 127.0.0.1"]
            case ManageTournament(command):
                return [f"tournament: {command}", "Done"]


def finder(catalogue: Catalogue) -> Callable[[str], Rules]:
    """Finds bundled rules by their names, and nothing by a path: a mutant may name any file."""
    found: dict[str, Rules] = {}

    def find(name: str) -> Rules:
        key = name.casefold()
        if "/" in name or "." in name:
            raise CommandError(f"No rule named {name}.")
        if key not in found:
            found[key] = catalogue.guarded_rules(name)
        return found[key]

    return find
