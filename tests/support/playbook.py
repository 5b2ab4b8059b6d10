"""Conversations with the pure referee, written as tables.

    Playbook(engines=["Minimax"]).run('''
        set_rule TicTacToe              a line of the supervisor, when nothing below fits
        = Done                          its closing line is expected
        -> Cross plays A1               a line of information is expected
        | . . .                         a line of a picture is expected
        1< have_to_play                 link 1 is expected to be told this; `1<*` where it asks for a move
        1> select_move B2               the engine of link 1 says this
        1! exit it ended.               the engine of link 1 fails: the class of the fault, a sentence
        1 start Minimax                 link 1 is expected to be started
        1 stop kindly                   ... or stopped, `kindly` or `now`
        +2.5                            so many seconds pass
        file+ force_play Cross A1       a line is expected to go to the open play file
        file closed                     the play file is expected to be closed
        leave                           the program is expected to end
    ''')

Rules come from the real catalogue, or are handed in; engines are descriptions only, and what they
say is written in the table, or said by an `Actor`, whose lines stay out of the table.
"""

from __future__ import annotations

import difflib
import os
import re
import textwrap
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import pytest

from ggtp.catalogue import Catalogue
from ggtp.errors import GgtpError
from ggtp.game import Player, Rules
from ggtp.game.guard import guarded
from ggtp.game.names import match_name
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
    VisitorCame,
    VisitorLeft,
    VisitorSaid,
)
from ggtp.referee.referee import Referee

EXPECTED = re.compile(r"[=?] |->|\||\d+<|\d+ (start|stop) |file |file\+ |leave$")
ENGINE_SAYS = re.compile(r"(\d+)> ?(.*)")
ENGINE_FAILS = re.compile(r"(\d+)! (\w+) ?(.*)")
SECONDS = re.compile(r"\+([\d.]+)")


@cache
def catalogue() -> Catalogue:
    """The real one, made once."""
    return Catalogue.from_environment(os.environ)


@dataclass(frozen=True)
class FakeEngine:
    """The description of an engine that nobody starts."""

    name: str
    options: Mapping[str, str] = field(default_factory=dict)
    plays: Callable[[Rules], bool] = lambda rules: True

    def can_play(self, rules: Rules, values: Mapping[str, str]) -> bool:
        return self.plays(rules)


class Actor:
    """Answers whatever an engine is told as a good engine would, and selects the moves it was given, in turn."""

    def __init__(self, moves: Iterable[str] = (), options: Iterable[str] = ("rule", "player"), **answers: str) -> None:
        self.moves = list(moves)
        self.options = tuple(options)
        self.answers = answers
        self.heard: list[str] = []

    def hear(self, line: str) -> list[str]:
        self.heard.append(line)
        name = line.split(" ")[0]
        if name in self.answers:
            return [self.answers[name]] if self.answers[name] else []
        if name == "have_to_play":
            return [f"select_move {self.moves.pop(0)}"] if self.moves else []
        if name == "list_options":
            return [f"reply {join_list(self.options)}"]
        if name in ("get_option", "list_option_choices", "list_possible_moves", "get_result", "get_table"):
            return [f"reply {name}"]
        return ["acknowledge"]


class Playbook:
    """A referee with everything around it that a test moves: time, files, requests and engines."""

    def __init__(
        self,
        *,
        engines: Mapping[str, Callable[[], Actor] | None] | Iterable[str] = (),
        rules: Mapping[str, Rules] | None = None,
        files: Mapping[str, str] | None = None,
        defaults: Mapping[str, str] | None = None,
        descriptions: Iterable[FakeEngine] = (),
    ) -> None:
        self.referee = Referee(version="ggtp test", defaults=dict(defaults or {}))
        self.actors: dict[str, Callable[[], Actor] | None] = (
            dict(engines) if isinstance(engines, Mapping) else dict.fromkeys(engines)
        )
        self.descriptions = {name: FakeEngine(name) for name in self.actors} | {d.name: d for d in descriptions}
        self.rules = dict(rules or {})
        self.files = dict(files or {})
        self.open_file = ""
        self.now = 1000.0
        self.log: list[str] = []
        self.effects: list[Effect] = []
        self.cast: dict[int, Actor] = {}
        self.waiting: list[Request] = []
        self.hold: Callable[[AnyWish], bool] = lambda wish: False
        """Which requests are not answered before `grant` or `deny`."""
        self.tournament = False
        """Whether one is running beside the table."""
        self.door = ""
        """The address at which others may connect."""
        self.broken_disk = ""
        """What there is to say about the disk, when it can't be written to."""
        self.whispers: dict[int, list[str]] = {}
        """What each person on another machine was told."""
        self._said: list[tuple[int, str]] = []

    # What happens.

    def say(self, line: str, *, typed: bool = False) -> str:
        """The supervisor says a line, or types it; its closing line, or nothing where none has come yet."""
        before = len(self.log)
        self.log.append(line)
        self.handle(SupervisorSaid(line, self.now, typed))
        return next((text for text in self.log[before + 1 :] if text[:2] in ("= ", "? ")), "")

    def lay(self, *lines: str) -> None:
        """Say lines that are all to be carried out."""
        for line in lines:
            answer = self.say(line)
            assert answer.startswith("= "), f"{line}: {answer}\n" + self.conversation()

    def engine(self, link: int, *lines: str) -> None:
        """An engine says something."""
        for line in lines:
            self.log.append(f"{link}> {line}")
            self.handle(EngineSaid(link, line.encode(), self.now))

    def fail(self, link: int, fault: str = "exit", what: str = "it ended.", last_words: str = "") -> None:
        """An engine fails."""
        self.log.append(f"{link}! {fault} {what}")
        self.handle(EngineFailed(link, fault, what, last_words, self.now))

    def wait(self, seconds: float) -> None:
        """Time passes, with a look at the clock whenever the referee wants one."""
        until = self.now + seconds
        for _ in range(1000):
            due = self.referee.next_due()
            if due is None or due > until:
                break
            self.now = max(self.now, due)
            self.handle(TimePassed(self.now))
        else:
            pytest.fail("the referee wants to look at the clock without end\n" + self.conversation())
        self.now = until
        self.handle(TimePassed(self.now))

    def join(self, visitor: int, name: str, wanted: str = "") -> None:
        """A person on another machine comes."""
        self.handle(VisitorCame(visitor, name, wanted, self.now))

    def visitor(self, number: int, line: str) -> list[str]:
        """A person on another machine says a line; what it is told then."""
        before = len(self.whispers.get(number, ()))
        self.handle(VisitorSaid(number, line, self.now))
        return self.whispers.get(number, [])[before:]

    def leave(self, visitor: int) -> None:
        """A person on another machine goes."""
        self.handle(VisitorLeft(visitor, self.now))

    def interrupt(self) -> None:
        self.handle(Interrupted(self.now))

    def disk_fails(self, why: str) -> None:
        self.handle(JournalFailed(why, self.now))

    def grant(self) -> None:
        """Answer the oldest request that was held back."""
        request = self.waiting.pop(0)
        self.handle(self._fulfil(request))

    def deny(self, why: str) -> None:
        """Refuse the oldest request that was held back."""
        self.handle(Denied(self.waiting.pop(0).ticket, why, self.now))

    def handle(self, event: Event) -> None:
        """Let the referee handle an event, and everything that follows from it at once."""
        events = [event]
        while events or self._said:
            if not events:
                link, line = self._said.pop(0)
                events.append(EngineSaid(link, line.encode(), self.now))
            for effect in self.referee.handle(events.pop(0)):
                self.effects.append(effect)
                follows = self._carry_out(effect)
                if follows is not None:
                    events.append(follows)

    def _carry_out(self, effect: Effect) -> Event | None:
        match effect:
            case Respond(text):
                self.log.append(text)
            case Inform(text):
                self.log.append(f"-> {text}".rstrip())
            case Draw(picture):
                self.log += [f"| {line}".rstrip() for line in picture.plain()]
            case Tell(link, line, asks):
                actor = self.cast.get(link)
                if actor is not None:
                    self._said += [(link, answer) for answer in actor.hear(line.decode())]
                else:
                    self.log.append(f"{link}<{'*' if asks else ''} {line.decode()}")
                if asks:
                    self.referee.asked(link, self.now)
            case StopEngine(link, kindly):
                if self.cast.pop(link, None) is None:
                    self.log.append(f"{link} stop {'kindly' if kindly else 'now'}")
            case Journal(lines):
                if self.broken_disk:
                    return JournalFailed(self.broken_disk, self.now)
                self.log += [f"file+ {line}" for line in lines]
                self.files[self.open_file] += "".join(f"{line}\n" for line in lines)
            case CloseJournal():
                self.log.append("file closed")
                self.open_file = ""
            case Whisper(visitor, lines):
                self.whispers.setdefault(visitor, []).extend(lines)
            case Leave():
                self.log.append("leave")
            case Request(_, wish):
                if isinstance(wish, StartEngine):
                    actor_class = self.actors.get(wish.engine.name)
                    if actor_class is None:
                        self.log.append(f"{wish.link} start {wish.engine.name}")
                if self.hold(wish):
                    self.waiting.append(effect)
                else:
                    return self._fulfil(effect)
        return None

    def _fulfil(self, request: Request) -> Event:
        try:
            return Granted(request.ticket, self._do(request.wish), self.now)
        except GgtpError as error:
            return Denied(request.ticket, str(error), self.now)
        except KeyError as error:
            return Denied(request.ticket, f"{error.args[0]}: no such file.", self.now)

    def _manage_tournament(self, command: str, words: str) -> list[str]:
        if command == "start_tournament":
            if self.tournament:
                raise GgtpError("A tournament is running already.")
            self.tournament = bool(self.files[words])
        elif not self.tournament:
            raise GgtpError("There is no tournament.")
        if command == "stop_tournament":
            self.tournament = False
        return [f"tournament: {command}", "Done"]

    def _do(self, wish: AnyWish) -> object:
        match wish:
            case FindRules(name):
                own = match_name(name, self.rules)
                rules = self.rules[own] if own else catalogue().find_rules(name)
                return FoundRules(guarded(rules), rules.name)
            case Pause():
                return None
            case ListRules():
                return [*self.rules, *(entry.name for entry in catalogue().list_rules() if entry.usable)]
            case FindEngine(name):
                found = match_name(name, self.descriptions)
                if found is None:
                    raise GgtpError(f"No engine named {name}.")
                return FoundEngine(self.descriptions[found], found)
            case ListEngines():
                return list(self.descriptions.values())
            case StartEngine(link, engine):
                actor = self.actors.get(engine.name)
                if actor is not None:
                    self.cast[link] = actor()
                return None
            case ReadFile(path):
                return self.files[path]
            case Listen(address, anyone):
                self.door = f"{address} anyone" if anyone else address
                return f"tcp://{address}", "0123"
            case StopListening() | ListConnections() if not self.door:
                raise GgtpError("Nobody listens. Use listen.")
            case StopListening():
                self.door = ""
                return None
            case ListConnections():
                return ["alice engine 127.0.0.1"]
            case ManageTournament(command, words):
                return self._manage_tournament(command, words)
            case OpenJournal(path, lines):
                if self.broken_disk:
                    raise GgtpError(self.broken_disk)
                self.files[path] = "".join(f"{line}\n" for line in lines)
                self.open_file = path
                return None
        raise AssertionError(wish)

    # The table.

    def run(self, script: str) -> None:
        """Play a table through and compare every line of it, in order, with what was said."""
        lines = [line.strip() for line in textwrap.dedent(script).strip().split("\n")]
        wanted = [line for line in lines if line]
        begin = len(self.log)
        for line in wanted:
            if EXPECTED.match(line):
                continue
            if match := ENGINE_SAYS.fullmatch(line):
                self.engine(int(match[1]), match[2])
            elif match := ENGINE_FAILS.fullmatch(line):
                self.fail(int(match[1]), match[2], match[3])
            elif match := SECONDS.fullmatch(line):
                self.log.append(line)
                self.wait(float(match[1]))
            else:
                self.say(line)
        if self.log[begin:] != wanted:
            difference = "\n".join(difflib.unified_diff(wanted, self.log[begin:], "the table", "what was said", "", ""))
            pytest.fail(
                f"{difference}\n\nThe table:\n  " + "\n  ".join(wanted) + "\n\n" + self.conversation(begin),
                pytrace=False,
            )

    def conversation(self, begin: int = 0) -> str:
        """What was said, for people."""
        return "What was said:\n  " + "\n  ".join(self.log[begin:])

    def since(self, begin: int, start: str = "") -> list[str]:
        """The lines of the log from `begin` on that start with `start`."""
        return [line for line in self.log[begin:] if line.startswith(start)]

    # Everything that a refused command must leave as it is.

    def links(self) -> set[int]:
        """The engines that were started and not stopped."""
        return {engine.link for engine in self.referee.view.engines()}

    def seated(self) -> dict[Player, int]:
        """The engines that play, by player."""
        return {engine.player: engine.link for engine in self.referee.view.engines() if engine.seated}

    def snapshot(self) -> dict[str, Any]:
        """The whole state as plain values."""
        referee = self.referee
        desk, flow, play = referee._desk, referee._flow, referee._desk.play
        record = play.record
        return {
            "rules": (play.rules, play.reference, dict(play.values), play.players),
            "seats": {p: (seat.engine, seat.reference, dict(seat.settings)) for p, seat in play.seats.items()},
            "tree": None if record is None else [_node(node) for node in record.nodes],
            "cursor": None if record is None else record.cursor.number,
            "pending": dict(play.pending),
            "held": play.held,
            "lines": list(play.lines),
            "fresh": list(play.fresh),
            "settings": dict(desk.settings.values),
            "explicit": list(desk.explicit.items()),
            "journal": (desk.journal, self.open_file, dict(self.files)),
            "chance": desk.rng.getstate(),
            "banks": dict(flow.banks),
            "turn_due": flow.turn_due,
            "sealed": (flow.sealed.due, dict(flow.sealed._kept)),
            "links": {
                number: (link.player, link.engine.name, link.told, link.asked_at, link.limit, dict(link.informed))
                for number, link in flow.engines.links.items()
            },
            "seated": {player: link.number for player, link in flow.engines.seated.items()},
            "faults": list(desk.faults),
            "busy": (desk.busy, list(desk.deferred), sorted(desk.requests)),
        }


def _node(node: Any) -> tuple[object, ...]:
    return (
        node.number,
        None if node.parent is None else node.parent.number,
        list(node.children),
        None if node.latest is None else node.latest.number,
        node.name,
        node.comment,
        node.verdict,
        node.forfeit,
        dict(node.banks),
    )


def changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    """What is not as it was."""
    return [f"{key}: {before[key]!r} became {after[key]!r}" for key in before if before[key] != after[key]]


def phantom(*engines: str, **defaults: str) -> Playbook:
    """A play of PhantomTicTacToe that has begun, with silent engines for these players and nobody asked by itself."""
    book = Playbook(engines={"Mute": lambda: Actor()}, defaults={"genmove": "off", **defaults})
    book.lay("set_rule PhantomTicTacToe", *(f"set_engine {player} Mute" for player in engines), "start")
    return book
