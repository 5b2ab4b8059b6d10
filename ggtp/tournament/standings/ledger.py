"""The ledger: what is due, what was played, and how it stands; all of a tournament that needs no disk and no clock.

ledger = Ledger(plan)
ledger.recall(game)        # for every result of an earlier run, in the journal's order
due = ledger.next()        # a game to play, or a result that only has to be written down
ledger.record(game)        # once its result is on the disk
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Collection, Sequence
from dataclasses import replace

from ggtp.errors import GgtpError
from ggtp.game import Result, Standing
from ggtp.game.chance import SEED_BITS
from ggtp.tournament.plan.plan import SAME_MEETINGS, Plan
from ggtp.tournament.results import Game, GamePlan, Job, Ruling, block_size
from ggtp.tournament.schedule.schedule import Part, Schedule, count_games
from ggtp.tournament.standings.lost_workers import LostWorkers
from ggtp.tournament.standings.repeats import Repetition
from ggtp.tournament.standings.scoring import seat_scores
from ggtp.tournament.standings.sequential import SequentialTest
from ggtp.tournament.standings.standings import BlockDone, Standings


class LedgerError(GgtpError):
    """The results do not go with the plan."""


class Ledger:
    """One tournament, from its first game to its last."""

    def __init__(self, plan: Plan, earlier: Sequence[Plan] = ()) -> None:
        """Begin with nothing played; `earlier` are the plans from which this one has grown.

        Raises:
            PlanError: a rule's table can't seat who is to meet there.
        """
        self.plan = plan
        self.schedule = Schedule(plan, earlier)
        self.standings = Standings(plan)
        self.total = count_games(plan)
        self.test = SequentialTest(plan.sprt) if plan.sprt is not None else None
        self.part: Part | None = None
        """The part of the blocks that is played here, where others are played elsewhere."""
        self.drained = False
        """Whether nothing was due when `exhausted` looked."""
        self.repetition = Repetition()
        self.only_repeats = False
        """Whether no more blocks are begun because they would only repeat others."""
        self._known: dict[str, Game] = {}
        """Results of earlier runs that the schedule has not come to yet."""
        self._voids: Counter[str] = Counter()
        self._asked: Counter[str] = Counter()
        """How often a supervisor wanted a game to be played again."""
        self.lost_workers = LostWorkers(plan.lost_workers)
        self._barred: set[str] = set()
        self._losing: set[str] = set()
        """Players whose other games are lost."""
        self._forgiven: Counter[str] = Counter()
        """Faults that do not count any more as strikes."""
        self._again: deque[GamePlan] = deque()
        self._begun: dict[str, Job] = {}
        """Games that were interrupted, and how far they came."""

    @property
    def done(self) -> bool:
        """Whether there is nothing more to play."""
        return self.schedule.done and not self._again

    @property
    def quarantined(self) -> set[str]:
        """The players with too many faults, and those whom the supervisor has sent there."""
        most, forgiven = self.plan.strikes, self._forgiven
        rows = self.standings.rows.values()
        return self._barred | {row.name for row in rows if most and row.faults - forgiven[row.name] >= most}

    @property
    def out(self) -> set[str]:
        """The players that play no more."""
        return self.quarantined | self._losing

    @property
    def losing(self) -> set[str]:
        """The players whose other games are lost."""
        return set(self._losing)

    def rule(self, ruling: Ruling) -> None:
        """What a ruling means for games to come; `recall` is told results as rulings leave them."""
        if ruling.act == "quarantine":
            self._barred.add(ruling.subject)
        elif ruling.act == "lose":
            self._losing.add(ruling.subject)
        elif ruling.act == "admit":
            self._barred.discard(ruling.subject)
            self._losing.discard(ruling.subject)
            self.lost_workers.forgive(ruling.subject)
            self._forgiven[ruling.subject] = self.standings.rows[ruling.subject].faults
        elif ruling.act == "replay":
            self._asked[ruling.subject] += 1

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
            self._known[game.id] = replace(game, moves=(), facts=(), faults=())

    def interrupted(self, job: Job) -> None:
        """A game that was begun in an earlier run, and how far it came."""
        self._begun[job.id] = job

    # This run.

    def next(self) -> Job | Game | None:
        """What is due: a game to play, a result to write down, or nothing before another result."""
        while True:
            if self.decided and not self._known:
                self.schedule.stop()
            game = self._again.popleft() if self._again else self.schedule.next()
            if game is None:
                return None
            if game.id in self._known:
                if not self._finish_known(game):
                    raise LedgerError(
                        f"Game {game.id} was played in other seats than the plan and the results give it."
                    )
                continue
            if self.part is not None and not self.part.has(game.block):
                self.repetition.left_out(game.block)
                continue
            voids = self._voids[game.id]
            if voids - self._asked[game.id] > self.plan.replays:
                self._leave_out(game)
                continue
            out = self.quarantined & set(game.seats.values())
            if out:
                return Game(game, end="quarantine", reason=self._why(sorted(out)))
            if self._losing & set(game.seats.values()):
                return self.forfeited(game, self._losing)
            apart = not self.lost_workers.near(self.out).isdisjoint(game.seats.values())
            begun = self._begun.pop(game.id, None)
            if begun is None or begun.attempt != voids + 1:
                return Job(game, voids + 1, apart=apart)
            return replace(begun, game=game, apart=apart)

    def exhausted(self) -> bool:
        """Whether there is nothing more to play, also where nobody has asked for another game since the last result."""
        due = None if self.done else self.next()
        self.drained = due is None
        if isinstance(due, Job):
            self._again.appendleft(due.game)
            if due.moves:
                self._begun[due.id] = due
        elif due is not None:
            self._again.appendleft(due.plan)
        return self.done

    def forfeited(self, game: GamePlan, players: Collection[str]) -> Game:
        """A game that these players lose, as far as they are in it, by a ruling."""
        names = [name for name in game.seats.values() if name in players]
        standings = {seat: Standing.LOSS if name in names else Standing.WIN for seat, name in game.seats.items()}
        reason = f"{', '.join(dict.fromkeys(names))}: a ruling, its other games are lost"
        return Game(
            game,
            scores=seat_scores(Result(standings, {}, reason), self.plan.score),
            standings={seat: standing.value for seat, standing in standings.items()},
            end="forfeit",
            reason=reason,
            attempt=self._voids[game.id] + 1,
        )

    def _why(self, players: list[str]) -> str:
        barred = [player for player in players if player in self._barred]
        if barred:
            return f"{', '.join(barred)}: sent there by the supervisor"
        return f"{', '.join(players)}: {self.plan.strikes} faults"

    def catch_up(self, running: set[str]) -> bool:
        """After `recall`: these games are being played. False where the schedule would not have come to what was."""
        missing = set(running)
        while missing or self._known:
            game = self.schedule.next()
            if game is None:
                return False
            if game.id in self._known:
                if not self._finish_known(game):
                    return False
            elif game.id in missing:
                missing.remove(game.id)
                self._begun.pop(game.id, None)
            elif self.part is None or self.part.has(game.block):
                self._again.append(game)
        return True

    def _finish_known(self, game: GamePlan) -> bool:
        """The schedule comes to a game of an earlier run; whether it is the one that was played."""
        known = self._known.pop(game.id)
        self.schedule.finished(game.id, known.player_scores())
        # Journals of before keys had 128 bits have seeds of 31; their games still count.
        of_old = known.plan.seed < 2**SEED_BITS
        return known.plan == (replace(game, seed=known.plan.seed) if of_old else game)

    def put_back(self, job: Job) -> None:
        """A game that was due and was not begun, or not gone on with: it is due again."""
        self._again.append(job.game)
        if job.moves:
            self._begun[job.id] = job

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
        self.lost_workers.add(game)
        block = self.standings.add(game, self.size(game.plan))
        if block is not None and block.repeated and self.plan.format == "elimination":
            self.schedule.level(game.plan.block)  # nobody is out on account of one game that was played again and again
        if game.end != "void":
            self._test(game.plan, block)

    def _test(self, game: GamePlan, block: BlockDone | None) -> None:
        """A game of a block is over, and perhaps the block with it."""
        self._look_for_repeats(game, block)
        if self.test is None:
            return
        if block is not None:
            one, other = self.plan.names[:2]
            score = block.scores.get(one, 0.5)
            self.test.block(game.block, score, block.singles.get((one, other), ()), block.key, game.rule)
        elif not self.standings.awaits(game.block):
            self.test.left_out(game.block)

    def _look_for_repeats(self, game: GamePlan, block: BlockDone | None) -> None:
        if block is not None:
            meeting = game.rule, frozenset(block.scores)
            self.repetition.block(game.block, meeting, len(self.plan.rules[game.rule].starts), block.key)
        elif not self.standings.awaits(game.block):
            self.repetition.left_out(game.block)
        times = self.plan.repeats if self.plan.format in SAME_MEETINGS else 0
        if times and not self.only_repeats and self.repetition.only(times):
            self.only_repeats = True

    @property
    def decided(self) -> bool:
        """Whether no more blocks are to be begun, though the schedule has some."""
        return self.only_repeats or (self.test is not None and bool(self.test.verdict))
