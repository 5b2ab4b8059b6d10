"""Tables of the library, drawn."""

from __future__ import annotations

from ggtp.openspiel.picture import board, draw

SHOGI = "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2"
CHESS = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"


def test_shogi_has_its_own_coordinates() -> None:
    lines = draw(SHOGI, "White to move").plain()
    assert lines[0] == "  9 8 7 6 5 4 3 2 1"
    assert lines[1] == "a l n s g k g s n l"
    assert lines[6] == "f . . P . . . . . ."
    assert lines[-2:] == ["w - 2", "White to move"]


def test_chess_is_drawn_as_chess() -> None:
    lines = draw(CHESS, "Black to move").plain()
    assert lines[:2] == ["  a b c d e f g h", "8 ♜ ♞ ♝ ♛ ♚ ♝ ♞ ♜"]
    assert draw(CHESS, "").plain(ascii_only=True)[1] == "8 r n b q k b n r"


def test_promoted_and_hidden_pieces() -> None:
    grid = board("+P1?/3/3")
    assert grid is not None
    assert [cell.text for cell in grid.rows[0]] == ["+P", ".", "?"]


def test_what_is_in_hand_is_shown() -> None:
    assert "in hand: PPn" in draw("8/8/8/8/8/8/8/K6k[PPn] w - - 0 1", "").plain()


def test_a_rectangle_of_marks_has_the_coordinates_of_the_names() -> None:
    assert draw("x.o\n.x.\n\n", "O to move", 0).plain() == ["  0 1 2", "0 x . o", "1 . x .", "O to move"]


def test_other_tables_are_drawn_line_by_line() -> None:
    assert draw("(1): 1\n(2): 3\n\n", "O to move").plain() == ["(1): 1", "(2): 3", "O to move"]
    assert draw("a.b\nlonger.", "", 0).plain()[0] == "a.b"
    assert draw("x.o\n.x.", "").plain()[0] == "x.o"
    assert board("3/2/3/3") is None


def test_boards_in_frames_are_numbered_where_it_is_known_from_what() -> None:
    text = "Ships:\n+---+\n|a  |\n|  *|\n+---+\nLast shot at 1 2: water"
    lines = draw(text, "", 0).plain()
    assert lines[:6] == ["Ships:", "   012", "  +---+", " 0|a  |", " 1|  *|", "  +---+"]
    assert lines[6] == "Last shot at 1 2: water"
    assert draw(text, "").plain()[1] == "+---+"
