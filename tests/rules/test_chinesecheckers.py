"""Facts about ChineseCheckers."""

from __future__ import annotations

import importlib
import random
from typing import Any

import pytest
from support.oracles import actions, games, mover, moves, openspiel, play, report, start

from ggtp.errors import MalformedMove
from ggtp.game import OVER, Position, Standing
from ggtp.game.building.turns import TurnPosition

star = importlib.import_module("ggtp.rules.chinesecheckers")


def holes(text: str) -> str:
    """OpenSpiel's picture as ours: a digit or a dot for each hole."""
    marks = [mark for line in text.splitlines() if "layer" not in line for mark in line.split()]
    return "".join("." if mark == "." else str(int(mark) - 1) for mark in marks)


@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_moves_are_those_of_openspiel(players: int) -> None:
    """OpenSpiel hops step by step, may pass in mid-chain, and does not hop back to where it was."""
    rng, compared, game = random.Random(players), 0, openspiel("chinese_checkers", players=players)
    for _ in games(2):
        position, state = start("chinesecheckers", players=str(players)), game.new_initial_state()
        assert holes(str(state)) == position.view(None).split()[0].replace("/", "")
        for _ in range(60):
            theirs = reachable(state)
            ours = {tuple(map(star.HOLES.index, name.split("-"))): name for name in moves(position)}
            assert set(theirs) == set(ours)
            pair = rng.choice(sorted(theirs))
            position, state = play(position, ours[pair]), theirs[pair]
            assert holes(str(state)) == position.view(None).split()[0].replace("/", "")
            compared += 1
    report(f"Chinese Checkers of {players} with OpenSpiel", compared)
    assert compared >= 120


def reachable(state: Any) -> dict[tuple[int, int], Any]:
    """Every pair of holes that a whole move joins, with the state after it."""
    player, found = state.current_player(), {}
    for name, action in actions(state).items():
        if name == "Pass":
            continue
        origin, target = map(int, name.replace("=>", "->").split("->"))
        after = state.clone()
        after.apply_action(action)
        todo = [(target, after)]
        seen = {origin, target}
        while todo:
            here, now = todo.pop()
            if now.current_player() != player:
                found.setdefault((origin, here), now)
                continue
            for hop, further in actions(now).items():
                there = now.clone()
                there.apply_action(further)
                if hop == "Pass":
                    found.setdefault((origin, here), there)
                elif (landing := int(hop.split("=>")[1])) not in seen:
                    seen.add(landing)
                    todo.append((landing, there))
    return found


def near_the_end(*, last: str, of_others: str = "") -> Position:
    """Red has all but one piece across, the last one where it is said; Green is somewhere, and maybe in the way."""
    game = star.StarGame(("Red", "Green"), 50)
    marks = ["."] * 121
    for hole in sorted(game.goals[0])[1:]:
        marks[hole] = "0"
    marks[star.HOLES.index(last)] = "0"
    for hole in (*(f"A{index}" for index in range(1, 2)), *of_others.split()):
        marks[star.HOLES.index(hole)] = "1"
    return TurnPosition(game, star.StarState("".join(marks), 0))


def test_who_is_across_wins() -> None:
    position = play(near_the_end(last="M5"), "M5-N1")
    result = position.result()
    assert position.turn() is OVER
    assert result is not None
    assert (result.standings["Red"], result.reason) == (Standing.WIN, "Red is across")


def test_a_piece_that_stays_at_home_bars_nobody() -> None:
    position = near_the_end(last="I5", of_others="N1")
    assert play(position, "I5-I6").turn() is OVER


def test_a_goal_that_is_full_of_others_is_not_won() -> None:
    """At the start all of Green is in Red's goal: one piece of Red among them is not enough."""
    game = star.StarGame(("Red", "Green"), 50)
    marks = ["."] * 121
    for hole in sorted(game.goals[0])[1:]:
        marks[hole] = "1"
    marks[star.HOLES.index("M5")] = "0"
    position = play(TurnPosition(game, star.StarState("".join(marks), 0)), "M5-N1")
    assert position.turn() is not OVER


def test_hops_go_on_and_steps_do_not() -> None:
    game = star.StarGame(("Red", "Green"), 50)
    marks = ["."] * 121
    for hole, mark in (("I1", "0"), ("I2", "1"), ("I4", "1"), ("Q1", "1")):
        marks[star.HOLES.index(hole)] = mark
    found = TurnPosition(game, star.StarState("".join(marks), 0)).moves("Red")
    assert {name for name in found if name.startswith("I1-I")} == {"I1-I3", "I1-I5"}


def test_nobody_across_is_a_draw_that_all_share() -> None:
    position = start("chinesecheckers", players="3", rounds="10")
    while position.turn() is not OVER:
        position = play(position, moves(position)[0])
    result = position.result()
    assert result is not None
    assert sum(result.scores.values()) == 100
    assert set(result.standings.values()) == {Standing.DRAW}


def test_ways_to_write_a_move() -> None:
    position = start("chinesecheckers")
    assert mover(position) == "Red"
    assert {position.parse("Red", text) for text in ("D1-E5", "d1 e5", "d1>e5", "D1E5")} == {"D1-E5"}
    with pytest.raises(MalformedMove, match="leaves and reaches"):
        position.parse("Red", "D1-Q1")


def test_the_picture_fits_a_terminal() -> None:
    lines = start("chinesecheckers", players="6").picture(None).plain(ascii_only=True)
    assert max(map(len, lines)) < 79
    assert lines[0].split() == ["A", "R"]
    assert lines[4].split() == ["E", *"PPPP", *"56789", *"GGGG"]
