"""Audits: what engines were told is what they may know, and a lie is found."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.runs import plan_of, results
from support.runs import run as play
from support.tournaments import find_rules

from ggtp.arena.audit import Audit, audit
from ggtp.tournament.journal.told import seals
from ggtp.tournament.results import FaultSeen, Game, Results

PLAYERS = [{"name": "A", "engine": "Random"}, {"name": "B", "engine": "Random"}]


pytestmark = pytest.mark.process


@pytest.fixture(scope="module")
def phantom(tmp_path_factory: pytest.TempPathFactory) -> Results:
    """A tournament of two Randoms, played by real processes."""
    path = tmp_path_factory.mktemp("phantom") / "a.journal"
    rules = [{"rule": rule} for rule in ("PhantomTicTacToe", "Nim", "RockPaperScissors")]
    play(plan_of({"player": PLAYERS, "rule": rules}), path)
    return results(path)


def audited(results: Results, *games: Game, probes: int = 200) -> Audit:
    """The audit of these games of a tournament, or of all."""
    return audit(replace(results, games=games or results.games), find_rules, probes=probes)


def test_engines_were_told_what_they_may_know(phantom: Results) -> None:
    found = audited(phantom)
    assert (found.games, found.seats) == (6, 12)
    assert (found.differ, found.leaks, found.skipped) == ([], [], {})
    assert found.probes > 0
    assert found.clean


def test_the_same_positions_are_looked_at_again(phantom: Results) -> None:
    assert audited(phantom, probes=5).data() == audited(phantom, probes=5).data()


def test_a_line_too_many_is_found(phantom: Results) -> None:
    game, *others = phantom.games
    seat = next(iter(game.told))
    leaky = seals([b"start", *(f"made_move {move}".encode() for move in game.moves)])[-1]  # every try, in the open
    assert leaky != game.told[seat]
    found = audited(phantom, replace(game, told={**game.told, seat: leaky}), *others, probes=0)
    assert not found.clean
    assert found.differ == [f"game {game.id}, {seat} ({game.plan.seats[seat]}): it was told something else"]


def test_news_of_the_last_steps_may_be_under_way_but_no_more(phantom: Results) -> None:
    game = next(game for game in phantom.games if len(game.moves) >= 5 and game.plan.rule == 1)
    lines = [b"start", *(f"made_move {move}".encode() for move in game.moves)]
    every = seals(lines)
    seat = game.moves[-2].partition(" ")[0]  # it has been asked for the last move but one
    for count, clean in ((-1, True), (-2, True), (-3, True), (-4, False)):
        told = {**game.told, seat: every[count]}
        assert audited(phantom, replace(game, told=told)).clean is clean


def test_what_can_not_be_compared_is_said(phantom: Results) -> None:
    one, two, three, four, *_ = phantom.games
    found = audited(
        phantom,
        replace(one, told={}),
        replace(two, faults=(FaultSeen("A", "Cross", "late", "slow", "random"),)),
        replace(three, end="agreed"),
        replace(four, end="ruled"),
    )
    assert (found.clean, found.seats) == (True, 0)
    assert found.skipped == {
        "the journal does not say what was told": 1,
        "there were faults in it": 1,
        "it was ended early, and not all of its moves are in the journal": 1,
        "the supervisor has decided it": 1,
    }


def test_moves_that_the_rules_refuse_are_no_good_sign(phantom: Results) -> None:
    game = next(game for game in phantom.games if game.plan.rule == 1)
    found = audited(phantom, replace(game, moves=(*game.moves, game.moves[0])))
    assert not found.clean
    assert "the rules do not follow" in found.differ[0]


def test_how_far_it_is(phantom: Results) -> None:
    said: list[str] = []
    audit(phantom, find_rules, probes=0, say=said.append)
    assert said == [f"game {number} of 6" for number in range(1, 7)]
