"""Players in whose games workers are lost: who is suspected, who is blamed, and who is not."""

from __future__ import annotations

from ggtp.tournament.results import FaultSeen, Game, GamePlan
from ggtp.tournament.standings.lost_workers import FAULT, SOUND, TRIALS, TRIALS_LOST, TRIALS_SOUND, LostWorkers


def lost(*players: str, beside: tuple[str, ...] = ()) -> Game:
    seats = {f"seat {number}": name for number, name in enumerate(players)}
    fault = FaultSeen("", "", FAULT, "a worker ended", "void", present=(*players, *beside))
    return Game(GamePlan(1, 0, 1, 0, 0, 5, seats), end="void", faults=(fault,))


def sound(*players: str) -> Game:
    """A game that was played to its end."""
    seats = {f"seat {number}": name for number, name in enumerate(players)}
    return Game(GamePlan(2, 0, 1, 0, 0, 5, seats), moves=("X A1",))


def counted(*games: Game, most: int = 3) -> LostWorkers:
    workers = LostWorkers(most)
    for game in games:
        workers.add(game)
    return workers


def test_a_player_that_alone_was_in_all_games_that_lost_their_workers_is_blamed() -> None:
    workers = counted(lost("Evil", "A"), lost("B", "Evil"), lost("Evil", "A"))
    assert workers.blamed() == {}  # perhaps all games lose their workers
    for _ in range(SOUND):
        workers.add(sound("A", "B"))
    assert workers.blamed() == {"Evil": "3 games with Evil lost their workers, and no game without it did"}
    assert workers.near() == {"Evil", "A", "B"}
    assert not workers.near(out=["Evil"])  # all is explained


def test_a_line_tells_who_was_there() -> None:
    assert counted().lines() == []
    assert counted(lost("Evil", "A")).lines() == ["1 game lost its worker: A in 1, Evil in 1."]
    workers = counted(lost("Evil", "A"), lost("B", "Evil"), lost("Evil", "A"))
    assert workers.lines() == ["3 games lost their workers: Evil in 3, A in 2, B in 1."]


def test_below_the_number_of_the_plan_nobody_is_suspected() -> None:
    workers = counted(lost("Evil", "A"), lost("Evil", "B"))
    assert not workers.blamed()
    assert not workers.on_trial()


def test_two_that_were_always_together_are_tried_apart() -> None:
    workers = counted(*[lost("Evil", "A")] * 3)
    assert not workers.blamed()
    assert workers.on_trial() == ["A", "Evil"]
    for _ in range(TRIALS_LOST):
        workers.tried("Evil", lost=True)
    for _ in range(TRIALS_SOUND):
        assert not workers.blamed()  # nobody has shown yet that the rule and the machine are sound
        workers.tried("A", lost=False)
    assert workers.blamed() == {
        "Evil": "3 games with Evil lost their workers, and so did 3 in which it played alone",
    }
    assert workers.on_trial() == ["A"]
    assert workers.on_trial(out=["Evil"]) == []  # its games are explained


def test_where_a_rule_ends_workers_whoever_plays_nobody_is_blamed() -> None:
    games = [lost("A", "B"), lost("B", "A"), lost("A", "C"), lost("C", "A")]  # the first games of a tournament
    workers = counted(*games)
    for name in "ABC":
        for _ in range(TRIALS):
            workers.tried(name, lost=True)
    assert not workers.blamed()
    assert not workers.on_trial()
    assert workers.unexplained() == ["A"]


def test_where_trials_show_nothing_nobody_is_blamed() -> None:
    workers = counted(*[lost("Evil", "A")] * 3)
    for name in ("A", "Evil"):
        for _ in range(TRIALS):
            assert name in workers.on_trial()
            workers.tried(name, lost=False)
    assert not workers.blamed()
    assert not workers.on_trial()
    assert workers.unexplained() == ["A", "Evil"]


def test_of_two_culprits_the_one_explains_no_game_of_the_other() -> None:
    games = [lost("E1", "A"), lost("E1", "B"), lost("E1", "B"), lost("E2", "A"), lost("E2", "B"), lost("E2", "A")]
    workers = counted(*games, *[sound("A", "B")] * SOUND)
    assert not workers.blamed()
    assert set(workers.on_trial()) == {"A", "B", "E1", "E2"}
    assert workers.blamed(out=["E1"]).keys() == {"E2"}


def test_games_beside_others_count_for_nobody_but_all_play_apart_from_then_on() -> None:
    workers = counted(*[lost("A", "B", beside=("Evil",))] * 3)
    assert not workers.blamed()
    assert not workers.on_trial()
    assert workers.near() == {"A", "B", "Evil"}


def test_a_game_for_one_needs_no_trial() -> None:
    assert counted(*[lost("Evil")] * 3, *[sound("A")] * SOUND).blamed().keys() == {"Evil"}


def test_who_is_forgiven_begins_anew() -> None:
    workers = counted(lost("Evil", "A"), lost("B", "Evil"), lost("Evil", "A"), *[sound("A", "B")] * SOUND)
    assert workers.blamed()
    workers.forgive("Evil")
    assert not workers.blamed()
    assert workers.count("A") == 0


def test_a_plan_may_suspect_nobody() -> None:
    assert not counted(*[lost("Evil")] * 9, *[sound("A")] * SOUND, most=0).blamed()
