"""The table as text and JSON."""

from __future__ import annotations

from dataclasses import replace

from ggtp.tournament.plan.clocks import Clocks
from ggtp.tournament.plan.plan import plan_from
from ggtp.tournament.results import FaultSeen, Game, Job
from ggtp.tournament.standings.ledger import Ledger
from ggtp.tournament.standings.purse import Purse
from ggtp.tournament.standings.table import (
    HEADS,
    elo_data,
    players_data,
    points_data,
    remark_lines,
    standings_data,
    table_lines,
)


def ledger() -> Ledger:
    players = [{"engine": "Random"}, {"name": "Long name", "engine": "Random"}]
    made = Ledger(
        plan_from(
            {"player": players, "rule": [{"rule": "T", "seats": ["X", "O"]}], "blocks": 2, "strikes": 9, "sprt": {}}
            | {"seed": 0}
        )
    )
    fault = FaultSeen("Random", "X", "late", "late.", "loss")
    for number in range(3):
        due = made.next()
        assert isinstance(due, Job)
        faults = (fault,) if number == 2 else ()
        made.record(Game(due.game, {"X": 1.0, "O": 0.0}, end="forfeit" if faults else "rules", faults=faults))
    return made


def test_columns_line_up() -> None:
    lines = table_lines(ledger().standings)
    assert lines[0].split("  ")[0] == "player"
    assert len(lines) == 3
    assert len({line.index("%") for line in lines[1:]}) == 1
    assert all(head in lines[0] for head in HEADS)


def test_remarks_name_faults_and_ends() -> None:
    remarks = remark_lines(ledger())
    assert remarks[0] == "3 games count, 1 block is complete."
    assert "1 game: a fault cost the game." in remarks
    assert "Random: 1 time late." in remarks
    assert remarks[-1].startswith("The sequential test is not decided: LLR 0.00 (-2.94 to 2.94), Elo ")


def test_a_late_referee_is_told() -> None:
    made = ledger()
    made.standings.lag_ms = 250.0
    assert not any("late by" in line for line in remark_lines(made))
    made.plan = replace(made.plan, clocks=Clocks(move=100))
    assert "The referee was late by 250 ms, which was charged to nobody" in "\n".join(remark_lines(made))


def test_points_are_told_where_they_say_more_than_who_has_won() -> None:
    made = ledger()
    assert points_data(made.standings) == {}
    made.standings.points_tell = True
    for points in (3.0, 4.0):
        made.standings.purses.setdefault("Random", Purse()).add(points)
    assert "Points in a game, over blocks (95 %): Random +3.50 ± 6.35." in remark_lines(made)
    assert "Points in a game, over blocks (95 %): Random +3.50 +/- 6.35." in remark_lines(made, ascii_only=True)
    assert points_data(made.standings) == {"Random": {"mean": 3.5, "error": 6.3531, "blocks": 2}}


def test_json_has_what_was_promised() -> None:
    standings = ledger().standings
    assert players_data(standings)["Random"] == {"score": 0.666667, "wins": 2, "losses": 1, "draws": 0, "faults": 1}
    assert set(elo_data(standings)["Random"]) == {"value", "low", "high", "error", "bounded"}


def test_repeated_games_and_restless_engines_are_told() -> None:
    made = ledger()
    made.standings.rows["Random"].idle.add(10.0, 9.5)
    due = made.next()
    assert isinstance(due, Job)
    assert not any("repeat" in line for line in remark_lines(made))
    made.standings.repeats, made.standings._distinct = 1, 0
    remarks = remark_lines(made)
    assert (
        "1 game repeats an earlier one move by move: errors and tests count 0 of 1 block, those that differ."
    ) in remarks
    (warning,) = [line for line in remarks if line.startswith("Warning: ")]
    assert warning.startswith("Warning: Random used 95 % of a processor while it was not its turn")


def test_all_of_it_for_programs() -> None:
    made = ledger()
    data = standings_data(made.plan, made.standings)
    assert data == {
        "rule": "T",
        "games": 3,
        "players": players_data(made.standings),
        "elo": elo_data(made.standings),
        "elo_anchor": "the mean of the players is 0",
        "difference": data["difference"],
    }
    assert data["difference"]["los"] == 0.5
