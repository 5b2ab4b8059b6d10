"""XBoard's protocol: with a fake that misbehaves, and with Fairy-Max and Phalanx."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from ggtp.engines import xboard
from ggtp.engines.xboard import XBoard, read_features, read_option
from support.paths import FAKES
from support.programs import match, need_program, script

from ggtp.catalogue import Catalogue
from ggtp.errors import EngineError, EngineTerminated, EngineTimedOut
from ggtp.kit.bridge.bridge import PRESS
from ggtp.kit.session import Session
from ggtp.protocol.messages import Command
from ggtp.protocol.text import join_map

SECONDS = 60.0
FAKE = FAKES / "xboard_program.py"
MATE_IN_ONE = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"


class Seat:
    """A bridge to the fake, at a table of Chess."""

    def __init__(self, folder: Path, mode: str) -> None:
        self.log = folder / "log"
        self.bridge = XBoard([sys.executable, str(FAKE), mode, str(self.log)])
        self.bridge.open()
        self.session = Session(self.bridge, Catalogue.from_environment({}).find_rules, lambda text: None)
        assert self.tell("set_option rule Chess") == "acknowledge"

    def tell(self, line: str) -> str:
        name, *rest = line.split(" ", 1)
        answer = self.session.answer(Command(name, tuple(rest[0].split(" ", 1)) if rest else ()))
        return f"{answer.kind.value} {answer.text}".rstrip()

    def choose(self, *delay: str, withdrawn: bool = False) -> str:
        game, budget = self.session.asked(Command("have_to_play", delay))
        budget.withdrawn = withdrawn
        return self.bridge.choose(game, budget)

    def heard(self) -> list[str]:
        """What the program was told since the last look; it has read everything then, and what it said still waits."""
        program, said = self.bridge.program, list[str]()
        program.send("ping 999")
        program.expect("pong 999", SECONDS, heard=said.append)
        program._lines.extend(said)
        lines = self.log.read_text().splitlines()
        self.log.write_text("")
        return [line for line in lines if line != "ping 999"]


Sit = Callable[..., Seat]


@pytest.fixture(name="sit")
def make_sit(tmp_path: Path) -> Iterator[Sit]:
    seats: list[Seat] = []

    def sit(mode: str = "good") -> Seat:
        seats.append(Seat(tmp_path, mode))
        seats[-1].tell("start")
        seats[-1].heard()
        return seats[-1]

    yield sit
    for seat in seats:
        seat.bridge.close()
        assert not seat.bridge.program.running


def test_features_are_read_with_their_quotes() -> None:
    assert read_features('feature a="B = c" ping=1 a=0') == [("a", "B = c"), ("ping", "1"), ("a", "0")]
    assert read_features("move e2e4") == []


@pytest.mark.parametrize(
    ("text", "name", "default", "choices"),
    [
        ("Resign Threshold -spin 800 200 1200", "Resign_Threshold", "800", ("200..1200",)),
        ("Own Book -check 0", "Own_Book", "off", ("on", "off")),
        ("Style -combo A b /// *C /// D", "Style", "C", ("A b", "C", "D")),
        ("Clear -button", "Clear", "", (PRESS,)),
        ("Ini File -file /usr/a b.ini", "Ini_File", "/usr/a b.ini", ("any",)),
    ],
)
def test_options(text: str, name: str, default: str, choices: tuple[str, ...]) -> None:
    setting = read_option(text)
    assert setting is not None
    assert (setting.option.name, setting.option.default) == (name, default)
    assert setting.option.describe_choices() == choices


@pytest.mark.parametrize("text", ["", "Name", "Bad -spin many", "Worse -whatever", "-check 1", "Empty -combo "])
def test_what_is_no_option(text: str) -> None:
    assert read_option(text) is None


@pytest.mark.process
def test_the_greeting_is_answered_and_options_are_told(tmp_path: Path) -> None:
    seat = Seat(tmp_path, "good")
    said = seat.heard()
    assert said[:2] == ["xboard", "protover 2"]
    assert {"accepted setboard", "rejected san", "accepted done"} <= set(said)
    for setting in ("Own_Book off", "style solid", "Clear press", "hash 8", "threads 2", "Resign_Threshold 300"):
        assert seat.tell(f"set_option {setting}") == "acknowledge"
    seat.tell("start")
    seat.choose()
    told = seat.heard()
    seat.bridge.close()
    assert set(told) >= {"option Own Book=0", "option Style=Solid", "option Clear", "option Resign Threshold=300"}
    assert set(told) >= {"memory 8", "cores 2"}


@pytest.mark.process
def test_only_news_are_told_and_everything_after_an_undo(sit: Sit) -> None:
    seat = sit()
    assert seat.choose() == "b1c3"
    assert seat.heard() == [
        *["cores 1", "new", "force", "easy", "post", "ping 1"],
        *["level 0 0:10 0", "time 1000", "otim 1000", "go", "force"],
    ]
    seat.tell("made_move White b1c3")
    seat.tell("made_move Black e7e5")
    seat.choose("8000")
    told = seat.heard()
    assert told[:2] + told[3:] == ["usermove e7e5", "ping 2", "go", "force"]
    assert told[2] in ("st 7", "st 6", "st 5")  # whole seconds, and not all of them
    seat.tell("undone_move")
    seat.tell("undone_move")
    seat.tell("made_move White e2e4")
    seat.choose("8000")
    assert seat.heard()[:6] == ["new", "force", "easy", "post", "usermove e2e4", "ping 3"]
    seat.tell("start")
    seat.choose()
    assert seat.heard()[0] == "new"


@pytest.mark.process
def test_an_own_move_that_was_not_made_is_forgotten(sit: Sit) -> None:
    seat = sit()
    seat.choose()
    seat.tell("made_move White e2e4")
    seat.heard()
    seat.choose()
    assert seat.heard()[:5] == ["new", "force", "easy", "post", "usermove e2e4"]


@pytest.mark.process
def test_a_bank_is_handed_on(sit: Sit) -> None:
    seat = sit()
    seat.tell("set_option time_control move=0, bank=90000, increment=2000")
    seat.choose("90000")
    assert any(re.fullmatch(r"level 0 1:2\d 2", line) for line in seat.heard())


@pytest.mark.process
def test_another_start_needs_setboard(sit: Sit) -> None:
    fen = f"set_option rule_options {join_map({'fen': MATE_IN_ONE})}"
    seat = sit()
    assert seat.tell(fen) == "acknowledge"
    seat.tell("start")
    seat.choose()
    assert f"setboard {MATE_IN_ONE}" in seat.heard()
    bare = sit("bare")
    assert bare.tell(fen) == "invalid_option_value"
    assert "begins from the usual position only" in bare.tell("get_option refusal")
    bare.tell("start")
    bare.tell("made_move White e2e4")
    bare.choose()
    assert "e2e4" in bare.heard()  # without the word that it does not know


@pytest.mark.process
def test_what_it_thinks_and_offers_is_reported(sit: Sit) -> None:
    seat = sit()
    seat.choose()
    assert seat.tell("get_option last_search") == (
        "reply value=55.0, score=cp 35, depth=4, nodes=4321, line=Nb1-c3, offer=draw"
    )


@pytest.mark.process
def test_one_that_thinks_on_is_told_to_move(sit: Sit) -> None:
    seat = sit("slow")
    assert seat.choose("200") == "a2a3"
    assert seat.heard()[-2:] == ["?", "force"]


@pytest.mark.process
def test_a_resignation_goes_to_the_referee_or_is_overruled(sit: Sit) -> None:
    seat = sit("resign")
    assert seat.choose() == "resign"
    seat.tell("set_option resign play_on")
    assert len(seat.choose()) == 4


@pytest.mark.process
def test_a_claim_is_answered_with_the_bare_position(sit: Sit) -> None:
    seat = sit("claim once")
    for move in ("White g1f3", "Black g8f6"):
        seat.tell(f"made_move {move}")
    assert seat.choose() == "b1c3"
    fen = "rnbqkb1r/pppppppp/5n2/8/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 2 2"
    assert f"setboard {fen}" in seat.heard()


@pytest.mark.process
def test_a_claim_after_the_own_move_makes_a_new_game(sit: Sit) -> None:
    seat = sit("over")
    seat.choose()
    seat.tell("made_move White b1c3")
    seat.tell("made_move Black e7e5")
    seat.heard()
    seat.choose()
    assert seat.heard()[0] == "new"


@pytest.mark.process
@pytest.mark.parametrize(
    ("mode", "fault", "sentence"),
    [
        ("claim", EngineError, "says that the game is over, 1/2-1/2 {Draw by repetition}, but it goes on."),
        ("crash", EngineTerminated, "has ended with exit status 1. Its last words: out of book"),
        ("deaf", EngineTimedOut, "has not answered within 0.05 s"),
        ("disagree", EngineError, "takes the move e2e4 of the play for illegal."),
    ],
)
def test_what_a_program_does_wrong_is_a_sentence(
    sit: Sit, monkeypatch: pytest.MonkeyPatch, mode: str, fault: type[EngineError], sentence: str
) -> None:
    monkeypatch.setattr(xboard, "STOP_SECONDS", 0.05)
    seat = sit(mode)
    seat.tell("made_move White e2e4")
    with pytest.raises(fault) as caught:
        seat.choose("100")
    assert sentence in str(caught.value)


@pytest.mark.process
def test_an_illegal_move_is_left_to_the_referee(sit: Sit) -> None:
    assert sit("illegal").choose() == "e2e5"


@pytest.mark.process
def test_one_that_can_not_be_stopped_is_started_anew(sit: Sit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xboard, "GIVE_UP", 0.05)
    seat = sit("deaf")
    before = seat.bridge.program.pid
    seat.choose("60000", withdrawn=True)
    assert seat.bridge.program.running
    assert seat.bridge.program.pid != before


@pytest.mark.process
def test_one_that_does_not_greet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xboard, "GREETING_SECONDS", 0.1)
    with pytest.raises(EngineError, match="does not speak the XBoard protocol, version 2"):
        Seat(tmp_path, "mute")


# Real programs.


@pytest.mark.process
def test_phalanx_finds_a_mate() -> None:
    need_program("phalanx")
    lines = script(
        "set_rule Chess",
        f"set_rule_option fen {MATE_IN_ONE}",
        "set_engine White xboard:phalanx",
        "list_engine_options White",
        "start",
        "get_result",
        "get_engine_option White last_search",
    )
    assert "= White=win 100, Black=loss 0" in lines
    assert lines[-1].startswith("= value=100.0, ")
    assert any(line.startswith("= Randomizer_(0-50), depth, hash, resign") for line in lines)


@pytest.mark.process
def test_fairymax_begins_from_the_usual_position_only_and_plays_on_after_undo() -> None:
    need_program("fairymax")
    lines = script(
        "set_rule Chess",
        "set_option time_move 150",
        "set_option time_margin 20000",
        "set_engine Black xboard:fairymax",
        "start",
        "play White e2e4",
        "undo",
        "undo",
        "play White d2d4",
        "list_played_moves",
        "list_faults",
        f"set_rule_option fen {MATE_IN_ONE}",
        "start",
    )
    assert lines[-1] == (
        "? Engine xboard:fairymax can't play Chess with these options. "
        "fairymax begins from the usual position only: it has no feature setboard."
    )
    assert sum(line.startswith("-> Black plays ") for line in lines) == 2
    assert "= 0" in lines


@pytest.mark.process
@pytest.mark.parametrize("program", ["fairymax", "phalanx"])
def test_whole_games_against_a_program_of_the_other_protocol(program: str) -> None:
    need_program(program)
    need_program("stockfish")
    words = [f"X=xboard:{program}", "S=uci:stockfish:nodes=1,Skill_Level=0"]
    played = match(*words, "--rule", "Chess", "--time", "80", "--margin", "20000", "--games", "2", "--length", "40")
    assert [sum(row[:3]) for row in played.values()] == [2, 2]
    assert [row[3] for row in played.values()] == [0, 0]
