from __future__ import annotations

import io

import pytest
from rich.console import Console

from ggtp.game.picture import EMPTY, Cell, Grid, Note, Picture, letters
from ggtp.ui.console.environment import Environment
from ggtp.ui.drawing.render import RichScreen, answer_line, board, new_screen, news_line, picture_lines

CROSS, RING = Cell("X", "first"), Cell("O", "second")
TICTACTOE = Grid(((EMPTY, CROSS, EMPTY), (EMPTY, RING, EMPTY)), columns=("A", "B", "C"), row_labels=("2", "1"))


def plain(grid: Grid, room: int = 80, *, ascii_only: bool = False) -> list[str]:
    return [line.plain for line in board(grid, room, ascii_only=ascii_only)]


def square(size: int, **settings: object) -> Grid:
    return Grid(
        tuple((EMPTY,) * size for _ in range(size)),
        columns=letters(size),
        row_labels=tuple(str(size - row) for row in range(size)),
        **settings,  # type: ignore[arg-type]
    )


def screen(width: int = 80, **settings: object) -> tuple[RichScreen, Console]:
    console = Console(
        file=io.StringIO(), record=True, width=width, color_system="standard", force_terminal=True, _environ={}
    )
    return RichScreen(console, ascii_only=bool(settings.get("ascii_only"))), console


def test_a_board_has_its_coordinates() -> None:
    assert plain(TICTACTOE) == ["  A B C", "2 . X .", "1 . O ."]


def test_a_tall_board_has_them_below_too() -> None:
    lines = plain(square(6))
    assert lines[0] == lines[-1] == "  A B C D E F"
    assert len(lines) == 8


def test_the_heads_of_a_list_are_not_repeated_below_it() -> None:
    lines = plain(Grid(((CROSS, RING),) * 7, columns=("cards", "bet")))
    assert lines[0].split() == ["cards", "bet"]
    assert lines[-1].split() == ["X", "O"]


def test_a_board_without_labels() -> None:
    assert plain(Grid(((CROSS, RING),))) == ["X O"]
    assert plain(Grid(())) == []


def test_a_hex_board_is_shifted() -> None:
    assert plain(square(3, shape="hex")) == ["   A  B  C", "3  .  .  .", "2    .  .  .", "1      .  .  ."]


def test_a_chessboard_alternates_from_a_dark_corner() -> None:
    first, second = list(board(square(2, chequered=True), 80))[1:3]
    backgrounds = [[str(span.style) for span in line.spans if "grey30" in str(span.style)] for line in (first, second)]
    assert [len(found) for found in backgrounds] == [3, 3]  # the cell and both its sides
    dark = next(span for span in second.spans if "grey30" in str(span.style))
    assert dark.start == 2  # right behind the row's label: the lower left square


def test_tones_are_colours() -> None:
    line = list(board(TICTACTOE, 80))[1]
    assert "bold cyan" in {str(span.style) for span in line.spans}


def test_a_wide_board_is_drawn_tightly_then_in_stripes() -> None:
    grid = square(8, chequered=True)
    assert plain(grid, 26)[0] == "   A  B  C  D  E  F  G  H"
    assert plain(grid, 18)[0] == "  A B C D E F G H"
    lines = plain(grid, 10)
    assert lines[0] == "  A B C D"
    assert "  E F G H" in lines
    assert max(map(len, lines)) <= 10


def test_wide_characters_take_their_room() -> None:
    grid = Grid(((Cell("王"), Cell("p")), (Cell("p"), Cell("王"))), columns=("1", "2"))
    assert plain(grid) == ["1  2", "王 p", "p  王"]


def test_ascii_where_no_more_can_be_shown() -> None:
    grid = Grid(((Cell("●", "first", "B"), Cell("○", "second", "W")),))
    assert plain(grid) == ["● ○"]
    assert plain(grid, ascii_only=True) == ["B W"]


def test_notes_and_boards_from_top_to_bottom() -> None:
    picture = Picture((Note("Red to roll", "mark"), TICTACTOE, Note("pot 3")))
    assert [line.plain for line in picture_lines(picture, 80)] == [
        "Red to roll", "  A B C", "2 . X .", "1 . O .", "pot 3",
    ]  # fmt: skip


def test_nothing_that_breaks_a_terminal_gets_through() -> None:
    picture = Picture((Note("\x1b[2J"), Grid(((Cell("\x1b"),),), columns=("\x07",), row_labels=("\n",))))
    assert all(line.plain.isprintable() for line in picture_lines(picture, 80))


@pytest.mark.parametrize(("text", "styles"), [("= Done", {"green"}), ("= A1, B2", {"green"}), ("? No.", {"bold red"})])
def test_answers(text: str, styles: set[str]) -> None:
    line = answer_line(text)
    assert line.plain == text
    assert {str(span.style) for span in line.spans} | {str(line.style)} - {""} == styles


def test_news() -> None:
    assert news_line("Cross plays A1").plain == "-> Cross plays A1"
    assert news_line("").plain == "->"


def test_the_screen_writes_what_the_referee_says() -> None:
    shown, console = screen()
    shown.inform("Cross plays [bold]A1[/bold] :smile: 12")
    shown.draw(Picture((TICTACTOE,)))
    shown.respond("= Done")
    shown.respond("? No.")
    shown.note("Bye.")
    assert console.export_text().splitlines() == [
        "-> Cross plays [bold]A1[/bold] :smile: 12", "    A B C", "  2 . X .", "  1 . O .", "= Done", "? No.", "Bye.",
    ]  # fmt: skip


def test_long_lines_break_between_words() -> None:
    shown, console = screen(width=20)
    shown.respond("= " + ", ".join(["alpha"] * 6))
    assert all(word in ("=", "alpha", "alpha,") for word in console.export_text().split())


def test_a_screen_for_ascii() -> None:
    shown, console = screen(ascii_only=True)
    shown.inform("König plays ♔")
    assert console.export_text() == "-> K\\xf6nig plays \\u2654\n"


@pytest.mark.parametrize(("variables", "coloured"), [({}, True), ({"NO_COLOR": "1"}, False)])
def test_no_color_is_respected(variables: dict[str, str], coloured: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.StringIO()
    monkeypatch.setattr(out, "isatty", lambda: True, raising=False)
    monkeypatch.setattr("sys.stdout", out)
    new_screen(Environment(stdout=out, variables={"TERM": "xterm-256color", **variables})).respond("= Done")
    assert ("\x1b[32m" in out.getvalue()) is coloured
    assert "= Done" in out.getvalue()
