"""Searches for a plan in a one-player game, side by side: each in a process of its own, and the first answer wins."""

from __future__ import annotations

import base64
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, TypeAlias

from ggtp.asp.findings import Finding, GaveUp, Impossible, Plan, Refuted, from_json
from ggtp.catalogue.cache import DiskCache
from ggtp.catalogue.child import End, Line, run_child

if TYPE_CHECKING:
    from ggtp.gdl.compiled import CompiledGame
    from ggtp.gdl.network import Built

CHILD = "ggtp.catalogue.solve_child"
Method: TypeAlias = Literal["steps", "once", "explore"]
METHODS: Mapping[str, tuple[Method, ...]] = {
    "all": ("explore", "steps", "once"),
    "both": ("steps", "once"),
    "explore": ("explore",),
    "once": ("once",),
    "steps": ("steps",),
}
"""What people may choose, by name: one way to search, or several side by side."""
FOREVER = 7 * 24 * 3600.0


@dataclass(frozen=True, slots=True)
class Arm:
    """One way to search."""

    method: Method
    configuration: str | None = None
    """The solver's; None lets the search choose, and change it."""
    by_text: bool = False
    """By the rules' text instead of their network."""


def arms(cores: int, *, by_text: bool = False, methods: Sequence[Method] = METHODS["all"]) -> list[Arm]:
    """Ways to search that have little in common, one for each core, and each of the methods at least once.

    States can be explored by a network only; where there is none, the solver takes the place of that.
    """
    if by_text:
        methods = [method for method in methods if method != "explore"] or METHODS["both"]
    more: list[Arm] = [Arm("once", "handy", by_text), Arm("steps", "frumpy", by_text), Arm("once", "trendy", by_text)]
    chosen = [Arm(method, None, by_text) for method in methods]
    return chosen + [arm for arm in more if arm.method in methods][: max(0, cores - len(chosen))]


@dataclass(frozen=True, slots=True)
class Problem:
    """What is to be solved."""

    text: str
    """The rulesheet."""
    built: Built | None = None
    """Its network, where there is one."""
    goal: int | None = None
    """The most that is wanted; None for the most that there is."""
    start: tuple[str, ...] | None = None
    """The facts of the state in which the play stands; None where it begins. Needs a network."""
    shortest: bool = False
    """Whether a plan must be known to be a shortest one."""
    code: tuple[str, str] | None = None
    """The folder where machine code of the network is kept, and the network's name there; see `kept_code`."""

    def request(self, arm: Arm, megabytes: int, seed: int) -> dict[str, object]:
        """What a child is told."""
        told: dict[str, object] = {
            "method": arm.method,
            "configuration": arm.configuration,
            "megabytes": megabytes,
            "goal": self.goal,
            "seed": seed,
        }
        if self.built is None or arm.by_text:
            return {**told, "text": self.text}
        from ggtp.gdl.ground_wire import encode_built

        told |= {"network": base64.b64encode(encode_built(self.built)).decode(), "start": self.start}
        return told if self.code is None else {**told, "cache": self.code[0], "name": self.code[1]}


def kept_code(game: CompiledGame) -> tuple[str, str] | None:
    """Where the machine code of a game is kept, for a `Problem`."""
    return (str(game.kept.folder), game.name) if isinstance(game.kept, DiskCache) and game.name else None


class Solving:
    """A search that is going on. Its threads end soon after `stop`, and with them the processes."""

    def __init__(
        self,
        problem: Problem,
        ways: Sequence[Arm],
        *,
        megabytes: int = 4096,
        seed: int = 0,
        on_finding: Callable[[Arm, Finding], None] = lambda arm, finding: None,
    ) -> None:
        """Begins to search.

        Args:
            problem: what is to be solved.
            ways: how; each takes a process.
            megabytes: what all of them together may have.
            seed: makes guesses repeatable.
            on_finding: is told of everything, by several threads, one at a time.
        """
        self._problem = problem
        self._on_finding = on_finding
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._stopped = False
        self._final = False
        self.best: Plan | None = None
        """The plan with the most points so far, and of those the shortest."""
        self.refuted: dict[int, int] = {}
        """For a goal, up to how many moves no play reaches it."""
        self.impossible: set[int] = set()
        """Goals that no play reaches."""
        self.reasons: list[str] = []
        """Why searches gave up."""
        self._running = len(ways)
        each = max(64, megabytes // max(1, len(ways)))
        for number, arm in enumerate(ways):
            request = problem.request(arm, each, seed + number)
            threading.Thread(target=self._run, args=(arm, request), daemon=True).start()

    def wait(self, seconds: float | None = None) -> bool:
        """Whether there is an answer, or nothing more to try; waits for it at most so many seconds."""
        return self._ended.wait(seconds)

    def stop(self) -> None:
        """Ends the search; what was found stays."""
        self._stopped = True
        self._ended.set()

    @property
    def ended(self) -> bool:
        """Whether nothing is searched any more."""
        return self._ended.is_set()

    @property
    def optimal(self) -> bool:
        """Whether no play has more points than the best plan, or more than was wanted."""
        wanted = 100 if self._problem.goal is None else self._problem.goal
        return self.best is not None and (self._final or self.best.goal >= wanted)

    def _run(self, arm: Arm, request: Line) -> None:
        try:
            ended = run_child(
                CHILD,
                request,
                seconds=FOREVER,
                on_line=lambda line: self._heard(arm, line),
                should_stop=lambda: self._stopped or self._ended.is_set(),
            )
            if ended.end is End.BY_ITSELF and ended.status == 0:
                # A search ends by itself only when it has ruled out whatever is better than its plan.
                with self._lock:
                    self._final = True
                    self._end_if_done()
            elif ended.end is End.BY_ITSELF and ended.status != 1:
                words = ended.last_words.splitlines()
                self._note(arm, GaveUp(words[-1] if words else f"its process ended with status {ended.status}"))
        except OSError as error:
            self._note(arm, GaveUp(f"its process can't be started: {error}"))
        finally:
            with self._lock:
                self._running -= 1
                if not self._running:
                    self._ended.set()

    def _heard(self, arm: Arm, line: Line) -> None:
        try:
            finding = from_json(line)
        except ValueError as error:
            finding = GaveUp(str(error))
        self._note(arm, finding)

    def _note(self, arm: Arm, finding: Finding) -> None:
        with self._lock:
            if self._stopped or self._ended.is_set():
                return
            if isinstance(finding, Plan):
                self._plan(finding)
            elif isinstance(finding, Refuted):
                self.refuted[finding.goal] = max(finding.steps, self.refuted.get(finding.goal, -1))
            elif isinstance(finding, Impossible):
                self.impossible.add(finding.goal)
            elif isinstance(finding, GaveUp):
                self.reasons.append(finding.reason)
            self._on_finding(arm, finding)
            self._end_if_done()

    def _end_if_done(self) -> None:
        if self.optimal and not (self._problem.shortest and self.best is not None and not self.best.shortest):
            self._ended.set()

    def _plan(self, plan: Plan) -> None:
        old = self.best
        if old is not None and (plan.goal, -len(plan.moves)) < (old.goal, -len(old.moves)):
            return
        if old is not None and (plan.goal, len(plan.moves), old.shortest) == (old.goal, len(old.moves), True):
            return
        if not plan.shortest and self.refuted.get(plan.goal, -1) >= len(plan.moves) - 1:
            plan = replace(plan, shortest=True)
        self.best = plan
