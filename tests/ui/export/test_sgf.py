"""Games of a tournament in the Smart Game Format."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sgfmill import sgf, sgf_moves
from support.tournaments import find_rules, results

from ggtp.foreign.sgf import read_sgf
from ggtp.tournament.facts import MoveFacts
from ggtp.tournament.results import FaultSeen
from ggtp.ui.export.sgf import has_sgf, sgf_of


@pytest.mark.oracle
@pytest.mark.parametrize("handicap", ["0", "2"])
def test_games_of_go_are_read_by_another_reader(handicap: str) -> None:
    options = {"size": "5" if handicap == "0" else "7", "handicap": handicap, "komi": "4.5"}
    found = results(["Go"], {"A": 0, "B": 0}, blocks=1, options=options)
    for each in found.games:
        record = sgf.Sgf_game.from_bytes(sgf_of(found, each, find_rules("Go")).encode())
        board, played = sgf_moves.get_setup_and_moves(record)
        assert len(played) == len(each.moves)
        for colour, point in played:
            if point is not None:
                board.play(*point, colour)
        margin = board.area_score() - record.get_komi()
        assert record.root.get("RE") == f"{'B' if margin > 0 else 'W'}+{abs(margin):g}"
        winner = {"b": "Black", "w": "White"}[record.get_winner()]
        assert each.scores[winner] == 1.0
        assert record.get_handicap() == (2 if handicap == "2" else None)
        assert record.get_player_name("b") == each.plan.seats["Black"]


@pytest.mark.parametrize(("rule", "number"), [("Othello", 2), ("Gomoku", 4)])
def test_points_of_other_games_are_as_in_go(rule: str, number: int) -> None:
    found = results([rule], {"A": 0.5, "B": 0.5}, blocks=1, options={"size": "6"})
    each = found.games[0]
    text = sgf_of(found, each, find_rules(rule))
    record = sgf.Sgf_game.from_bytes(text.encode())
    assert record.root.get("GM") == number
    assert len(record.get_main_sequence()) == len(each.moves) + 1
    # Both letter the columns without I from the size of nine on, and this board is smaller.
    ours = [move.split()[1].lower() for move in each.moves]
    assert [vertex.lower() for _, vertex in read_sgf(text).moves] == ours


def test_cells_of_hex_are_a_letter_and_a_number() -> None:
    found = results(["Hex"], {"A": 0, "B": 0}, blocks=2, options={"size": "4"})
    for each in found.games:
        record = sgf.Sgf_game.from_bytes(sgf_of(found, each, find_rules("Hex")).encode())
        nodes = record.get_main_sequence()[1:]
        said = [node.get_raw("B" if node.has_property("B") else "W").decode() for node in nodes]
        assert said == [move.split()[1].replace("swap", "swap-pieces") for move in each.moves]


def test_facts_and_forfeits() -> None:
    found = results(["Go"], {"A": 0, "B": 0}, blocks=1, options={"size": "5"})
    late = FaultSeen("B", "White", "late", "late", "loss")
    facts = (MoveFacts(0.5, 9.5, 61.5, "", 3, None, 50, "D4 / A1"),)
    each = replace(
        found.games[0],
        facts=facts,
        end="forfeit",
        faults=(late,),
        scores={"Black": 1.0, "White": 0.0},
        moves=found.games[0].moves[:2],
        reason="White forfeits",
    )
    record = sgf.Sgf_game.from_bytes(sgf_of(found, each, find_rules("Go")).encode())
    assert record.root.get("RE") == "B+T"
    _, first, second = record.get_main_sequence()
    assert first.get("BL") == 9.5
    assert first.get("C") == "time: 0.500 s\nvalue: 61.5\ndepth: 3\nnodes: 50\nline: D4 / A1"
    assert second.get("C") == "White forfeits"
    for end, scores, result in (("void", {}, "Void"), ("length", {"Black": 0.5, "White": 0.5}, "0")):
        text = sgf_of(found, replace(each, end=end, scores=scores), find_rules("Go"))
        assert f"RE[{result}]" in text


def test_which_games_have_it() -> None:
    assert all(has_sgf(find_rules(name)) for name in ("Go", "Gomoku", "Hex", "Othello"))
    assert not has_sgf(find_rules("Chess"))
    assert not has_sgf(find_rules("TicTacToe"))
