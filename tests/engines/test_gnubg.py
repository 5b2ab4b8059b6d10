"""GNU Backgammon: what it is told of a position, what is understood of it, and whole games with the real one."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from ggtp.engines import gnubg
from ggtp.engines.gnubg import Board, Gnubg, Hint
from support.paths import FAKES
from support.programs import match, need_program, script

from ggtp.catalogue import Catalogue
from ggtp.errors import EngineError, EngineTerminated, EngineTimedOut
from ggtp.game import CHANCE, Position
from ggtp.kit.session import Session
from ggtp.protocol.messages import Command

FAKE = FAKES / "gnubg_program.py"
START = (0, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0)


def position(moves: Sequence[tuple[str, str]], cube: str = "off") -> Position:
    rules = Catalogue.from_environment({}).find_rules("Backgammon")
    here = rules.begin(rules.complete({"cube": cube}))
    for player, move in moves:
        here = here.play({player: here.parse(player, move)}).position
    return here


def test_the_board_is_that_of_who_is_on_roll() -> None:
    white = Board.of(position([(CHANCE, "White 3 Black 1")]))
    assert white == Board(START, "playing", "3-1", 0, "center")
    assert white.lines() == [
        "set turn 1",
        "set cube use off",
        f"set board simple {' '.join(map(str, START))}",
        "set dice 3 1",
    ]
    black = Board.of(position([(CHANCE, "White 6 Black 2"), ("White", "24/18 13/11"), (CHANCE, "6-4")]))
    assert (black.numbers[7], black.numbers[1], black.numbers[14], black.numbers[12]) == (-1, -1, -1, -4)


def test_men_on_the_bar_and_off() -> None:
    hit = position([(CHANCE, "White 6 Black 2"), ("White", "24/18 13/11"), (CHANCE, "6-1"), ("Black", "13/7* 8/7")])
    board = Board.of(hit.play({CHANCE: "5-2"}).position)
    assert board.numbers[0] == 1
    assert sum(number for number in board.numbers if number > 0) == 15


def test_the_cube() -> None:
    opening = [(CHANCE, "White 3 Black 1"), ("White", "8/5 6/5")]
    offering = Board.of(position(opening, "on"))
    assert (offering.stage, offering.cube, offering.owner) == ("offering", 1, "center")
    taken = [*opening, ("Black", "double"), ("White", "take"), (CHANCE, "6-5"), ("Black", "24/13")]
    board = Board.of(position(taken, "on"))
    assert (board.cube, board.owner) == (2, "owner 1")
    assert board.lines()[1:4] == ["set cube use on", "set cube value 2", "set cube owner 1"]
    answering = Board.of(position([*opening, ("Black", "double")], "on"))
    assert (answering.stage, answering.owner) == ("answering", "center")


def test_hints_are_read() -> None:
    hint = Hint()
    for line in ("1. Cubeful 2-ply    bar/24 13/11*/9(2)    Eq.: -0.106 (-0.2)", "0.477 0.1 0.0 - 0.523 0.2 0.0", "x"):
        hint.hear(line)
    assert (hint.turn, hint.plies, hint.equity, hint.chance) == ("bar/24 13/11*/9(2)", "2", "-0.106", 0.477)


class Seat:
    """A bridge to the fake, at a table of Backgammon after 3-1."""

    def __init__(self, folder: Path, mode: str, cube: bool = False) -> None:
        self.log = folder / "log"
        self.bridge = Gnubg([sys.executable, str(FAKE), mode, str(self.log)])
        self.bridge.open()
        self.session = Session(self.bridge, Catalogue.from_environment({}).find_rules, lambda text: None)
        self.tell("set_option rule Backgammon")
        if cube:
            self.tell("set_option rule_options cube=on")
        self.tell("start")
        self.tell("made_move Chance White 3 Black 1")

    def tell(self, line: str) -> str:
        name, *rest = line.split(" ", 1)
        answer = self.session.answer(Command(name, tuple(rest[0].split(" ", 1)) if rest else ()))
        return f"{answer.kind.value} {answer.text}".rstrip()

    def choose(self, *delay: str) -> str:
        return self.bridge.choose(*self.session.asked(Command("have_to_play", delay)))


Sit = Callable[..., Seat]


@pytest.fixture(name="sit")
def make_sit(tmp_path: Path) -> Iterator[Sit]:
    seats: list[Seat] = []

    def sit(mode: str = "good", *, cube: bool = False) -> Seat:
        seats.append(Seat(tmp_path, mode, cube))
        return seats[-1]

    yield sit
    for seat in seats:
        seat.bridge.close()
        assert not seat.bridge.program.running
        assert not Path(seat.bridge.variables["HOME"]).exists()


@pytest.mark.process
def test_the_turn_is_the_one_that_leads_to_the_same_men(sit: Sit) -> None:
    seat = sit()
    assert seat.choose() == "8/5 6/5"
    assert seat.tell("get_option last_search") == "reply value=55.1, depth=2, equity=+0.200, line=6/5 8/5"
    told = seat.log.read_text().splitlines()
    assert "set evaluation chequerplay evaluation plies 2" in told
    assert "set dice 3 1" in told


@pytest.mark.process
def test_its_strength_is_an_option(sit: Sit) -> None:
    seat = sit()
    seat.tell("set_option plies 0")
    seat.tell("set_option noise 20")
    seat.tell("set_option threads 99")
    assert seat.choose() == "24/23 13/10"
    told = seat.log.read_text().splitlines()
    assert {"set evaluation chequerplay evaluation noise 0.020", "set threads 48"} <= set(told)
    assert told.count("hint 1") == 1


@pytest.mark.process
def test_the_quick_hint_counts_when_time_is_over_and_the_program_comes_back(sit: Sit) -> None:
    seat = sit("slow")
    before = seat.bridge.program.pid
    assert seat.choose("300") == "24/23 13/10"
    assert seat.choose("300") == "24/23 13/10"
    assert seat.bridge.program.pid != before


@pytest.mark.process
@pytest.mark.parametrize(("doubled", "move"), [(False, "double"), (True, "take")])
def test_the_cube_is_used(sit: Sit, doubled: bool, move: str) -> None:
    seat = sit("double", cube=True)
    seat.tell("made_move White 8/5 6/5")
    if doubled:
        seat.tell("made_move Black double")
    assert seat.choose() == move
    value = "47.5" if doubled else "52.5"
    assert seat.tell("get_option last_search").startswith(f"reply value={value}, action=")


@pytest.mark.process
@pytest.mark.parametrize(
    ("action", "stage", "move"),
    [
        ("No double, take (36.4%)", "offering", "roll"),
        ("Too good to double, pass", "offering", "roll"),
        ("Double, pass", "offering", "double"),
        ("Redouble, take", "offering", "double"),
        ("Double, pass", "answering", "drop"),
        ("No redouble, take", "answering", "take"),
    ],
)
def test_what_cube_actions_mean(sit: Sit, action: str, stage: str, move: str) -> None:
    seat = sit(cube=True)
    game, _ = seat.session.asked(Command("have_to_play"))
    board = Board(START, stage, "", 1, "center")
    assert seat.bridge._move(game, board, Hint(action=action.casefold())) == move


@pytest.mark.process
def test_an_illegal_turn_is_left_to_the_referee(sit: Sit) -> None:
    seat = sit("illegal")
    assert seat.choose() == "8/5 8/1"


@pytest.mark.process
@pytest.mark.parametrize(
    ("mode", "fault", "sentence"),
    [
        ("crash", EngineTerminated, "Its last words: no weights"),
        ("silent", EngineTimedOut, "gives no hint within 0.1 s."),
        ("mute", EngineError, "gives no hint for White 0 "),
    ],
)
def test_what_it_does_wrong_is_a_sentence(
    sit: Sit, monkeypatch: pytest.MonkeyPatch, mode: str, fault: type[EngineError], sentence: str
) -> None:
    monkeypatch.setattr(gnubg, "QUICK_SECONDS", 5.0 if mode != "silent" else 0.1)
    seat = sit(mode)
    with pytest.raises(fault) as caught:
        seat.choose()
    assert sentence in str(caught.value)


@pytest.mark.process
def test_other_games_are_refused(sit: Sit) -> None:
    seat = sit()
    assert seat.tell("set_option rule Chess") == "invalid_option_value"
    assert "plays Backgammon only, not Chess." in seat.tell("get_option refusal")


# The real program.


@pytest.mark.process
def test_it_beats_chance() -> None:
    need_program("gnubg")
    played = match("G=gnubg:gnubg:plies=0", "Random", "--rule", "Backgammon", "--games", "2")
    assert played == {"G": (2, 0, 0, 0), "Random": (0, 0, 2, 0)}


@pytest.mark.process
def test_it_plays_with_the_cube_and_after_an_undo() -> None:
    need_program("gnubg")
    lines = script(
        "set_rule Backgammon",
        "set_rule_option cube on",
        "set_engine White gnubg:gnubg",
        "set_engine Black gnubg:gnubg",
        "set_engine_option White plies 0",
        "set_engine_option Black plies 0",
        "start",
        "get_result",
        "undo",
        "undo",
        "list_faults",
    )
    assert lines[-1] == "= 0"
    assert any("plays double" in line for line in lines)
    assert any(line.startswith("= White=") for line in lines)
