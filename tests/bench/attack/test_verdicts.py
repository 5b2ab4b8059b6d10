"""Judgements on games with evil engines."""

from __future__ import annotations

from collections.abc import Mapping

from ggtp.bench.attack.verdicts import at_prompt, faults_in, in_tournament, raw, shows_error
from ggtp.bench.attack.zoo.ways import WAYS
from ggtp.tournament.plan.plan import plan_from
from ggtp.tournament.results import FaultSeen, Game, GamePlan, Results

CRASH, GOOD = WAYS["crash"], WAYS["forks"]
WON = "= Cross=win 100, Circle=loss 0"
PLAN = plan_from({"player": [{"name": n, "engine": n} for n in ("Evil", "Good")], "rule": [{"rule": "TicTacToe"}]})


def test_faults_are_read() -> None:
    lines = ["-> Cross plays A1", "-> Fault of Circle (evil one), exit: it ended by signal SIGSEGV.", "= none"]
    assert faults_in(lines) == [("Circle", "exit")]


def test_a_game_at_a_prompt() -> None:
    assert list(at_prompt(CRASH, "Circle", False, [("Circle", "exit")], "= Cross=win, Circle=loss")) == []
    assert list(at_prompt(GOOD, "Circle", False, [], WON)) == []
    assert list(at_prompt(WAYS["exits-first"], "Cross", True, [], "? The play is not started.")) == []
    wrong = [
        at_prompt(CRASH, "Circle", False, [], WON),
        at_prompt(CRASH, "Circle", True, [], WON),
        at_prompt(CRASH, "Cross", False, [("Cross", "exit")], WON),
        at_prompt(CRASH, "Cross", False, [("Cross", "silence")], "= Cross=loss, Circle=win"),
        at_prompt(CRASH, "Circle", False, [("Circle", "exit"), ("Cross", "exit")], WON),
        at_prompt(GOOD, "Circle", False, [], "= none"),
        at_prompt(GOOD, "Circle", False, [], "= Cross=loss, Circle=win"),
    ]
    assert [len(list(found)) for found in wrong] == [1] * len(wrong)


def game(number: int, scores: Mapping[str, float], *faults: tuple[str, str], end: str = "forfeit") -> Game:
    plan = GamePlan(1, number, 1, 0, 0, 0, {"Cross": "Evil", "Circle": "Good"})
    seen = tuple(FaultSeen(player, "Cross", name, "so", "loss" if player else "void") for player, name in faults)
    return Game(plan, scores=scores, faults=seen, end=end)


LOST, ALL = {"Cross": 0.0, "Circle": 1.0}, {"Cross": 1.0, "Circle": 0.0}


def judged(*games: Game, void: tuple[Game, ...] = ()) -> int:
    return len(list(in_tournament(CRASH, Results(PLAN, games=games, void=void), "Evil", 2)))


def test_a_tournament() -> None:
    right = game(0, LOST, ("Evil", "exit"))
    other = game(1, LOST, ("Evil", "exit"))
    assert judged(right, other) == 0
    assert judged(right) == 1, "a game is missing"
    assert judged(right, right) == 2, "one counts twice, and the other is missing"
    assert judged(right, game(1, ALL, ("Evil", "exit"))) == 1
    assert judged(right, game(1, LOST, ("Evil", "late"))) == 1
    assert judged(right, game(1, LOST, ("Evil", "exit"), ("Good", "exit"))) == 1
    assert judged(right, game(1, ALL, end="rules")) == 1
    assert judged(right, void=(game(1, {}, ("", "machine"), end="void"),)) == 0
    assert judged(right, void=(game(1, {}, ("", "referee"), end="void"),)) == 2


def test_what_disturbs_a_terminal() -> None:
    assert list(raw(["plain", "tab\t", "\x1b[1m", "\u202eturned", "\x9b", "é ☃ 漢"])) == [
        "tab\t",
        "\x1b[1m",
        "\u202eturned",
        "\x9b",
    ]


def test_errors_of_python() -> None:
    assert shows_error("ggtp: oh\nTraceback (most recent call last):\n")
    assert shows_error("Future exception was never retrieved")
    assert not shows_error("ggtp: Game 1.0: fault of Evil, exit: it ended with exit status 1.")
