"""Facts about Backgammon."""

from __future__ import annotations

import importlib
import random
import re
from typing import Any

import pytest
from support.oracles import games, moves, openspiel, play, report, start

from ggtp.errors import AmbiguousMove, IllegalMove, MalformedMove
from ggtp.game import CHANCE, OVER, Position, Standing

backgammon = importlib.import_module("ggtp.rules.backgammon")
MEN = 15


def men(**points: int) -> tuple[int, ...]:
    """A player's men by points as `p6=2`, the rest of the fifteen off."""
    found = [0] * 26
    for name, count in points.items():
        found[25 if name == "bar" else int(name[1:])] = count
    found[0] = MEN - sum(found)
    return tuple(found)


def table(white: tuple[int, ...], black: tuple[int, ...], dice: tuple[int, int]) -> Position:
    """White to play these dice."""
    return at(backgammon.rolled(backgammon.Table((white, black)), 0, dice))


def at(state: Any) -> Position:
    """The position at that table."""
    position: Position = backgammon.BackgammonPosition(backgammon.GAME, state)
    return position


def their_men(state: Any) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """OpenSpiel's men, X's and then O's, each as the player counts the points."""
    text = str(state)
    bar = re.search(r"Bar:(.*)", text)
    off = re.search(r"X: (\d+), O: (\d+)", text)
    assert bar is not None
    assert off is not None
    x = [int(off[1]), *(state.board(0, 24 - point) for point in range(1, 25)), bar[1].count("x")]
    o = [int(off[2]), *(state.board(1, point - 1) for point in range(1, 25)), bar[1].count("o")]
    return tuple(x), tuple(o)


def their_turns(state: Any) -> dict[Any, Any]:
    """Every position at the end of the turn: doubles are two actions."""
    player, found, todo = state.current_player(), {}, [state]
    while todo:
        here = todo.pop()
        for action in here.legal_actions():
            after = here.clone()
            after.apply_action(action)
            if not after.is_terminal() and after.current_player() == player:
                todo.append(after)
            else:
                found[their_men(after)] = after
    return found


@pytest.mark.slow
def test_turns_are_those_of_openspiel() -> None:
    """Positions after whole turns are compared. X of OpenSpiel is White; who cannot move passes there by a move."""
    rng, compared, stuck, game = random.Random(5), 0, 0, openspiel("backgammon")
    for _ in games(6):
        position, state = start("backgammon"), game.new_initial_state()
        opening = True
        while not state.is_terminal():
            rolls = {state.action_to_string(action): action for action, _ in state.chance_outcomes()}
            name = rng.choice(sorted(rolls))
            dice = sorted(map(int, re.findall(r"\d", name.rsplit("roll: ", 1)[1])), reverse=True)
            if opening:
                x = max(dice) if "X starts" in name else min(dice)
                position = position.play({CHANCE: f"White {x} Black {sum(dice) - x}"}).position
            else:
                verdict = position.play({CHANCE: f"{dice[0]}-{dice[1]}"})
                position = verdict.position
            opening = False
            state.apply_action(rolls[name])
            theirs = their_turns(state)
            if position.turn().players == (CHANCE,):
                assert len(theirs) == 1
                stuck += 1
                state = next(iter(theirs.values()))
                continue
            ours = {}
            for move in moves(position):
                after = play(position, move)
                ours[after.state.men] = (move, after)  # type: ignore[attr-defined]
            assert len(ours) == len(moves(position))
            assert set(ours) == set(theirs)
            chosen = rng.choice(sorted(ours))
            position, state = ours[chosen][1], theirs[chosen]
            compared += 1
        result = position.result()
        assert result is not None
        assert state.returns()[0] == (1.0 if result.standings["White"] is Standing.WIN else -1.0)
    report("Backgammon with OpenSpiel", compared)
    assert compared > 200
    assert stuck > 0


def test_the_dice_are_fair() -> None:
    position = start("backgammon")
    assert len(position.chance()) == 30
    position = play(position, "White 3 Black 1")
    assert position.turn().players == ("White",)
    position = play(position, "8/5 6/5")
    assert sum(weight for _, weight in position.chance()) == 36
    assert dict(position.chance())["6-6"] == 1


def test_the_higher_die_begins_and_is_played() -> None:
    position = play(start("backgammon"), "White 2 Black 5")
    assert position.turn().players == ("Black",)
    assert position.picture(None).plain()[-1] == "Black plays 5-2"


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("8/5 6/5", "8/5 6/5"), ("6/5 8/5", "8/5 6/5"), ("24/23 23/20", "24/20"), ("24/20", "24/20"),
        ("24/21/20", "24/20"),
        ("13-10 6-5", "13/10 6/5"),
    ],
)  # fmt: skip
def test_ways_to_write_a_turn(text: str, move: str) -> None:
    assert play(start("backgammon"), "White 3 Black 1").parse("White", text) == move


def test_doubles() -> None:
    position = table(men(p6=4, p8=3), men(p24=2), (3, 3))
    assert position.parse("White", "8/5(2) 6/3(2)") == "8/5(2) 6/3(2)"
    assert position.parse("White", "8/5 8/5 6/3 6/3") == "8/5(2) 6/3(2)"


def test_hits_are_starred_and_may_be_left_out() -> None:
    position = table(men(p8=1, p24=1), men(p20=1, p1=2), (3, 1))
    assert "8/5* 24/23" not in position.moves("White")
    assert position.parse("White", "24/23 8/5") == "24/23 8/5*"
    after = play(position, "24/23 8/5")
    assert after.view(None).split("; ")[1].endswith(" 1")


def test_a_hit_on_the_way_makes_a_difference() -> None:
    position = table(men(p8=1, p24=1), men(p20=1, p1=2), (3, 1))
    assert {"8/5*/4", "8/4"} <= set(position.moves("White"))
    assert position.parse("White", "8/4") == "8/4"
    assert position.parse("White", "8/5*/4") == "8/5*/4"
    both = table(men(p8=1, p24=1), men(p20=1, p18=1), (3, 1))
    with pytest.raises(AmbiguousMove, match=r"8/7\*/4 or 8/5\*/4"):
        both.parse("White", "8/4")


def test_men_on_the_bar_come_first() -> None:
    position = table(men(bar=1, p6=5), men(p1=2, p6=2), (6, 4))
    assert position.moves("White") == ("bar/15",)
    assert position.parse("White", "b/21 21/15") == "bar/15"


def test_who_cannot_move_is_passed_over() -> None:
    blocked = men(p1=2, p2=2, p3=2, p4=2, p5=2, p6=2)
    start_table = backgammon.Table((men(bar=1, p6=5), blocked), 0, "rolling")
    verdict = at(start_table).play({CHANCE: "6-4"})
    assert verdict.announcements[0].text == "White can't move with 6-4."
    assert verdict.position.state.to_move == 1  # type: ignore[attr-defined]


def test_the_larger_die_must_be_used_where_only_one_can_be() -> None:
    assert table(men(p20=1), men(p16=2), (6, 5)).moves("White") == ("20/14",)
    assert table(men(p20=1), men(p16=2, p11=2), (6, 5)).moves("White") == ("20/15",)


def test_men_go_off_from_the_highest_point() -> None:
    position = table(men(p4=1, p2=1), men(p24=1), (6, 5))
    assert position.moves("White") == ("4/off 2/off",)
    assert "2/off" not in " ".join(table(men(p8=1, p2=1), men(p24=1), (5, 1)).moves("White"))


@pytest.mark.parametrize(
    ("black", "points", "reason"),
    [
        (men(p6=14), 1, "White bears off"),
        (men(p6=15), 2, "White wins a gammon"),
        (men(p6=14, bar=1), 3, "White wins a backgammon"),
        (men(p6=14, p24=1), 3, "White wins a backgammon"),
        (men(p6=14, p18=1), 2, "White wins a gammon"),
    ],
)
def test_what_a_game_is_worth(black: tuple[int, ...], points: int, reason: str) -> None:
    result = play(table(men(p1=1), black, (6, 5)), "1/off").result()
    assert result is not None
    assert (result.scores, result.reason) == ({"White": points, "Black": -points}, reason)


def test_the_cube() -> None:
    position = play(start("backgammon", cube="on"), "White 3 Black 1", "8/5 6/5")
    assert position.moves("Black") == ("roll", "double")
    offered = play(position, "double")
    assert offered.turn().players == ("White",)
    assert offered.moves("White") == ("take", "drop")
    dropped = play(offered, "drop")
    assert dropped.turn() is OVER
    result = dropped.result()
    assert result is not None
    assert (result.scores["Black"], result.reason) == (1, "White drops")
    taken = play(offered, "take", "3-1", "8/5 6/5")
    assert taken.moves("White") == ("roll", "double")
    later = play(taken, "roll", "6-1", "13/7 8/7")
    assert later.turn().players == (CHANCE,), "the cube is White's, so Black just rolls"


def test_words_about_the_cube() -> None:
    rolled = play(start("backgammon", cube="on"), "White 3 Black 1")
    with pytest.raises(IllegalMove, match="rolled already: play 3-1"):
        rolled.parse("White", "double")
    asked = play(rolled, "8/5 6/5")
    assert [asked.parse("Black", text) for text in ("r", "D", "redouble")] == ["roll", "double", "double"]
    with pytest.raises(MalformedMove, match="write roll or double"):
        asked.parse("Black", "8/5 6/5")
    offered = play(asked, "double")
    assert [offered.parse("White", text) for text in ("accept", "pass")] == ["take", "drop"]
    with pytest.raises(MalformedMove, match="write take or drop"):
        offered.parse("White", "beaver")


def test_what_is_no_turn() -> None:
    position = play(start("backgammon"), "White 3 Black 1")
    for text, error in (("13/12 13/11", IllegalMove), ("x", MalformedMove), ("99/3", MalformedMove), ("", IllegalMove)):
        with pytest.raises(error):
            position.parse("White", text)


def test_the_picture_is_drawn_as_the_player_sees_it() -> None:
    lines = play(start("backgammon"), "White 3 Black 1").picture("White").plain(ascii_only=True)
    assert lines[0].split() == [str(point) for point in range(13, 25)]
    assert lines[1].split()[0] == "W"
    assert lines[11].split()[-1] == "B"
    assert lines[12].split() == [str(point) for point in range(12, 0, -1)]
    assert "White: 0 off, 167 points to go" in lines
