"""The ledger: what is due, what was played, and how it stands; all of a tournament that needs no disk and no clock.

ledger = Ledger(plan)
ledger.recall(game)        # for every result of an earlier run, in the journal's order
due = ledger.next()        # a game to play, or a result that only has to be written down
ledger.record(game)        # once its result is on the disk
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Mapping
from dataclasses import dataclass

from ggtp.tournament.plan import Plan
from ggtp.tournament.results import Game, GamePlan, block_size
from ggtp.tournament.schedule import Schedule, count_games
from ggtp.tournament.sequential import SequentialTest
from ggtp.tournament.standings import Standings


@dataclass(frozen=True, slots=True)
class Due:
    """A game to play, from its start or from where it was interrupted."""

    game: GamePlan
    attempt: int = 1
    moves: tuple[str, ...] = ()


class Ledger:
    """One tournament, from its first game to its last."""

    def __init__(self, plan: Plan) -> None:
        """Begin with nothing played.

        Raises:
            PlanError: a rule's table can't seat who is to meet there.
        """
        self.plan = plan
        self.schedule = Schedule(plan)
        self.standings = Standings(plan)
        self.total = count_games(plan)
        self.test = SequentialTest(plan.sprt) if plan.sprt is not None else None
        self._known: dict[str, dict[str, float]] = {}
        """Results of earlier runs that the schedule has not come to yet."""
        self._voids: Counter[str] = Counter()
        self._again: deque[GamePlan] = deque()
        self._begun: dict[str, tuple[int, tuple[str, ...]]] = {}
        """Games that were interrupted: the attempt, and the moves."""

    @property
    def done(self) -> bool:
        """Whether there is nothing more to play."""
        return self.schedule.done and not self._again

    @property
    def quarantined(self) -> set[str]:
        """The players with too many faults."""
        most = self.plan.strikes
        return {row.name for row in self.standings.rows.values() if most and row.faults >= most}

    def size(self, game: GamePlan) -> int:
        """How many games the block of a game has."""
        return block_size(self.plan, game)

    # Earlier runs.

    def recall(self, game: Game) -> None:
        """A result of an earlier run."""
        self._count(game)
        if game.end == "void":
            self._voids[game.id] += 1
        else:
            self._known[game.id] = game.player_scores()

    def interrupted(self, game: str, attempt: int, moves: tuple[str, ...]) -> None:
        """A game that was begun in an earlier run, and how far it came."""
        self._begun[game] = (attempt, moves)

    # This run.

    def next(self) -> Due | Game | None:
        """What is due: a game to play, a result to write down, or nothing before another result."""
        while True:
            game = self._again.popleft() if self._again else self.schedule.next()
            if game is None:
                return None
            if game.id in self._known:
                self.schedule.finished(game.id, self._known.pop(game.id))
                continue
            voids = self._voids[game.id]
            if voids > self.plan.replays:
                self._leave_out(game)
                continue
            out = self.quarantined & set(game.seats.values())
            if out:
                return Game(game, end="quarantine", reason=f"{', '.join(sorted(out))}: {self.plan.strikes} faults")
            attempt, moves = self._begun.pop(game.id, (0, ()))
            return Due(game, voids + 1, moves if attempt == voids + 1 else ())

    def put_back(self, game: GamePlan, attempt: int, moves: tuple[str, ...]) -> None:
        """A game that was due and was not begun, or not gone on with: it is due again."""
        self._again.append(game)
        if moves:
            self._begun[game.id] = (attempt, moves)

    def record(self, game: Game) -> None:
        """A result that is on the disk now."""
        self._count(game)
        if game.end == "void":
            self._voids[game.id] += 1
            self._again.append(game.plan)
        else:
            self._voids.pop(game.id, None)
            self.schedule.finished(game.id, game.player_scores())

    def _leave_out(self, game: GamePlan) -> None:
        self.standings.left_out(Game(game, end="void"), self.size(game))
        self._test(game, None)
        self._voids.pop(game.id)
        self.schedule.finished(game.id, {})

    def _count(self, game: Game) -> None:
        scores = self.standings.add(game, self.size(game.plan))
        if game.end != "void":
            self._test(game.plan, scores)

    def _test(self, game: GamePlan, scores: Mapping[str, float] | None) -> None:
        """A game of a block is over, and perhaps the block with it."""
        if self.test is None:
            return
        if scores is not None:
            self.test.block(game.block, scores.get(self.plan.names[0], 0.5), self.size(game))
        elif not self.standings.awaits(game.block):
            self.test.left_out(game.block)
        if self.test.verdict:
            self.schedule.stop()
