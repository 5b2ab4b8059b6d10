"""ASP: solves puzzles, plays its plan, follows the play where it leads, and always has a move."""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

import pytest

from ggtp.kit import Budget
from ggtp.kit.rulebook import compile_in_background
from ggtp.processes.child import End, Ended

LONG = "60000"


@pytest.fixture(name="asp")
def make_asp() -> Any:
    return importlib.import_module("ggtp.engines.asp").Asp


def play(seat: Any, player: str = "player", delay: str = LONG) -> tuple[list[str], str]:
    """The moves of a whole play by the engine alone, and its result."""
    moves: list[str] = []
    while seat.tell("get_result", "0") == "none":
        moves.append(seat.choose(delay))
        seat.tell("made_move", player, moves[-1])
        assert len(moves) < 300
    return moves, seat.tell("get_result", "0")


@pytest.mark.process
@pytest.mark.parametrize(
    ("rule", "method"),
    [("gdl/buttons", "both"), ("gdl/eightpuzzle", "once"), ("gdl/twistypassages", "steps")],
)
def test_it_solves_puzzles(asp: Any, sit: Any, rules: Any, rule: str, method: str) -> None:
    player = rules(rule).players({})[0]
    seat = sit(asp(), rule, player, settings={"Time": LONG, "Method": method}, compile_rules=compile_in_background)
    moves, result = play(seat, player)
    assert result == f"{player}=win 100"
    report = seat.last_search()
    assert (report["value"], report["steps"], report["optimal"]) == ("100", str(len(moves)), "yes")


@pytest.mark.process
def test_the_start_clock_is_used(asp: Any, sit: Any) -> None:
    seat = sit(asp(), "gdl/buttons", settings={"Time": LONG})
    game = seat.game(LONG)
    seat.engine.new_game(game, Budget(60.0))
    _, result = play(seat, game.player, "1000")
    assert result.endswith("=win 100")


@pytest.mark.process
def test_after_another_move_it_plans_anew(asp: Any, sit: Any, rules: Any) -> None:
    player = rules("gdl/maze").players({})[0]
    seat = sit(asp(), "gdl/maze", player, settings={"Time": LONG}, compile_rules=compile_in_background)
    first = seat.choose(LONG)
    other = next(move for move in seat.game(LONG).moves() if move != first)
    seat.tell("made_move", player, other)
    _, result = play(seat, player)
    assert result == f"{player}=win 100"


@pytest.mark.process
def test_after_undo_the_plan_is_still_known(asp: Any, sit: Any, rules: Any) -> None:
    player = rules("gdl/buttons").players({})[0]
    seat = sit(asp(), "gdl/buttons", player, settings={"Time": LONG})
    first = seat.choose(LONG)
    seat.tell("made_move", player, first)
    second = seat.choose(LONG)
    seat.tell("undone_move")
    assert seat.choose("500") == first
    seat.tell("redone_move")
    assert seat.choose("500") == second


@pytest.mark.process
def test_without_time_for_a_plan_it_still_moves(asp: Any, sit: Any, rules: Any) -> None:
    player = rules("gdl/pegsolitaire").players({})[0]
    seat = sit(asp(), "gdl/pegsolitaire", player, compile_rules=compile_in_background)
    assert seat.choose("200") in seat.game("200").moves()
    solving = seat.engine._search.solving
    seat.engine._stop()
    solving.close(60)


class Fruitless:
    """In the place of a process: a search that finds nothing, and has nothing to say."""

    begun: ClassVar[list[Any]] = []

    def __init__(self, module: str, request: Any, **more: object) -> None:
        self.begun.append(request)

    def listen(self, *, should_stop: Callable[[], bool], **more: object) -> Ended:
        while not should_stop():
            os.sched_yield()
        return Ended(End.STOPPED, -9, None, "", 1.0)


def test_with_little_time_a_move_the_search_goes_on_where_the_play_goes(
    asp: Any, sit: Any, rules: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ggtp.catalogue.solve.solver.Child", Fruitless)
    monkeypatch.setattr(Fruitless, "begun", [])
    player = rules("gdl/lightsout").players({})[0]
    seat = sit(asp(), "gdl/lightsout", player)
    engine = seat.engine
    seat.tell("made_move", player, seat.choose("60"))
    search = engine._search
    begun = len(Fruitless.begun)
    assert begun == 2
    for made in (1, 2):
        assert len(search.path) == made - 1
        move = seat.choose("60")
        # The same processes, from the new state.
        assert engine._search is search
        assert len(search.path) == made
        assert search.solving.problem.start is not None
        assert f"(step {made})" in search.solving.problem.start
        seat.tell("made_move", player, move)
    assert len(Fruitless.begun) == begun
    engine._stop()
    search.solving.close(60)


def test_a_move_without_a_choice_does_not_disturb_the_search(
    asp: Any, sit: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ggtp.catalogue.solve.solver.Child", Fruitless)
    # At first there is only one move, and then two.
    (tmp_path / "door.kif").write_text(
        "(role r) (init (at 0)) (succ 0 1) (succ 1 2) (succ 2 3) (legal r on) (<= (legal r off) (not (true (at 0))))"
        "(<= (next (at ?y)) (true (at ?x)) (succ ?x ?y)) (<= terminal (true (at 3))) (goal r 0)"
    )
    seat = sit(asp(), str(tmp_path / "door.kif"), "r")
    seat.engine.new_game(seat.game("60"), Budget(0.01))
    paths = []
    for _ in range(3):
        move = seat.choose("60")
        paths.append(len(seat.engine._search.path))
        seat.tell("made_move", "r", move)
    # What is found from before the first move begins with that move.
    assert paths == [0, 0, 2]
    solving = seat.engine._search.solving
    seat.engine._stop()
    solving.close(60)


@pytest.mark.process
def test_with_little_time_a_move_a_puzzle_is_solved_on_the_way(asp: Any, sit: Any, rules: Any) -> None:
    """A move that nobody planned, and too little time for each to start anything: the plan comes while it plays."""
    player = rules("gdl/eightpuzzle").players({})[0]
    seat = sit(asp(), "gdl/eightpuzzle", player, compile_rules=compile_in_background)
    seat.choose("50")
    seat.tell("made_move", player, seat.game("50").moves()[0])
    seat.choose("50")
    assert len(seat.engine._search.path) == 1
    seat.engine._await_plan(seat.game("50"), Budget(60.0))
    _, result = play(seat, player, "50")
    assert result == f"{player}=win 100"


@pytest.mark.process
def test_another_play_of_the_same_length_is_another_play(asp: Any, sit: Any, rules: Any) -> None:
    player = rules("gdl/maze").players({})[0]
    seat = sit(asp(), "gdl/maze", player, settings={"Time": LONG}, compile_rules=compile_in_background)
    first = seat.choose(LONG)
    other = next(move for move in seat.game(LONG).moves() if move != first)
    seat.tell("made_move", player, other)
    seat.choose(LONG)
    seat.tell("undone_move")
    seat.tell("made_move", player, first)
    _, result = play(seat, player)
    assert result == f"{player}=win 100"


@pytest.mark.process
def test_a_search_begins_before_the_game_is_compiled(asp: Any, sit: Any, rules: Any) -> None:
    class Never:
        """A compilation that takes for ever."""

        game, over, megabytes, rules = None, False, 64, None

        def wait(self, seconds: float | None = None) -> bool:
            return False

        def stop(self) -> None: ...

    def never(given: Any, megabytes: int) -> Any:
        found = Never()
        found.rules = given
        return found

    player = rules("gdl/buttons").players({})[0]
    seat = sit(asp(), "gdl/buttons", player, settings={"Time": LONG}, compile_rules=never)
    _, result = play(seat, player)
    assert result == f"{player}=win 100"


@pytest.mark.slow
def test_without_any_search_monte_carlo_tree_search_chooses(
    asp: Any, sit: Any, rules: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importlib.import_module("ggtp.engines.asp"), "begin_search", lambda *args: None)
    player = rules("gdl/eightpuzzle").players({})[0]
    seat = sit(asp(), "gdl/eightpuzzle", player, compile_rules=compile_in_background)
    game = seat.game(LONG)
    assert game.compiled(Budget(60.0)) is not None
    # On a busy machine the time can be over before the first playout.
    for milliseconds in ("300", "3000", "30000"):
        assert seat.choose(milliseconds) in game.moves()
        if seat.engine._tree.playouts > 0:
            break
    assert seat.engine._tree.playouts > 0


@pytest.mark.process
def test_what_the_plan_says_is_suggested_before_it_is_chosen(asp: Any, sit: Any) -> None:
    seat = sit(asp(), "gdl/buttons", settings={"Time": LONG})
    game = seat.game(LONG)
    seat.engine.new_game(game, Budget(60.0))
    game._note = (suggested := []).append
    assert asp.guarded
    assert seat.engine.choose(game, Budget(60.0)) == suggested[-1]


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("TicTacToe", "ASP plays only rules in the Game Description Language."),
        ("gdl/tictactoe", "ASP plays only games of one player."),
    ],
)
def test_what_it_does_not_play(asp: Any, rules: Any, rule: str, words: str) -> None:
    assert asp().plays(rules(rule), {}) == words


def test_it_is_listed_for_puzzles_in_gdl_only() -> None:
    from ggtp.catalogue import Catalogue

    catalogue = Catalogue.from_environment({})
    spec = catalogue.find_engine("ASP")
    assert spec.can_play(catalogue.find_rules("gdl/buttons"), {})
    assert not spec.can_play(catalogue.find_rules("Sokoban"), {})
    assert not spec.can_play(catalogue.find_rules("gdl/tictactoe"), {})
