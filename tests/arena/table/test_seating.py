"""Games begin where the plan says, or where they were interrupted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from support.runs import plan_of, tictactoe
from support.tables import game_plan, play

from ggtp.driver.link import EngineLink
from ggtp.tournament.facts import MoveFacts
from ggtp.tournament.plan.plan import PlanError
from ggtp.tournament.results import Job


@pytest.mark.process
def test_a_game_goes_on_from_its_moves(tmp_path: Path) -> None:
    ((played, _),) = play(tictactoe(tmp_path), Job(game_plan(), 1, ("Cross C3", "Circle B2")))
    assert played.moves[:4] == ("Cross C3", "Circle B2", "Cross A1", "Circle B1")


@pytest.mark.process
def test_a_game_goes_on_with_what_was_left_in_the_banks(tmp_path: Path) -> None:
    plan = tictactoe(tmp_path, "--fault", "hang", time={"bank": 600_000, "margin": 0})
    banks = {"Cross": 500.0, "Circle": 0.001}
    ((played, _),) = play(plan, Job(game_plan(), 1, ("Cross C3",), banks))  # it would take ten minutes otherwise
    assert [(fault.seat, fault.fault) for fault in played.faults][:1] in ([("Circle", "late")], [("Circle", "machine")])


@pytest.mark.process
def test_start_positions_are_played_first(tmp_path: Path) -> None:
    rule = {"rule": "TicTacToe", "start": [{"moves": ["Cross B2", "circle c3"]}]}
    ((played, _),) = play(tictactoe(tmp_path, rule=[rule]))
    assert played.moves[:3] == ("Cross B2", "Circle C3", "Cross A1")


@pytest.mark.process
def test_engines_play_in_words_that_they_do_not_know(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[bytes] = []
    original = EngineLink.send

    def send(link: EngineLink, lines: Sequence[bytes]) -> None:
        sent.extend(lines)
        original(link, lines)

    monkeypatch.setattr(EngineLink, "send", send)
    data = {
        "player": [{"engine": "MCTS"}, {"engine": "Random"}],
        "rule": [{"rule": "gdl/tictactoe", "scramble": 3}],
        "time": {"move": 50, "margin": 60_000},
    }
    seats = {"cross": "MCTS", "circle": "Random"}
    ((played, case),) = play(plan_of(data), seats=seats)
    assert (played.end, played.faults, case) == ("rules", (), "")
    assert {move.split()[0] for move in played.moves} == {"cross", "circle"}
    assert {move.split()[1] for move in played.moves} == {"mark"}
    assert [line for line in sent if line.startswith(b"made_move")]
    assert not [line for line in sent if any(word in line for word in (b"cross", b"circle", b"mark", b"tictactoe"))]
    assert set(played.told) == set(seats)  # what engines are told is checked in the rule's own words


@pytest.mark.parametrize(("rule", "why"), [("TicTacToe", "no rulesheet in GDL"), ("gdl/cardgame", "has secrets")])
def test_what_can_not_be_scrambled(rule: str, why: str) -> None:
    players = [{"engine": "Random"}, {"name": "B", "engine": "Random"}]
    with pytest.raises(PlanError, match=why):
        plan_of({"player": players, "rule": [{"rule": rule, "scramble": 3}]})


@pytest.mark.process
def test_players_have_clocks_and_limits_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[bytes] = []
    original = EngineLink.send

    def send(link: EngineLink, lines: Sequence[bytes]) -> None:
        sent.extend(lines)
        original(link, lines)

    monkeypatch.setattr(EngineLink, "send", send)
    data = {
        "player": [
            {"engine": "MCTS", "time": {"control": "90+1", "nodes": 7}},
            {"engine": "Minimax", "time": {"depth": 2}},
        ],
        "rule": [{"rule": "TicTacToe", "time": "1m"}],
        "time": {"margin": 60_000},
    }
    ((played, _),) = play(plan_of(data), seats={"Cross": "MCTS", "Circle": "Minimax"})
    assert (played.end, played.faults) == ("rules", ())
    asked = [line for line in sent if line.startswith(b"have_to_play")]
    assert asked[0] == b"have_to_play 90000"
    assert asked[1] == b"have_to_play 60000"
    assert {line for line in sent if b"Playouts" in line or b"Depth" in line} == {
        b"set_option Playouts 7",
        b"set_option Depth 2",
    }


@pytest.mark.process
def test_what_engines_say_of_their_searches_is_kept(tmp_path: Path) -> None:
    players = [{"name": "Good", "engine": "Minimax", "options": {"depth": 2}}, {"name": "Bad", "engine": "Random"}]
    plan = plan_of({"player": players, "rule": [{"rule": "TicTacToe"}], "time": {"bank": 60_000}})
    ((played, _),) = play(plan)
    assert len(played.facts) == len(played.moves)
    for move, facts in zip(played.moves, played.facts, strict=True):
        assert facts.seconds is not None
        assert facts.left is not None
        assert 0 < facts.left <= 60
        # The last one, too, which has ended the game before its engine was asked.
        assert (facts.depth is not None and bool(facts.line)) == move.startswith("Cross")


@pytest.mark.process
def test_an_engine_that_says_nothing_of_its_searches_costs_its_time_alone(tmp_path: Path) -> None:
    for fault in ((), ("--fault", "wrong-answer", "--at", "get_option")):
        ((played, _),) = play(tictactoe(tmp_path, *fault))
        assert played.end == "rules"
        assert all(facts.seconds is not None and facts.depth is None for facts in played.facts)


@pytest.mark.process
def test_start_positions_may_have_options_of_their_own() -> None:
    starts = [{}, {"options": {"heaps": "1 1"}}, {"options": {"misere": "on"}}]
    rule = {"rule": "Nim", "options": {"heaps": "1"}, "start": starts}
    plan = plan_of({"player": [{"engine": "Random"}, {"name": "B", "engine": "Random"}], "rule": [rule]})
    seats = dict(zip(plan.rules[0].seats, ("Random", "B"), strict=True))
    jobs = [Job(replace(game_plan(seats=seats), start=start)) for start in (1, 0, 2, 0)]
    two, one, misere, again = (game for game, _ in play(plan, *jobs, seats=seats))
    assert len(two.moves) > len(one.moves) == len(misere.moves) == 1
    winner = {start: max(game.scores, key=lambda seat: game.scores[seat]) for start, game in ((0, one), (2, misere))}
    assert winner[0] != winner[2]
    assert again.scores == one.scores


@pytest.mark.process
def test_random_moves_are_the_same_in_a_block_and_before_the_engines(tmp_path: Path) -> None:
    rule = {"rule": "TicTacToe", "random_moves": 2, "start": [{"moves": ["Cross B2"]}]}
    plan = tictactoe(tmp_path, rule=[rule])
    swapped = {"Cross": "Bad", "Circle": "Good"}
    first = play(plan, Job(game_plan(1, 7)), Job(game_plan(2, 8)))
    ((other, _),) = play(plan, Job(replace(game_plan(1, 7, swapped), index=1)), seats=swapped)
    one, two = (game for game, _ in first)
    assert one.moves[0] == two.moves[0] == "Cross B2"
    assert one.moves[:3] == other.moves[:3] != two.moves[:3]
    assert one.opened == 3
    assert all(facts.seconds is None for facts in one.facts[:3])
    assert all(facts.seconds is not None for facts in one.facts[3:])
    # A game that was interrupted has its moves, and no further random ones.
    ((again, _),) = play(plan, Job(game_plan(1, 7), 1, one.moves[:4]))
    assert (again.moves, again.opened) == (one.moves, 3)


@pytest.mark.process
def test_what_was_known_of_moves_outlives_an_interruption(tmp_path: Path) -> None:
    facts = (MoveFacts(0.5, depth=3), MoveFacts(0.25))
    job = Job(game_plan(), 1, ("Cross C3", "Circle B2"), facts=facts)
    ((played, _),) = play(tictactoe(tmp_path), job)
    assert played.facts[:2] == facts
    assert len(played.facts) == len(played.moves)
    assert all(fact.seconds is not None for fact in played.facts[2:])
