"""A copy of an engine that thinks for another one, in a process of its own or on another machine.

It is told whole plays, in maps that can be written as JSON, follows from the one to the next with undone and made
moves as a referee would tell them, so that it keeps what it knows, and answers with what it has found.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, NotRequired, TextIO, TypedDict

from ggtp.errors import GgtpError
from ggtp.game import Rules
from ggtp.kit.engine import Budget, Engine
from ggtp.kit.rulebook import compile_in_background
from ggtp.kit.session import HAVE_TO_PLAY, Session
from ggtp.kit.settings import PLAYER, RULE, RULE_OPTIONS, RULE_TEXT
from ggtp.protocol.messages import Command


class Request(TypedDict):
    """What a helper is asked, as it is written in JSON."""

    options: dict[str, str]
    """Those of the engine."""
    history: Sequence[tuple[str, str]]
    """Players and moves."""
    seconds: float | None
    """How long to think; None for no limit but that of the options."""
    until: NotRequired[float | None]
    """When to end instead, on this machine's clock."""
    round: NotRequired[int]
    """Which question it is."""


FIRST = (RULE_TEXT, RULE, RULE_OPTIONS, PLAYER)
"""Options that tell of the game, in the order in which they must come."""


class Asked(Budget):
    """Time that is over, too, when nobody waits for the answer any more."""

    __slots__ = ("_in_vain",)

    def __init__(self, seconds: float | None, in_vain: Callable[[], bool]) -> None:
        super().__init__(seconds)
        self._in_vain = in_vain

    def should_stop(self) -> bool:
        return super().should_stop() or self._in_vain()


def budget_of(request: Request, in_vain: Callable[[], bool] = lambda: False) -> Budget:
    """The time that there is for a request: until a moment on this machine's clock, some seconds from now on, or any.

    Args:
        request: what is asked.
        in_vain: whether nobody waits for the answer any more.
    """
    until, seconds = request.get("until"), request.get("seconds")
    if until is not None:
        return Asked(max(0.0, float(until) - time.monotonic()), in_vain)
    return Asked(None if seconds is None else float(seconds), in_vain)


class HelperError(GgtpError):
    """A helper could not do what it was asked for."""


class Helper:
    """An engine that is asked what it finds, and never for a move. Not for two threads at once."""

    def __init__(self, engine: Engine, find_rules: Callable[[str], Rules]) -> None:
        engine.helps = True
        self._engine = engine
        self._session = Session(engine, find_rules, _say, compile_rules=compile_in_background)
        self._options: dict[str, str] = {}
        self._history: list[tuple[str, str]] | None = None

    def think(self, request: Request, budget: Budget | None = None) -> dict[str, Any]:
        """What the engine finds out about a position in some seconds, or within a budget.

        Raises:
            GgtpError: the rule is not known here, or the play can't be followed.
        """
        if budget is None:
            budget = budget_of(request)
        self._settle(dict(request["options"]))
        self._follow([(player, move) for player, move in request["history"]])
        game, _ = self._session.asked(Command(HAVE_TO_PLAY, ()))
        self._engine.choose(game, budget)
        return self._engine.findings()

    def prepare(self, options: Mapping[str, str], budget: Budget) -> None:
        """Let the engine compile and load what it needs for a game, within a budget.

        Raises:
            GgtpError: the rule is not known here, or the engine does not play it.
        """
        self._settle(dict(options))
        self._follow([])
        game, _ = self._session.asked(Command(HAVE_TO_PLAY, ()))
        game.compiled(budget)
        self._engine.settle(game, budget)

    def close(self) -> None:
        """Give up what goes on in the background."""
        self._session.close()

    def _settle(self, options: dict[str, str]) -> None:
        # Whatever is refused on the way, nothing of it is taken for settled.
        before, self._options = self._options, {}
        for name, value in options.items():
            if name not in FIRST and before.get(name) != value:
                self._session.set_option(name, value)
        game = {name: options.get(name, "") for name in FIRST}
        if game != {name: before.get(name, "") for name in FIRST}:
            self._history = None
            for name in FIRST:
                if game[name]:
                    self._session.set_option(name, game[name])
        self._options = options

    def _follow(self, history: list[tuple[str, str]]) -> None:
        known = self._history
        if known is None:
            self._session.answer(Command("start", ()))
            known = []
        same = 0
        while same < min(len(known), len(history)) and known[same] == history[same]:
            same += 1
        for _ in known[same:]:
            self._session.answer(Command("undone_move", ()))
        for player, move in history[same:]:
            self._session.answer(Command("made_move", (player, move)))
        self._history = history


class Inbox:
    """What is asked, of which the newest counts: whatever comes withdraws what came before."""

    def __init__(self) -> None:
        self._came = threading.Condition()
        self._request: Request | None = None
        self._budget = Budget(0)
        """That of the request which is being answered, or was the last."""

    def put(self, request: Request | None) -> None:
        """Somebody asks, or only says that nobody waits any more."""
        with self._came:
            self._budget.withdrawn = True
            self._request = request
            self._came.notify()

    def __iter__(self) -> Iterator[tuple[Request, Budget]]:
        while True:
            with self._came:
                while (request := self._request) is None:
                    self._came.wait()
                self._request = None
                try:
                    self._budget = budget_of(request)
                except (AttributeError, TypeError, ValueError):
                    self._budget = Budget(0)  # what it is asked can't be answered anyway
                budget = self._budget
            yield request, budget


def serve(
    engine: Engine, find_rules: Callable[[str], Rules], source: Iterable[tuple[Request, Budget]], out: TextIO
) -> None:
    """Answer requests, one JSON text a line, until there are no more. An answer says which question it answers."""
    helper = Helper(engine, find_rules)
    for request, budget in source:
        answer: dict[str, Any]
        try:
            answer = {**helper.think(request, budget), "round": request.get("round")}
        except (GgtpError, ValueError, KeyError, TypeError, AttributeError) as error:
            number = request.get("round") if isinstance(request, Mapping) else None
            answer = {"failed": str(error) or type(error).__name__, "round": number}
        with suppress(OSError, ValueError):
            out.write(json.dumps(answer) + "\n")
            out.flush()
    helper.close()


class _Place:
    """A helper of this process, for one engine elsewhere."""

    def __init__(self, helper: Helper) -> None:
        self.helper = helper
        self.lock = threading.Lock()
        self.budget = Budget(0)
        """That of the request which is being answered, or was the last."""


_places: dict[str, _Place] = {}
"""By the tokens of those who ask."""
_making = threading.Lock()
MOST_HELPERS = 8
"""How many are kept; whoever has not asked for the longest time is forgotten."""


def think_here(token: str, module: str, request: Request) -> dict[str, Any]:
    """What a worker of a cluster runs: the helper of that token thinks, and keeps its tree for the next time.

    Args:
        token: who asks.
        module: the engine's program.
        request: see `Helper.think`.
    """
    budget = budget_of(request, _forgotten())
    with _making:
        place = _places.pop(token, None)
        if place is None:
            place = _Place(Helper(load_engine(module), _find_rules))
            while len(_places) >= MOST_HELPERS:
                _places.pop(next(iter(_places))).helper.close()
        _places[token] = place
        # Nobody waits for what was asked before.
        place.budget.withdrawn = True
        place.budget = budget
    with place.lock:
        return place.helper.think(request, budget)


def _forgotten() -> Callable[[], bool]:
    """What to ask, in a task of a cluster's worker, whether its answer was given up: whoever asked may be gone."""
    library = sys.modules.get("distributed")
    if library is None:
        return lambda: False
    try:
        worker = library.get_worker()
        key, tasks = worker.get_current_task(), worker.state.tasks
    except (ValueError, KeyError, AttributeError):
        return lambda: False  # this is no worker, or one of another version

    def forgotten() -> bool:
        task = tasks.get(key)
        return task is None or task.state == "cancelled"

    return forgotten


def load_engine(module: str) -> Engine:
    """The engine that a module is the program of.

    Raises:
        HelperError: it has none.
    """
    loaded = importlib.import_module(module)
    for value in vars(loaded).values():
        if isinstance(value, type) and issubclass(value, Engine) and value.__module__ == module:
            return value()
    raise HelperError(f"{module} has no engine.")


def _find_rules(name: str) -> Rules:
    from ggtp.catalogue import Catalogue

    return Catalogue.from_environment(os.environ).find_rules(name)


def _say(text: str) -> None:
    with suppress(OSError, ValueError):
        sys.stderr.write(f"helper: {text}\n")


def main(module: str) -> None:
    """Serve on standard input and output, a JSON text a line; an empty line means that nobody waits any more.

    When nobody is there to ask any more, it ends in the middle of a thought.
    """
    inbox = Inbox()

    def read() -> None:
        for line in sys.stdin:
            try:
                inbox.put(json.loads(line) if line.strip() else None)
            except ValueError:
                _say("asked in no words of ours")
        os._exit(0)

    threading.Thread(target=read, daemon=True, name="reader").start()
    serve(load_engine(module), _find_rules, inbox, sys.stdout)


if __name__ == "__main__":
    main(sys.argv[1])
