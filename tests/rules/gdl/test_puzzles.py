"""The bundled puzzles in GDL: each can be read, played to its end, and solved."""

from __future__ import annotations

import random
from collections.abc import Iterable
from functools import cache

import pytest
from support.paths import RULES

from ggtp.gdl.interpret.reasoner import Interpreter, State
from ggtp.gdl.language.parse import parse_strictly, parse_term
from ggtp.gdl.language.syntax import Term
from ggtp.gdl.language.validate import validate_text

FOLDER = RULES / "gdl"


def source(name: str) -> str:
    return (FOLDER / f"{name}.gdl").read_text(encoding="utf-8")


@cache
def game(name: str) -> Interpreter:
    return Interpreter(parse_strictly(source(name)))


def texts(terms: Iterable[Term]) -> list[str]:
    return sorted(map(str, terms))


def state(*facts: str) -> State:
    return frozenset(map(parse_term, facts))


def played(name: str, moves: Iterable[str]) -> State:
    """The state after the moves, of which each must be legal and none may come after the end."""
    rules = game(name)
    (role,) = rules.roles
    now = rules.initial()
    for number, move in enumerate(moves, 1):
        assert not rules.terminal(now), f"the game is over before move {number}"
        term = parse_term(move)
        assert term in rules.legal(now, role), f"move {number}, {move}, is not legal"
        now = rules.next(now, {role: term})
    return now


def goal(name: str, now: State) -> int | None:
    rules = game(name)
    (role,) = rules.roles
    assert len(rules.goal_values(now, role)) == 1
    return rules.goal(now, role)


def hanoi(disks: int, start: int, end: int) -> list[str]:
    """The shortest solution, by the textbook."""
    if not disks:
        return []
    aside = 6 - start - end
    return [*hanoi(disks - 1, start, aside), f"(move {start} {end})", *hanoi(disks - 1, aside, end)]


def each(name: str, places: str) -> list[str]:
    """Moves of the same name: each word has a digit for each argument."""
    return [f"({name} {' '.join(word)})" for word in places.split()]


COMPASS = {"n": "north", "e": "east", "s": "south", "w": "west"}
EXITS = {"l": "left", "r": "right", "d": "down"}
CONTROLS = {"l": "left", "r": "right", "t": "thrust", ".": "drift"}
TRUTHS = {"y": "yes", "n": "no"}

SOLUTIONS: dict[str, list[str]] = {
    "eightpuzzle": each(
        "slide", "33 32 22 12 13 23 33 32 31 21 11 12 22 21 11 12 13 23 33 32 22 23 33 32 31 21 11 12 13 23 33"
    ),
    "lightsout": each("press", "21 31 41 51 52 13 33 43 53"),
    "hanoi": hanoi(6, 1, 3),
    "pancakes": each("flip", "2 3 7 4 3 8 6 3 7"),
    "queens": each("place", "11 25 38 46 53 67 72 84"),
    "snake": [COMPASS[letter] for letter in "enwnnesenessswseswwnwwswnnenwnne"],
    "buttons": each("press", "a b c a d b c a"),
    "asteroids": [CONTROLS[letter] for letter in "ltlt...ltlt"],
    "maze": [COMPASS[letter] for letter in "eesseeeessnnwwwwnnwwsssseesswweennwwnnnneeeeee"],
    "pegsolitaire": each(
        "jump",
        "2444 3234 1333 1513 3432 3133 3515 3735 4323 1333 4143 4323 4525 1535 4745 4525 "
        "6343 5153 5333 2343 4345 5535 2545 5755 5456 7555 4565 7375 7555 5654 6444",
    ),
    "twistypassages": [EXITS[letter] for letter in "rrrldlllllrrlrldlrllddllddrllrlrlldrrll"],
    "satpuzzle": [f"(set {number} {TRUTHS[letter]})" for number, letter in enumerate("nnyyynynynynnynnynny", 1)],
    "godlike": [
        *("(well 1 6)", "(well 4 4)", "tide", "rain", "(plant 2 4)", "spring"),
        *("(plant 4 2)", "spring", "(plant 5 3)", "(well 6 2)", "rain", "spring"),
    ],
    "sokoban_small": [COMPASS[letter] for letter in "nwwwesssswwnnnenesssnnwwssseeewwwnnenessnwwssee"],
    "knightstour": each(
        "jump",
        "23 15 36 55 63 51 32 13 21 42 61 53 65 46 34 26 14 22 41 62 54 66 45 64 56 44 25 33 52 31 12 24 16 35 43",
    ),
}
"""For each puzzle a way to 100 points."""

LIMITS = {
    "eightpuzzle": 60,
    "lightsout": 20,
    "hanoi": 70,
    "pancakes": 12,
    "queens": 8,
    "snake": 32,
    "buttons": 12,
    "asteroids": 30,
    "maze": 60,
    "pegsolitaire": 31,
    "twistypassages": 50,
    "satpuzzle": 20,
    "godlike": 12,
    "sokoban_small": 80,
    "knightstour": 35,
}
"""For each puzzle the most moves that a game can have."""

every_puzzle = pytest.mark.parametrize("name", sorted(SOLUTIONS))


@every_puzzle
def test_nothing_is_wrong_with_its_text(name: str) -> None:
    assert [str(fault) for fault in validate_text(source(name), name)] == []


@every_puzzle
def test_its_solution_is_worth_100_and_ends_it(name: str) -> None:
    end = played(name, SOLUTIONS[name])
    assert game(name).terminal(end)
    assert goal(name, end) == 100


@every_puzzle
@pytest.mark.parametrize("seed", range(3))
def test_random_games_end_in_time_with_a_goal_and_keep_to_base_and_input(name: str, seed: int) -> None:
    rules, rng = game(name), random.Random(seed)
    (role,) = rules.roles
    now = rules.initial()
    base = {row[0] for row in rules.holds(now, "base")}
    inputs = {row[1] for row in rules.holds(now, "input")}
    for _ in range(LIMITS[name]):
        assert now <= base
        if rules.terminal(now):
            break
        moves = rules.legal(now, role)
        assert moves
        assert inputs.issuperset(moves)
        now = rules.next(now, {role: rng.choice(moves)})
    assert rules.terminal(now)
    score = goal(name, now)
    assert score is not None
    assert 0 <= score <= 100


@pytest.mark.parametrize(
    ("name", "moves", "points"),
    [
        ("eightpuzzle", SOLUTIONS["eightpuzzle"][:-1], 70),
        ("lightsout", SOLUTIONS["lightsout"][:-1], 30),
        ("hanoi", hanoi(6, 1, 3)[:31], 0),
        ("hanoi", hanoi(6, 1, 3)[:32], 15),
        ("hanoi", hanoi(6, 1, 3)[:48], 30),
        ("hanoi", hanoi(6, 1, 3)[:62], 75),
        ("queens", each("place", "11 23 35 42 54"), 50),
        ("snake", ["south", "west"], 6),
        ("buttons", each("press", "a b c a"), 30),
        ("asteroids", [], 20),
        ("asteroids", ["thrust"], 10),
        ("asteroids", SOLUTIONS["asteroids"][:-1], 50),
        ("maze", SOLUTIONS["maze"][:10], 25),
        ("maze", SOLUTIONS["maze"][:30], 50),
        ("pegsolitaire", SOLUTIONS["pegsolitaire"][:-1], 80),
        ("twistypassages", SOLUTIONS["twistypassages"][:-1], 0),
        ("satpuzzle", [*SOLUTIONS["satpuzzle"][:-1], "(set 20 no)"], 60),
        ("godlike", ["rest"] * 12, 10),
        ("sokoban_small", SOLUTIONS["sokoban_small"][:-1], 50),
        ("knightstour", each("jump", "23 31 12 24 16"), 12),
    ],
)
def test_a_part_of_a_solution_is_worth_a_part(name: str, moves: list[str], points: int) -> None:
    assert goal(name, played(name, moves)) == points


@pytest.mark.parametrize(
    ("name", "moves", "legal"),
    [
        ("eightpuzzle", [], ["(slide 1 3)", "(slide 2 2)", "(slide 3 3)"]),
        ("hanoi", [], ["(move 1 2)", "(move 1 3)"]),
        ("hanoi", ["(move 1 2)"], ["(move 1 3)", "(move 2 1)", "(move 2 3)"]),
        ("queens", each("place", "11 23"), [f"(place 3 {row})" for row in (5, 6, 7, 8)]),
        ("snake", ["west"], ["north", "south", "west"]),
        ("maze", [], ["east", "south"]),
        ("maze", ["east", "east"], ["south", "west"]),
        ("maze", ["south"] * 4 + ["east"] * 2, ["west"]),
        ("pegsolitaire", [], ["(jump 2 4 4 4)", "(jump 4 2 4 4)", "(jump 4 6 4 4)", "(jump 6 4 4 4)"]),
        ("satpuzzle", ["(set 1 yes)"], ["(set 2 no)", "(set 2 yes)"]),
        ("sokoban_small", [], ["north"]),
        ("sokoban_small", ["north", "west"], ["east", "west"]),
        ("knightstour", [], ["(jump 2 3)", "(jump 3 2)"]),
    ],
    ids=str,
)
def test_these_are_the_legal_moves(name: str, moves: list[str], legal: list[str]) -> None:
    rules = game(name)
    assert texts(rules.legal(played(name, moves), rules.roles[0])) == sorted(legal)


def lit(now: State) -> set[str]:
    return {str(fact) for fact in now if str(fact).startswith("(lit")}


@pytest.mark.parametrize(
    ("before", "button", "after"),
    [
        ([], "a", ["red"]),
        (["red", "blue"], "a", ["blue"]),
        (["red"], "b", ["amber"]),
        (["red", "amber"], "b", ["red", "amber"]),
        (["amber"], "c", ["amber", "green"]),
        (["amber", "green"], "c", ["amber"]),
        (["amber", "red"], "c", ["amber", "red"]),
        (["amber", "green"], "d", ["blue"]),
        (["red", "blue"], "d", ["red", "green"]),
    ],
)
def test_buttons_do_what_the_heading_says(before: list[str], button: str, after: list[str]) -> None:
    rules = game("buttons")
    now = state("(step 0)", *(f"(lit {lamp})" for lamp in before))
    then = rules.next(now, {rules.roles[0]: parse_term(f"(press {button})")})
    assert lit(then) == {f"(lit {lamp})" for lamp in after}


def test_a_corner_button_switches_three_lamps() -> None:
    rules = game("lightsout")
    before = rules.initial()
    after = rules.next(before, {rules.roles[0]: parse_term("(press 1 5)")})
    changed = {str(fact).rsplit(" ", 1)[0] for fact in before ^ after if str(fact).startswith("(cell")}
    assert changed == {"(cell 1 5", "(cell 2 5", "(cell 1 4"}


def test_a_flip_turns_the_upper_pancakes_over_and_leaves_the_others() -> None:
    rules = game("pancakes")
    start = state("(step 0)", *(f"(pancake {place} {place})" for place in range(1, 9)))
    then = rules.next(start, {rules.roles[0]: parse_term("(flip 5)")})
    sizes = (5, 4, 3, 2, 1, 6, 7, 8)
    assert then == state("(step 1)", *(f"(pancake {place} {size})" for place, size in enumerate(sizes, 1)))


def test_space_is_round_and_a_ship_on_an_asteroid_is_lost() -> None:
    west = played("asteroids", ["left", "thrust", "drift", "drift"])
    assert "(cell 16 3 ship)" in texts(west)
    east = played("asteroids", ["right", "thrust"])
    assert not game("asteroids").terminal(east)
    crashed = played("asteroids", ["right", "thrust", "drift"])
    assert game("asteroids").terminal(crashed)
    assert goal("asteroids", crashed) == 0


def test_a_ship_at_the_station_in_flight_gets_half() -> None:
    flying = state("(cell 12 12 ship)", "(heading north)", "(speed rows 1)", "(speed columns 0)", "(step 9)")
    assert not game("asteroids").terminal(flying)
    assert goal("asteroids", flying) == 50


def test_thrust_beyond_the_greatest_speed_is_not_legal() -> None:
    rules = game("asteroids")
    fast = state("(cell 12 9 ship)", "(heading north)", "(speed rows 3)", "(speed columns 0)", "(step 9)")
    assert texts(rules.legal(fast, rules.roles[0])) == ["drift", "left", "right"]


@pytest.mark.parametrize(
    ("act", "row"),
    [
        ("rain", ["sea", "grass", "grass", "wood", "sand", "sand"]),
        ("tide", ["sea", "sea", "grass", "wood", "sand", "sand"]),
        ("spring", ["sea", "sand", "wood", "wood", "sand", "sand"]),
        ("rest", ["sea", "sand", "grass", "wood", "sand", "sand"]),
        ("(well 6 1)", ["sea", "sand", "grass", "wood", "sand", "sea"]),
        ("(plant 3 1)", ["sea", "sand", "wood", "wood", "sand", "sand"]),
    ],
)
def test_acts_of_god_change_the_world(act: str, row: list[str]) -> None:
    rules = game("godlike")
    before = ["sea", "sand", "grass", "wood", "sand", "sand"]
    now = state("(day 0)", *(f"(cell {x} 1 {terrain})" for x, terrain in enumerate(before, 1)))
    then = rules.next(now, {rules.roles[0]: parse_term(act)})
    assert then == state("(day 1)", *(f"(cell {x} 1 {terrain})" for x, terrain in enumerate(row, 1)))


def test_wells_are_dug_in_sand_and_trees_planted_in_grass() -> None:
    rules = game("godlike")
    assert len(rules.legal(rules.initial(), rules.roles[0])) == 32 + 4
    now = state("(day 0)", "(cell 1 1 sea)", "(cell 2 1 sand)", "(cell 3 1 grass)", "(cell 4 1 wood)")
    everywhere = {"rain", "tide", "spring", "rest"}
    assert set(texts(rules.legal(now, rules.roles[0]))) - everywhere == {"(well 2 1)", "(plant 3 1)"}


def test_one_box_can_be_pushed_and_two_can_not() -> None:
    rules = game("sokoban_small")
    row = ["wall", "keeper", "box", "floor", "floor", "floor", "wall"]
    now = state("(step 0)", *(f"(cell {x} 2 {piece})" for x, piece in enumerate(row, 1)))
    then = rules.next(now, {rules.roles[0]: parse_term("east")})
    pushed = ["wall", "floor", "keeper", "box", "mark", "mark", "wall"]
    assert {str(fact) for fact in then} >= {f"(cell {x} 2 {piece})" for x, piece in enumerate(pushed[:4], 1)}
    blocked = state("(step 0)", "(cell 2 2 keeper)", "(cell 3 2 box)", "(cell 4 2 box)", "(cell 5 2 mark)")
    assert texts(rules.legal(blocked, rules.roles[0])) == []


def test_the_last_peg_outside_of_the_centre_is_worth_90() -> None:
    assert goal("pegsolitaire", state("(pegs 1)", "(cell 4 1 peg)", "(cell 4 4 empty)")) == 90


def test_a_wrong_exit_leads_back() -> None:
    far = played("twistypassages", SOLUTIONS["twistypassages"][:30])
    rules = game("twistypassages")
    rooms = set()
    for exit_ in EXITS.values():
        then = rules.next(far, {rules.roles[0]: parse_term(exit_)})
        rooms |= {int(str(fact)[4:-1]) for fact in then if str(fact).startswith("(in")}
    assert max(rooms) == 32
    assert sorted(rooms)[-2] < 31
