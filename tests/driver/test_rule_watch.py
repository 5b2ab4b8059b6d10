"""Rules that compute without end: named, and given up at a signal or at a limit."""

from __future__ import annotations

import asyncio
import signal
import sys
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest
from ggtp.rules.tictactoe import TicTacToe

from ggtp.driver.rule_watch import HASTE_SECONDS, NOTICE_SECONDS, RuleWatch
from ggtp.errors import RuleFailed
from ggtp.game import Position
from ggtp.game.guard import Call, guarded
from ggtp.game.model import Result


class EndlessPosition:
    """A position whose result never comes."""

    def __init__(self, computed: Callable[[], object]) -> None:
        self._computed = computed

    def result(self) -> Result | None:
        while True:
            self._computed()


class Endless(TicTacToe):
    """A rule that says while it computes that it does."""

    name = "Endless"

    def __init__(self, computed: Callable[[], object] = lambda: None) -> None:
        self._computed = computed

    def begin(self, options: Any) -> Position:
        position = super().begin(options)
        endless = type("EndlessPosition", (type(position),), {"result": EndlessPosition.result})
        made: Any = endless(position.game, position.state)
        made._computed = self._computed
        return made


class Stack:
    """A thread's stack, as the watch is told it: the call that runs, or none."""

    def __init__(self) -> None:
        self.call: Call | None = None

    def find(self, _innermost: FrameType | None) -> Call | None:
        return self.call

    def enter(self, method: str) -> None:
        self.call = Call("Chess", method, sys._getframe())

    def enter_another(self, method: str) -> None:
        self.call = Call("Chess", method, sys._getframe(1))


def test_a_call_is_named_once_and_its_end_is_told() -> None:
    stack, told = Stack(), list[str]()
    watch = RuleWatch(told.append, lambda: told.append("ended"), hint=" Wait.", find=stack.find)
    watch.look(0.0)
    stack.enter("moves")
    watch.look(10.0)
    watch.look(10.0 + NOTICE_SECONDS - 0.1)
    assert told == []
    watch.look(10.0 + NOTICE_SECONDS)
    watch.look(20.0)
    assert told == ["The rule Chess has been computing moves for 3 s. Wait."]
    stack.call = None
    watch.look(21.0)
    watch.look(22.0)
    assert told[1:] == ["ended"]


def test_another_call_of_the_same_method_begins_anew() -> None:
    stack, told = Stack(), list[str]()
    watch = RuleWatch(told.append, find=stack.find)
    for at in range(100):
        (stack.enter if at % 2 else stack.enter_another)("moves")
        watch.look(at * (NOTICE_SECONDS - 0.1))
    assert told == []


def test_a_limit_gives_a_call_up() -> None:
    position = guarded(Endless()).start()
    before = signal.getsignal(signal.SIGALRM)
    with (
        RuleWatch(lambda _text: None, limit=0.3),
        pytest.raises(RuleFailed, match=r"Endless failed in result \(.*test_rule_watch.py:\d+\): result was given up"),
    ):
        position.result()
    assert signal.getsignal(signal.SIGALRM) == before


def test_a_signal_that_comes_early_gives_the_call_up_when_it_lasts() -> None:
    heeded: list[str] = []
    sent: list[int] = []

    def send() -> None:
        if not sent:
            sent.append(1)
            signal.raise_signal(signal.SIGINT)

    async def script() -> None:
        with RuleWatch(lambda _text: None) as watch:
            heard = asyncio.Event()

            def heed() -> None:
                heeded.append("SIGINT")
                heard.set()

            watch.heed({signal.SIGINT: heed})
            assert not watch.gave_up()
            with pytest.raises(RuleFailed, match="result was interrupted after"):
                guarded(Endless(send)).start().result()
            assert heeded == [], "the loop has not had its turn yet"
            assert watch.gave_up()
            assert not watch.gave_up()
            await heard.wait()

    asyncio.run(script())
    assert heeded == ["SIGINT"]


def test_a_signal_lets_short_calls_end() -> None:
    assert HASTE_SECONDS >= 1, "which is much more than a call of this rule takes"

    async def script() -> None:
        with RuleWatch(lambda _text: None) as watch:
            heard = asyncio.Event()
            watch.heed({signal.SIGTERM: heard.set})
            position = guarded(TicTacToe()).start()
            signal.raise_signal(signal.SIGTERM)
            assert position.result() is None
            await heard.wait()
            assert not watch.gave_up()

    asyncio.run(script())


def test_signals_are_for_the_main_thread_alone() -> None:
    async def script() -> None:
        with RuleWatch(lambda _text: None) as watch, pytest.raises((ValueError, RuntimeError)):
            watch.heed({signal.SIGINT: lambda: None})

    failures: list[BaseException] = []

    def run() -> None:
        try:
            asyncio.run(script())
        except BaseException as error:  # noqa: BLE001 - told to the thread that tests
            failures.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert failures == []
