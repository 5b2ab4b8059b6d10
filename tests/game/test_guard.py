"""The guard around rules: what passes, what becomes `RuleFailed`, and which call is running."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Mapping, Sequence
from types import FrameType
from typing import Any

import pytest
from ggtp.rules.tictactoe import TicTacToe
from support.games import PLAYERS, Faulty, GrabPosition

from ggtp.errors import CommandError, IllegalMove, MalformedMove, MoveError, OptionError, RuleFailed
from ggtp.game import Player, Position, Rules, TurnKind, advice
from ggtp.game.guard import (
    GuardedPosition,
    GuardedRules,
    RuleInterrupted,
    bare_position,
    bare_rules,
    current_call,
    guarded,
)
from ggtp.game.model import Result


class Odd(Rules):
    """A game of two, of whose positions one method is another one."""

    name = "Odd"

    def __init__(self, method: str, instead: Callable[..., Any]) -> None:
        self._kind = type("OddPosition", (GrabPosition,), {method: instead})

    def players(self, options: Mapping[str, str]) -> tuple[Player, ...]:
        return PLAYERS

    def begin(self, options: Mapping[str, str]) -> Position:
        position: Position = self._kind(TurnKind.SINGLE, 2, None)
        return position


def raising(error: BaseException) -> Callable[..., Any]:
    def method(*_: object) -> Any:
        raise error

    return method


def test_a_guarded_game_is_the_same_game() -> None:
    plain, inside = TicTacToe(), guarded(TicTacToe())
    one, other = plain.start(), inside.start()
    rng = random.Random(1)
    while one.result() is None:
        player = one.turn().players[0]
        move = rng.choice(one.moves(player))
        assert other.turn() == one.turn()
        assert other.moves(player) == one.moves(player)
        assert other.parse(player, move.lower()) == move
        one, other = one.play({player: move}).position, other.play({player: move}).position
        assert (other.view(None), other.key(), other.picture(None)) == (one.view(None), one.key(), one.picture(None))
    assert other.result() == one.result()
    assert (inside.name, inside.title, inside.traits, inside.options()) == (
        plain.name,
        plain.title,
        plain.traits,
        plain.options(),
    )


def test_every_method_of_the_contract_is_guarded() -> None:
    for contract, guard in ((Position, GuardedPosition), (Rules, GuardedRules)):
        methods = {name for name, value in vars(contract).items() if callable(value) and not name.startswith("_")}
        assert methods <= set(vars(guard))


def test_rules_are_wrapped_once_and_can_be_had_without() -> None:
    rules = TicTacToe()
    once = guarded(rules)
    assert guarded(once) is once
    assert bare_rules(once) is bare_rules(rules) is rules
    position = rules.start()
    assert bare_position(GuardedPosition(position, "TicTacToe")) is bare_position(position) is position


def test_refused_moves_and_options_pass() -> None:
    position = guarded(TicTacToe()).start()
    with pytest.raises(MalformedMove):
        position.parse("Cross", "nowhere")
    with pytest.raises(IllegalMove):
        position.play({"Circle": "A1"})
    with pytest.raises(OptionError):
        guarded(TicTacToe()).start({"no such option": "on"})


@pytest.mark.parametrize(
    "error",
    [ValueError("wrong"), CommandError("The process has ended."), SystemExit(3), RecursionError(), StopIteration()],
)
def test_every_other_exception_is_the_rule_s_failure(error: BaseException) -> None:
    position = guarded(Odd("turn", raising(error))).start()
    with pytest.raises(RuleFailed) as raised:
        position.turn()
    failure = raised.value
    assert failure.__cause__ is error
    assert (failure.rule, failure.method) == ("Odd", "turn")
    assert failure.place.startswith(f"{__file__}:")
    assert str(failure).startswith(f"The rule Odd failed in turn ({failure.place}): ")


def test_a_move_error_is_a_failure_where_no_move_is_made() -> None:
    position = guarded(Odd("moves", raising(MoveError("no")))).start()
    with pytest.raises(RuleFailed):
        position.moves("Ann")


@pytest.mark.parametrize("method", ["turn", "moves", "play", "result", "view", "picture", "parse"])
def test_a_method_that_returns_something_else_has_failed(method: str) -> None:
    arguments = {"turn": (), "result": (), "play": ({"Ann": "grab"},), "parse": ("Ann", "grab")}
    position = guarded(Odd(method, lambda *_: 7)).start()
    with pytest.raises(RuleFailed, match=rf"in {method} .*it returned int"):
        getattr(position, method)(*arguments.get(method, ("Ann",)))


def test_positions_that_come_of_guarded_ones_are_guarded() -> None:
    rule = Faulty(lambda name, played: name == "result" and played == 2)
    position = guarded(rule).start()
    for player in ("Ann", "Bob"):
        position = position.play({player: "grab"}).position
    with pytest.raises(RuleFailed):
        position.result()
    other = advice.determinize(position, "Ann", random.Random(0))
    assert isinstance(other, GuardedPosition)


def test_rules_that_cannot_say_what_they_are_have_failed() -> None:
    class Vague(TicTacToe):
        @property
        def title(self) -> str:
            raise KeyError("title")

    with pytest.raises(RuleFailed, match="TicTacToe failed in title"):
        guarded(Vague())


def test_a_running_call_can_be_seen_from_its_stack() -> None:
    seen: list[Any] = []

    def result(_: object) -> Result | None:
        seen.append(current_call(sys._getframe()))
        return None

    guarded(Odd("result", result)).start().result()
    (call,) = seen
    assert (call.rule, call.method) == ("Odd", "result")
    assert current_call(sys._getframe()) is None
    frame: FrameType = call.frame
    assert current_call(frame) is None, "the guard's own code is nothing that could be interrupted"


def test_an_interrupted_method_is_not_called_again_at_that_position() -> None:
    calls: list[str] = []

    def moves(_: object, player: str) -> Sequence[str]:
        calls.append(player)
        raise RuleInterrupted("interrupted")

    position = guarded(Odd("moves", moves)).start()
    for _ in range(2):
        with pytest.raises(RuleFailed, match=r"in moves .*interrupted"):
            position.moves("Ann")
    assert calls == ["Ann"]
    assert position.turn().players == PLAYERS
    assert type(bare_position(position)).__name__ == "OddPosition"
