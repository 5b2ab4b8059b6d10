"""Start positions from the files of other programs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.tournaments import find_rules

from ggtp.arena.openings import is_book, read_book
from ggtp.arena.preparation import complete, match_plan, prepare
from ggtp.catalogue import Catalogue
from ggtp.game.building.chessboard import START
from ggtp.tournament.plan.growth import growth
from ggtp.tournament.plan.match import Match, contestants
from ggtp.tournament.plan.plan import Plan, PlanError, plan_from

AFTER_E4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
PGN = f"""[Event "a"]

1. e4 c5 2. Nf3 *

[Event "b"]
[FEN "{AFTER_E4}"]

1... e5 2. Nf3 *
"""


def book(
    path: Path, text: str, rule: str = "Chess", plies: int = 0, most: int = 100, **options: str
) -> list[dict[str, Any]]:
    path.write_text(text)
    return read_book(str(path), find_rules(rule), options, plies, most)


def test_games_in_pgn(tmp_path: Path) -> None:
    assert book(tmp_path / "book.PGN", PGN) == [
        {"name": "book 1", "moves": ["White e2e4", "Black c7c5", "White g1f3"]},
        {"name": "book 2", "moves": ["Black e7e5", "White g1f3"], "options": {"fen": AFTER_E4}},
    ]
    assert [start["moves"] for start in book(tmp_path / "book.pgn", PGN, plies=1)] == [["White e2e4"], ["Black e7e5"]]
    # What comes behind what is wanted is not looked at.
    assert len(book(tmp_path / "book.pgn", f"{PGN}1. e5 *", most=2)) == 2


def test_positions_in_epd_and_fen(tmp_path: Path) -> None:
    lines = f'{START}\n{AFTER_E4[:-4]} id "king\'s pawn";\n'
    for ending in ("epd", "fen"):
        assert book(tmp_path / f"list.{ending}", lines) == [
            {"name": "list 1", "options": {"fen": START}},
            {"name": "king's pawn", "options": {"fen": AFTER_E4}},
        ]


def test_games_in_sgf(tmp_path: Path) -> None:
    text = "(;GM[1]SZ[9];B[ee];W[cc](;B[gg])(;B[aa]))\n(;SZ[9]HA[2]AB[cg][gc];W[ee];B[])"
    assert book(tmp_path / "a.sgf", text, "Go", size="9") == [
        {"name": "a 1", "moves": ["Black E5", "White C7", "Black G3"]},
        {"name": "a 2", "moves": ["White E5", "Black pass"], "options": {"handicap": "2"}},
    ]
    hexes = "(;GM[11]SZ[5];B[a3];W[swap-pieces];B[E5])"
    (start,) = book(tmp_path / "b.sgf", hexes, "Hex", size="5")
    assert start["moves"] == ["Red a3", "Blue swap", "Red e5"]


@pytest.mark.parametrize(
    ("name", "text", "rule", "what"),
    [
        ("a.pgn", "1. e4 e4 *", "Chess", "the game in line 1 has no legal move e4"),
        ("a.pgn", "<html>", "Chess", "line 1 has '<html>', which is no part of a game"),
        ("a.pgn", "", "Chess", "it has no start position"),
        ("a.epd", "hello", "Chess", "line 1 has no position that can be read"),
        ("a.sgf", "(;SZ[9]", "Go", "breaks off"),
        ("a.sgf", "(;SZ[9];B[ee])", "Go", "a 1 is played on a board of size 9, and the plan's has size 19"),
        ("a.sgf", "(;SZ[19]AB[aa][bb];W[cc])", "Go", "a 1 sets up stones that are no handicap of Go"),
        ("a.pgn", PGN, "Go", "files with the ending .pgn are for Chess, not for Go"),
        ("a.sgf", "(;)", "Chess", "files with the ending .sgf are for Go, Othello, Hex and Gomoku, not for Chess"),
    ],
)
def test_what_can_not_be_used_is_named(tmp_path: Path, name: str, text: str, rule: str, what: str) -> None:
    with pytest.raises(PlanError) as caught:
        book(tmp_path / name, text, rule)
    assert what in str(caught.value)
    assert str(tmp_path / name) in str(caught.value)


def test_other_endings_are_play_files() -> None:
    assert is_book("a/b.Sgf")
    assert not is_book("a.pgn/b.ggtp")


def plan(folder: Path, **changes: Any) -> Plan:
    catalogue = Catalogue.from_environment({})
    players = [{"engine": "Random"}, {"name": "B", "engine": "Random"}]
    rule = {"rule": "Chess", "start": ["*.pgn", "*.epd"]}
    data = {"seed": 0, "player": players, "rule": [rule], "blocks": 9, **changes}
    return complete(plan_from(prepare(data, catalogue, folder)), catalogue)


def test_a_plan_has_as_many_as_it_has_blocks_for(tmp_path: Path) -> None:
    (tmp_path / "a.pgn").write_text(PGN)
    (tmp_path / "b.epd").write_text(f"{START}\n{AFTER_E4}\n")
    (rule,) = plan(tmp_path).rules
    assert [start.name for start in rule.starts] == ["a 1", "a 2", "b 1", "b 2"]
    assert rule.starts[3].options == {"fen": AFTER_E4}
    three = plan(tmp_path, blocks=3)
    assert [start.name for start in three.rules[0].starts] == ["a 1", "a 2", "b 1"]
    assert plan_from(three.data()) == three
    assert growth(three, plan(tmp_path)) == "blocks 3 to 9"
    swiss = plan(tmp_path, blocks=1, rounds=4, format="swiss")
    assert len(swiss.rules[0].starts) == 4


def test_a_match_has_as_many_blocks_as_its_games_take(tmp_path: Path) -> None:
    (tmp_path / "a.pgn").write_text(PGN)
    match = Match(contestants(["Random", "Random"]), "Chess", games=10, starts=[str(tmp_path / "a.pgn")], plies=1)
    found = match_plan(match, Catalogue.from_environment({}), tmp_path)
    assert found.blocks == 5
    assert [start.moves for start in found.rules[0].starts] == [("White e2e4",), ("Black e7e5",)]
