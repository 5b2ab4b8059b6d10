"""Which method of a rule is running while it is checked."""

from __future__ import annotations

import random
import sys
from typing import Any

from ggtp.rules.tictactoe import TicTacToe

from ggtp.game import Position, Rules
from ggtp.game.checks.contract import check_rules
from ggtp.game.checks.running import running_call
from ggtp.game.guard import Call, RuleInterrupted


def rules_with(method: str, work: Any) -> Rules:
    """TicTacToe, whose positions do something else where a method is called."""

    class Changed(TicTacToe):
        def begin(self, options: Any) -> Position:
            position: Any = super().begin(options)
            kind: Any = type("ChangedPosition", (type(position),), {method: work})
            made: Position = kind(position.game, position.state)
            return made

    return Changed()


def test_the_method_that_the_checks_have_called_is_found() -> None:
    seen: list[Call | None] = []

    def inner() -> None:
        seen.append(running_call("Chess", sys._getframe()))

    def result(self: Any) -> object:
        inner()
        return self.game.result(self.state)

    check_rules(rules_with("result", result), rng=random.Random(1), games=1)
    assert seen
    assert {(call.rule, call.method) for call in seen if call is not None} == {
        ("Chess", "test_the_method_that_the_checks_have_called_is_found.<locals>.result")
    }
    assert running_call("Chess", sys._getframe()) is None, "nothing is checked"


def test_an_interrupted_check_ends_with_a_finding_and_the_moves_before_it() -> None:
    said: list[str] = []

    def play(self: Any, moves: Any) -> Any:
        if (self.state[0] | self.state[1]).bit_count() > 3:
            raise RuleInterrupted("play was given up")
        return super(type(self), self).play(moves)

    findings = check_rules(rules_with("play", play), rng=random.Random(1), games=3, report=said.append)
    (finding,) = (finding for finding in findings if finding.check == "endless")
    assert finding.message == "play was given up"
    assert len(finding.moves) > 3
    assert not any(line.startswith("game 1") for line in said), "it has ended"
