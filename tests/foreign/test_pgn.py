"""Games of chess written and read, and lists of positions."""

from __future__ import annotations

import io

import chess.pgn
import pytest

from ggtp.foreign.pgn import PgnError, PgnGame, read_pgn, read_positions, write_pgn
from ggtp.game.building.chessboard import START

MOVES = ("e2e4", "e7e5", "e1e2", "d8h4")
LATE = "8/P6k/8/8/8/8/8/K7 b - - 0 40"


def test_what_is_written_is_read_by_another_reader() -> None:
    text = write_pgn({"White": 'A "B" \\', "Result": "*"}, MOVES, ("+0.35/12 0.410s", "", "odd } sign", ""), "*")
    game = chess.pgn.read_game(io.StringIO(text))
    assert game is not None
    assert not game.errors
    assert game.headers["White"] == r"A \"B\" \\"  # it does not read the signs that the format has for them
    assert next(iter(read_pgn(text))).tags["White"] == 'A "B" \\'
    assert [move.uci() for move in game.mainline_moves()] == list(MOVES)
    assert [node.comment for node in game.mainline()] == ["+0.35/12 0.410s", "", "odd ) sign", ""]


def test_a_game_from_another_position_is_numbered_from_there() -> None:
    text = write_pgn({"SetUp": "1", "FEN": LATE}, ("h7g7", "a7a8q"), ("", ""), "1-0")
    assert "40... Kg7 41. a8=Q 1-0" in text
    game = chess.pgn.read_game(io.StringIO(text))
    assert game is not None
    assert [move.uci() for move in game.mainline_moves()] == ["h7g7", "a7a8q"]


def test_lines_are_broken_between_moves() -> None:
    comments = ["+0.35/12 0.410s, tl=58.200s, n=12345"] * 4
    lines = write_pgn({}, MOVES, comments, "*").splitlines()
    assert all(line.count("{") == line.count("}") for line in lines)


def test_an_illegal_move_is_not_written() -> None:
    with pytest.raises(ValueError, match="e2e5 is not legal"):
        write_pgn({}, ("e2e5",), ("",), "*")


def test_our_reader_reads_what_we_write() -> None:
    text = write_pgn({"FEN": LATE}, ("h7g7", "a7a8q"), ("a [%clk 0:0:1] b", ""), "1-0")
    one, two = read_pgn(text + text)
    assert one.coordinates() == two.coordinates() == ("h7g7", "a7a8q")
    assert one.start == LATE
    assert two.line > one.line


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("1. e4 e5 2.Nf3 Nc6 1/2-1/2", ("e4", "e5", "Nf3", "Nc6")),
        ("1.e4! (1.d4 {a (b} d5 (1...Nf6 2.c4)) 1...e5?! $14 2.Nf3", ("e4!", "e5?!", "Nf3")),
        ("; a note\n% escaped\n1. e4 ; more\n0-1", ("e4",)),
        ("1. e4 e5 2. Bc4 Nc6 3. Nf3 Bc5 4. O-O *", ("e4", "e5", "Bc4", "Nc6", "Nf3", "Bc5", "O-O")),
        ("1. e4 e5 2. Bc4 Nc6 3. Nf3 Bc5 4. 0-0 *", ("e4", "e5", "Bc4", "Nc6", "Nf3", "Bc5", "0-0")),
    ],
)
def test_the_main_line_is_read(text: str, moves: tuple[str, ...]) -> None:
    (game,) = read_pgn(text)
    assert game.moves == moves
    assert len(game.coordinates()) == len(moves)


def test_games_without_results_are_told_apart_by_their_tags() -> None:
    text = '[White "A"]\n\n1. e4\n\n[White "B"]\n1. d4 *\n\n[White "C"]\n\n*\n'
    assert [(game.tags["White"], game.moves, game.line) for game in read_pgn(text)] == [
        ("A", ("e4",), 1),
        ("B", ("d4",), 5),
        ("C", (), 8),
    ]
    assert list(read_pgn("\ufeff \n")) == []


@pytest.mark.parametrize(
    ("game", "what"),
    [
        (PgnGame(moves=("e4", "e4"), line=7), "the game in line 7 has no legal move e4"),
        (PgnGame(moves=("Nd2",), line=1), "no legal move Nd2"),
        (PgnGame({"FEN": "nonsense"}), "no position that can be read"),
    ],
)
def test_a_game_that_can_not_be_followed_is_named(game: PgnGame, what: str) -> None:
    with pytest.raises(PgnError, match=what):
        game.coordinates()


def test_what_is_no_game_is_refused() -> None:
    with pytest.raises(PgnError, match="line 2 has '<html>'"):
        list(read_pgn("1. e4\n<html> *"))


def test_positions_of_a_list() -> None:
    text = (
        "# openings\n"
        f"{START}\n\n"
        'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - hmvc 3; fmvn 7; id "king\'s pawn";\n'
        "8/P6k/8/8/8/8/8/K7 b - - bm Kg7; id one;\n"
        "8/P6k/8/8/8/8/8/K7 b - - 4 40 ; id two;\n"
    )
    assert list(read_positions(text)) == [
        ("", START),
        ("king's pawn", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 3 7"),
        ("one", "8/P6k/8/8/8/8/8/K7 b - - 0 1"),
        ("two", "8/P6k/8/8/8/8/8/K7 b - - 4 40"),
    ]


@pytest.mark.parametrize("line", ["hello", "8/8/8/8/8/8/8/8 w - - 0 1"])
def test_a_line_without_a_position_is_named(line: str) -> None:
    with pytest.raises(PgnError, match="line 2 has no position that can be read"):
        list(read_positions(f"{START}\n{line}\n"))
