"""Board games in GDL: what holds for all of them, counts that people know, and games with a known end."""

from __future__ import annotations

import random
from functools import cache

import pytest
from support.paths import RULES

from ggtp.gdl.interpret.reasoner import Interpreter, State
from ggtp.gdl.language.parse import parse, parse_term
from ggtp.gdl.language.syntax import Term
from ggtp.gdl.language.validate import validate
from ggtp.gdl.play.picture import find_boards

GAMES = RULES / "gdl"

SIZES = {
    "tictactoe": (3, 3),
    "connectfour": (7, 6),
    "connect3": (4, 4),
    "breakthrough": (8, 8),
    "breakthrough_small": (5, 5),
    "knightthrough": (8, 8),
    "checkers": (8, 8),
    "checkers_barrel": (8, 8),
    "pawnwhopping": (8, 8),
    "othello": (8, 8),
    "reversi_small": (6, 6),
    "pentago": (6, 6),
    "quarto": (4, 4),
    "hex": (9, 9),
    "hex_small": (5, 5),
    "amazons": (8, 8),
    "gomoku": (15, 15),
    "chess": (8, 8),
}
"""The games, and how large their boards are."""


@cache
def machine_of(game: str) -> Interpreter:
    return Interpreter(parse((GAMES / f"{game}.gdl").read_text(), f"{game}.gdl"))


def state_of(*facts: str) -> State:
    return frozenset(map(parse_term, facts))


class Play:
    """A game in play; moves and facts are texts."""

    def __init__(self, game: str, state: State | None = None) -> None:
        self.machine = machine_of(game)
        self.state = self.machine.initial() if state is None else state

    @property
    def mover(self) -> Term:
        """The one role that has something else to do than nothing."""
        (mover,) = [role for role in self.machine.roles if self.texts(role) != ["noop"]]
        return mover

    def texts(self, role: Term) -> list[str]:
        return list(map(str, self.machine.legal(self.state, role)))

    @property
    def moves(self) -> list[str]:
        return self.texts(self.mover)

    @property
    def over(self) -> bool:
        return self.machine.terminal(self.state)

    @property
    def goals(self) -> tuple[int, ...]:
        """The roles' goals, each of which must have exactly one."""
        found = [self.machine.goal_values(self.state, role) for role in self.machine.roles]
        assert [len(values) for values in found] == [1] * len(found)
        return tuple(int(str(values[0])) for values in found)

    def has(self, fact: str) -> bool:
        return parse_term(fact) in self.state

    def make(self, *moves: str) -> Play:
        """Makes moves, which must be legal, one after another; returns itself."""
        for move in moves:
            assert not self.over, f"the game is over before {move}"
            mover = self.mover
            assert move in self.texts(mover), f"{move} is not among {self.texts(mover)}"
            joint = {role: parse_term(move if role == mover else "noop") for role in self.machine.roles}
            self.state = self.machine.next(self.state, joint)
        return self

    def after(self, move: str) -> Play:
        play = Play.__new__(Play)
        play.machine, play.state = self.machine, self.state
        return play.make(move)

    def perft(self, depth: int) -> int:
        """How many ways there are to play that many moves."""
        if self.over:
            return 0
        if depth == 1:
            return len(self.moves)
        return sum(self.after(move).perft(depth - 1) for move in self.moves)


# What holds for all of them.


@pytest.mark.parametrize("game", SIZES)
def test_it_is_valid_and_well_written(game: str) -> None:
    text = (GAMES / f"{game}.gdl").read_text()
    assert validate(parse(text)) == []
    lines = text.splitlines()
    assert lines[0].startswith(";; ")
    assert [line for line in lines if len(line) > 100 or line != line.rstrip() or "\t" in line] == []
    assert [line for line in lines if not line.startswith(";") and line != line.lower()] == []


@pytest.mark.slow
@pytest.mark.parametrize("game", SIZES)
def test_random_games_end_and_keep_to_what_is_declared(game: str) -> None:
    machine = machine_of(game)
    base = {fact for (fact,) in machine.holds(machine.initial(), "base")}
    moves = machine.holds(machine.initial(), "input")
    rng = random.Random(game)
    for _ in range(1 if game in ("chess", "gomoku") else 2):
        play = Play(game)
        assert play.state <= base
        while not play.over:
            assert {(role, move) for role in machine.roles for move in machine.legal(play.state, role)} <= moves
            play.make(rng.choice(play.moves))
            assert play.state <= base
        assert sum(play.goals) == 100


@pytest.mark.parametrize(("game", "size"), SIZES.items())
def test_its_board_can_be_drawn(game: str, size: tuple[int, int]) -> None:
    machine = machine_of(game)
    boards = find_boards((fact for (fact,) in machine.holds(machine.initial(), "base")), machine.initial())
    assert [(board.name, len(board.columns), len(board.rows)) for board in boards] == [("cell", *size)]


# Counts.


@pytest.mark.parametrize(
    ("game", "counts"),
    [
        ("tictactoe", [9, 9 * 8, 9 * 8 * 7, 9 * 8 * 7 * 6]),
        ("connectfour", [7, 49, 343, 2401]),
        ("connect3", [4, 16, 64, 256]),
        ("breakthrough", [22, 484, 11132]),
        ("breakthrough_small", [13, 156, 1924]),
        ("knightthrough", [40, 1600]),
        ("checkers", [7, 49, 302, 1469]),
        ("checkers_barrel", [8, 64]),
        ("pawnwhopping", [16, 256]),
        ("othello", [4, 12, 56, 244, 1396]),
        ("reversi_small", [4, 12, 56, 244]),
        ("pentago", [36, 36 * 8, 36 * 8 * 35]),
        ("quarto", [16, 16 * 16, 16 * 16 * 15]),
        ("hex", [81, 81 * 80]),
        ("hex_small", [25, 25 * 24, 25 * 24 * 23]),
        ("amazons", [60, 1232]),
        ("gomoku", [225]),
        ("chess", [20, 400]),
    ],
)
def test_perft(game: str, counts: list[int]) -> None:
    assert [Play(game).perft(depth) for depth in range(1, len(counts) + 1)] == counts


# Tic-tac-toe and connecting discs.


def test_tictactoe_can_be_won_and_drawn() -> None:
    won = Play("tictactoe").make("(mark 1 1)", "(mark 2 1)", "(mark 2 2)", "(mark 3 1)", "(mark 3 3)")
    assert (won.over, won.goals) == (True, (100, 0))
    order = ("2 2", "1 1", "3 1", "1 3", "1 2", "3 2", "2 1", "2 3", "3 3")
    drawn = Play("tictactoe").make(*(f"(mark {square})" for square in order))
    assert (drawn.over, drawn.goals) == (True, (50, 50))


@pytest.mark.parametrize("columns", ["1122334", "1212121", "12233434464", "76655454424"])
def test_four_in_a_row(columns: str) -> None:
    play = Play("connectfour").make(*(f"(drop {column})" for column in columns))
    assert (play.over, play.goals) == (True, (100, 0))


def test_a_full_column_takes_no_more() -> None:
    play = Play("connectfour").make(*["(drop 3)"] * 6)
    assert play.moves == [f"(drop {column})" for column in (1, 2, 4, 5, 6, 7)]


# Armies.


def test_breakthrough_ends_on_the_far_row() -> None:
    play = Play("breakthrough_small").make(
        "(move a 2 a 3)", "(move e 4 e 3)", "(move a 3 b 4)", "(move e 3 d 2)", "(move b 4 a 5)"
    )
    assert (play.over, play.goals) == (True, (100, 0))


def test_breakthrough_is_lost_without_pawns() -> None:
    play = Play("breakthrough", state_of("(cell a 3 white)", "(cell b 4 black)", "(control white)"))
    assert play.moves == ["(move a 3 a 4)", "(move a 3 b 4)"]
    assert play.make("(move a 3 b 4)").over
    assert play.goals == (100, 0)


def test_knights_jump_forward_only() -> None:
    play = Play("knightthrough", state_of("(cell d 4 white)", "(cell a 8 black)", "(control white)"))
    assert play.moves == ["(move d 4 b 5)", "(move d 4 c 6)", "(move d 4 e 6)", "(move d 4 f 5)"]


# Checkers.


def checkers(mover: str, *pieces: str, game: str = "checkers", tens: int = 0, ones: int = 0) -> Play:
    clock = (f"(tens {tens})", f"(ones {ones})") if game == "checkers" else ()
    return Play(game, state_of(*(f"(cell {piece})" for piece in pieces), f"(control {mover})", *clock))


def test_a_jump_goes_on_and_must() -> None:
    play = checkers("white", "c 3 wm", "a 1 wm", "d 4 bm", "f 6 bm", "h 2 bm")
    assert play.moves == ["(jump c 3 e 5)"]
    play.make("(jump c 3 e 5)")
    assert (str(play.mover), play.moves) == ("white", ["(jump e 5 g 7)"])
    assert play.has("(chain (at e 5))")
    play.make("(jump e 5 g 7)")
    assert str(play.mover) == "black"
    assert {str(fact) for fact in play.state if str(fact).startswith("(cell")} == {
        "(cell a 1 wm)",
        "(cell g 7 wm)",
        "(cell h 2 bm)",
    }


def test_becoming_king_ends_the_turn() -> None:
    play = checkers("white", "b 6 wm", "c 7 bm", "e 7 bm").make("(jump b 6 d 8)")
    assert play.has("(cell d 8 wk)")
    assert str(play.mover) == "black"


def test_a_king_goes_back_and_may_jump_in_a_ring() -> None:
    play = checkers("white", "d 2 wk", "c 3 bm", "c 5 bm", "e 5 bm", "e 3 bm", "h 8 bm")
    assert play.moves == ["(jump d 2 b 4)", "(jump d 2 f 4)"]
    play.make("(jump d 2 b 4)", "(jump b 4 d 6)", "(jump d 6 f 4)", "(jump f 4 d 2)")
    assert (str(play.mover), play.has("(cell d 2 wk)")) == ("black", True)


def test_a_man_does_not_jump_backward() -> None:
    play = checkers("white", "d 4 wm", "e 3 bm")
    assert play.moves == ["(move d 4 c 5)", "(move d 4 e 5)"]


def test_who_cannot_move_has_lost() -> None:
    play = checkers("black", "a 1 wm", "h 8 bm", "g 7 wm", "f 6 wm")
    assert (play.over, play.goals) == (True, (0, 100))


def test_checkers_is_drawn_after_200_moves() -> None:
    play = checkers("white", "a 1 wk", "h 8 bk", tens=19, ones=9).make("(move a 1 b 2)")
    assert play.has("(tens 20)")
    assert (play.over, play.goals) == (True, (50, 50))


def test_the_barrel_is_round() -> None:
    play = checkers("white", "g 3 wm", "h 4 bm", "b 6 bm", game="checkers_barrel")
    assert play.moves == ["(jump g 3 a 5)"]
    play.make("(jump g 3 a 5)", "(jump a 5 c 7)")
    assert (play.over, play.goals) == (True, (0, 100))


def test_there_are_no_kings_on_the_barrel() -> None:
    play = checkers("white", "a 7 wm", "d 8 bm", game="checkers_barrel")
    assert play.moves == ["(move a 7 b 8)", "(move a 7 h 8)"]
    play.make("(move a 7 h 8)", "(move d 8 c 7)")
    assert play.has("(cell h 8 wm)")
    assert (play.over, play.goals) == (True, (100, 0))


# Pawns.


def test_a_pawn_is_taken_in_passing_at_once_or_never() -> None:
    play = Play("pawnwhopping").make("(move e 2 e 4)", "(move a 7 a 6)", "(move e 4 e 5)", "(move d 7 d 5)")
    late = play.after("(move h 2 h 3)").after("(move h 7 h 6)")
    assert "(move e 5 d 6)" not in late.moves
    play.make("(move e 5 d 6)")
    assert play.has("(cell d 6 white)")
    assert not play.has("(cell d 5 black)")


def test_blocked_pawns_are_a_draw() -> None:
    play = Play("pawnwhopping", state_of("(cell a 4 white)", "(cell a 5 black)", "(control black)"))
    assert (play.over, play.goals) == (True, (50, 50))


# Discs that change sides.


def test_the_shortest_othello() -> None:
    squares = ("e 6", "f 4", "e 3", "f 6", "g 5", "d 6", "e 7", "f 5", "c 5")
    play = Play("othello").make(*(f"(place {square})" for square in squares))
    assert (play.over, play.goals) == (True, (100, 0))
    assert not any(str(fact).startswith("(cell") and str(fact).endswith("white)") for fact in play.state)


def test_who_has_more_discs_wins() -> None:
    white = [f"(cell {x} {y} white)" for x in "abc" for y in range(1, 7)]
    black = [f"(cell {x} {y} black)" for x in "def" for y in range(1, 7)]
    assert Play("reversi_small", state_of(*white, *black, "(control black)")).goals == (50, 50)
    assert Play("reversi_small", state_of(*white[1:], *black, "(control black)")).goals == (100, 0)
    assert Play("reversi_small", state_of(*white, *black[:-1], "(control white)")).goals == (0, 100)


def test_who_cannot_place_passes() -> None:
    facts = [f"(cell {x} {y} blank)" for x in "abcdef" for y in range(1, 7) if (x, y) not in (("a", 1), ("b", 1))]
    play = Play("reversi_small", state_of(*facts, "(cell a 1 white)", "(cell b 1 black)", "(control black)"))
    assert play.moves == ["pass"]
    assert play.make("pass").moves == ["(place c 1)"]
    play.make("(place c 1)")
    assert (play.over, play.goals) == (True, (0, 100))


# Pentago and Quarto.


@pytest.mark.parametrize(
    ("way", "squares"),
    [
        ("clockwise", {"1 1": "1 3", "1 3": "3 3", "3 3": "3 1", "3 1": "1 1", "2 1": "1 2", "2 2": "2 2"}),
        ("counterclockwise", {"1 1": "3 1", "3 1": "3 3", "3 3": "1 3", "1 3": "1 1", "2 1": "3 2", "2 2": "2 2"}),
    ],
)
def test_quarters_turn(way: str, squares: dict[str, str]) -> None:
    for before, after in squares.items():
        play = Play("pentago").make(f"(place {before})", f"(rotate left bottom {way})")
        assert {str(fact) for fact in play.state} == {f"(cell {after} white)", "(stage place)", "(control black)"}
        x, y = (int(word) + 3 for word in before.split())
        play = Play("pentago").make(f"(place {x} {y})", f"(rotate right top {way})")
        assert play.has("(cell {} {} white)".format(*(int(word) + 3 for word in after.split())))


def test_five_win_before_the_turn() -> None:
    play = Play("pentago", state_of(*(f"(cell {x} 2 white)" for x in range(1, 5)), "(stage place)", "(control white)"))
    play.make("(place 5 2)")
    assert (play.over, play.goals) == (True, (100, 0))


def test_who_turns_five_together_for_both_draws() -> None:
    white = [f"(cell {x} 2 white)" for x in (4, 5)] + [f"(cell 2 {y} white)" for y in (1, 2, 3)]
    black = [f"(cell {x} 3 black)" for x in (4, 5)] + [f"(cell 1 {y} black)" for y in (1, 2, 3)]
    play = Play("pentago", state_of(*white, *black, "(stage rotate)", "(control white)"))
    assert not play.over
    play.make("(rotate left bottom clockwise)")
    assert (play.over, play.goals) == (True, (50, 50))


@pytest.mark.parametrize(
    "pieces",
    ["dtr dso dts dsq", "ltr dto ltq dts", "dtr lto dsr lso", "dts lsq lts dsq", "dtr lss dts lsr", "lto dsq lsq dto"],
)
def test_four_alike_win(pieces: str) -> None:
    play = Play("quarto")
    for number, piece in enumerate(pieces.split(), 1):
        assert not play.over
        play.make(f"(give {piece})", f"(place {number} {number})")
    assert (play.over, play.goals) == (True, (100, 0))


def test_four_that_share_nothing_do_not_win() -> None:
    play = Play("quarto")
    for number, piece in enumerate(("dtr", "lto", "dsq", "lss"), 1):
        play.make(f"(give {piece})", f"(place {number} 3)")
    assert not play.over


# Chains, arrows and stones.


@pytest.mark.parametrize(("game", "size"), [("hex", 9), ("hex_small", 5)])
def test_a_chain_connects(game: str, size: int) -> None:
    play = Play(game)
    for row in range(1, size):
        play.make(f"(place c {row})", f"(place e {row})")
    # Both cells above touch the end of the chain, one of them askew.
    for end in ("b", "c"):
        assert (play.over, play.goals) == (False, (50, 50))
        red = play.after(f"(place {end} {size})")
        assert (red.over, red.goals) == (True, (100, 0))
    assert not play.after(f"(place d {size})").over


def test_groups_join_in_the_middle() -> None:
    play = Play("hex")
    for red, blue in zip("abcdefgh", "abcdfghi", strict=True):
        play.make(f"(place {red} 1)", f"(place {blue} 6)")
        assert not play.over
    play.make("(place a 9)", "(place e 6)")
    assert (play.over, play.goals) == (True, (0, 100))


def test_a_walled_queen_has_lost() -> None:
    facts = ["(cell a 1 white)", "(cell a 2 arrow)", "(cell b 2 arrow)", "(cell h 8 black)", "(control black)"]
    play = Play("amazons", state_of(*facts)).make("(move h 8 h 1)", "(fire b 1)")
    assert (play.over, play.goals) == (True, (0, 100))


def test_an_arrow_may_fly_where_the_queen_came_from() -> None:
    play = Play("amazons").make("(move c 1 c 7)")
    assert {"(fire c 1)", "(fire d 8)"} <= set(play.moves)
    assert "(fire c 8)" not in play.moves


def test_six_in_a_row_win_as_well() -> None:
    facts = [f"(cell {x} {x} white)" for x in (1, 2, 3, 5, 6)] + ["(cell 4 4 blank)", "(cell 9 9 blank)"]
    assert Play("gomoku", state_of(*facts, "(control white)")).goals == (50, 50)
    play = Play("gomoku", state_of(*facts, "(control white)")).make("(place 4 4)")
    assert (play.over, play.goals) == (True, (0, 100))
