import pytest
from sgfmill import sgf, sgf_moves

from ggtp.foreign.sgf import SgfError, read_sgf, sgf_point, write_sgf


def test_the_main_line_is_read() -> None:
    text = r"(;GM[1]SZ[9]KM[6.5]C[a \] (; bracket];B[ee];W[cc](;B[];W[tt](;B[ai])(;B[aa]))(;B[bb]))(;B[zz])"
    game = read_sgf(text)
    assert (game.size, game.komi) == (9, "6.5")
    assert game.stones == ()
    assert game.moves == (("black", "E5"), ("white", "C7"), ("black", "pass"), ("white", "pass"), ("black", "A1"))
    assert read_sgf(text, 2).moves == game.moves[:2]


def test_stones_are_set_up_before_the_first_move() -> None:
    game = read_sgf("(;SZ[19]HA[2]AB[dd][pp]AW[aa:bb];W[jj])")
    assert game.stones == (
        ("black", "D16"),
        ("black", "Q4"),
        ("white", "A19"),
        ("white", "B19"),
        ("white", "A18"),
        ("white", "B18"),
    )
    assert game.moves == (("white", "K10"),)
    assert game.komi is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "hello",
        "()",
        "(;SZ[99])",
        "(;SZ[x])",
        "(;SZ[9];B[zz])",
        "(;SZ[9];B[abc])",
        "(;B[aa];AB[bb])",
        "(;AB[a:b])",
        "(;B[aa]",
        "(;B[aa] oops] ;W[bb])",
    ],
)
def test_what_can_not_be_followed(text: str) -> None:
    with pytest.raises(SgfError):
        read_sgf(text)


def test_what_is_written_is_read_by_another_reader() -> None:
    root = {"GM": "1", "FF": "4", "CA": "UTF-8", "SZ": "9", "KM": "6.5", "PB": "a ] \\ é", "AB": ("cc", "gg")}
    moves = [{"W": sgf_point("D4", 9), "C": "value: 61.5\nline: [a]"}, {"B": sgf_point("pass", 9)}]
    text = write_sgf(root, moves)
    game = sgf.Sgf_game.from_bytes(text.encode())
    assert (game.get_size(), game.get_komi(), game.get_player_name("b")) == (9, 6.5, "a ] \\ é")
    board, played = sgf_moves.get_setup_and_moves(game)
    assert board.get(6, 2) == board.get(2, 6) == "b"
    assert played == [("w", (3, 3)), ("b", None)]
    assert game.get_main_sequence()[1].get("C") == "value: 61.5\nline: [a]"
    assert read_sgf(text).moves == (("white", "D4"), ("black", "pass"))
