from __future__ import annotations

import pytest

from ggtp.referee.views import SeatStatus, Status
from ggtp.ui.prompt.toolbar import clock, search_text, toolbar


def text(status: Status, columns: int = 200, busy: str = "") -> str:
    return "".join(piece for _, piece in toolbar(status, columns, busy=busy))


CROSS = SeatStatus("Cross", "human", to_move=True)
CIRCLE = SeatStatus("Circle", "Minimax")


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        (Status(), " no rule: set_rule chooses a game"),
        (Status("ready", "Nim", (SeatStatus("A", "human"),)), " Nim  A: human  not started"),
        (Status("playing", "Nim", (CROSS, CIRCLE), ("Cross",), node=4), " Nim  >Cross: human  Circle: Minimax  node 4"),
        (
            Status("playing", "Nim", (CROSS,), node=4, node_name="trap", held=True, file="a.ggtp"),
            " Nim  >Cross: human  held: genmove goes on  node 4 trap  file a.ggtp",
        ),
        (Status("over", "Nim", (CIRCLE,), result="Circle=win"), " Nim  Circle: Minimax  Circle=win"),
    ],
)
def test_what_is_written(status: Status, expected: str) -> None:
    assert text(status) == expected


@pytest.mark.parametrize(
    ("seat", "expected"),
    [
        (SeatStatus("A", "M", thinking=1.26), "A: M thinking 1.3 s"),
        (SeatStatus("A", "M", to_move=True, thinking=12.9, limit=30), ">A: M thinking 12 s of 30 s"),
        (SeatStatus("A", "M", thinking=75), "A: M thinking 1:15"),
        (SeatStatus("A", "M", bank=61.5), "A: M 1:01 left"),
        (SeatStatus("A", "M", thinking=0.5, bank=9.5), "A: M thinking 0.5 s, 0:09.5 left"),
        (SeatStatus("A", "M", gone=True), "A: M gone"),
        (SeatStatus("A", "human", chosen=True), "A: human has chosen"),
    ],
)
def test_a_seat(seat: SeatStatus, expected: str) -> None:
    assert text(Status("playing", "Nim", (seat,))) == f" Nim  {expected}"


def test_the_command_at_hand_is_named() -> None:
    assert text(Status(), busy="set_rule").endswith("  set_rule ...")


def test_what_matters_least_is_left_out_first() -> None:
    seats = (SeatStatus("Circle", "Minimax", to_move=True, thinking=2.0), SeatStatus("Cross", "human"))
    status = Status("playing", "ConnectFour", seats, ("Circle",), node=7, file="game.ggtp", held=False)
    widths = range(20, 120)
    assert all(len(text(status, columns)) <= max(columns, 34) for columns in widths)
    assert text(status, 20) == " Circle: Minimax thinking 2.0 s".replace(" C", " >C")
    assert "node 7" not in text(status, 78)
    assert "file game.ggtp" in text(status, 78)


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [(0, "0:00.0"), (7.36, "0:07.3"), (9.99, "0:09.9"), (10, "0:10"), (260, "4:20"), (3723, "1:02:03")],
)
def test_clock(seconds: float, expected: str) -> None:
    assert clock(seconds) == expected


def test_styles_say_what_stands_out() -> None:
    styles = {piece: style for style, piece in toolbar(Status("playing", "Nim", (CROSS, CIRCLE)), 99)}
    assert styles[">Cross: human"] == "class:toolbar.turn"
    assert styles["Circle: Minimax"] == "class:toolbar.player"


def test_nothing_that_breaks_a_terminal_gets_through() -> None:
    assert "\x1b" not in text(Status("playing", "Nim", (SeatStatus("A\x1b[2J", "M"),), node=0, node_name="\x1b"))


def test_who_plays_the_rules_is_shown_where_there_is_room() -> None:
    status = Status("ready", "gdl/chess", (SeatStatus("white", "human"),))
    shown = ["".join(piece for _, piece in toolbar(status, columns, machine="compiling")) for columns in (200, 40)]
    assert shown == [" gdl/chess  compiling  white: human  not started", " gdl/chess  white: human  not started"]


def test_what_a_search_has_found_so_far() -> None:
    told = 'move=drop 4, value=yellow 57 red 43, depth=12, playouts=81234, nodes=9, moves="a 1x 2; b 3x 4", solved=no'
    assert search_text(told) == "drop 4, yellow 57 red 43, depth 12, 81234 playouts"
    assert search_text("none") == ""
    seats = (SeatStatus("A", "M", thinking=1.26),)
    pieces = toolbar(Status("playing", "Nim", seats), 200, found="drop 4")
    assert "".join(piece for _, piece in pieces) == " Nim  A: M thinking 1.3 s  drop 4"
    resting = toolbar(Status("playing", "Nim", (CIRCLE,)), 200, found="drop 4")
    assert "drop 4" not in "".join(piece for _, piece in resting)
