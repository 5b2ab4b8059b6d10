import pytest

from ggtp.foreign.sgf import SgfError, read_sgf


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
