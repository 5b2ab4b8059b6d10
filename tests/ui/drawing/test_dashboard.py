"""The dashboard: what is on it, and that it fits."""

from __future__ import annotations

import io
import os
from typing import Any

import pytest
from rich.console import Console

from ggtp.arena.runner import Live
from ggtp.catalogue import Catalogue
from ggtp.tournament.plan.plan import plan_from
from ggtp.tournament.results import FaultSeen, Game, GamePlan, Job
from ggtp.tournament.standings.ledger import Ledger
from ggtp.ui.drawing.dashboard import Boards, Scene, draw

SEATS = ["Cross", "Circle"]


def scene(rule: str = "TicTacToe", moves: tuple[str, ...] = ("Cross A1", "Circle B2"), **changes: Any) -> Scene:
    plan = plan_from(
        {
            "name": "evening",
            "player": [{"name": name, "engine": "Random"} for name in ("Deep", "Shallow")],
            "rule": [{"rule": rule, "seats": SEATS}],
            "blocks": 5,
            "seed": 0,
        }
    )
    ledger = Ledger(plan)
    fault = FaultSeen("Shallow", "Circle", "late", "late.", "loss")
    for _ in range(3):
        due = ledger.next()
        assert isinstance(due, Job)
        ledger.record(Game(due.game, {"Cross": 1.0, "Circle": 0.0}, faults=(fault,)))
    game = GamePlan(2, 1, 1, 0, 0, 1, dict(zip(SEATS, ("Deep", "Shallow"), strict=True)))
    values: dict[str, Any] = {
        "plan": plan,
        "standings": ledger.standings,
        "running": [Live(Job(game, 1, tuple(moves)), 10.0)],
        "total": ledger.total,
        "rate": 0.5,
        "state": "running",
        "log": ["Game 1.0: fault"],
        **changes,
    }
    return Scene(**values)


def shown(what: Scene, width: int = 100, height: int = 40, *, ascii_only: bool = False) -> str:
    boards = Boards(Catalogue.from_environment(os.environ), what.plan)
    out = io.StringIO()
    console = Console(file=out, width=width, height=height, highlight=False)
    console.print(draw(what, boards, 25.0, width=width, height=height, ascii_only=ascii_only))
    return out.getvalue()


def test_everything_that_was_promised_is_there() -> None:
    text = shown(scene())
    assert "evening  match, running: 3 of 10 games, 30.0 a minute, 14 s left" in text
    assert "Deep" in text
    assert "66.7 %" in text
    assert "Elo, mean 0 (95 %)" in text
    assert "faults: Shallow: late 3" in text
    assert "2.1 TicTacToe, 15 s" in text
    assert "2: Circle B2" in text
    assert "Game 1.0: fault" in text


def test_the_board_shows_the_moves() -> None:
    text = shown(scene())
    (row,) = [line for line in text.splitlines() if "2 . O ." in line]
    assert row
    assert any("1 X . ." in line for line in text.splitlines())


def test_a_game_that_can_not_be_drawn_is_still_named() -> None:
    assert "2.1 NoSuchRule" in shown(scene("NoSuchRule"))
    assert "2.1 TicTacToe" in shown(scene(moves=("Cross Z9",)))


@pytest.mark.parametrize(("width", "height"), [(100, 40), (60, 24), (40, 12), (20, 5)])
def test_it_fits(width: int, height: int) -> None:
    lines = shown(scene(), width, height, ascii_only=True).splitlines()
    assert max(map(len, lines)) <= width
    assert all(line.isascii() for line in lines)


def test_boards_are_played_on_and_forgotten() -> None:
    what = scene()
    boards = Boards(Catalogue.from_environment(os.environ), what.plan)
    (live,) = what.running
    assert boards.picture(live) is not None
    live.job = live.job.moved(len(live.job.moves), ["Cross C3"], {})
    picture = boards.picture(live)
    assert picture is not None
    assert "3 . . X" in "\n".join(picture.plain(ascii_only=True))
    boards.forget([])
    assert not boards._plays


def test_what_makes_results_worth_less_is_shown() -> None:
    what = scene()
    assert "repeated" not in shown(what)
    what.standings.repeats, what.standings._distinct = 2, 0
    what.standings.rows["Deep"].idle.add(10.0, 10.0)
    text = shown(what)
    assert "2 repeated: 0 of 1 blocks count" in " ".join(text.split())
    assert "warning: Deep used 100 % of a processor" in text
