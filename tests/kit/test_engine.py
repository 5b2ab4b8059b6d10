"""Budgets, and the smallest engine."""

import pytest

from ggtp.kit import Budget, Engine
from ggtp.kit.engine import Lag


class Clock:
    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


def test_a_budget_without_end_is_stopped_only_by_withdrawal() -> None:
    budget = Budget()
    assert budget.deadline is None
    assert budget.remaining() is None
    assert not budget.should_stop()
    budget.withdrawn = True
    assert budget.should_stop()


def test_a_budget_ends_at_its_deadline() -> None:
    clock = Clock()
    budget = Budget(2.0, clock)
    assert budget.remaining() == pytest.approx(2.0)
    clock.now = 101.999
    assert not budget.should_stop()
    clock.now = 102.0
    assert budget.should_stop()
    clock.now = 200.0
    assert budget.remaining() == 0


def test_a_limit_can_only_make_it_shorter() -> None:
    clock = Clock()
    budget = Budget(2.0, clock)
    budget.limit(5.0)
    assert budget.deadline == 102.0
    budget.limit(1.0)
    assert budget.deadline == 101.0
    endless = Budget(None, clock)
    endless.limit(3.0)
    assert endless.deadline == 103.0


def test_the_smallest_engine() -> None:
    class Small(Engine):
        name = "Small"

        def choose(self, game, budget):
            return "A1"

    engine = Small()
    assert engine.last_search == "none"
    assert engine.plays(None, {}) is None
    engine.report(value=50, line='A1 "best"')
    assert engine.last_search == 'value=50, line="A1 \\"best\\""'
    engine.report()
    assert engine.last_search == "none"
    # While it searches, what is known so far.
    engine.under_way = lambda: {"depth": 3}
    assert engine.last_search == "depth=3"
    engine.under_way = dict
    assert engine.last_search == "depth=3"


def test_what_nobody_wants_any_more_is_not_late() -> None:
    now = [10.0]
    lag = Lag()
    before = lag.seconds
    budget = Budget(1.0, lambda: now[0])
    now[0] = 20.0
    budget.withdrawn = True
    lag.notice(budget)
    lag.notice(Budget())
    assert lag.seconds == before
    budget.withdrawn = False
    lag.notice(budget)
    assert lag.seconds == 9.0


def test_a_budget_knows_how_late_it_is() -> None:
    now = [10.0]
    budget = Budget(2.0, lambda: now[0])
    assert (budget.late(), Budget().late()) == (0, 0)
    now[0] = 12.5
    assert budget.late() == 0.5
