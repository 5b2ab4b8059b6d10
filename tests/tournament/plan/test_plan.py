"""Plans: complete again after a round trip, refused with a sentence where they are wrong."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ggtp.faults import IN_TOURNAMENTS
from ggtp.game.chance import MOST_KEY
from ggtp.tournament.plan.plan import PlanError, plan_from

PLAYERS = [{"engine": "Random"}, {"name": "Deep", "engine": "Minimax", "options": {"depth": 3, "quiet": True}}]
RULES = [{"rule": "TicTacToe"}]


def plan(**changes: Any) -> dict[str, Any]:
    return {"player": PLAYERS, "rule": RULES, **changes}


def test_a_plan_survives_json() -> None:
    made = plan_from(
        plan(
            format="swiss",
            rounds=3,
            time={"move": 50, "margin": 20, "window": 15},
            faults={"late": "random", "exit": "void"},
            adjudicate={"length": 40, "resign_score": 2.5},
            sprt={"elo0": 0, "elo1": 10},
            rule=[{"rule": "Nim", "options": {"heaps": "1 2"}, "seats": ["A", "B"], "start": [{"moves": ["A x"]}]}],
        )
    )
    assert plan_from(json.loads(json.dumps(made.data()))) == made
    assert made.players[1].options == {"depth": "3", "quiet": "on"}
    assert made.prices["late"] == "random"
    assert made.prices["machine"] == "void"


def test_the_window_of_sealed_turns_follows_from_the_clocks_unless_it_is_set() -> None:
    assert plan_from(plan()).clocks.window_text == "auto"
    assert plan_from(plan(time={"window": 0})).clocks.window == 0
    with pytest.raises(PlanError, match=r"time\.window must be a time from 0 to 60000 milliseconds"):
        plan_from(plan(time={"window": "soon"}))


def test_the_largest_seed_survives_json() -> None:
    made = plan_from(plan(seed=MOST_KEY))
    assert made.seed == MOST_KEY
    assert plan_from(json.loads(json.dumps(made.data()))).seed == MOST_KEY


def test_two_players_play_a_match_and_more_a_round_robin() -> None:
    assert plan_from(plan()).format == "match"
    assert plan_from(plan(player=[*PLAYERS, {"name": "Third", "engine": "Random"}])).format == "round-robin"


def test_a_default_price_is_for_all_faults_but_nobodys() -> None:
    prices = plan_from(plan(faults={"default": "random", "exit": "loss"})).prices
    assert {prices[name] for name in IN_TOURNAMENTS} == {"random", "loss", "void"}
    assert (prices["exit"], prices["late"], prices["machine"], prices["referee"]) == ("loss", "random", "void", "void")


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"fromat": "match"}, "fromat is not a key of plans. Did you mean format?"),
        ({"format": "swis"}, "Did you mean swiss?"),
        ({"player": PLAYERS[:1]}, "two players at least"),
        ({"player": [{"engine": "Random"}, {"engine": "random"}]}, "Two players are called random"),
        ({"player": [{"name": " b", "engine": "Random"}, {"engine": "random"}]}, "can't be a player's name"),
        ({"player": [{"engin": "Random"}]}, "player 1.engine is missing"),
        ({"player": 3}, "must be a list of tables"),
        ({"rule": []}, "No rule is named"),
        ({"seed": -1}, f"seed must be a whole number from 0 to {MOST_KEY}, not -1"),
        ({"seed": MOST_KEY + 1}, f"seed must be a whole number from 0 to {MOST_KEY}, not {MOST_KEY + 1}"),
        ({"seed": 1.5}, "seed must be a whole number"),
        ({"seed": "1"}, "seed must be a whole number"),
        ({"blocks": 0}, "blocks must be a whole number from 1"),
        ({"blocks": True}, "blocks must be a whole number from 1"),
        ({"time": {"move": "fast"}}, "time.move must be a time from 0"),
        ({"faults": {"late": "death"}}, "faults.late can't be 'death'"),
        ({"faults": {"machine": "loss"}}, "no player's"),
        ({"adjudicate": {"resign_score": 80}}, "from 0 to 50"),
        ({"sprt": {"elo0": 5, "elo1": 5}}, "elo0 must be less"),
        ({"format": "gauntlet", "seeds": 2}, "needs more than 2 players"),
        ({"rule": [{"rule": "Nim", "options": {"x": [1]}}]}, "rule 1.options.x must be a text or a number"),
        ({"time": []}, "time must be a table"),
    ],
)
def test_what_is_wrong_is_refused_with_its_place(changes: dict[str, Any], sentence: str) -> None:
    with pytest.raises(PlanError, match=sentence.replace(".", r"\.").replace("?", r"\?")):
        plan_from(plan(**changes))


def test_an_illegal_move_may_be_asked_for_again() -> None:
    made = plan_from(plan(faults={"illegal": "again:2:random"}))
    assert made.prices["illegal"] == "again:2:random"
    assert plan_from(made.data()) == made
    assert plan_from(plan(faults={"illegal": "again"})).prices["illegal"] == "again:3:loss"
    for faults, sentence in (
        ({"illegal": "again:2:ask"}, "faults.illegal must be again, again:N with N from 1 to 100, or again:N:PRICE"),
        ({"late": "again"}, "faults.late can't be 'again'"),
        ({"default": "again"}, "faults.default can't be 'again'"),
        ({"illegal": "agian"}, "Did you mean again?"),
    ):
        with pytest.raises(PlanError) as refused:
            plan_from(plan(faults=faults))
        assert sentence in str(refused.value)
