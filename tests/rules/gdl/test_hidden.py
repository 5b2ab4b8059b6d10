"""The bundled games in GDL-II, with chance and with secrets: what happens, and what each player sees of it."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from functools import cache

import pytest
from support.paths import RULES

from ggtp.gdl.interpret.reasoner import Interpreter, State
from ggtp.gdl.language.parse import parse_strictly, parse_term
from ggtp.gdl.language.syntax import Term
from ggtp.gdl.language.validate import validate_text

FOLDER = RULES / "gdl"
NOOP = parse_term("noop")

LONGEST = {"cardgame": 16, "phantomtictactoe": 1 + 9 + 8}
"""Each game with the most moves that it can have."""


def source(name: str) -> str:
    return (FOLDER / f"{name}.gdl").read_text(encoding="utf-8")


@cache
def game(name: str) -> Interpreter:
    return Interpreter(parse_strictly(source(name)))


def texts(terms: Iterable[Term]) -> list[str]:
    return sorted(map(str, terms))


def joint(rules: Interpreter, now: State, role: str, move: str) -> Mapping[Term, Term]:
    """The move of one role while the others have nothing to do; all must be legal."""
    moves = {**dict.fromkeys(rules.roles, NOOP), parse_term(role): parse_term(move)}
    for one, its in moves.items():
        assert its in rules.legal(now, one), f"{its} is not legal for {one}"
    return moves


def played(name: str, moves: Iterable[tuple[str, str]]) -> State:
    rules = game(name)
    now = rules.initial()
    for role, move in moves:
        assert not rules.terminal(now), f"the game is over before {move}"
        now = rules.next(now, joint(rules, now, role, move))
    return now


def seen(name: str, moves: list[tuple[str, str]], role: str) -> list[str]:
    """What the role sees with the last of the moves."""
    rules = game(name)
    now = played(name, moves[:-1])
    return texts(rules.sees(now, joint(rules, now, *moves[-1]), parse_term(role)))


def goals(name: str, now: State) -> dict[str, int | None]:
    rules = game(name)
    assert all(len(rules.goal_values(now, role)) == 1 for role in rules.roles)
    return {str(role): rules.goal(now, role) for role in rules.roles}


every_game = pytest.mark.parametrize("name", sorted(LONGEST))


@every_game
def test_nothing_is_wrong_with_its_text(name: str) -> None:
    assert [str(fault) for fault in validate_text(source(name), name)] == []


@every_game
@pytest.mark.parametrize("seed", range(5))
def test_random_games_end_in_time_with_goals_and_keep_to_base_and_input(name: str, seed: int) -> None:
    rules, rng = game(name), random.Random(seed)
    now = rules.initial()
    base = {row[0] for row in rules.holds(now, "base")}
    inputs = rules.holds(now, "input")
    for _ in range(LONGEST[name]):
        assert now <= base
        if rules.terminal(now):
            break
        legal = {role: rules.legal(now, role) for role in rules.roles}
        assert inputs.issuperset((role, move) for role, moves in legal.items() for move in moves)
        assert sum(moves != [NOOP] for moves in legal.values()) == 1
        assert all(legal.values())
        now = rules.next(now, {role: rng.choice(moves) for role, moves in legal.items()})
    assert rules.terminal(now)
    assert all(score is not None and 0 <= score <= 100 for score in goals(name, now).values())


@pytest.mark.slow
@every_game
def test_games_that_look_the_same_to_a_player_offer_it_the_same_moves(name: str) -> None:
    rules, rng = game(name), random.Random(7)
    offers: dict[tuple[Term, tuple[str, ...]], list[str]] = {}
    known = 0
    for _ in range(100):
        now = rules.initial()
        views: dict[Term, tuple[str, ...]] = dict.fromkeys(rules.roles, ())
        while not rules.terminal(now):
            moves = {role: rng.choice(rules.legal(now, role)) for role in rules.roles}
            for role in rules.roles[1:]:
                legal = texts(rules.legal(now, role))
                known += (role, views[role]) in offers
                assert offers.setdefault((role, views[role]), legal) == legal
                views[role] += (str(moves[role]), *texts(rules.sees(now, moves, role)), "/")
            now = rules.next(now, moves)
    assert known > 300


# The card game.

CARDS = ["sun 1", "sun 6", "sun 5", "sun 4", "moon 2", "moon 3", "moon 6", "sun 2"]
DEAL = [("random", f"(deal {card})") for card in CARDS]
"""North has suns 1, 5 and moons 2, 6; south has suns 2, 4, 6 and moon 3."""


def test_only_who_gets_a_card_sees_it() -> None:
    for number, card in enumerate(CARDS, 1):
        getter, other = ("north", "south") if number % 2 else ("south", "north")
        assert seen("cardgame", DEAL[:number], getter) == [f"(dealt {card})"]
        assert seen("cardgame", DEAL[:number], other) == []


def test_both_see_every_card_that_is_played() -> None:
    moves = [*DEAL, ("north", "(play sun 5)")]
    assert seen("cardgame", moves, "north") == seen("cardgame", moves, "south") == ["(played north sun 5)"]


def test_a_card_is_dealt_once() -> None:
    rules = game("cardgame")
    legal = texts(rules.legal(played("cardgame", DEAL[:7]), parse_term("random")))
    assert legal == ["(deal moon 1)", "(deal moon 4)", "(deal moon 5)", "(deal sun 2)", "(deal sun 3)"]


def test_the_second_player_follows_suit_where_possible() -> None:
    rules, south = game("cardgame"), parse_term("south")
    suns = played("cardgame", [*DEAL, ("north", "(play sun 5)")])
    assert texts(rules.legal(suns, south)) == ["(play sun 2)", "(play sun 4)", "(play sun 6)"]
    trick = [("north", "(play moon 2)"), ("south", "(play moon 3)")]
    bare = [*DEAL, *trick, ("south", "(play sun 6)"), ("north", "(play sun 1)")]
    void = [*bare, ("south", "(play sun 2)"), ("north", "(play sun 5)"), ("north", "(play moon 6)")]
    assert texts(rules.legal(played("cardgame", void), south)) == ["(play sun 4)"]


def test_the_higher_card_of_the_suit_that_was_led_takes_the_trick_and_leads() -> None:
    moves = [
        *DEAL,
        *(("north", "(play moon 2)"), ("south", "(play moon 3)")),
        *(("south", "(play sun 6)"), ("north", "(play sun 1)")),
        *(("south", "(play sun 2)"), ("north", "(play sun 5)")),
        # A high card of another suit takes nothing.
        *(("north", "(play moon 6)"), ("south", "(play sun 4)")),
    ]
    end = played("cardgame", moves)
    assert game("cardgame").terminal(end)
    assert goals("cardgame", end) == {"random": 0, "north": 50, "south": 50}


# Phantom tic-tac-toe.

OPENING = [("random", "(begin circle)"), ("circle", "(mark 2 2)")]


def test_the_toss_says_who_begins_and_both_see_it() -> None:
    toss = OPENING[:1]
    assert seen("phantomtictactoe", toss, "cross") == seen("phantomtictactoe", toss, "circle") == ["(turn circle)"]
    rules = game("phantomtictactoe")
    assert len(rules.legal(played("phantomtictactoe", toss), parse_term("circle"))) == 9


def test_a_mark_is_seen_by_who_made_it_only() -> None:
    assert seen("phantomtictactoe", OPENING, "circle") == ["(marked 2 2)", "(turn cross)"]
    assert seen("phantomtictactoe", OPENING, "cross") == ["(turn cross)"]


def test_a_refused_try_is_seen_by_who_made_it_only_and_another_one_follows() -> None:
    tries = [*OPENING, ("cross", "(mark 2 2)")]
    assert seen("phantomtictactoe", tries, "cross") == ["(refused 2 2)"]
    assert seen("phantomtictactoe", tries, "circle") == []
    rules, now = game("phantomtictactoe"), played("phantomtictactoe", tries)
    legal = texts(rules.legal(now, parse_term("cross")))
    assert len(legal) == 8
    assert "(mark 2 2)" not in legal
    assert texts(rules.legal(now, parse_term("circle"))) == ["noop"]


def test_the_other_may_try_what_it_cannot_know_to_be_taken() -> None:
    now = played("phantomtictactoe", [*OPENING, ("cross", "(mark 1 1)")])
    legal = texts(game("phantomtictactoe").legal(now, parse_term("circle")))
    assert "(mark 1 1)" in legal
    assert "(mark 2 2)" not in legal


def test_three_in_a_line_win() -> None:
    moves = [
        *OPENING,
        ("cross", "(mark 1 1)"),
        ("circle", "(mark 1 3)"),
        ("cross", "(mark 1 3)"),
        ("cross", "(mark 1 2)"),
        ("circle", "(mark 3 1)"),
    ]
    end = played("phantomtictactoe", moves)
    assert game("phantomtictactoe").terminal(end)
    assert goals("phantomtictactoe", end) == {"random": 0, "cross": 0, "circle": 100}


def test_a_full_board_without_a_line_is_a_draw() -> None:
    squares = ["2 2", "1 1", "1 2", "3 2", "1 3", "3 1", "2 1", "2 3", "3 3"]
    players = [*["cross", "circle"] * 4, "cross"]
    marks = [(player, f"(mark {square})") for player, square in zip(players, squares, strict=True)]
    end = played("phantomtictactoe", [("random", "(begin cross)"), *marks])
    assert game("phantomtictactoe").terminal(end)
    assert goals("phantomtictactoe", end) == {"random": 0, "cross": 50, "circle": 50}
