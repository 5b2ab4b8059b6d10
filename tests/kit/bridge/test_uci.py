"""The Universal Chess Interface: what is said to a program, what is understood of it, and what it may do wrong."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from support.paths import FAKES

from ggtp.catalogue import Catalogue
from ggtp.errors import EngineError, EngineTerminated, EngineTimedOut
from ggtp.kit.bridge import bridge, uci
from ggtp.kit.bridge.uci import Found, UciBridge, read_option, worth
from ggtp.kit.session import Session
from ggtp.protocol.messages import AnswerKind, Command
from ggtp.protocol.text import join_map

FAKE = FAKES / "uci_program.py"


class Sample(UciBridge):
    """UCI, as the bundled bridge speaks it."""

    kind = "uci"
    dialect = uci.UCI


class Seat:
    """A bridge to the fake, at a table of Chess."""

    def __init__(self, folder: Path, mode: str) -> None:
        self.log = folder / "log"
        self.bridge = Sample([sys.executable, str(FAKE), mode, str(self.log)])
        self.bridge.open()
        find_rules = Catalogue.from_environment({}).find_rules
        self.session = Session(self.bridge, find_rules, lambda text: None)
        assert self.tell("set_option rule Chess") == "acknowledge"

    def tell(self, line: str) -> str:
        name, *rest = line.split(" ", 1)
        words = rest[0].split(" ", 1) if rest else []
        answer = self.session.answer(Command(name, tuple(words)))
        return f"{answer.kind.value} {answer.text}".rstrip()

    def choose(self, *delay: str) -> str:
        game, budget = self.session.asked(Command("have_to_play", delay))
        return self.bridge.choose(game, budget)

    def heard(self) -> list[str]:
        """What the program was told since the last look."""
        lines = self.log.read_text().splitlines()
        self.log.write_text("")
        return lines


@pytest.fixture(name="sit")
def make_sit(tmp_path: Path) -> Iterator[Callable[[str], Seat]]:
    seats: list[Seat] = []

    def sit(mode: str = "good") -> Seat:
        seats.append(Seat(tmp_path, mode))
        return seats[-1]

    yield sit
    for seat in seats:
        seat.bridge.close()
        assert not seat.bridge.program.running


Sit = Callable[..., Seat]


@pytest.mark.process
def test_the_programs_options_can_be_listed_and_set(sit: Sit) -> None:
    seat = sit()
    names = seat.tell("list_options").removeprefix("reply ").split(", ")
    assert names[:7] == ["Skill_Level", "Clear_Hash", "Own_Book", "Style", "Book_File", "depth", "nodes"]
    assert "threads" in names
    assert not {"Threads", "Ponder", "UCI_Variant", "Broken"} & set(names)
    assert seat.tell("list_option_choices Skill_Level") == "reply 0..20"
    assert seat.tell("list_option_choices style") == "reply Solid, Very Wild"
    assert seat.tell("get_option Own_Book") == "reply on"
    assert seat.tell("set_option Skill_Level 21") == "invalid_option_value"
    for setting in ("Skill_Level 3", "own_book off", "Style very wild", "Clear_Hash press", "Book_File a b.bin"):
        assert seat.tell(f"set_option {setting}") == "acknowledge"
    assert seat.tell("set_option threads 64") == "acknowledge"
    seat.tell("start")
    assert seat.heard() == [
        "uci",
        "setoption name Threads value 4",
        "setoption name Skill Level value 3",
        "setoption name Own Book value false",
        "setoption name Style value Very Wild",
        "setoption name Book File value a b.bin",
        "setoption name Clear Hash",
        "isready",
        "ucinewgame",
        "isready",
    ]


@pytest.mark.process
def test_the_play_is_told_whole_before_each_move(sit: Sit) -> None:
    seat = sit()
    seat.tell("start")
    seat.heard()
    assert seat.choose("1000") == "e2e4"
    position, go = seat.heard()
    assert position == "position startpos"
    assert re.fullmatch(r"go movetime \d{1,3}", go)
    for move in ("White e2e4", "Black e7e5", "White g1f3"):
        seat.tell(f"made_move {move}")
    seat.choose()
    assert seat.heard() == ["position startpos moves e2e4 e7e5 g1f3", "go movetime 1000"]
    seat.tell("undone_move")
    seat.tell("undone_move")
    seat.choose()
    assert seat.heard()[0] == "position startpos moves e2e4"
    seat.tell("redone_move")
    seat.choose()
    assert seat.heard()[0] == "position startpos moves e2e4 e7e5"
    seat.tell("start")
    assert seat.heard() == ["ucinewgame", "isready"]
    seat.choose()
    assert seat.heard()[0] == "position startpos"


@pytest.mark.process
def test_another_start_is_told_as_fen(sit: Sit) -> None:
    seat = sit()
    fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
    assert seat.tell(f"set_option rule_options {join_map({'fen': fen})}") == "acknowledge"
    seat.tell("start")
    seat.tell("made_move White e2e4")
    seat.choose()
    assert seat.heard()[-2] == f"position fen {fen} moves e2e4"


@pytest.mark.process
@pytest.mark.parametrize(
    ("settings", "delay", "go"),
    [
        ([], (), "go movetime 1000"),
        (["move_time 50"], (), "go movetime 50"),
        (["depth 5"], (), "go depth 5"),
        (["nodes 700"], (), "go nodes 700"),
        (["time_control move=0, bank=60000, increment=250"], ("60000",), r"go wtime 5\d+ btime 5\d+ winc 250 binc 250"),
    ],
)
def test_how_long_it_may_think(sit: Sit, settings: list[str], delay: tuple[str, ...], go: str) -> None:
    seat = sit()
    for setting in settings:
        assert seat.tell(f"set_option {setting}") == "acknowledge"
    seat.tell("start")
    seat.choose(*delay)
    assert re.fullmatch(go, seat.heard()[-1])


@pytest.mark.process
def test_a_depth_does_not_outlast_the_clock(sit: Sit) -> None:
    seat = sit()
    seat.tell("set_option depth 5")
    seat.tell("start")
    seat.choose("1000")
    assert re.fullmatch(r"go depth 5 movetime \d{1,3}", seat.heard()[-1])


@pytest.mark.process
def test_what_the_search_has_found_is_reported(sit: Sit) -> None:
    seat = sit()
    seat.tell("start")
    seat.choose()
    assert seat.tell("get_option last_search") == (
        "reply value=66.6, score=cp 120, depth=3, nodes=1000, seldepth=5, line=e2e4 e7e5"
    )


@pytest.mark.process
def test_a_program_that_thinks_on_is_stopped(sit: Sit) -> None:
    seat = sit("slow")
    seat.tell("start")
    assert seat.choose("50") == "a2a3"
    assert seat.heard()[-1] == "stop"
    assert "score=mate -2" in seat.tell("get_option last_search")


@pytest.mark.process
@pytest.mark.parametrize(("mode", "said"), [("illegal", "e2e5"), ("none", "(none)")])
def test_what_is_no_move_is_left_to_the_referee(sit: Sit, mode: str, said: str) -> None:
    seat = sit(mode)
    seat.tell("start")
    assert seat.choose("50") == said


@pytest.mark.process
def test_garbage_is_read_over(sit: Sit) -> None:
    seat = sit("garbage")
    seat.tell("start")
    assert seat.choose("2000") == "(none)"


@pytest.mark.process
@pytest.mark.parametrize(
    ("mode", "fault", "sentence"),
    [
        ("crash", EngineTerminated, "has ended with exit status 1. Its last words: segmentation imagined"),
        ("deaf", EngineTimedOut, "has not answered with bestmove within 0.05 s"),
        ("flood", EngineTimedOut, "has not answered with bestmove within 0.05 s"),
        ("long", EngineError, "sent a line of more than 1048576 bytes"),
    ],
)
def test_what_a_program_does_wrong_is_a_sentence(
    sit: Sit, monkeypatch: pytest.MonkeyPatch, mode: str, fault: type[EngineError], sentence: str
) -> None:
    monkeypatch.setattr(bridge, "STOP_SECONDS", 0.05)
    seat = sit(mode)
    seat.tell("start")
    delay = ("50",) if fault is EngineTimedOut else ()
    with pytest.raises(fault) as caught:
        seat.choose(*delay)
    assert sentence in str(caught.value)


@pytest.mark.process
def test_one_that_is_never_ready(sit: Sit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uci, "START_SECONDS", 0.01)
    monkeypatch.setattr(uci, "READY_SECONDS", 0.05)
    seat = sit("unready")
    assert seat.tell("start") == "acknowledge"
    with pytest.raises(EngineTimedOut):
        seat.choose()


@pytest.mark.process
@pytest.mark.parametrize(("mode", "words"), [("mute", "uciok within"), ("gone", "Its last words: no licence")])
def test_one_that_does_not_greet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: str, words: str) -> None:
    if mode == "mute":
        monkeypatch.setattr(uci, "GREETING_SECONDS", 0.2)
    with pytest.raises(EngineError, match=words):
        Seat(tmp_path, mode)


@pytest.mark.process
def test_games_without_words_are_refused_with_a_sentence(sit: Sit) -> None:
    seat = sit()
    assert seat.tell("set_option rule TicTacToe") == AnswerKind.INVALID_OPTION_VALUE.value
    assert seat.tell("get_option refusal") == "reply TicTacToe can't be spoken of in UCI."


@pytest.mark.parametrize(
    ("score", "points"),
    [("cp 0", 50.0), ("cp 400", 90.9), ("cp -400", 9.1), ("cp 99999", 100.0), ("mate 3", 100.0), ("mate -3", 0.0)],
)
def test_what_scores_are_worth(score: str, points: float) -> None:
    assert worth(score) == pytest.approx(points, abs=0.05)


@pytest.mark.parametrize("line", ["info", "info score", "info depth", "info pv", "info score cp", "id name x", ""])
def test_half_a_line_of_information_does_no_harm(line: str) -> None:
    found = Found()
    found.hear(line)
    found.report()


@pytest.mark.parametrize(
    ("line", "name", "default", "choices"),
    [
        ("option name Hash type spin default 16 min 1 max 64", "Hash", "16", ("1..64",)),
        ("option name type type check default false", "type", "off", ("on", "off")),
        ("option name File type filename default book.bin", "File", "book.bin", ("any",)),
        ("option name A type combo default x var x var y z", "A", "x", ("x", "y z")),
    ],
)
def test_options(line: str, name: str, default: str, choices: tuple[str, ...]) -> None:
    setting: Any = read_option(line)
    if name == "type":
        assert setting is None or setting.option.name == name
        return
    assert (setting.option.name, setting.option.default) == (name, default)
    assert setting.option.describe_choices() == choices
