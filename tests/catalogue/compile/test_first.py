"""From a text to the first game, in real processes."""

from __future__ import annotations

from typing import Any

import pytest

from ggtp.catalogue.compile import first as module
from ggtp.catalogue.compile.compiler import Limits
from ggtp.catalogue.compile.first import first_games
from ggtp.errors import NotCompiled
from ggtp.processes.child import End, Ended

ONE = "(role p) (init s) (legal p go) (<= terminal (true t)) (goal p 1) (<= (next t) (does p go))"


@pytest.mark.process
def test_what_is_kept_need_not_be_made_again() -> None:
    found = first_games(ONE, Limits(60.0, 2048))
    assert found.fresh_s > 0
    assert found.kept_s > 0
    assert found.fresh_cpu_s > found.kept_cpu_s > 0


@pytest.mark.process
def test_rules_at_fault() -> None:
    with pytest.raises(NotCompiled, match="role"):
        first_games("(init s)", Limits(60.0, 2048))


def test_a_process_that_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def silent(*args: Any, **more: Any) -> Ended:
        return Ended(End.LATE, -9, None, "", 1.0)

    monkeypatch.setattr(module, "run_child", silent)
    with pytest.raises(NotCompiled, match="late"):
        first_games(ONE, Limits())
