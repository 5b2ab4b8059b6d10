"""Searches for a plan in a one-player game, side by side: each in a process of its own, and the first answer wins."""

from __future__ import annotations

import base64
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, TypeAlias

from ggtp.asp.findings import Finding, GaveUp, Impossible, Plan, Refuted, Rested, from_json
from ggtp.catalogue.compile.cache import DiskCache
from ggtp.errors import last_line
from ggtp.processes.child import Child, End, Line, Talk
from ggtp.processes.forked import alone

if TYPE_CHECKING:
    from ggtp.native.machine import CodeCache

CHILD = "ggtp.catalogue.solve.child"
Method: TypeAlias = Literal["steps", "once", "explore"]
METHODS: Mapping[str, tuple[Method, ...]] = {
    "all": ("explore", "steps", "once"),
    "both": ("steps", "once"),
    "explore": ("explore",),
    "once": ("once",),
    "steps": ("steps",),
}
"""What people may choose, by name: one way to search, or several side by side."""
SEEDS: Mapping[Method, int] = {"explore": 0, "steps": 1, "once": 2}
"""What each method adds to the seed, so that its guesses are the same whenever it begins."""
FOREVER = 7 * 24 * 3600.0
LEAST_MEGABYTES = 64
"""What a search has at least."""


@dataclass(frozen=True, slots=True)
class Arm:
    """One way to search."""

    method: Method
    configuration: str | None = None
    """The solver's; None lets the search choose, and change it."""
    by_text: bool = False
    """By the rules' text instead of their network."""
    builds: bool = False
    """By a network that it makes itself, so that it need not wait for one."""
    sweeps: bool = False
    """After a look through all states, if they are few."""


def arms(cores: int, *, by_text: bool = False, methods: Sequence[Method] = METHODS["all"]) -> list[Arm]:
    """Ways to search that have little in common, one for each core, and each of the methods at least once.

    States can be explored by a network only; where there is none, the solver takes the place of that.
    """
    sweeps = "explore" in methods and not by_text
    if by_text:
        methods = [method for method in methods if method != "explore"] or METHODS["both"]
    more: list[Arm] = [Arm("once", "handy", by_text), Arm("steps", "frumpy", by_text), Arm("once", "trendy", by_text)]
    chosen = [Arm(method, None, by_text, sweeps=sweeps and method == "steps") for method in methods]
    return chosen + [arm for arm in more if arm.method in methods][: max(0, cores - len(chosen))]


def first_arms(methods: Sequence[Method] = METHODS["all"]) -> list[Arm]:
    """Ways to search that can begin at once, before there is a network."""
    found = [Arm("once", by_text=True)] if "once" in methods else []
    if "steps" in methods:
        found.append(Arm("steps", builds=True, sweeps="explore" in methods))
    return found


@dataclass(frozen=True, slots=True)
class Problem:
    """What is to be solved."""

    text: str
    """The rulesheet."""
    network: bytes | None = None
    """Its network, where there is one: the bytes of `gdl.ground_wire`."""
    goal: int | None = None
    """The most that is wanted; None for the most that there is."""
    start: tuple[str, ...] | None = None
    """The facts of the state in which the play stands; None where it begins."""
    shortest: bool = False
    """Whether a plan must be known to be a shortest one."""
    code: tuple[str, str] | None = None
    """The folder where machine code of the network is kept, and the network's name there; see `kept_code`."""
    check: bool = True
    """Whether plans by the rules' text are to be played before they are told; others always are."""

    def request(self, arm: Arm, megabytes: int, seed: int) -> dict[str, object]:
        """What a child is told."""
        told: dict[str, object] = {
            "method": arm.method,
            "configuration": arm.configuration,
            "megabytes": megabytes,
            "goal": self.goal,
            "start": self.start,
            "seed": seed,
            "sweep": arm.sweeps,
        }
        if self.network is None or arm.by_text or arm.builds:
            return {**told, "text": self.text, "build": arm.builds, "check": self.check}
        told["network"] = base64.b64encode(self.network).decode()
        return told if self.code is None else {**told, "cache": self.code[0], "name": self.code[1]}


def kept_code(cache: CodeCache | None, name: str) -> tuple[str, str] | None:
    """Where the machine code of a network is kept, by the network's name, for a `Problem`."""
    return (str(cache.folder), name) if isinstance(cache, DiskCache) and name else None


@dataclass(slots=True)
class _Member:
    """One of the searches."""

    arm: Arm
    megabytes: int
    request: Line | Talk
    """What it is told: all at once, or where it stays, while it works."""
    child: Child | None = None
    dismissed: bool = False
    rests: bool = False
    """Whether it has nothing more to do, or is gone."""
    gone: bool = False


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
        more: bool = False,
        stays: bool = False,
    ) -> None:
        """Begins to search.

        Args:
            problem: what is to be solved.
            ways: how; each takes a process.
            megabytes: what all of them together may have; one half of it as long as there are `more` to come, since
                the compiler is at work then.
            seed: makes guesses repeatable.
            on_finding: is told of everything, by several threads, one at a time.
            more: whether other ways will `join`; it does not end before that.
            stays: whether the processes wait after their answer, so that the search can `move_on` at once.
        """
        self.problem = problem
        self._megabytes = megabytes
        self._seed = seed
        self._on_finding = on_finding
        self._lock = threading.RLock()
        self._ended = threading.Event()
        self._stopped = False
        self._final = False
        self._more = more
        self._stays = stays
        self._number = 0
        """How often the search has moved on."""
        self._members: list[_Member] = []
        self._threads: list[threading.Thread] = []
        self.best: Plan | None = None
        """The plan with the most points so far, and of those the shortest."""
        self.found_by: Arm | None = None
        """Who has found it."""
        self.refuted: dict[int, int] = {}
        """For a goal, up to how many moves no play reaches it."""
        self.impossible: set[int] = set()
        """Goals that no play reaches."""
        self.reasons: list[str] = []
        """Why searches gave up."""
        self._begin(ways, self._share(len(ways)))

    def _share(self, new: int) -> int:
        """What each of so many processes may have beside those that there are, and beside the compiler."""
        held = sum(member.megabytes for member in self._members if not member.gone and not member.dismissed)
        return max(LEAST_MEGABYTES, (self._megabytes // 2 if self._more else self._megabytes - held) // max(1, new))

    def _begin(self, ways: Sequence[Arm], megabytes: int) -> None:
        """Starts processes, each with so much memory, and a thread for each that listens to it."""
        new = []
        for arm in ways:
            request = self.problem.request(arm, megabytes, self._seed + SEEDS[arm.method])
            if self._stays:
                (talk := Talk()).tell({**request, "stay": True, "number": self._number})
                new.append(_Member(arm, megabytes, talk))
            else:
                new.append(_Member(arm, megabytes, request))
        if alone():
            # All copies are made before there is any thread.
            for member in new:
                with suppress(OSError):  # the thread tries it once more, and tells
                    member.child = Child(CHILD, member.request, copy=True)
        with self._lock:
            self._members += new
        for member in new:
            self._threads.append(threading.Thread(target=self._run, args=(member,), daemon=True))
            self._threads[-1].start()

    def join(self, problem: Problem, ways: Sequence[Arm]) -> None:
        """More ways to search, since there is a network now; or none, since there will be none.

        Searches by the rules' text end where others take their place; one that has a network of its own goes on,
        and nobody else does the same.
        """
        with self._lock:
            self._more = False
            self.problem = replace(problem, start=self.problem.start)
            doing = {arm.method for member in self._members if (arm := member.arm).builds and not member.gone}
            running = {member.arm for member in self._members if not member.gone}
            new = [arm for arm in ways if (arm.configuration or arm.method not in doing) and arm not in running]
            for member in self._members if problem.network is not None else ():
                member.dismissed |= member.arm.by_text
            if self.ended or self._stopped:
                new = []
        self._begin(new, self._share(len(new)))
        with self._lock:
            self._end_if_alone()

    def move_on(self, start: tuple[str, ...] | None) -> bool:
        """Searches from another state instead; False where nobody is left who could."""
        with self._lock:
            living = [member for member in self._members if not member.gone and not member.dismissed]
            if self._stopped or not self._stays or not (living or self._more):
                return False
            self._number += 1
            self.problem = replace(self.problem, start=start)
            self._final, self.best, self.found_by, self.refuted, self.impossible = False, None, None, {}, set()
            self._ended.clear()
            for member in living:
                member.rests = False
                if isinstance(member.request, Talk):
                    member.request.tell({"number": self._number, "start": start})
            return True

    def wait(self, seconds: float | None = None) -> bool:
        """Whether there is an answer, or nothing more to try; waits for it at most so many seconds."""
        return self._ended.wait(seconds)

    def stop(self) -> None:
        """Ends the search; what was found stays."""
        self._stopped = True
        self._ended.set()

    def close(self, seconds: float) -> None:
        """Ends the search, and sees the processes to their end, in at most so many seconds."""
        self.stop()
        until = time.monotonic() + seconds
        for thread in self._threads:
            thread.join(max(0.0, until - time.monotonic()))

    @property
    def ended(self) -> bool:
        """Whether nothing is searched any more."""
        return self._ended.is_set()

    @property
    def optimal(self) -> bool:
        """Whether no play has more points than the best plan, or more than was wanted."""
        wanted = 100 if self.problem.goal is None else self.problem.goal
        return self.best is not None and (self._final or self.best.goal >= wanted)

    def _run(self, member: _Member) -> None:
        try:
            child = member.child or Child(CHILD, member.request, bare=True)
            if not isinstance(member.request, Talk):
                member.request = {}  # networks are large
            ended = child.listen(
                seconds=FOREVER,
                on_line=lambda line: self._heard(member, line),
                should_stop=lambda: self._stopped or member.dismissed or (self._ended.is_set() and not self._stays),
            )
            if ended.end is End.BY_ITSELF and ended.status == 0:
                # A search ends by itself only when it has ruled out whatever is better than its plan.
                self._rest(member, final=not self._stays)
            elif ended.end is End.BY_ITSELF and ended.status != 1:
                why = last_line(ended.last_words) or f"its process ended with status {ended.status}"
                self._note(member.arm, GaveUp(why))
        except OSError as error:
            if isinstance(member.request, Talk):
                member.request.close()
            self._note(member.arm, GaveUp(f"its process can't be started: {error}"))
        finally:
            with self._lock:
                member.gone = True
                self._replace(member)
                self._rest(member, final=False)

    def _replace(self, member: _Member) -> None:
        """Another search for one that has found its own network too large, where there is one that was made for all."""
        arm, wanted = member.arm, not (self.ended or self._stopped or self._final)
        if arm.builds and not self._more and self.problem.network is not None and wanted:
            self._begin([Arm(arm.method)], self._share(1))

    def _heard(self, member: _Member, line: Line) -> None:
        values = dict(line)
        number = values.pop("number", None)
        try:
            finding = from_json(values)
        except ValueError as error:
            finding = GaveUp(str(error))
        with self._lock:
            if number not in (None, self._number):
                return  # about a state in which the play stood before
            if isinstance(finding, Rested):
                self._rest(member, final=finding.final)
            else:
                self._note(member.arm, finding)

    def _rest(self, member: _Member, *, final: bool) -> None:
        with self._lock:
            member.rests = True
            self._final |= final
            self._end_if_done()
            self._end_if_alone()

    def _note(self, arm: Arm, finding: Finding) -> None:
        with self._lock:
            if self._stopped or self._ended.is_set():
                return
            if isinstance(finding, Plan):
                self._plan(arm, finding)
            elif isinstance(finding, Refuted):
                self.refuted[finding.goal] = max(finding.steps, self.refuted.get(finding.goal, -1))
            elif isinstance(finding, Impossible):
                self.impossible.add(finding.goal)
            elif isinstance(finding, GaveUp):
                self.reasons.append(finding.reason)
            self._on_finding(arm, finding)
            self._end_if_done()

    def _end_if_done(self) -> None:
        """Where there is an answer."""
        if self.optimal and not (self.problem.shortest and self.best is not None and not self.best.shortest):
            self._end()

    def _end_if_alone(self) -> None:
        """Where nobody is left who looks for one."""
        if not self._more and all(member.rests for member in self._members):
            self._end()

    def _end(self) -> None:
        if not self._ended.is_set():
            self._ended.set()
            for member in self._members:
                if isinstance(member.request, Talk) and not member.rests:
                    member.request.tell({"number": self._number})

    def _plan(self, arm: Arm, plan: Plan) -> None:
        old = self.best
        if old is not None and (plan.goal, -len(plan.moves)) < (old.goal, -len(old.moves)):
            return
        if old is not None and (plan.goal, len(plan.moves), old.shortest) == (old.goal, len(old.moves), True):
            return
        if not plan.shortest and self.refuted.get(plan.goal, -1) >= len(plan.moves) - 1:
            plan = replace(plan, shortest=True)
        self.best, self.found_by = plan, arm
