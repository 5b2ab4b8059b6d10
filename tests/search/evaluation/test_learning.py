"""What random games teach: known answers, how much they are trusted, and that nobody has to wait for them."""

import threading
from dataclasses import replace

import numpy as np
import pytest
from support.compiled_trees import compiled

from ggtp.gdl.kernel.single import pack, unpack
from ggtp.search.evaluation.learning import (
    MOST_TRUST,
    STAGES,
    Lesson,
    Lessons,
    trust_in,
)


def never():
    return False


def lessons_of(name, seed=0):
    return Lessons(compiled(name).state_kernel(), seed)


def mean_worth(name, lesson, ending, role=0):
    """What facts are worth, on average, whose text ends so."""
    facts = compiled(name).network.facts
    return np.mean([lesson.worth[role, number] for number, fact in enumerate(facts) if fact.endswith(ending)])


def test_trust() -> None:
    assert trust_in(-1.0) == trust_in(0.05) == 0.0
    assert 0 < trust_in(0.15) < trust_in(0.18) < MOST_TRUST
    assert trust_in(0.3) == MOST_TRUST


@pytest.mark.slow
def test_in_checkers_pieces_are_good_and_foreign_pieces_are_bad() -> None:
    lesson = lessons_of("checkers").learn(never)
    assert lesson.trust > 0.9
    assert lesson.games >= STAGES[-1]
    for role, own, foreign in ((0, "b", "w"), (1, "w", "b")):
        for piece in "mk":
            assert mean_worth("checkers", lesson, f" {own}{piece})", role) > 2
            assert mean_worth("checkers", lesson, f" {foreign}{piece})", role) < -2
    network = compiled("checkers").network
    start = unpack(pack(network, network.initial))
    assert 40 < lesson.expected(0, start) < 60
    without = [fact for fact in start if network.facts[fact] != "(cell a 7 bm)"]
    assert len(without) == len(start) - 1
    assert lesson.expected(0, without) < lesson.expected(0, start) - 2


@pytest.mark.parametrize("name", ["breakthrough_small", "connect3", "eightpuzzle"])
def test_where_facts_say_little_they_are_not_trusted(name):
    lesson = lessons_of(name).learn(never)
    assert lesson.games >= STAGES[1], "it was learned, and not believed"
    assert lesson.trust == 0


def test_it_goes_on_where_it_was_interrupted() -> None:
    at_once = lessons_of("connect3", 5)
    at_once.learn(never)
    little_by_little = lessons_of("connect3", 5)
    stops = 0
    while not little_by_little.over:
        asked = iter([False])
        little_by_little.learn(lambda asked=asked: next(asked, True))
        stops += 1
    assert stops > 30
    assert np.array_equal(at_once.lesson.worth, little_by_little.lesson.worth)


def test_nothing_is_begun_when_there_is_no_time() -> None:
    lessons = lessons_of("connect3")
    assert lessons.learn(lambda: True) is None
    assert lessons.learn(never, 0.0) is None
    assert not lessons.over


def test_a_lesson_is_silent_where_nothing_has_to_do_with_who_wins() -> None:
    facts, base = np.zeros((2, 3)), np.array([50.0, 50.0])
    assert Lesson(facts, base, 0.0, 400).silent
    for telling in ({"trust": 0.1}, {"mobility_weight": 1.5}, {"pieces": True}):
        assert not replace(Lesson(facts, base, 0.0, 400), **telling).silent, telling


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "silent"), [("connectfour", True), ("checkers", False), ("breakthrough_small", False)]
)
def test_random_games_are_silent_where_stones_only_fall(name, silent):
    game = compiled(name)
    kernel = game.best().twin()
    kernel.seed(1)
    lesson = Lessons(game.state_kernel(), 1, kernel).learn(lambda: False)
    assert lesson is not None
    assert lesson.silent is silent


def test_where_all_is_known_nothing_is_learned() -> None:
    known = Lesson(np.zeros((2, 3)), np.array([50.0, 50.0]), 0.5, 9)
    lessons = Lessons(compiled("connect3").state_kernel(), 1, known=known)
    assert lessons.over
    assert lessons.learn(lambda: False) is known


def test_nobody_waits_for_who_learns_already() -> None:
    lessons = Lessons(compiled("connect3").state_kernel())
    asked = []

    def meanwhile() -> bool:
        """While one thread is about to go on, another one asks."""
        if not asked:
            other = threading.Thread(target=lambda: asked.append(lessons.learn(lambda: False)))
            other.start()
            other.join(60)
        return True

    assert lessons.learn(meanwhile) is None
    assert asked == [None], "it came back at once, with what there was"
    assert not lessons.over
