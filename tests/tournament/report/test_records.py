"""Every move as JSON Lines."""

from __future__ import annotations

import json
from dataclasses import replace

from support.tournaments import results

from ggtp.tournament.facts import MoveFacts
from ggtp.tournament.report.records import game_records, tournament_record


def test_a_line_for_the_tournament_each_game_and_each_move() -> None:
    found = results(blocks=1)
    head = json.loads(tournament_record(found))
    assert (head["kind"], head["name"]) == ("tournament", "evening")
    assert [player["name"] for player in head["players"]] == ["Strong", "Weak"]
    first = replace(found.games[0], facts=(MoveFacts(0.5, depth=3, line="A1"),))
    game, *moves = (json.loads(line) for line in game_records(found, first))
    assert (game["kind"], game["game"], game["players"]) == ("game", "g1.0", dict(first.plan.seats))
    assert game["seed"] == str(first.plan.seed)
    assert [f"{move['seat']} {move['move']}" for move in moves] == list(first.moves)
    assert moves[0]["player"] == first.plan.seats["Cross"]
    assert (moves[0]["seconds"], moves[0]["depth"], moves[0]["line"]) == (0.5, 3, "A1")
    assert "seconds" not in moves[1]
    assert [move["ply"] for move in moves] == list(range(1, len(moves) + 1))


def test_a_running_tournament_keeps_its_seeds() -> None:
    found = results(blocks=1, ended=False)
    assert json.loads(next(iter(game_records(found, found.games[0]))))["seed"] == ""


def test_dice_are_nobody_s() -> None:
    found = results(["Backgammon"], blocks=1)
    _, *moves = (json.loads(line) for line in game_records(found, found.games[0]))
    assert {move["player"] for move in moves} == {"", "Strong", "Weak"}
    assert all(move["move"] for move in moves)
