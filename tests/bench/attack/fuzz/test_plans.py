"""Plans are read, and their schedules made."""

from __future__ import annotations

import os

import pytest

from ggtp.bench.attack.fuzz.plans import SHORT, reader
from ggtp.bench.attack.fuzz.trial import Budget
from ggtp.tournament.plan.plan import PlanError


def test_a_plan_is_read() -> None:
    read = reader(os.environ)
    assert read(SHORT, Budget()) == "match 2 True False"
    with pytest.raises(PlanError):
        read("nothing", Budget())
