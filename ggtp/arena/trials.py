"""Trial games: a player that is suspected of lost workers plays alone, in all seats, and nothing of it counts.

They are played beside the games of the tournament, on workers without other engines. Games with a player on trial wait
until its trials are over.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection

from ggtp.game.chance import derive
from ggtp.tournament.plan.plan import Plan
from ggtp.tournament.results import GamePlan, Job
from ggtp.tournament.standings.lost_workers import LostWorkers

BLOCK = 0
"""The number of the block of all trial games; those that count begin with 1."""


class Trials:
    """The trial games of a tournament's run."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._begun = 0
        self._again: deque[Job] = deque()
        self._running: dict[str, str] = {}
        """Trial game to its player."""
        self._held: list[Job] = []

    @property
    def running(self) -> bool:
        """Whether any is being played."""
        return bool(self._running)

    def next(self, workers: LostWorkers, out: Collection[str]) -> Job | None:
        """A trial game that is due: one at a time for each player that is suspected."""
        if self._again:
            job = self._again.popleft()
            self._running[job.id] = next(iter(job.game.seats.values()))
            return job
        name = next((name for name in workers.on_trial(out) if name not in self._running.values()), None)
        if name is None:
            return None
        rule = workers.rules[name]
        seats = dict.fromkeys(self._plan.rules[rule].seats, name)
        assert self._plan.seed is not None, "whoever runs a plan draws its key"
        seed = derive(self._plan.seed, "trial", self._begun)
        job = Job(GamePlan(BLOCK, self._begun, 0, rule, 0, seed, seats), apart=True)
        self._begun += 1
        self._running[job.id] = name
        return job

    def holds(self, job: Job, workers: LostWorkers, out: Collection[str]) -> bool:
        """Whether a game has to wait for a trial; it comes back from `released`."""
        waits = not set(workers.on_trial(out)).isdisjoint(job.game.seats.values())
        if waits:
            self._held.append(job)
        return waits

    def released(self) -> list[Job]:
        """The games that waited."""
        held, self._held = self._held, []
        return held

    def withdrawn(self, job: Job) -> bool:
        """Whether this is a trial game that was given back; it is due again."""
        if job.game.block != BLOCK:
            return False
        self._running.pop(job.id, None)
        self._again.append(job)
        return True

    def over(self, game: str) -> str:
        """The player whose trial game this was; nothing where it is none that runs."""
        return self._running.pop(game, "")
