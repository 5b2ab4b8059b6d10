"""The bundled games in GDL for several players who know everything, in turn or at the same time."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from functools import cache

import pytest
from support.paths import RULES

from ggtp.gdl.interpret.reasoner import Interpreter, State
from ggtp.gdl.language.parse import parse_strictly, parse_term
from ggtp.gdl.language.syntax import Term
from ggtp.gdl.language.validate import validate_text

FOLDER = RULES / "gdl"
NOOP = parse_term("noop")

IN_TURN = {
    "skirmish": 60,
    "blobwars": 150,
    "chinesecheckers": 200,
    "chinesecheckers2": 200,
    "threepoint": 25,
    "fourway": 150,
    "chomp": 35,
    "nim_gdl": 16,
}
"""Games in which one player moves at a time, each with the most moves that it can have."""

AT_ONCE = {"tron": 50, "rockpaperscissors": 5, "bidding": 20, "goofspiel_small": 6}
"""Games in which all players move at the same time."""


def source(name: str) -> str:
    return (FOLDER / f"{name}.gdl").read_text(encoding="utf-8")


@cache
def game(name: str) -> Interpreter:
    return Interpreter(parse_strictly(source(name)))


def texts(terms: Iterable[Term]) -> list[str]:
    return sorted(map(str, terms))


def state(*facts: str) -> State:
    return frozenset(map(parse_term, facts))


def mover(rules: Interpreter, now: State) -> Term:
    """The role that is in control."""
    (found,) = [role for role in rules.roles if parse_term(f"(control {role})") in now]
    return found


def joint(rules: Interpreter, now: State, moves: str | Sequence[str]) -> Mapping[Term, Term]:
    """One move for who is in control, or one for each role; all must be legal."""
    if isinstance(moves, str):
        result = dict.fromkeys(rules.roles, NOOP)
        result[mover(rules, now)] = parse_term(moves)
    else:
        result = dict(zip(rules.roles, map(parse_term, moves), strict=True))
    for role, move in result.items():
        assert move in rules.legal(now, role), f"{move} is not legal for {role}"
    return result


def played(name: str, moves: Iterable[str | Sequence[str]], now: State | None = None) -> State:
    """The state after the moves, from the start or another state on."""
    rules = game(name)
    now = rules.initial() if now is None else now
    for move in moves:
        assert not rules.terminal(now), f"the game is over before {move}"
        now = rules.next(now, joint(rules, now, move))
    return now


def goals(name: str, now: State) -> list[int | None]:
    rules = game(name)
    assert all(len(rules.goal_values(now, role)) == 1 for role in rules.roles)
    return [rules.goal(now, role) for role in rules.roles]


def each(name: str, words: str) -> list[str]:
    """Moves of the same name: each word has a digit for each argument."""
    return [f"({name} {' '.join(word)})" for word in words.split()]


every_game = pytest.mark.parametrize("name", sorted({**IN_TURN, **AT_ONCE}))


@every_game
def test_nothing_is_wrong_with_its_text(name: str) -> None:
    assert [str(fault) for fault in validate_text(source(name), name)] == []


@pytest.mark.slow
@every_game
@pytest.mark.parametrize("seed", range(2))
def test_random_games_end_in_time_with_goals_and_keep_to_base_and_input(name: str, seed: int) -> None:
    rules, rng = game(name), random.Random(seed)
    now = rules.initial()
    base = {row[0] for row in rules.holds(now, "base")}
    inputs = rules.holds(now, "input")
    for _ in range({**IN_TURN, **AT_ONCE}[name]):
        assert now <= base
        if rules.terminal(now):
            break
        legal = {role: rules.legal(now, role) for role in rules.roles}
        assert all(legal.values())
        assert inputs.issuperset((role, move) for role, moves in legal.items() for move in moves)
        if name in IN_TURN:
            assert all(legal[role] == [NOOP] for role in rules.roles if role != mover(rules, now))
        now = rules.next(now, {role: rng.choice(moves) for role, moves in legal.items()})
    assert rules.terminal(now)
    assert all(score is not None and 0 <= score <= 100 for score in goals(name, now))


# Skirmish.


def test_skirmish_counts_captures() -> None:
    now = played("skirmish", each("move", "1213 6564 1314 6463 1425"))
    assert goals("skirmish", now) == [8, 0]
    assert "(cell 2 5 wpawn)" in texts(now)
    assert texts(game("skirmish").legal(now, parse_term("white"))) == ["noop"]
    assert goals("skirmish", played("skirmish", each("move", "3625 5263"), now)) == [16, 8]


@pytest.mark.parametrize(
    ("piece", "targets"),
    [
        ("wrook", "13 21 22 24 25 26 33"),
        ("wbishop", "12 14 32 34 41"),
        ("wking", "12 13 14 22 24 32 33 34"),
        ("wknight", "11 15 31 35 42 44"),
        ("wpawn", "14 24 34"),
    ],
)
def test_skirmish_men_move_and_capture_as_in_chess(piece: str, targets: str) -> None:
    """One stands in the second column, third row, with black men around it."""
    rules = game("skirmish")
    men = {(2, 3): piece, (1, 4): "bpawn", (3, 4): "brook", (3, 3): "bking"}
    squares = [(x, y) for x in range(1, 7) for y in range(1, 7)]
    now = state("(control white)", "(step 0)", *(f"(cell {x} {y} {men.get((x, y), 'empty')})" for x, y in squares))
    assert texts(rules.legal(now, parse_term("white"))) == each(
        "move", " ".join(f"23{target}" for target in targets.split())
    )


@pytest.mark.parametrize(
    ("facts", "scores"),
    [
        (("(control black)", "(captured white 12)", "(captured black 3)", "(step 40)"), [100, 24]),
        (("(control white)", "(captured white 2)", "(captured black 0)", "(step 60)"), [16, 0]),
        (("(control white)", "(captured white 1)", "(captured black 11)", "(step 9)", "(cell 1 6 wpawn)"), [8, 88]),
    ],
)
def test_skirmish_ends_with_the_men_the_moves_or_the_time(facts: Sequence[str], scores: list[int]) -> None:
    now = state(*facts)
    assert game("skirmish").terminal(now)
    assert goals("skirmish", now) == scores


# Blob wars.


def blobs(*, red: str, blue: str) -> list[str]:
    reds, blues = red.split(), blue.split()
    colours = {**dict.fromkeys(reds, "red"), **dict.fromkeys(blues, "blue")}
    squares = [(x, y) for x in range(1, 8) for y in range(1, 8)]
    cells = [f"(cell {x} {y} {colours.get(f'{x}{y}', 'empty')})" for x, y in squares]
    return [*cells, f"(blobs red {len(reds)})", f"(blobs blue {len(blues)})"]


@pytest.mark.parametrize(
    ("move", "red", "blue"),
    [
        ("(clone 2 2)", "11 22 33 13 31", "44 71"),
        ("(jump 1 1 2 3)", "23 33 13", "31 44 71"),
        ("(clone 1 2)", "11 12 13", "31 33 44 71"),
        ("(jump 1 1 1 2)", "", ""),
        ("(clone 5 5)", "", ""),
    ],
)
def test_blobs_clone_or_jump_and_infect_their_neighbours(move: str, red: str, blue: str) -> None:
    rules = game("blobwars")
    now = state("(control red)", "(step 7)", *blobs(red="11", blue="13 31 33 44 71"))
    if not red:
        assert parse_term(move) not in rules.legal(now, parse_term("red"))
    else:
        assert played("blobwars", [move], now) == state("(control blue)", "(step 8)", *blobs(red=red, blue=blue))


def test_a_blob_player_who_cannot_move_passes_and_a_full_board_is_counted() -> None:
    everything = [f"{x}{y}" for x in range(1, 8) for y in range(1, 8)]
    blue = [square for square in everything if square not in ("77", "11")]
    now = state("(control red)", "(step 70)", *blobs(red="11", blue=" ".join(blue)))
    assert texts(game("blobwars").legal(now, parse_term("red"))) == ["noop"]
    end = played("blobwars", ["noop", "(clone 7 7)"], now)
    assert game("blobwars").terminal(end)
    assert goals("blobwars", end) == [0, 100]


def test_a_colour_that_has_died_out_has_lost() -> None:
    end = played("blobwars", ["(clone 2 2)"], state("(control red)", "(step 7)", *blobs(red="11", blue="33 12")))
    assert game("blobwars").terminal(end)
    assert goals("blobwars", end) == [100, 0]


# Chinese checkers.


def test_a_jump_keeps_the_turn_until_the_player_stops() -> None:
    rules = game("chinesecheckers2")
    red, blue = rules.roles
    stepped = played("chinesecheckers2", ["(move 8 3 7 4)"])
    assert mover(rules, stepped) == blue
    jumped = played("chinesecheckers2", ["(move 9 2 7 4)"])
    assert mover(rules, jumped) == red
    assert texts(rules.legal(jumped, red)) == ["stop"]
    stopped = played("chinesecheckers2", ["stop"], jumped)
    assert mover(rules, stopped) == blue
    assert "stop" not in texts(rules.legal(stopped, blue))


def test_a_chain_of_jumps_is_made_of_several_moves() -> None:
    line = ["(move 10 3 11 4)", "(move 10 11 9 10)", "(move 11 4 10 5)", "(move 9 10 10 9)"]
    now = played("chinesecheckers2", [*line, "(move 11 2 10 3)", "(move 8 11 9 10)"])
    chain = played("chinesecheckers2", ["(move 9 2 11 4)"], now)
    assert texts(game("chinesecheckers2").legal(chain, parse_term("red"))) == ["(move 11 4 9 6)", "stop"]
    assert "(cell 9 6 red)" in texts(played("chinesecheckers2", ["(move 11 4 9 6)"], chain))


def test_pegs_do_not_go_back() -> None:
    now = played("chinesecheckers2", ["(move 8 3 7 4)", "(move 8 11 7 10)"])
    moves = texts(game("chinesecheckers2").legal(now, parse_term("red")))
    assert "(move 7 4 5 4)" in moves
    assert "(move 7 4 8 3)" not in moves


@pytest.mark.parametrize(
    ("pegs", "scores", "over"),
    [
        ("red 13 3 red 11 3 red 12 4 blue 13 7", [100, 0, 0, 25], True),
        ("red 13 3 red 11 3 red 10 4 green 1 7 green 2 6", [50, 0, 50, 0], False),
        ("yellow 13 3 blue 11 3 blue 12 6 blue 13 7 blue 11 7", [0, 0, 0, 100], True),
    ],
)
def test_four_players_get_points_for_pegs_at_home(pegs: str, scores: list[int], over: bool) -> None:
    words = pegs.split()
    cells = [f"(cell {x} {y} {colour})" for colour, x, y in zip(words[::3], words[1::3], words[2::3], strict=True)]
    now = state("(control red)", "(step 50)", *cells)
    assert game("chinesecheckers").terminal(now) is over
    assert goals("chinesecheckers", now) == scores


@pytest.mark.parametrize(
    ("red", "blue", "step", "scores"),
    [
        (6, 5, 90, [100, 0]),
        (3, 6, 90, [0, 100]),
        (4, 2, 200, [75, 25]),
        (0, 1, 200, [25, 75]),
        (5, 5, 200, [50, 50]),
    ],
)
def test_two_players_race_and_are_compared_when_time_is_up(red: int, blue: int, step: int, scores: list[int]) -> None:
    tops = ["10 13", "9 12", "11 12", "8 11", "10 11", "12 11"]
    bottoms = ["10 1", "9 2", "11 2", "8 3", "10 3", "12 3"]
    cells = [f"(cell {place} red)" for place in tops[:red]] + [f"(cell {place} blue)" for place in bottoms[:blue]]
    now = state("(control red)", f"(step {step})", *cells)
    assert game("chinesecheckers2").terminal(now)
    assert goals("chinesecheckers2", now) == scores


# Threepoint, fourway, chomp and nim.


def test_the_third_colour_in_a_line_scores_once() -> None:
    now = played("threepoint", each("place", "11 21 31"))
    assert goals("threepoint", now) == [0, 0, 25]
    points = ["(points red 0)", "(points green 1)", "(points blue 0)"]
    corner = state("(control red)", "(cell 1 1 empty)", "(cell 1 5 empty)", *points)
    lines = state("(cell 1 2 green)", "(cell 1 3 blue)", "(cell 2 1 blue)", "(cell 3 1 green)")
    assert goals("threepoint", played("threepoint", ["(place 1 1)"], corner | lines)) == [25, 25, 0]


def test_three_points_end_it() -> None:
    end = played("threepoint", each("place", "11 21 31 12 22 32 14 24 34"))
    assert game("threepoint").terminal(end)
    assert goals("threepoint", end) == [0, 0, 100]


def test_a_runner_on_the_other_side_wins() -> None:
    now = state("(control west)", "(step 30)", "(cell 8 2 west)", "(cell 9 3 east)", "(cell 9 2 east)")
    assert texts(game("fourway").legal(now, parse_term("west"))) == ["(move 8 2 9 1)", "(move 8 2 9 3)"]
    end = played("fourway", ["(move 8 2 9 3)"], now)
    assert game("fourway").terminal(end)
    assert goals("fourway", end) == [0, 100, 0, 0]


def test_runners_have_fifteen_first_moves_and_who_has_none_passes() -> None:
    rules = game("fourway")
    assert len(rules.legal(rules.initial(), parse_term("south"))) == 15
    now = state("(control north)", "(step 30)", "(cell 5 5 east)", "(cell 4 5 empty)")
    assert texts(rules.legal(now, parse_term("north"))) == ["noop"]
    assert mover(rules, played("fourway", ["noop"], now)) == parse_term("east")
    assert goals("fourway", state("(control north)", "(step 150)")) == [25, 25, 25, 25]


@pytest.mark.parametrize(
    ("moves", "scores"),
    [
        ("11", [0, 100]),
        ("22 41 14 13 31 21 12 11", [100, 0]),
        ("12 71 61 51 41 31 21 11", [100, 0]),
        ("21 12 11", [0, 100]),
    ],
)
def test_who_bites_the_poisoned_piece_loses(moves: str, scores: list[int]) -> None:
    end = played("chomp", each("bite", moves))
    assert game("chomp").terminal(end)
    assert goals("chomp", end) == scores


def test_a_bite_takes_everything_above_and_to_the_right() -> None:
    now = played("chomp", ["(bite 3 2)"])
    left = {str(fact) for fact in now if "chocolate" in str(fact)}
    rest = [(x, 1) for x in range(1, 8)] + [(x, y) for x in (1, 2) for y in range(2, 6)]
    assert left == {f"(cell {x} {y} chocolate)" for x, y in rest}


def test_who_takes_the_last_match_wins() -> None:
    now = played("nim_gdl", ["(take d 7)", "(take c 3)", "(take b 3)", "(take c 1)"])
    assert texts(game("nim_gdl").legal(now, parse_term("first"))) == ["(take a 1)", "(take c 1)"]
    end = played("nim_gdl", ["(take a 1)", "(take c 1)"], now)
    assert game("nim_gdl").terminal(end)
    assert goals("nim_gdl", end) == [0, 100]


# Games in which all move at the same time.


def test_riders_who_enter_the_same_square_crash_both() -> None:
    end = played("tron", [("east", "west"), ("east", "west"), ("east", "south")])
    assert game("tron").terminal(end)
    assert goals("tron", end) == [50, 50]
    assert "(cell 6 5 empty)" in texts(end)


def test_a_rider_without_a_free_square_crashes() -> None:
    red = ["north", "west", "west", "south", "south", "east", "north"]
    blue = ["north", "north", "north", "north", "east", "east", "south"]
    now = played("tron", list(zip(red, blue, strict=True)))
    assert texts(game("tron").legal(now, parse_term("red"))) == ["crash"]
    end = played("tron", [("crash", "south")], now)
    assert game("tron").terminal(end)
    assert goals("tron", end) == [0, 100]


def test_riders_leave_walls() -> None:
    now = texts(played("tron", [("north", "south")]))
    assert {"(cell 3 5 redwall)", "(cell 3 6 redrider)", "(cell 8 6 bluewall)", "(cell 8 5 bluerider)"} <= set(now)
    assert len(now) == 100


@pytest.mark.parametrize(
    ("left", "right", "scores"),
    [
        ("rrrrr", "sssss", [100, 0]),
        ("rpsrp", "rpsrp", [50, 50]),
        ("ppprs", "rrrpr", [60, 40]),
        ("sssss", "rrrrr", [0, 100]),
    ],
)
def test_each_round_moves_ten_points(left: str, right: str, scores: list[int]) -> None:
    things = {"r": "rock", "p": "paper", "s": "scissors"}
    end = played("rockpaperscissors", [(things[one], things[other]) for one, other in zip(left, right, strict=True)])
    assert game("rockpaperscissors").terminal(end)
    assert goals("rockpaperscissors", end) == scores
    assert f"(showed left {things[left[-1]]})" in texts(end)


@pytest.mark.parametrize(
    ("bids", "facts"),
    [
        ("31", ["(coins left 5)", "(coins right 11)", "(edge left)", "(marker 3)", "(round 1)"]),
        ("18", ["(coins left 16)", "(coins right 0)", "(edge left)", "(marker 5)", "(round 1)"]),
        ("22", ["(coins left 6)", "(coins right 10)", "(edge right)", "(marker 3)", "(round 1)"]),
        ("22 22", ["(coins left 8)", "(coins right 8)", "(edge left)", "(marker 4)", "(round 2)"]),
        ("00 00", ["(coins left 8)", "(coins right 8)", "(edge left)", "(marker 4)", "(round 2)"]),
    ],
)
def test_the_higher_bid_is_paid_to_the_other_and_pulls_the_marker(bids: str, facts: list[str]) -> None:
    now = played("bidding", [[f"(bid {bid})" for bid in pair] for pair in bids.split()])
    assert texts(now) == facts


def test_nobody_bids_more_than_there_is_and_the_end_of_the_track_wins() -> None:
    now = played("bidding", [("(bid 0)", "(bid 8)")])
    assert texts(game("bidding").legal(now, parse_term("right"))) == ["(bid 0)"]
    won = played("bidding", [("(bid 1)", "(bid 0)")] * 4, now)
    assert game("bidding").terminal(won)
    assert goals("bidding", won) == [100, 0]
    lost = played("bidding", [("(bid 0)", "(bid 1)")] * 3)
    assert game("bidding").terminal(lost)
    assert goals("bidding", lost) == [0, 100]


@pytest.mark.parametrize(
    ("left", "right", "scores"),
    [
        ("123456", "123456", [50, 50]),
        ("416352", "123456", [100, 0]),
        ("123456", "612345", [100, 0]),
        ("216345", "123456", [0, 100]),
    ],
)
def test_the_higher_card_wins_the_prize(left: str, right: str, scores: list[int]) -> None:
    end = played("goofspiel_small", [[f"(play {card})" for card in pair] for pair in zip(left, right, strict=True)])
    prizes = (4, 1, 6, 3, 5, 2)
    rounds = list(zip(left, right, prizes, strict=True))
    totals = (
        sum(prize for one, other, prize in rounds if one > other),
        sum(p for one, other, p in rounds if one < other),
    )
    assert game("goofspiel_small").terminal(end)
    assert {f"(points left {totals[0]})", f"(points right {totals[1]})"} <= set(texts(end))
    assert goals("goofspiel_small", end) == scores


def test_a_card_is_played_once() -> None:
    now = played("goofspiel_small", [("(play 6)", "(play 1)")])
    assert texts(game("goofspiel_small").legal(now, parse_term("left"))) == each("play", "1 2 3 4 5")
    assert "(points left 4)" in texts(now)
