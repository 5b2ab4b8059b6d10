"""Case files hold what is known and are play files."""

from __future__ import annotations

from ggtp.tournament.journal.case import case_text
from ggtp.tournament.plan.plan import Contestant, Plan, RulePlan
from ggtp.tournament.results import FaultSeen, Game, GamePlan

PLAN = Plan(
    (Contestant("A", "Random"), Contestant("B", "Minimax", {"depth": "2"})),
    (RulePlan("TicTacToe", {"starting_player": "Circle"}, seats=("Cross", "Circle")),),
    name="evening",
)


def test_everything_but_the_play_is_a_comment() -> None:
    fault = FaultSeen("B", "Circle", "late", "no move.", "loss", 1, "Traceback\n  ouch", 30, 2, 5)
    game = Game(
        GamePlan(3, 1, 1, 0, 0, 9, {"Cross": "A", "Circle": "B"}),
        moves=("Circle A1",),
        end="forfeit",
        reason="Circle\nforfeits",
        faults=(fault,),
    )
    text = case_text(PLAN, game, [(0.5, 2, True, b"have_to_play 100"), (0.7, 2, False, b"\xff\nforce_play x" * 99)])
    lines = text.splitlines()
    said = [line for line in lines if not line.startswith("#")]
    assert said[-5:] == [
        "set_option seed 9",
        "set_rule TicTacToe",
        "set_rule_option starting_player Circle",
        "start",
        "force_play Circle A1",
    ]
    assert said[-6] == "set_option secret_window auto"
    assert all(line.startswith("set_option time_") for line in said[:-6])
    assert lines[1] == "# evening, game 3.1, attempt 1: forfeit, Circle forfeits"
    assert "#   last words: ouch" in lines
    assert "#   set_engine_option Circle depth 2" in lines
    assert any("engine 2 > have_to_play 100" in line for line in lines)
    assert max(map(len, lines)) < 700


def test_programs_are_told_in_comments() -> None:
    game = Game(GamePlan(1, 0, 1, 0, 0, 9, {"Cross": "A", "Circle": "B"}), end="void")
    told = {"A": ("./a --fast\nset_rule Go", "sha256 00 /bin/a"), "B": ("unknown, it is gone",)}
    lines = case_text(PLAN, game, [], told).splitlines()
    at = lines.index("# The program of A: ./a --fast set_rule Go")
    assert lines[at + 1 : at + 4] == ["#   sha256 00 /bin/a", "# The program of B: unknown, it is gone", "#"]
    assert not any(line.startswith("# The program") for line in case_text(PLAN, game, []).splitlines())
