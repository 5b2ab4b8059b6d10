"""Chess in GDL: counts of positions that chess programmers know, and what the rules are proud of."""

from __future__ import annotations

from functools import cache

import pytest
from support.paths import RULES

from ggtp.gdl.interpret.reasoner import Interpreter, State
from ggtp.gdl.language.parse import parse_strictly, parse_term
from ggtp.gdl.language.syntax import Term

FILE = RULES / "gdl" / "chess.gdl"
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"
RIGHTS = {"K": "white short", "Q": "white long", "k": "black short", "q": "black long"}
KINDS = {"q": "queen", "r": "rook", "b": "bishop", "n": "knight"}


@cache
def chess() -> Interpreter:
    return Interpreter(parse_strictly(FILE.read_text(), str(FILE)))


def state_of(fen: str, moves: int = 0) -> State:
    """The state of a position in Forsyth-Edwards notation."""
    board, mover, rights, passant = fen.split()
    facts = [f"(control {'white' if mover == 'w' else 'black'})", f"(tens {moves // 10})", f"(ones {moves % 10})"]
    for row, letters in zip(range(8, 0, -1), board.split("/"), strict=True):
        column = 0
        for letter in letters:
            if letter.isdigit():
                column += int(letter)
            else:
                colour = "w" if letter.isupper() else "b"
                facts.append(f"(cell {'abcdefgh'[column]} {row} {colour}{letter.lower()})")
                column += 1
    facts += [f"(right {RIGHTS[letter]})" for letter in rights if letter in RIGHTS]
    facts += [f"(passant {passant[0]})"] if passant != "-" else []
    return frozenset(map(parse_term, facts))


def mover_of(state: State) -> Term:
    (mover,) = [role for role in chess().roles if parse_term(f"(control {role})") in state]
    return mover


def moves_of(state: State) -> set[str]:
    """The moves of the player to move, as engines write them: e2e4, a7b8q."""
    found = [str(move).strip("()").split() for move in chess().legal(state, mover_of(state))]
    return {"".join(words[1:5]) + (words[5][0].replace("k", "n") if len(words) > 5 else "") for words in found}


def play(state: State, *moves: str) -> State:
    for move in moves:
        assert move in moves_of(state), f"{move} is not among {sorted(moves_of(state))}"
        words = " ".join(move[:4])
        text = f"(promote {words} {KINDS[move[4]]})" if len(move) > 4 else f"(move {words})"
        mover = mover_of(state)
        state = chess().next(state, {role: parse_term(text if role == mover else "noop") for role in chess().roles})
    return state


def perft(state: State, depth: int) -> int:
    moves = moves_of(state)
    if depth == 1:
        return len(moves)
    return sum(perft(play(state, move), depth - 1) for move in sorted(moves))


def goals(state: State) -> tuple[int | None, ...]:
    return tuple(chess().goal(state, role) for role in chess().roles)


@pytest.mark.parametrize(
    ("fen", "counts"),
    [
        pytest.param(START, [20, 400], id="start"),
        pytest.param("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -", [48, 2039], id="all at once"),
        pytest.param("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -", [14, 191], id="pins and en passant"),
        pytest.param("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq -", [6, 264], id="promotion"),
        pytest.param("r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ -", [6, 264], id="mirrored"),
        pytest.param("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ -", [44, 1486], id="check by knight"),
        pytest.param("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - -", [46, 2079], id="middle"),
        pytest.param("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - -", [24, 496], id="many promotions"),
    ],
)
def test_perft(fen: str, counts: list[int]) -> None:
    state = state_of(fen)
    assert [perft(state, depth) for depth in range(1, len(counts) + 1)] == counts


def test_the_position_of_the_beginning() -> None:
    assert chess().initial() == state_of(START)


def test_the_shortest_mate() -> None:
    state = play(chess().initial(), "f2f3", "e7e5", "g2g4", "d8h4")
    assert chess().terminal(state)
    assert goals(state) == (0, 100)


def test_stalemate_is_a_draw() -> None:
    state = state_of("7k/5Q2/6K1/8/8/8/8/8 b - -")
    assert chess().terminal(state)
    assert goals(state) == (50, 50)


def test_after_200_moves_it_is_a_draw() -> None:
    state = play(state_of("7k/8/6K1/8/8/8/8/Q7 w - -", 199), "a1a2")
    assert chess().terminal(state)
    assert goals(state) == (50, 50)


def test_a_mate_in_the_last_move_counts() -> None:
    state = play(state_of("7k/8/6K1/8/8/8/8/R7 w - -", 199), "a1a8")
    assert goals(state) == (100, 0)


@pytest.mark.parametrize(
    ("fen", "castling"),
    [
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq -", {"e1g1", "e1c1"}),
        ("r3k2r/8/8/8/8/8/8/R3K2R b Qk -", {"e8g8"}),
        ("r3k2r/8/8/8/8/8/8/R3K2R w - -", set()),
        ("4k3/8/8/8/4r3/8/8/R3K2R w KQ -", set()),  # in check
        ("4k3/8/8/8/5r2/8/8/R3K2R w KQ -", {"e1c1"}),  # over an attacked square
        ("4k3/8/8/8/2r5/8/8/R3K2R w KQ -", {"e1g1"}),  # onto an attacked square
        ("4k3/8/8/8/1r6/8/8/R3K2R w KQ -", {"e1g1", "e1c1"}),  # only the rook passes an attacked square
        ("4k3/8/8/8/8/8/8/RN2K1NR w KQ -", set()),  # something between
    ],
)
def test_castling(fen: str, castling: set[str]) -> None:
    assert moves_of(state_of(fen)) & {"e1g1", "e1c1", "e8g8", "e8c8"} == castling


@pytest.mark.parametrize(("move", "row"), [("e1g1", "R4RK1"), ("e1c1", "2KR3R")])
def test_the_rook_goes_along(move: str, row: str) -> None:
    state = play(state_of("r3k2r/8/8/8/8/8/8/R3K2R w KQkq -"), move)
    assert state == state_of(f"r3k2r/8/8/8/8/8/8/{row} b kq -", 1)


@pytest.mark.parametrize(
    ("moves", "rights"),
    [("a1b1 e8d8", "K"), ("a1a8", "Kk"), ("h1h8 e8d7", "Q"), ("e1e2 a8b8", "k"), ("h1g1 h8h7 g1h1", "Qq")],
)
def test_rights_are_lost(moves: str, rights: str) -> None:
    state = play(state_of("r3k2r/8/8/8/8/8/8/R3K2R w KQkq -"), *moves.split())
    assert {str(fact) for fact in state if str(fact).startswith("(right")} == {f"(right {RIGHTS[x]})" for x in rights}


def test_a_promotion_that_takes_the_rook_takes_the_right() -> None:
    state = play(state_of("r3k3/1P6/8/8/8/8/8/4K3 w q -"), "b7a8q")
    assert state == state_of("Q3k3/8/8/8/8/8/8/4K3 b - -", 1)


def test_en_passant() -> None:
    state = play(chess().initial(), "e2e4", "a7a6", "e4e5", "d7d5")
    assert "e5d6" in moves_of(state)
    late = play(state, "h2h3", "h7h6")
    assert "e5d6" not in moves_of(late)
    taken = play(state, "e5d6")
    assert parse_term("(cell d 6 wp)") in taken
    assert parse_term("(cell d 5 bp)") not in taken


@pytest.mark.parametrize(
    ("fen", "legal"),
    [
        ("8/8/8/K2pP2r/8/8/8/7k w - d6", False),  # both pawns leave the row, and the rook sees the king
        ("8/8/8/r2pP2K/8/8/8/7k w - d6", False),
        ("8/8/8/K2pPn1r/8/8/8/7k w - d6", True),
        ("4r3/8/8/3pP3/8/8/8/4K2k w - d6", False),  # pinned upright
        ("1b6/8/8/3pP3/5K2/8/8/7k w - d6", True),  # pinned along the way that it takes
        ("7b/8/8/3pP3/3K4/8/8/7k w - d6", False),  # pinned across it
        ("8/8/8/3pP3/4K3/8/8/7k w - d6", True),  # takes the pawn that gives check
        ("8/8/8/3pP3/r3K3/8/8/7k w - d6", False),  # two give check
    ],
)
def test_en_passant_and_the_king(fen: str, legal: bool) -> None:
    assert ("e5d6" in moves_of(state_of(fen))) == legal


def test_the_king_does_not_hide_behind_himself() -> None:
    assert moves_of(state_of("4r2k/8/8/8/4K3/8/8/8 w - -")) == {"e4d3", "e4d4", "e4d5", "e4f3", "e4f4", "e4f5"}
