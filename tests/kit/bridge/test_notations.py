"""What programs call our moves."""

from __future__ import annotations

import pytest

from ggtp.catalogue import Catalogue
from ggtp.errors import EngineError
from ggtp.game.building.chessboard import START
from ggtp.kit.bridge.notations import Tongue, fen_after, tongue_of

CATALOGUE = Catalogue.from_environment({})


def tongue(name: str, **options: str) -> Tongue:
    rules = CATALOGUE.find_rules(name)
    found = tongue_of(rules, rules.complete(options))
    assert found is not None
    return found


def test_chess() -> None:
    assert tongue("Chess") == Tongue("chess", "White")
    black = "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1"
    assert tongue("Chess", fen=black) == Tongue("chess", "Black", black)
    assert tongue("Chess", fen=START).start == ""
    assert tongue("Chess").read("E7E8Q", ["e7e8n", "e7e8q"]) == "e7e8q"


def test_shogi() -> None:
    words = tongue("openspiel/shogi")
    assert (words.variant, words.first) == ("shogi", "Black")
    assert words.read("P*5e", ["7g7f", "P*5e"]) == "P*5e"
    assert words.read("8h2b+", ["8h2b", "8h2b+"]) == "8h2b+"


@pytest.mark.parametrize(
    ("ours", "theirs"), [("C(7 7)-(7 4)", "h3e3"), ("H(0 1)-(2 2)", "b10c8"), ("G(9 4)-(8 4)", "e1e2"), ("odd", "odd")]
)
def test_xiangqi(ours: str, theirs: str) -> None:
    words = tongue("openspiel/xiangqi")
    assert words.write(ours) == theirs
    assert words.read(theirs, [ours]) == ours


def test_chess_in_algebraic_notation() -> None:
    words = tongue("openspiel/chess")
    opening = ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "O-O"]
    assert words.line(opening) == ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "e1g1"]
    assert words.read("E1G1", ["Ke2", "O-O", "c3"], opening[:-1]) == "O-O"
    assert words.read("e1e3", ["Ke2", "O-O"], opening[:-1]) == "e1e3"
    with pytest.raises(EngineError, match="is no move of chess"):
        words.line(["e5"])


def test_breakthrough() -> None:
    words = tongue("Breakthrough")
    assert words.line(["a2-b3", "a7xb6"]) == ["a2b3", "a7b6"]
    rules = CATALOGUE.find_rules("Breakthrough")
    assert tongue_of(rules, rules.complete({"rows": "6", "columns": "6"})) is None


def test_what_is_no_move_stays_as_it_is() -> None:
    assert tongue("openspiel/xiangqi").read("resign", ["C(7 7)-(7 4)"]) == "resign"


def test_other_games_have_no_words() -> None:
    rules = CATALOGUE.find_rules("TicTacToe")
    assert tongue_of(rules, rules.complete({})) is None


def test_where_a_play_of_chess_stands() -> None:
    assert fen_after("", ["e2e4"]) == "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
    assert fen_after("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", ["a7a8q"]).startswith("Q3k3/")
    with pytest.raises(EngineError, match="is no move of chess"):
        fen_after("", ["e2e5"])
