import pytest

from ggtp.foreign.uci import Go, Place, option_line, option_value, read_go, read_option, read_position


def test_positions() -> None:
    assert read_position(["startpos"]) == Place("")
    assert read_position(["startpos", "moves", "e2e4", "e7e5"]) == Place("", ("e2e4", "e7e5"))
    assert read_position(["fen", "8/8/8/8/8/8/8/K1k5", "w", "-", "-", "0", "1", "moves", "a1a2"]) == Place(
        "8/8/8/8/8/8/8/K1k5 w - - 0 1", ("a1a2",)
    )
    assert read_position(["nonsense"]) is None
    assert read_position(["fen"]) is None
    assert read_position([]) is None


@pytest.mark.parametrize(
    ("text", "go"),
    [
        ("", Go()),
        ("infinite", Go(infinite=True)),
        ("ponder wtime 100 btime -5 winc 1 binc 2 movestogo 40", Go(False, True, 100, -5, 1, 2, 40)),
        ("movetime 50 depth 3 nodes 7 mate 2", Go(movetime=50, depth=3, nodes=7, mate=2)),
        ("searchmoves e2e4 d2d4 depth 3", Go(depth=3, searchmoves=("e2e4", "d2d4"))),
        ("wtime soon depth", Go()),
        ("nonsense movetime 5", Go(movetime=5)),
    ],
)
def test_how_long_to_think(text: str, go: Go) -> None:
    assert read_go(text.split()) == go


def test_options_of_tools() -> None:
    assert read_option(["name", "Clear", "Hash"]) == ("Clear Hash", "")
    assert read_option(["name", "Book", "File", "value", "a", "b.bin"]) == ("Book File", "a b.bin")
    assert read_option([]) == ("", "")


def test_options_of_ours() -> None:
    assert option_line("Cache", "on", ["on", "off"]) == "option name Cache type check default true"
    assert option_line("Depth", "0", ["0..64"]) == "option name Depth type spin default 0 min 0 max 64"
    assert option_line("Playouts", "0", [f"0..{1 << 40}"]).endswith("min 0 max 2147483647")
    assert option_line("Final", "visits", ["visits", "value"]).endswith("default visits var visits var value")
    assert option_line("seed", "", ["any"]) == "option name seed type string default <empty>"
    assert option_value("true", ["on", "off"]) == "on"
    assert option_value("<empty>", ["any"]) == ""
    assert option_value("3", ["0..64"]) == "3"
