"""Anything may be said, by anybody, at any time: nothing breaks, and every line has its answer.

A few thousand lines are said each time the tests run; GGTP_FUZZ_LINES=1000000 says a million.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from dataclasses import dataclass, field

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.games import Grab
from support.playbook import Actor, Playbook, changes
from support.sessions import playing

from ggtp.errors import RemoteProtocolError
from ggtp.faults import AT_PROMPTS, POLICIES
from ggtp.game import TurnKind
from ggtp.protocol.codec import is_comment
from ggtp.protocol.commands import ENGINE_COMMANDS, SUPERVISOR_COMMANDS, EngineCommand
from ggtp.protocol.session import STATES
from ggtp.referee.effects import Inform, Respond
from ggtp.referee.events import EngineFailed, EngineSaid
from ggtp.referee.settings import OPTIONS

LINES = int(os.environ.get("GGTP_FUZZ_LINES", "28000"))
LINES_A_TABLE = 120
SLOW = pytest.mark.bound(max(120, LINES // 200))

ODD = [
    "", " ", "\t", "\r", "\n", "\0", "\x1b[2J", "\x7f", "\x85", "\u2028", "\u200b", "\ud800", "\udcff", "é", "♞", "²",
    "٣", "\U0001d7d9", "İ", "ß", '"', "\\", ",", "=", ";", "#", "?", "-> ", "= ", "%s", "{}", "../", "~", "-1", "0",
    "00", "1e9", "x" * 5000, "9" * 5000, "NaN", "None", "\ufeff",
]  # fmt: skip

WORDS: dict[str, list[str]] = {
    "command": [command.name for command in SUPERVISOR_COMMANDS],
    "engine": ["Mute", "mute", "human", "Picky", "Nobody"],
    "engine_option": ["Depth", "rule", "player", "seed"],
    "engine_value": ["3", "on", "a b"],
    "filename": ["game", "other", "good", "torn", "bad", "nowhere"],
    "move": ["A1", "b2", "C3", "Rock", "Paper", "grab", "pass", "roll", "stop", "take 1 from A", "1 2 3 4", "Z9"],
    "node": ["0", "1", "2", "3", "99", "here", "-1"],
    "option": [option.name for option in OPTIONS],
    "player": ["Cross", "Circle", "Left", "Right", "Red", "Green", "Ann", "Bob", "cross", "Chance", "Square"],
    "rule": [
        "TicTacToe",
        "RockPaperScissors",
        "CantStop",
        "PhantomTicTacToe",
        "Nim",
        "Grab",
        "TreasureHunt",
        "nothing",
    ],
    "rule_option": ["starting_player", "rounds", "players", "heaps", "misere"],
    "rule_value": ["Cross", "Left", "2", "3", "1 2", "on", "off"],
    "table": ["0", "1", "99", "-1", "x"],
    "text": ["here", "some words", "5"],
    "topic": ["play", "time", "faults", "nothing"],
    "value": ["on", "off", "0", "1", "100", "500", *POLICIES, "auto", "all", "Cross"],
}

FILES = {
    "good": "set_rule TicTacToe\nset_engine Circle Mute\nstart\nforce_play Cross A1\nundo\nredo\n",
    "torn": "# GGTP play file\nset_rule Nim\nstart\nforce_play Left ta",
    "bad": "set_option seed 3\nset_rule Nim\nstart\nforce_play Left nothing\n",
}


COMMON = (
    "start", "undo", "redo", "genmove", "withdraw", "set_rule TicTacToe", "save_file game", "set_engine Circle Mute",
    "set_engine_option Circle Depth 3", "listen *:1",
)  # fmt: skip
"""What is said more often, since little can be done without it, or it is seldom right."""


@dataclass
class Fuzz:
    """Chooses what is said next, from a seed."""

    rng: random.Random
    counts: Counter[str] = field(default_factory=Counter)

    def line(self, book: Playbook) -> str:
        """A line for the supervisor: mostly a command that might be right."""
        rng = self.rng
        play = book.referee.view.play
        if play.record is not None and rng.random() < 0.3:
            options = [(p, m) for p in play.turn().players for m in list(play.position.moves(p))[:20]]
            if options:
                return "{} {} {}".format(rng.choice(["play", "force_play"]), *rng.choice(options))
        talk = play.rules.talk(play.option_values()) if play.rules is not None else None
        if talk is not None and rng.random() < 0.1:
            one, other, *_ = rng.choice(talk.sides)
            return f"tell {one} {other} {rng.choice(WORDS['text'])}"
        if rng.random() < 0.15:
            return rng.choice(COMMON)
        command = rng.choice(SUPERVISOR_COMMANDS)
        words = [command.name]
        for parameter in command.parameters:
            if parameter.optional and rng.random() < 0.4:
                break
            words.append(self.word(parameter.kind, book))
        line = " ".join(words)
        if line == "quit" and rng.random() < 0.8:
            line = "get_version"  # or few tables would last
        return self.mutated(line) if rng.random() < 0.3 else line

    def word(self, kind: str, book: Playbook) -> str:
        """An argument, mostly one that makes sense now."""
        play = book.referee.view.play
        sensible: list[str] = []
        if play.rules is not None and self.rng.random() < 0.8:
            engines = [player for player, seat in play.seats.items() if seat.engine != "human"]
            sensible = {
                "player": engines or list(play.players),
                "engine": ["Mute", "human"],
                "rule_option": [option.name for option in play.rules.options(play.values)],
                "filename": ["game", "good"],
                "table": ["0"],
            }.get(kind, [])
        return self.rng.choice(sensible or WORDS[kind])

    def mutated(self, line: str) -> str:
        """A line that is wrong in some way."""
        rng = self.rng
        for _ in range(rng.randrange(1, 4)):
            place = rng.randrange(len(line) + 1)
            match rng.randrange(7):
                case 0:
                    line = line[:place] + rng.choice(ODD) + line[place:]
                case 1:
                    line = line[:place]
                case 2:
                    line = line[place:]
                case 3:
                    line = line[:place] + line[place + 1 :]
                case 4:
                    line = line + " " + rng.choice(ODD)
                case 5:
                    line = "".join(chr(rng.choice([rng.randrange(128), rng.randrange(0x3000)])) for _ in range(20))
                case 6:
                    line = line.swapcase()
        return line

    def engine_line(self, book: Playbook, link: int) -> bytes:
        """A line of an engine: a legal move where there is one, an answer, or rubbish."""
        rng = self.rng
        found = next((engine for engine in book.referee.view.engines() if engine.link == link), None)
        play = book.referee.view.play
        if found is not None and play.record is not None and rng.random() < 0.6:
            moves = list(play.position.moves(found.player))
            if moves:
                return f"select_move {rng.choice(moves)}".encode()
        lines = [b"acknowledge", b"reply x", b"invalid_option_name", b"select_move Z9", b"select_move", b"", b"\xff\0",
                 b"select_move A\rB", rng.randbytes(rng.randrange(40)), b"reply " + b"y" * 3000]  # fmt: skip
        return rng.choice(lines)


def table(fuzz: Fuzz) -> Playbook:
    """A table where engines answer what they are asked at once, but select moves only when the fuzz says so."""
    policies = {f"fault_{name}": fuzz.rng.choice(list(POLICIES)) for name in AT_PROMPTS}
    return Playbook(
        engines={"Mute": lambda: Actor(options=("rule", "rule_options", "player", "seed", "Depth"))},
        rules={"Grab": Grab(TurnKind.RACE, 6, 1.0)},
        files=FILES,
        defaults={"show_table": "on", "show_possible_moves": "on", **policies},
    )


def closing(book: Playbook, begin: int) -> list[str]:
    return [effect.text for effect in book.effects[begin:] if isinstance(effect, Respond)]


def say(book: Playbook, line: str) -> str:
    """Say a line and check all that is promised about its answer."""
    before, begin = book.snapshot(), len(book.effects)
    book.say(line)
    answers = closing(book, begin)
    assert len(answers) == (0 if is_comment(line) else 1), (line, answers)
    for effect in book.effects[begin:]:
        if isinstance(effect, Respond | Inform):
            assert effect.text.isprintable(), (line, effect)
    if not answers:
        return ""
    assert answers[0][:2] in ("= ", "? "), (line, answers)
    if answers[0].startswith("? "):
        assert not changes(before, book.snapshot()), (line, answers)
    return answers[0]


def happen(book: Playbook, fuzz: Fuzz) -> None:
    """Something that is not the supervisor's doing."""
    rng = fuzz.rng
    links = list(book.links())
    match rng.randrange(6):
        case 0:
            book.wait(rng.choice([0.01, 1.5, 70.0]))
        case 1 if links and rng.random() < 0.3:
            fault = rng.choice([name for name in AT_PROMPTS if name not in ("illegal", "late")])
            book.handle(EngineFailed(rng.choice(links), fault, "it failed.", "last\nwords", book.now))
        case _:
            link = rng.choice([*links, 99])
            book.handle(EngineSaid(link, fuzz.engine_line(book, link), book.now))


@SLOW
@pytest.mark.parametrize("quiet", [True, False], ids=["supervisor", "everybody"])
def test_any_lines_are_answered_and_refused_ones_change_nothing(quiet: bool) -> None:
    """The supervisor alone, and with engines and time that do what they like between the lines."""
    fuzz = Fuzz(random.Random(1 if quiet else 2))
    left, number = LINES // 2, 0
    while left > 0:
        number += 1
        book = table(fuzz)
        for _ in range(LINES_A_TABLE):
            line = fuzz.line(book)
            left -= 1
            try:
                answer = say(book, line)
                if not quiet and fuzz.rng.random() < 0.5:
                    happen(book, fuzz)
            except BaseException as error:
                error.add_note(f"table {number}, line {line!r}, after:\n" + "\n".join(book.log[-30:]))
                raise
            fuzz.counts[f"{line.split(' ')[0]} {answer[:1]}" if answer else "comment"] += 1
            if line.split() == ["quit"]:
                break
            book.log.clear()
            book.effects.clear()
    # Fuzz that never gets anywhere finds nothing: every command is carried out now and then, and most are refused.
    names = {command.name for command in SUPERVISOR_COMMANDS}
    done, refused = ({key.split(" ")[0] for key in fuzz.counts if key.endswith(mark)} for mark in (" =", " ?"))
    assert names - done == set()
    assert len(names & refused) > 0.8 * len(names)


@SLOW
def test_lines_are_answered_once_though_engines_never_answer() -> None:
    """Engines that keep silent, or talk nonsense, make commands wait; deadlines answer them all the same."""
    fuzz = Fuzz(random.Random(3))
    for _ in range(LINES // 20 // LINES_A_TABLE + 1):
        book = table(fuzz)
        book.actors["Mute"] = lambda: Actor(start="", get_option="", set_option=fuzz.rng.choice(["", "acknowledge"]))
        said = 0
        for _ in range(LINES_A_TABLE):
            line = fuzz.line(book)
            if line.split() == ["quit"]:
                continue
            said += not is_comment(line)
            book.say(line)
            if fuzz.rng.random() < 0.3:
                happen(book, fuzz)
        for _ in range(said):
            if len(closing(book, 0)) == said:
                break
            book.wait(100.0)
        assert len(closing(book, 0)) == said, book.log[-20:]


TEXTS = st.text(max_size=40) | st.sampled_from(ODD)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.lists(
        st.one_of(TEXTS, st.builds(lambda c, t: f"{c.name} {t}", st.sampled_from(SUPERVISOR_COMMANDS), TEXTS)),
        max_size=8,
    )
)
def test_any_text_at_a_table_in_the_middle_of_a_play(lines: list[str]) -> None:
    book = Playbook(engines={"Mute": lambda: Actor()}, files=FILES, defaults={"genmove": "off"})
    book.lay("set_rule TicTacToe", "set_engine Cross Mute", "start", "force_play Cross A1", "play Circle B1", "undo")
    for line in lines:
        say(book, line)
        if "leave" in book.log:
            return


@settings(max_examples=200, deadline=None)
@given(st.lists(st.one_of(st.sampled_from(ENGINE_COMMANDS), st.binary(max_size=30),
                          st.sampled_from([b"acknowledge", b"reply a", b"select_move A1"])), max_size=30))  # fmt: skip
def test_any_bytes_in_a_session_are_an_event_or_the_engine_s_fault(steps: list[object]) -> None:
    session = playing()
    sent = answered = 0
    for step in steps:
        if isinstance(step, bytes):
            try:
                session.hear(step, 0.0)
            except RemoteProtocolError as error:
                assert str(error).isprintable(), error  # noqa: PT017 - whether it is raised is not the question
                continue
            answered += 1
        elif isinstance(step, EngineCommand) and step.name in STATES[session.state].said.keys() - {"disconnect_engine"}:
            session.speak(step.name)
            sent += 1
    assert answered <= sent, "nothing is answered that was not asked"


@settings(max_examples=100, deadline=None)
@given(st.lists(st.binary(max_size=60), max_size=6), st.sampled_from(list(POLICIES)))
def test_any_bytes_of_an_engine_leave_the_supervisor_in_charge(lines: list[bytes], policy: str) -> None:
    book = Playbook(engines={"Mute": lambda: Actor()}, defaults={f"fault_{name}": policy for name in AT_PROMPTS})
    book.lay("set_rule TicTacToe", "set_engine Cross Mute", "start")
    for line in lines:
        for link in list(book.links()):
            book.handle(EngineSaid(link, line, book.now))
    assert say(book, "get_rule") == "= TicTacToe"
    assert say(book, "set_engine Cross human") == "= Done"
    assert say(book, "start") == "= Done"
