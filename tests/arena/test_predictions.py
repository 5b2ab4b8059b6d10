"""Dice that an engine could have computed are found, and no others."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

import pytest
from support.dice import plan_for, played
from support.tournaments import find_rules

from ggtp.arena.predictions import MOST_GAMES, Predictions
from ggtp.game.chance import Chance, derive
from ggtp.play.replay import begun, make_all
from ggtp.tournament.plan.plan import Start
from ggtp.tournament.results import GamePlan
from ggtp.tournament.schedule.schedule import Schedule, engine_seed

OLD = 2**31 - 19

MakeDice = Callable[[GamePlan], random.Random]


def found(rule: str, dice: MakeDice, *, blocks: int = 2, seed: int | None = None) -> list[str]:
    """What predicts the games of a tournament with these dice; all of them have this seed, or one of their own."""
    plan, predictions = plan_for(rule, blocks), Predictions()
    schedule = Schedule(plan)
    while (due := schedule.next()) is not None:
        due = due if seed is None else replace(due, seed=seed)
        game = played(rule, due, dice(due))
        table = begun(find_rules(rule), rule, {})
        make_all(table, game.moves)
        predictions.look(plan, game, table.need_record().cursor.path())
        schedule.finished(due.id, {})
    return predictions.found()


def seat_of(game: GamePlan) -> str:
    return next(iter(game.seats))


@pytest.mark.parametrize("rule", ["CantStop", "Backgammon"])
def test_dice_from_the_key_of_the_game_are_not_predicted(rule: str) -> None:
    assert found(rule, lambda game: Chance(derive(game.seed, "chance"))) == []


@pytest.mark.parametrize(
    ("dice", "seed", "what"),
    [
        (lambda game: random.Random(game.seed), OLD, "the game's seed, which has at most 64 bits"),
        (lambda game: Chance(derive(game.seed, "chance")), OLD, "the game's seed, which has at most 64 bits"),
        (lambda game: random.Random(engine_seed(game, seat_of(game))), None, "the seed that the engine of"),
        (lambda game: Chance(derive(engine_seed(game, seat_of(game)), "chance")), None, "the seed that the engine of"),
        (lambda game: random.Random(0), None, "the seed 0, as dice were drawn once"),
        (lambda game: Chance(derive(7, "chance")), None, "the seed 7, as dice are drawn"),
    ],
)
def test_dice_that_an_engine_could_know(dice: MakeDice, seed: int | None, what: str) -> None:
    (text,) = found("CantStop", dice, seed=seed)
    assert f"chance in 4 games is drawn from {what}" in text


def test_one_game_with_other_dice_is_enough() -> None:
    assert found("CantStop", lambda game: random.Random(0 if game.block < 2 else 10**9)) == []


def test_a_few_draws_may_be_an_accident_and_many_are_none() -> None:
    def dice(game: GamePlan) -> random.Random:
        return random.Random(game.seed)

    assert found("KuhnPoker", dice, blocks=1, seed=OLD) == []
    assert found("KuhnPoker", dice, blocks=20, seed=OLD)


def test_without_chance_there_is_nothing_to_predict() -> None:
    assert found("TicTacToe", lambda game: random.Random(0)) == []


def test_moves_of_a_start_position_were_not_drawn() -> None:
    rule = "CantStop"
    plan = plan_for(rule, 1)
    game = Schedule(plan).next()
    assert game is not None
    whole = played(rule, game, random.Random(0))
    table = begun(find_rules(rule), rule, {})
    make_all(table, whole.moves)
    nodes = table.need_record().cursor.path()
    given = replace(plan, rules=(replace(plan.rules[0], starts=(Start("all", whole.moves),)),))
    for the_plan, games in ((plan, 1), (given, 0)):
        predictions = Predictions()
        predictions.look(the_plan, whole, nodes)
        assert predictions.games == games


def test_only_some_games_are_looked_at() -> None:
    rule, predictions = "CantStop", Predictions()
    plan = plan_for(rule, MOST_GAMES)
    game = Schedule(plan).next()
    assert game is not None
    whole = played(rule, game, random.Random(0))
    table = begun(find_rules(rule), rule, {})
    make_all(table, whole.moves)
    for _ in range(MOST_GAMES + 5):
        predictions.look(plan, whole, table.need_record().cursor.path())
    assert predictions.games == MOST_GAMES
