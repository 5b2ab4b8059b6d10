"""A tutor: learns, fits, tries out, and keeps to its time; and switches features off where they do harm."""

from __future__ import annotations

import random
import threading
from dataclasses import replace
from functools import cache
from itertools import count
from math import inf
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import pytest
from support.compiled_trees import MATRIX, compiled
from support.lanes import KEPT

from ggtp.gdl.kernel.playouts import PlayoutKernel
from ggtp.gdl.network.network import Built
from ggtp.gdl.play.compiled import CompiledGame
from ggtp.search.features import tutor as gifl_tutor
from ggtp.search.features.features import FeatureSet
from ggtp.search.features.guide import Use
from ggtp.search.features.learn import Learner
from ggtp.search.features.match import Fought
from ggtp.search.features.options import SLOWEST, FeatureSettings
from ggtp.search.features.store import Trial, load_features, load_trial, save_features, save_trial
from ggtp.search.features.tutor import Fitting, Tutor, fitting, try_out
from ggtp.search.mcts.options import Settings

QUICK = FeatureSettings(on=True, seconds=0.0, trial=False)
SEARCH = Settings(megabytes=16, foresight=False)
SHORTEST = FeatureSettings().way(gifl_tutor.TRIAL_PLAYOUTS)
NUMBERS = count()


def unknown(name: str = "tictactoe") -> CompiledGame:
    """A game that keeps what is learned, of which nothing is known; machine code is kept for all of them together."""
    plain = compiled(name)
    return CompiledGame(Built(plain.network, plain.statistics), KEPT, f"tutored {next(NUMBERS)}")


def named(name: str = "tictactoe") -> CompiledGame:
    """A game that keeps what is learned; some of it is known already."""
    game = unknown(name)
    save_features(game, learned(name))
    return game


@cache
def learned(name: str) -> FeatureSet:
    return Learner(compiled(name).state_kernel(), 1).walks(25)


def known(game: CompiledGame) -> int:
    return len(load_features(game) or ())


def tutored(game: CompiledGame | None, settings: FeatureSettings = QUICK, search: Settings = SEARCH) -> Tutor:
    tutor = Tutor(lambda stop: game, settings, search, random.Random(1))
    assert tutor.wait(120)
    return tutor


@pytest.mark.slow
def test_known_features_are_followed() -> None:
    game = named()
    tutor = tutored(game, replace(QUICK, own=1.0, opponent=0.5, slowest=inf))
    assert int(tutor.state) > 10
    kernels = [tutor.kernel(role) for role in (0, 1)]
    assert all(kernel is not None for kernel in kernels)
    assert kernels[0].playouts(1000).mean(0) > kernels[1].playouts(1000).mean(0) + 10


@pytest.mark.slow
def test_where_players_look_ahead_without_features_they_do_with_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """So features have to show that they are worth more than that; and trials of one kind say nothing about others."""
    game, rivals = named(), []

    def try_out(game: CompiledGame, made: Fitting, plain: PlayoutKernel, *_: Any) -> Trial:
        rivals.append((made.kernels[0].program.foresight, plain.program.foresight))
        return Trial(10, 9.0)

    monkeypatch.setattr(gifl_tutor, "try_out", try_out)
    wanted = FeatureSettings(on=True, seconds=0.0)
    for ahead in (True, False):
        tutor = tutored(game, wanted, replace(SEARCH, foresight=ahead))
        assert rivals.pop() == (ahead, ahead)
        kernel = tutor.kernel(0)
        assert kernel is not None
        assert kernel.program.foresight == ahead
        assert kernel.playouts(500).games >= 500
        assert load_trial(game, wanted.way(gifl_tutor.TRIAL_PLAYOUTS, foresight=ahead)).games == 10
    assert tutored(named("breakthrough_small"), QUICK, replace(SEARCH, foresight=True)).state.isdigit()


@pytest.mark.slow
def test_where_a_trial_was_lost_they_are_not(monkeypatch: pytest.MonkeyPatch) -> None:
    game = named()
    save_trial(game, Trial(20, 2.0, known(game)), SHORTEST)
    monkeypatch.setattr(gifl_tutor, "fitting", None)  # not even made
    monkeypatch.setattr(Learner, "learn", None)  # nor is anything learned
    tutor = tutored(game, FeatureSettings(on=True, seconds=0.0))
    assert tutor.state == "off"
    assert tutor.kernel(0) is None


@pytest.mark.slow
def test_where_twice_as_many_are_known_they_are_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    game = named()
    save_trial(game, Trial(20, 2.0, known(game) // 2), SHORTEST)
    monkeypatch.setattr(gifl_tutor, "try_out", lambda *args: replace(args[5], games=10, points=9.0))
    assert tutored(game, FeatureSettings(on=True, seconds=0.0)).state.isdigit()
    assert load_trial(game, SHORTEST) == Trial(10, 9.0, known(game)), "and the games before do not count"


@pytest.mark.slow
def test_a_trial_of_short_searches_does_not_decide_about_long_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    game = named()
    save_trial(game, Trial(20, 2.0, known(game)), SHORTEST)
    monkeypatch.setattr(gifl_tutor, "speed", lambda game, kernel, settings: 1e6)
    monkeypatch.setattr(gifl_tutor, "try_out", lambda *args: Trial(10, 9.0))
    monkeypatch.setattr(Learner, "learn", lambda learner, stop, seconds: learner.features)
    assert tutored(game, FeatureSettings(on=True, seconds=100.0)).state.isdigit()


@pytest.mark.parametrize(("clock", "learning", "trying"), [(None, 5.0, 5.0), (10.0, 4.0, 4.0), (100.0, 5.0, 40.0)])
def test_parts_of_a_start_clock(
    monkeypatch: pytest.MonkeyPatch, clock: float | None, learning: float, trying: float
) -> None:  # fmt: skip
    learned, now, after, game = [], [0.0], [], named()
    monkeypatch.setattr(gifl_tutor, "fitting", lambda *args: Fitting({}, 1.0, FeatureSet(), 1.0))
    monkeypatch.setattr(gifl_tutor, "speed", lambda game, kernel, settings: 1.0)
    monkeypatch.setattr(gifl_tutor, "time", SimpleNamespace(monotonic=lambda: now[0]))

    def learn(learner: Learner, stop: object, seconds: float) -> FeatureSet:
        learned.append(seconds)
        return learner.features

    def try_out(*args: Any) -> Trial:
        while not args[6]():
            now[0] += 0.25
        after.append(now[0])
        return Trial()

    monkeypatch.setattr(Learner, "learn", learn)
    monkeypatch.setattr(gifl_tutor, "try_out", try_out)
    tutor = Tutor(lambda stop: game, FeatureSettings(on=True, worth=False), SEARCH, random.Random(1), clock)
    assert tutor.wait(120)
    assert (learned, after) == ([learning], [trying])


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_whatever_goes_wrong_is_no_reason_to_wait_for_ever() -> None:
    for error in (MemoryError(), ValueError("nonsense")):
        tutor = Tutor(Mock(side_effect=error), QUICK, SEARCH, random.Random(1))
        assert tutor.wait(120)
        assert tutor.state == "none"


@pytest.mark.slow
@pytest.mark.parametrize(("points", "state"), [(0.0, "off"), (1.0, "")])
def test_a_trial_decides(monkeypatch: pytest.MonkeyPatch, points: float, state: str) -> None:
    game = named()
    monkeypatch.setattr(gifl_tutor, "try_out", lambda *args: Trial(10, 10 * points))
    tutor = tutored(game, FeatureSettings(on=True, seconds=0.0))
    assert (tutor.state == "off") == bool(state)
    assert (tutor.kernel(1) is None) == bool(state)
    assert load_trial(game, SHORTEST) == Trial(10, 10 * points, known(game)), "and is remembered"


@pytest.mark.parametrize("text", [None, MATRIX])
def test_where_there_is_nothing_to_learn(text: str | None) -> None:
    tutor = tutored(compiled(text) if text else None)
    assert tutor.state == "none"
    assert tutor.kernel(0) is None


@pytest.mark.slow
def test_what_is_learned_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ggtp.search.features.learn.MOST_FEATURES", 20)
    game = unknown()
    assert tutored(game).state == "none", "there was no time"
    assert load_features(game) is None
    assert tutored(game, FeatureSettings(on=True, seconds=1e6, trial=False)).state != "none"
    found = load_features(game)
    assert found is not None
    assert len(found) >= 20


def test_it_can_be_stopped() -> None:
    tutor = Tutor(lambda stop: compiled("tictactoe"), FeatureSettings(on=True, seconds=1e6), SEARCH, random.Random(1))
    tutor.stop()
    assert tutor.wait(120)
    assert tutor.kernel(0) is None


@pytest.mark.slow
def test_features_that_take_too_long_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    game = compiled("tictactoe")
    features = learned("tictactoe")
    plain = game.best()

    def slow(game: object, kernel: object, settings: object) -> float:
        return 1.0 if kernel is plain else 40 / (program(kernel) - program(plain))

    def program(kernel: object) -> int:
        return kernel.program.operations  # type: ignore[attr-defined]

    monkeypatch.setattr(gifl_tutor, "speed", slow)
    monkeypatch.setattr(gifl_tutor, "pace", lambda kernel: 1.0)
    made = fitting(game, features, plain, Use(), SEARCH, lambda: False)
    assert 0 < len(made.features) < len(features)
    assert made.ratio >= 1 / SLOWEST or len(made.features) == 1


@pytest.mark.slow
def test_features_that_take_too_long_are_looked_for_less_often(monkeypatch: pytest.MonkeyPatch) -> None:
    game = compiled("tictactoe")
    features = learned("tictactoe")
    plain = game.best()

    def slow(game: object, kernel: PlayoutKernel, settings: object) -> float:
        return 1.0 if kernel is plain else 1 / (1 + 1.4 / kernel.program.period)

    monkeypatch.setattr(gifl_tutor, "speed", lambda game, kernel, settings: 1.0)
    monkeypatch.setattr(gifl_tutor, "pace", lambda kernel: slow(game, kernel, SEARCH))
    made = fitting(game, features, plain, Use(), SEARCH, lambda: False, 5)
    assert (made.period, len(made.features)) == (4, len(features)), "1.35 times slower: measurements may be wrong"
    assert made.kernels[0].program.period == 4
    monkeypatch.setattr(gifl_tutor, "speed", lambda game, kernel, settings: 1.0 if kernel is plain else 0.2)
    least = fitting(game, features, plain, Use(), SEARCH, lambda: False, 2)
    assert (least.period, len(least.features)) == (2, 1), "then there are fewer"


def test_how_fast_random_games_are_is_measured_in_a_search() -> None:
    game = compiled("tictactoe")
    kernel = game.best()
    assert gifl_tutor.speed(game, kernel, SEARCH, 0.01) > 0
    few, many = (gifl_tutor.speed(game, kernel, replace(SEARCH, leaf=leaf), 0.05) for leaf in (1, 512))
    assert many > few, "more random games of a leaf are more random games"


def test_how_fast_random_games_are_alone() -> None:
    assert gifl_tutor.pace(compiled("tictactoe").best(), 0.01) > 1000


@pytest.mark.slow
@pytest.mark.parametrize("measure", ["speed", "pace"])
def test_how_fast_random_games_are_does_not_depend_on_who_else_is_busy(measure: str) -> None:
    game = compiled("connectfour")
    kernel, over = game.best(), threading.Event()

    def measured() -> float:
        return gifl_tutor.pace(kernel, 0.1) if measure == "pace" else gifl_tutor.speed(game, kernel, SEARCH, 0.1)

    def be_busy() -> None:
        own = kernel.twin()
        while not over.is_set():
            own.playouts(50_000)

    alone = measured()
    busy = [threading.Thread(target=be_busy) for _ in range(3)]
    for thread in busy:
        thread.start()
    try:
        beside = measured()
    finally:
        over.set()
        for thread in busy:
            thread.join()
    assert beside > 0.55 * alone, "it was a quarter to a third, with the time of all threads"


@pytest.mark.slow
def test_a_trial_is_played_in_both_roles() -> None:
    game = compiled("tictactoe")
    plain = game.best()
    features = Learner(game.state_kernel(), 1).walks(2)
    left = [5]

    def over() -> bool:
        left[0] -= 1
        return left[0] < 0

    made = Fitting({0: plain, 1: plain}, 1.0, features)
    assert try_out(game, made, plain, SEARCH, random.Random(1), Trial(3, 1.0), lambda: True, 64) == Trial(3, 1.0)
    left[0] = 25
    assert try_out(game, made, plain, SEARCH, random.Random(1), Trial(), over, 64).games >= 2


def test_games_of_a_trial_count_in_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game as the first role without its other half would make trials that were cut off better than they were."""
    game = compiled("tictactoe")
    made = Fitting({}, 1.0, FeatureSet())
    for finished in range(8):
        left = iter([Fought((100, 0), 5, (1, 1))] * finished)
        monkeypatch.setattr("ggtp.search.features.match.fight", lambda *args, left=left, **named: next(left, None))
        over = iter([False] * (finished // 2 + 1))
        trial = try_out(
            game, made, game.best(), SEARCH, random.Random(1), Trial(), lambda over=over: next(over, True), 64
        )  # fmt: skip
        assert trial == Trial(finished // 2 * 2, finished // 2)


def test_moves_of_a_trial_are_like_those_of_the_play_where_there_is_time() -> None:
    plain = compiled("tictactoe").best()
    made = Fitting({}, 1.0, FeatureSet(), before=1e6)
    assert gifl_tutor.trial_playouts(made, plain, 1e4, 2.0) == 2_000_000
    short = gifl_tutor.trial_playouts(made, plain, float(gifl_tutor.TRIAL_GAMES), None)
    assert 1e6 / 9 <= short <= 1e6 / 5, "a game of five to nine moves in a second"
    assert gifl_tutor.trial_playouts(made, plain, 0.0, 2.0) == gifl_tutor.TRIAL_PLAYOUTS
