"""A copy of an engine that thinks for another one, in a process of its own or on another machine.

It is told whole plays, in maps that can be written as JSON, follows from the one to the next with undone and made
moves as a referee would tell them, so that it keeps what it knows, and answers with what it has found.
"""

from __future__ import annotations

import importlib
import json
import os
import queue
import sys
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Any, TextIO

from ggtp.errors import GgtpError
from ggtp.game import Rules
from ggtp.kit.engine import Budget, Engine
from ggtp.kit.rulebook import compile_in_background
from ggtp.kit.session import HAVE_TO_PLAY, Session
from ggtp.kit.settings import PLAYER, RULE, RULE_OPTIONS, RULE_TEXT
from ggtp.protocol.messages import Command

Request = Mapping[str, Any]
"""`options`: those of the engine, in order; `history`: pairs of a player and a move; `player`; `seconds`."""

FIRST = (RULE_TEXT, RULE, RULE_OPTIONS, PLAYER)
"""Options that tell of the game, in the order in which they must come."""


def budget_of(request: Request) -> Budget:
    """The time that there is for a request: until a moment on this machine's clock, or some seconds from now on."""
    until = request.get("until")
    return Budget(float(request["seconds"]) if until is None else max(0.0, float(until) - time.monotonic()))


class HelperError(GgtpError):
    """A helper could not do what it was asked for."""


class Helper:
    """An engine that is asked what it finds, and never for a move. Not for two threads at once."""

    def __init__(self, engine: Engine, find_rules: Callable[[str], Rules]) -> None:
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

    def close(self) -> None:
        """Give up what goes on in the background."""
        self._session.close()

    def _settle(self, options: dict[str, str]) -> None:
        game = {name: options.get(name, "") for name in FIRST}
        if game != {name: self._options.get(name, "") for name in FIRST}:
            self._history = None
            for name in FIRST:
                if game[name]:
                    self._session.set_option(name, game[name])
        for name, value in options.items():
            if name not in FIRST and self._options.get(name) != value:
                self._session.set_option(name, value)
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


def serve(engine: Engine, find_rules: Callable[[str], Rules], source: Iterable[str], out: TextIO) -> None:
    """Answer requests, one JSON text a line, until there are no more."""
    helper = Helper(engine, find_rules)
    for line in source:
        answer: dict[str, Any]
        try:
            answer = helper.think(json.loads(line))
        except (GgtpError, ValueError, KeyError) as error:
            answer = {"failed": str(error) or type(error).__name__}
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
    budget = budget_of(request)
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
    """Serve on standard input and output; when nobody is there to ask any more, end in the middle of a thought."""
    lines: queue.SimpleQueue[str] = queue.SimpleQueue()

    def read() -> None:
        for line in sys.stdin:
            lines.put(line)
        os._exit(0)

    threading.Thread(target=read, daemon=True, name="reader").start()
    serve(load_engine(module), _find_rules, iter(lines.get, None), sys.stdout)


if __name__ == "__main__":
    main(sys.argv[1])
