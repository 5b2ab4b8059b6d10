"""Matches: what words mean, and the plan that engines, a rule and a number of games make."""

from __future__ import annotations

import pytest

from ggtp.errors import OptionError
from ggtp.game.durations import Control
from ggtp.tournament.plan.clocks import Clocks
from ggtp.tournament.plan.match import (
    Match,
    contestants,
    parse_option,
    parse_player,
    parse_sprt,
    parse_time,
    with_time_odds,
)
from ggtp.tournament.plan.plan import Contestant, Plan, plan_from


@pytest.mark.parametrize(
    ("word", "parsed"),
    [
        ("Random", ("Random", "Random", {})),
        ("MCTS:threads=1", ("MCTS:threads=1", "MCTS", {"threads": "1"})),
        ("Deep=Minimax:depth=4,quiet=on", ("Deep", "Minimax", {"depth": "4", "quiet": "on"})),
        ("A=./x.toml", ("A", "./x.toml", {})),
    ],
)
def test_players(word: str, parsed: tuple[str, str, dict[str, str]]) -> None:
    assert parse_player(word) == parsed


@pytest.mark.parametrize(
    ("word", "engine", "options"),
    [
        ("uci:stockfish", "uci:stockfish", {}),
        ("UCI:stockfish:Hash=64,Skill_Level=3", "UCI:stockfish", {"Hash": "64", "Skill_Level": "3"}),
        ("Fish=uci:stockfish:Hash=64", "uci:stockfish", {"Hash": "64"}),
        ("uci:gnuchess --uci", "uci:gnuchess --uci", {}),
        ('uci:"gnuchess --uci"', 'uci:"gnuchess --uci"', {}),
        ('uci:"x --a=b:c=d":Hash=1', 'uci:"x --a=b:c=d"', {"Hash": "1"}),
        ("uci:x --a=b", "uci:x --a=b", {}),
        ("web:http://host:9147", "web:http://host:9147", {}),
        ("web:http://host:9147:scramble=on", "web:http://host:9147", {"scramble": "on"}),
        ("uci:/opt/my engine/x", "uci:/opt/my engine/x", {}),
        ("other:a=1", "other", {"a": "1"}),
    ],
)
def test_players_behind_bridges(word: str, engine: str, options: dict[str, str]) -> None:
    name, found, chosen = parse_player(word, ("uci", "web"))
    assert (found, chosen) == (engine, options)
    assert name == ("Fish" if word.startswith("Fish") else word)


def test_the_same_engine_has_two_names() -> None:
    names = ["Random", "Random-2", "random-3"]
    assert [player.name for player in contestants(["Random", "Random", "random"])] == names
    assert all(player.restart for player in contestants(["Random", "Random"], restart=True))


@pytest.mark.parametrize("word", ["=Random", ":x=1", "Random:deep"])
def test_what_is_no_player(word: str) -> None:
    with pytest.raises(OptionError):
        parse_player(word)


def test_an_option_is_a_name_and_a_value() -> None:
    assert parse_option("size=9=x") == ("size", "9=x")
    for text in ("size", "=9"):
        with pytest.raises(OptionError, match="write NAME=VALUE"):
            parse_option(text)


def seated(match: Match, seats: list[str]) -> Plan:
    """The plan of a match whose rule has these seats."""
    data = match.data()
    data["rule"][0]["seats"] = seats
    return match.sized(plan_from(data))


def test_a_match_has_as_many_blocks_as_its_games_take() -> None:
    players = contestants(["A=Random:depth=3", "B=Random"])
    plan = seated(Match(players, "Nim", {"piles": "2"}, games=5, clocks=Clocks(move=100), length=40), ["Left", "Right"])
    assert (plan.format, plan.blocks, plan.adjudication.length) == ("match", 3, 40)
    assert plan.players == (Contestant("A", "Random", {"depth": "3"}), Contestant("B", "Random"))
    assert (plan.rules[0].rule, plan.rules[0].options) == ("Nim", {"piles": "2"})
    assert (plan.clocks.move, plan.clocks.margin) == (100, 100)


def test_more_players_than_seats_meet_in_turn() -> None:
    plan = seated(Match(contestants("ABC"), "Nim", games=6), ["Left", "Right"])
    assert (plan.format, plan.blocks) == ("round-robin", 1)


def test_start_positions_are_files_until_they_are_looked_up() -> None:
    assert Match(contestants("AB"), "Nim", starts=["x.ggtp"]).data()["rule"][0]["start"] == [{"file": "x.ggtp"}]


def test_a_player_may_have_other_clocks() -> None:
    assert parse_time("5+0.1") == ("", Control(bank=5000, increment=100))
    assert parse_time("a=b=300ms") == ("a=b", Control(move=300))
    players = with_time_odds(contestants(["Deep=Minimax", "Random"]), {"deep": Control(move=300)})
    plan = seated(Match(players, "Nim", clocks=Clocks(bank=9000)), ["Left", "Right"])
    limits = [plan.clocks_of(plan.rules[0], player).control for player in plan.players]
    assert limits == [Control(move=300), Control(bank=9000)]
    with pytest.raises(OptionError, match=r"--time Dep=300ms: no player is called Dep\. Did you mean Deep\?"):
        with_time_odds(players, {"Dep": Control(move=300)})


def test_a_sequential_test_in_words() -> None:
    assert parse_sprt("elo0=0,elo1=5") == {"elo0": 0.0, "elo1": 5.0}
    assert parse_sprt("elo0=-1.75,elo1=0.25,alpha=0.1,beta=0.1,model=bayesian") == {
        "elo0": -1.75, "elo1": 0.25, "alpha": 0.1, "beta": 0.1, "model": "bayesian",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("elo0=0,elo2=5", "elo2 is no part of a sequential test: there are elo0, elo1, alpha, beta, model."),
        ("elo1=five", "elo1 must be a number, not 'five'"),
        ("elo1=5,elo1=6", "elo1 is given twice in elo1=5,elo1=6"),
        ("elo1", "elo1 is no option: write NAME=VALUE"),
        ("", "is no option"),
    ],
)
def test_what_is_wrong_with_a_sequential_test_is_said(text: str, what: str) -> None:
    with pytest.raises(OptionError) as caught:
        parse_sprt(text)
    assert what in str(caught.value)
