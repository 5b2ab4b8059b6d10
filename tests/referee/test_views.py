"""The table at a glance, with a referee whose driver is the test."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from support.playbook import Playbook

from ggtp.catalogue import Catalogue
from ggtp.game import Rules
from ggtp.protocol.messages import Command
from ggtp.referee.effects import (
    Effect,
    FindEngine,
    FindRules,
    FoundEngine,
    FoundRules,
    Request,
    Respond,
    StartEngine,
    Tell,
)
from ggtp.referee.events import EngineFailed, EngineSaid, Event, Granted, Interrupted, SupervisorSaid
from ggtp.referee.referee import Referee
from ggtp.referee.views import Status


@dataclass(frozen=True)
class Engine:
    name: str = "Fake"
    options: Mapping[str, str] = field(default_factory=dict)

    def can_play(self, rules: Rules, values: Mapping[str, str]) -> bool:
        return True


class Table:
    """A referee with an obedient engine; `silent` engines acknowledge nothing."""

    def __init__(self) -> None:
        self.referee = Referee(version="test")
        self.now = 100.0
        self.answers: list[str] = []
        self.told: list[str] = []
        self.silent = False
        self.stuck = False
        """Whether requests are left unanswered."""

    def say(self, *lines: str) -> None:
        for line in lines:
            self.post(SupervisorSaid(line, self.now))

    def post(self, event: Event) -> None:
        self.carry_out(self.referee.handle(event))

    def carry_out(self, effects: Sequence[Effect]) -> None:
        for effect in effects:
            match effect:
                case Respond(text):
                    self.answers.append(text)
                case Request(ticket, wish) if not self.stuck:
                    self.post(Granted(ticket, self.grant(wish), self.now))
                case Tell(number, line):
                    self.told.append(line.decode())
                    if not self.silent and not line.startswith(b"have_to_play"):
                        self.post(EngineSaid(number, self.reply(line), self.now))

    @staticmethod
    def grant(wish: object) -> object:
        match wish:
            case FindRules(name):
                return FoundRules(Catalogue.from_environment({}).find_rules(name), name)
            case FindEngine():
                return FoundEngine(Engine(), "Fake")
            case StartEngine():
                return None
        raise AssertionError(wish)

    @staticmethod
    def reply(line: bytes) -> bytes:
        if line == b"list_options":
            return b"reply Depth, rule"
        if line.startswith(b"list_option_choices"):
            return b"reply 1..9" if line.endswith(b"Depth") else b"invalid_option_name"
        return b"acknowledge"

    def status(self) -> Status:
        return self.referee.view.status(self.now)


def test_an_empty_table() -> None:
    assert Table().status() == Status()


def test_a_rule_that_is_not_started() -> None:
    table = Table()
    table.say("set_rule TicTacToe")
    seen = table.status()
    assert (seen.phase, seen.rule, seen.turn, seen.node) == ("ready", "TicTacToe", (), None)
    assert all(seat.human and not seat.to_move for seat in seen.seats)


def test_a_play_to_its_end() -> None:
    table = Table()
    table.say("set_rule TicTacToe", "start")
    seen = table.status()
    first = seen.turn[0]
    other = next(seat.player for seat in seen.seats if seat.player != first)
    assert [seat.player for seat in seen.seats if seat.to_move] == [first]
    assert seen.node == 0
    table.say(f"play {first} A1", "name_node trap", f"play {other} B1")
    assert (table.status().node, table.status().turn) == (2, (first,))
    table.say("undo")
    seen = table.status()
    assert (seen.held, seen.node, seen.node_name) == (True, 1, "trap")
    table.say(f"play {other} B1", f"play {first} A2", f"play {other} B2", f"play {first} A3")
    seen = table.status()
    assert (seen.phase, seen.turn, seen.held) == ("over", (), False)
    assert f"{first}=win 100" in seen.result


def test_a_thinking_engine_and_its_clock() -> None:
    table = Table()
    table.say("set_option time_bank 60000", "set_option time_move 5000", "set_rule TicTacToe")
    table.say("set_engine Cross Fake", "set_rule_option starting_player Cross", "start")
    table.now += 2
    seen = table.status()
    cross = next(seat for seat in seen.seats if seat.player == "Cross")
    circle = next(seat for seat in seen.seats if seat.player == "Circle")
    assert seen.thinking
    assert (cross.engine, cross.thinking, cross.limit, cross.bank) == ("Fake", 2.0, 5.0, 58.0)
    assert (circle.thinking, circle.limit, circle.bank) == (None, None, 60.0)
    table.say("withdraw")
    assert not table.status().thinking
    assert table.status().held


def test_an_engine_that_is_gone() -> None:
    table = Table()
    table.say("set_rule TicTacToe", "set_engine Circle Fake")
    link = table.referee._flow.engines.seated["Circle"]
    table.post(EngineFailed(link.number, "exit", "it ended.", "", table.now))
    circle = next(seat for seat in table.status().seats if seat.player == "Circle")
    assert circle.gone


def test_who_has_chosen_in_a_joint_turn() -> None:
    table = Table()
    table.say("set_rule RockPaperScissors", "start")
    first, second = table.status().turn
    move = table.referee.view.play.position.moves(first)[0]
    table.say(f"play {first} {move}")
    seen = table.status()
    assert seen.turn == (second,)
    assert [seat.player for seat in seen.seats if seat.chosen] == [first]


# What front ends ask beside the commands.


def test_an_engine_is_asked_quietly() -> None:
    table = Table()
    table.say("set_rule TicTacToe", "set_engine Circle Fake")
    answers = list(table.answers)
    replies: list[str | None] = []
    for option in ("Depth", "Other"):
        command = Command("list_option_choices", (option,))
        table.carry_out(table.referee.ask_engine("Circle", command, table.now, replies.append))
    assert replies == ["1..9", None]
    assert table.answers == answers


def test_nobody_is_asked_who_thinks_or_owes_or_is_not_there() -> None:
    table = Table()
    replies: list[str | None] = []
    ask = Command("list_option_choices", ("Depth",))
    table.say("set_rule TicTacToe", "set_rule_option starting_player Cross", "set_engine Cross Fake")
    assert table.referee.ask_engine("Circle", ask, table.now, replies.append) == []
    table.silent = True
    assert len(table.referee.ask_engine("Cross", ask, table.now, replies.append)) == 1
    assert table.referee.ask_engine("Cross", ask, table.now, replies.append) == []
    assert replies == [None, None]
    table = Table()
    table.say("set_rule TicTacToe", "set_rule_option starting_player Cross", "set_engine Cross Fake", "start")
    assert table.status().thinking
    assert table.referee.ask_engine("Cross", ask, table.now, replies.append) == []
    assert replies == [None, None, None]


def test_a_command_that_waits_can_be_interrupted() -> None:
    table = Table()
    table.say("set_rule TicTacToe")
    table.stuck = True
    table.say("set_rule Nim", "get_rule")
    assert table.answers == ["= Done"]
    table.post(Interrupted(table.now))
    assert table.answers == ["= Done", "? Interrupted.", "= TicTacToe"]
    table.post(Granted(table.referee._desk.tickets, Table.grant(FindRules("Nim")), table.now))
    table.say("get_rule")
    assert table.answers[-1] == "= TicTacToe"
    table.post(Interrupted(table.now))
    assert len(table.answers) == 4


def test_a_file_that_is_being_saved_is_not() -> None:
    table = Table()
    table.stuck = True
    table.say("save_file x.ggtp")
    table.post(Interrupted(table.now))
    assert table.answers == []


def test_the_pace_of_a_play_is_that_of_its_clock() -> None:
    book = Playbook()
    assert book.referee.view.pace() is None
    book.lay("set_rule Skirmish", "start")
    assert book.referee.view.pace() is None
    book.lay("set_rule_option tick_ms 250", "start")
    assert book.referee.view.pace() == 0.25
    book.wait(1.0)
    assert book.referee.view.pace() == 0.25
    book.lay("undo")
    assert book.referee.view.pace() is None, "the play is held"
