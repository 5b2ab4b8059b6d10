"""Games of a tournament in Portable Game Notation."""

from __future__ import annotations

import io
from dataclasses import replace

import chess.pgn
import pytest
from support.tournaments import find_rules, results

from ggtp.tournament.facts import MoveFacts
from ggtp.tournament.plan.clocks import Clocks
from ggtp.tournament.plan.plan import Contestant, Start
from ggtp.tournament.results import FaultSeen, Game, GamePlan, Results
from ggtp.ui.export.pgn import has_pgn, pawns, pgn_of, time_control

CHESS = find_rules("Chess")
SEATS = {"White": "A", "Black": "B"}
MOVES = ("White e2e4", "Black e7e5", "White d1h5")
LATE = "8/P6k/8/8/8/8/8/K7 b - - 0 40"


def read(text: str) -> chess.pgn.Game:
    game = chess.pgn.read_game(io.StringIO(text))
    assert game is not None
    assert not game.errors
    return game


def evening(*starts: Start) -> Results:
    found = results(["Chess"], {"A": 0, "B": 0}, blocks=1)
    (rule,) = found.plan.rules
    return replace(found, plan=replace(found.plan, rules=(replace(rule, starts=starts or rule.starts),)))


def game(**changes: object) -> Game:
    values: dict[str, object] = {"moves": MOVES, "scores": {"White": 1.0, "Black": 0.0}, **changes}
    return Game(GamePlan(1, 0, 1, 0, 0, 5, SEATS), **values)  # type: ignore[arg-type]  # the values have their types


@pytest.mark.oracle
def test_real_games_are_read_by_another_reader() -> None:
    found = results(["Chess"], {"A": 0.9, "B": 0.1}, blocks=1)
    for each in found.games:
        record = read(pgn_of(found, each, CHESS))
        assert [f"{each.moves[i].split()[1]}" for i in range(len(each.moves))] == [
            move.uci() for move in record.mainline_moves()
        ]
        assert record.headers["White"] == each.plan.seats["White"]
        winner = {"1-0": "White", "0-1": "Black", "1/2-1/2": ""}[record.headers["Result"]]
        assert winner == next((seat for seat, score in each.scores.items() if score == 1.0), "")


def test_what_engines_said_is_in_comments() -> None:
    facts = (
        MoveFacts(0.41, 58.2, 55.0, "cp 35", 12, 15, 12345, "e2e4 e7e5"),
        MoveFacts(0.05),
        MoveFacts(1.0, None, 100.0, "mate 2", 20),
    )
    record = read(pgn_of(evening(), game(facts=facts, reason="Black forfeits"), CHESS))
    assert [node.comment for node in record.mainline()] == [
        '+0.35/12 0.410s, tl=58.200s, n=12345, sd=15, pv="e2e4 e7e5"',
        "0.050s",
        "+M3/20 1.000s, Black forfeits",
    ]


def test_a_journal_without_facts_has_games_without_comments() -> None:
    assert not [node for node in read(pgn_of(evening(), game(), CHESS)).mainline() if node.comment]


def test_start_positions_are_told() -> None:
    record = read(pgn_of(evening(Start("open", MOVES[:2])), game(), CHESS))
    assert [node.comment for node in record.mainline()] == ["book", "book", ""]
    late = game(moves=("Black h7g7",))
    record = read(pgn_of(evening(Start("late", (), {"fen": LATE})), late, CHESS))
    assert (record.headers["FEN"], record.headers["SetUp"]) == (LATE, "1")
    assert [move.uci() for move in record.mainline_moves()] == ["h7g7"]


@pytest.mark.parametrize(
    ("end", "fault", "termination", "result"),
    [
        ("rules", "", "normal", "1-0"),
        ("forfeit", "late", "time forfeit", "1-0"),
        ("forfeit", "illegal", "illegal move", "1-0"),
        ("forfeit", "exit", "abandoned", "1-0"),
        ("agreed", "", "adjudication", "1-0"),
        ("void", "", "unterminated", "*"),
    ],
)
def test_ends_are_called_as_tools_call_them(end: str, fault: str, termination: str, result: str) -> None:
    faults = (FaultSeen("B", "Black", fault, "what", "loss"),) if fault else ()
    record = read(pgn_of(evening(), game(end=end, faults=faults), CHESS))
    assert (record.headers["Termination"], record.headers["Result"]) == (termination, result)


@pytest.mark.parametrize(
    ("facts", "text"),
    [
        (MoveFacts(score="cp -140"), "-1.40"),
        (MoveFacts(score="cp 0"), "0.00"),
        (MoveFacts(score="mate -2"), "-M4"),
        (MoveFacts(value=50.0), "0.00"),
        (MoveFacts(value=64.0), "+1.00"),
        (MoveFacts(value=100.0), "+20.00"),
        (MoveFacts(depth=3), ""),
    ],
)
def test_scores_in_pawns(facts: MoveFacts, text: str) -> None:
    assert pawns(facts) == text


def test_clocks() -> None:
    assert time_control(Clocks(bank=60_000, increment=500)) == "60+0.5"
    assert time_control(Clocks(bank=60_000)) == "60"
    assert time_control(Clocks(move=100)) == "0.1/move"
    assert time_control(Clocks()) == "-"


def test_each_has_clocks_of_its_own() -> None:
    found = evening()
    players = (Contestant("A", "Random"), Contestant("B", "Random", clocks={"bank": 9000}))
    record = read(pgn_of(replace(found, plan=replace(found.plan, players=players)), game(), CHESS))
    assert (record.headers["WhiteTimeControl"], record.headers["BlackTimeControl"]) == ("-", "9")


def test_only_chess_has_it() -> None:
    assert has_pgn(CHESS)
    assert not has_pgn(find_rules("Go"))
