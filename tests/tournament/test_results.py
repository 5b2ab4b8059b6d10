"""What games and blocks say of themselves."""

from __future__ import annotations

from ggtp.tournament.plan.plan import Contestant, Plan, RulePlan
from ggtp.tournament.results import FaultSeen, Game, GamePlan, Results, blocks_of

SEATS = ("North", "East", "South", "West")
PLAN = Plan((Contestant("A", "Random"), Contestant("B", "Random")), (RulePlan("Four", {"size": "3"}, seats=SEATS),))


def game(index: int, seats: str, scores: tuple[float, ...], **changes: object) -> Game:
    plan = GamePlan(1, index, 1, 0, 0, 5, dict(zip(SEATS, seats, strict=True)))
    return Game(plan, dict(zip(SEATS, scores, strict=True)), **changes)  # type: ignore[arg-type]  # as named


def test_a_player_with_several_seats_has_their_mean() -> None:
    assert game(0, "ABAB", (1.0, 0.5, 0.0, 0.5)).player_scores() == {"A": 0.5, "B": 0.5}


def test_a_block_is_complete_when_all_seatings_count() -> None:
    played = [game(0, "ABAB", (1, 0, 1, 0)), game(1, "BABA", (1, 0, 1, 0)), game(2, "AABB", (1, 1, 0, 0))]
    (block,) = blocks_of(PLAN, tuple(played))
    assert (block.size, block.complete, block.players) == (4, False, ("A", "B"))
    assert block.scores() == {"A": 2 / 3, "B": 1 / 3}
    (block,) = blocks_of(PLAN, (*played, game(3, "BBAA", (1, 1, 0, 0))))
    assert block.complete
    assert block.scores() == {"A": 0.5, "B": 0.5}


def test_without_faults_leaves_out_what_a_fault_has_touched() -> None:
    fault = FaultSeen("A", "North", "late", "late.", "loss")
    games = (game(0, "ABAB", (0, 1, 0, 1), faults=(fault,)), game(1, "BABA", (1, 0, 1, 0)))
    results = Results(PLAN, games=games, blocks=blocks_of(PLAN, games))
    assert [g.plan.index for g in results.without_faults().games] == [1]
    assert results.faults == (fault,)


def test_a_play_file_holds_rule_options_and_moves() -> None:
    text = game(0, "ABAB", (1, 0, 1, 0), moves=("North up", "Chance 3"), end="length", reason="too long").play_file(
        PLAN
    )
    assert text.splitlines()[0] == "# GGTP play file"
    assert text.splitlines()[6:] == [
        "set_rule Four",
        "set_rule_option size 3",
        "start",
        "force_play North up",
        "force_play Chance 3",
        "comment_node too long",
    ]
