"""Thinking while answering: nothing that was withdrawn is ever sent."""

import queue
import threading

import pytest
from support.sessions import BareSession

from ggtp.catalogue import Catalogue
from ggtp.errors import ConnectionLost
from ggtp.kit import Engine
from ggtp.kit.program import DONE, FAILED, Program
from ggtp.kit.session import Session
from ggtp.protocol import Command, Selected
from ggtp.transport.client import Channel

SECONDS = 20
"""Only for a test that fails; one that passes never waits."""


class PairedChannel(Channel):
    """A channel whose other end is the test."""

    def __init__(self):
        self._to_engine = queue.SimpleQueue()
        self._from_engine = queue.SimpleQueue()
        self.closed = threading.Event()

    def receive(self, timeout=None):
        return self._to_engine.get()

    def send(self, line):
        if self.closed.is_set():
            raise ConnectionLost("closed")
        self._from_engine.put(line)

    def close(self):
        self.closed.set()

    def say(self, *lines):
        for line in lines:
            self._to_engine.put(line if line is None else line.encode())

    def hear(self):
        return self._from_engine.get(timeout=SECONDS).decode()


class Blocking(Engine):
    """Thinks until the test lets it go; moves count up, so that each search can be told from the others."""

    name = "Blocking"

    def __init__(self):
        self.begun = queue.SimpleQueue()
        self.go_on = queue.SimpleQueue()
        self.events = []
        self.count = 0

    def new_game(self, game, budget):
        self.events.append("new game")

    def choose(self, game, budget):
        self.count += 1
        move = str(self.count)
        self.begun.put(budget)
        match self.go_on.get():
            case "crash":
                raise RuntimeError("out of ideas")
            case "until it is stopped":
                while not budget.should_stop():
                    pass
        self.events.append(f"chosen {move}")
        return move


class Running:
    """A program on a channel, served by a thread."""

    def __init__(self, engine):
        self.engine = engine
        self.channel = PairedChannel()
        self.logged = []
        self.aborted = threading.Event()
        session = Session(engine, Catalogue.from_environment({}).find_rules, self.logged.append)
        self.program = Program(session, self.channel, self.logged.append, abort=self.aborted.set)
        self.status = None
        self.thread = threading.Thread(target=self._serve, daemon=True)
        self.thread.start()

    def _serve(self):
        self.status = self.program.serve()

    def ask(self, *lines):
        """Say lines that are answered at once, and give the answers."""
        self.channel.say(*lines)
        return [self.channel.hear() for _ in lines]

    def end(self):
        self.channel.say(None)
        self.thread.join(SECONDS)
        assert not self.thread.is_alive()
        return self.status


@pytest.fixture(name="running")
def make_running():
    running = Running(Blocking())
    assert running.ask("connect_engine", "set_option rule TicTacToe", "start") == ["acknowledge"] * 3
    yield running
    running.engine.go_on.put("")
    if running.thread.is_alive():
        running.end()


def test_questions_are_answered_while_it_thinks(running):
    running.channel.say("have_to_play")
    running.engine.begun.get(timeout=SECONDS)
    assert running.ask("get_table 0", "set_option threads 2", "get_option threads", "get_option nothing") == [
        "reply .../.../... Cross",
        "acknowledge",
        "reply 2",
        "invalid_option_name",
    ]
    running.engine.go_on.put("")
    assert running.channel.hear() == "select_move 1"


@pytest.mark.parametrize(
    "command",
    ["made_move Cross A1", "illegal_move A1", "undone_move", "redone_move", "set_option player Cross"],
)
def test_a_withdrawn_move_is_never_sent(running, command):
    running.channel.say("have_to_play")
    budget = running.engine.begun.get(timeout=SECONDS)
    assert not budget.should_stop()
    assert running.ask(command) == ["acknowledge"]
    assert budget.should_stop()
    running.engine.go_on.put("")
    running.engine.go_on.put("")
    running.channel.say("have_to_play")
    assert running.channel.hear() == "select_move 2"


def test_a_new_game_begins_once_the_engine_has_let_go_of_the_old_one(running):
    running.channel.say("have_to_play")
    running.engine.begun.get(timeout=SECONDS)
    running.engine.go_on.put("until it is stopped")
    assert running.ask("start") == ["acknowledge"]
    assert running.engine.events == ["new game", "chosen 1", "new game"]
    running.engine.go_on.put("")
    running.channel.say("have_to_play")
    assert running.channel.hear() == "select_move 2"


def test_every_request_gets_a_move(running):
    running.channel.say("have_to_play", "have_to_play")
    running.engine.go_on.put("")
    running.engine.go_on.put("")
    assert [running.channel.hear(), running.channel.hear()] == ["select_move 1", "select_move 2"]


def test_goodbye_while_it_thinks(running):
    running.channel.say("have_to_play")
    budget = running.engine.begun.get(timeout=SECONDS)
    assert running.ask("disconnect_engine") == ["acknowledge"]
    running.thread.join(SECONDS)
    assert running.status == DONE
    assert budget.withdrawn
    assert running.channel.closed.is_set()


def test_the_end_of_the_channel_while_it_thinks(running):
    running.channel.say("have_to_play")
    budget = running.engine.begun.get(timeout=SECONDS)
    assert running.end() == DONE
    assert budget.withdrawn


def test_a_crash_ends_the_program(running, capsys):
    running.channel.say("have_to_play")
    running.engine.go_on.put("crash")
    assert running.aborted.wait(SECONDS)
    assert "RuntimeError: out of ideas" in capsys.readouterr().err


def test_junk_is_logged_and_not_answered(running):
    running.channel.say("set_enginz", "", "\x1b[2J")
    assert running.ask("get_result 0") == ["reply none"]
    assert running.logged == ["not a command of Table 2: set_enginz", "not a command of Table 2: \\x1b[2J"]


def test_asked_for_what_it_cannot_know_it_says_so_and_ends() -> None:
    running = Running(Blocking())
    running.channel.say("have_to_play")
    running.thread.join(SECONDS)
    assert running.status == FAILED
    assert running.logged == ["asked for a move before a rule was set and the play started"]


class Hasty(Engine):
    """Answers as fast as it can, but in a thread."""

    name = "Hasty"

    def choose(self, game, budget):
        return game.moves()[0]


def test_the_referee_never_hears_a_move_that_it_has_overtaken() -> None:
    """Moves race against commands that withdraw them; the referee's own session is the judge."""
    running = Running(Hasty())
    session = BareSession()
    kinds = set()

    def tell(name, *args):
        if name == "have_to_play":
            session.ask_move(None, 60.0)
        else:
            session.ask(Command(name, args))
        running.channel.say(session.lines.pop()[0].decode())

    def hear():
        return session.hear(running.channel.hear().encode(), 0.0)  # raises on a move nobody waits for

    for command in (("connect_engine",), ("set_option", "rule", "TicTacToe"), ("start",)):
        tell(*command)
        hear()
    for turn in range(400):
        tell("have_to_play")
        if turn % 3 == 0:
            tell("get_table", "0")
        tell(*(("made_move", "Cross", "A1") if turn % 2 == 0 else ("undone_move",)))
        while session.oldest() is not None:
            event = hear()
            kinds.add((type(event).__name__, isinstance(event, Selected) and event.stale))
    assert running.end() == DONE
    assert ("Answered", False) in kinds
    assert ("Selected", False) not in kinds
