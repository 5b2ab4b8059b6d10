"""The hybrid player: looks for a plan first, and searches a tree of actions if no plan can help.

It knows a game by its forward model alone: which actions there are, what is seen after them, and
the score. While it looks for a plan it does nothing; a plan is then played to its end. It gives up
where something is left to chance, or when most of the time is over.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from enum import Enum
from typing import TYPE_CHECKING

from ggtp.vgdl.kernel.model import Model, State
from ggtp.vgdl.kernel.native import load
from ggtp.vgdl.language.level import parse_level
from ggtp.vgdl.language.parse import parse
from ggtp.vgdl.language.vocabulary import Action, Category
from ggtp.vgdl.player import plan, trees
from ggtp.vgdl.player.explorer import Explorer
from ggtp.vgdl.player.foresight import H_PRUNE, H_SPARED, LOSES, NOTHING_NEW, OFF_BOARD
from ggtp.vgdl.player.knowledge import Knowledge
from ggtp.vgdl.player.options import HybridSettings
from ggtp.vgdl.player.planner import Planner, signature
from ggtp.vgdl.player.targets import Target, TargetChooser

if TYPE_CHECKING:
    from ggtp.native.machine import CodeCache

ARTIFACTS = 3
"""In the first ticks things may yet come to rest: what changes then need not be chance."""
ASSUMED_END = 2000
"""The last tick, where no other end was seen."""
SHARED = 200
"""How many ticks the search for a plan looks ahead in a tick, where it is not waited for."""
WALKS, WALK = 6, 12
"""How many random walks of how many ticks show, before the game, how things move."""

Stop = Callable[[], bool]


class Phase(Enum):
    """What the player is doing."""

    SEARCH = "search"
    PLAN = "plan"
    TREE = "tree"


class HybridPlayer:
    """Plays one game: `prepare`, then `act` in each tick."""

    def __init__(self, model: Model, settings: HybridSettings, rng: random.Random) -> None:
        self.settings = settings
        self.knowledge = Knowledge(model, settings.learning)
        self.knowledge.hints[H_PRUNE] = int(settings.kb_pruning)
        counts = {
            NOTHING_NEW: settings.prune_idle, LOSES: settings.prune_losing, OFF_BOARD: settings.prune_outside
        }  # fmt: skip
        self.knowledge.hints[H_SPARED] = sum(reason for reason, counted in counts.items() if not counted)
        self.phase = Phase.SEARCH if settings.search else Phase.TREE
        self.planner: Planner | None = None
        self.explorer = Explorer(self.knowledge, settings.trees, rng)
        self.targets = TargetChooser(self.knowledge, settings.interest)
        self.target = Target()
        self.advances = 0
        """Ticks that were played in looking ahead, in this tick of the game."""
        self.reason = ""
        """Why it no longer looks for a plan."""
        self._rng = rng
        self._plan: list[Action] = []
        self._expected: int | None = None
        self._then_tree = False
        self._ahead: State | None = None
        self._end: int | None = None
        self._last: tuple[State, Action] | None = None
        self._surprised = False
        self._growing = False

    # Before the first tick.

    def prepare(self, state: State, should_stop: Stop, advances: int | None = None) -> None:
        """Uses the time before the first tick to learn how the game works, and to look for a plan."""
        if not self.settings.pre_run:
            return
        self._walk(state, should_stop)
        if self.settings.search:
            self._seek(state, should_stop, advances, settle=False)
        if not self.settings.search or self._moves_by_itself(state):
            self._grow(state, should_stop, advances)

    def _walk(self, state: State, should_stop: Stop) -> None:
        """Watches what things do by themselves, and what the avatar does."""
        actions = [*state.actions(), Action.NIL]
        for number in range(WALKS):
            now = state.copy(self._rng.getrandbits(48))
            self.knowledge.movements.forget_times()
            for _ in range(WALK):
                if should_stop() or now.ended:
                    break
                action = Action.NIL if number % 2 == 0 else self._rng.choice(actions)
                after = now.twin()
                after.advance(action)
                self.knowledge.watch(now, after, action)
                now = after
        self.knowledge.movements.forget_times()

    # In each tick.

    def act(self, state: State, should_stop: Stop, advances: int | None = None) -> Action:
        """The next action: of the plan, nothing while one is looked for, or what the tree search prefers."""
        self.advances = 0
        self._watch(state)
        action = None
        if self.phase is Phase.PLAN:
            action = self._follow(state)
        if action is None and self.phase is Phase.SEARCH:
            action = self._search(state, should_stop, advances)
        if action is None:
            action = self._grow(state, should_stop, advances) if self.settings.tree else Action.NIL
        self._last = (state.twin(), action)
        return action

    def _watch(self, state: State) -> None:
        """Learns from the tick that has just been played."""
        if self._last is not None and self._last[0].tick + 1 == state.tick:
            self.knowledge.watch(self._last[0], state, self._last[1])
        if self.phase is not Phase.PLAN and not state.ended:
            one, other = state.copy(self._rng.getrandbits(48)), state.copy(self._rng.getrandbits(48))
            one.advance(Action.NIL)
            other.advance(Action.NIL)
            self.advances += 2
            movements = self.knowledge.movements
            movements.compare(one, other)

    # The search for a plan.

    def _search(self, state: State, should_stop: Stop, advances: int | None) -> Action | None:
        early = state.tick < ARTIFACTS - 1 and self.settings.three_ticks
        if not early and self.settings.switch and (reason := self._left_to_chance(state)):
            self._give_up(reason)
            return None
        self._look_ahead(state)
        if (found := self._decide(state)) is not None:
            return found
        if self.phase is not Phase.SEARCH:
            return None
        if not self.settings.wait:  # the tree search is to have its share of the tick
            advances = SHARED if advances is None else min(SHARED, advances // 2)
        self._seek(state, should_stop, advances)
        if (found := self._decide(state)) is not None:
            return found
        return Action.NIL if self.phase is Phase.SEARCH and self.settings.wait else None

    def _left_to_chance(self, state: State) -> str:
        """Return why no plan can be relied on; an empty text if one can."""
        categories = self.knowledge.categories
        for kind in range(self.knowledge.kinds):
            if categories[kind] == Category.NPC and state.population(kind) > 0:
                return "others act"
        if self.knowledge.movements.stochastic:
            return "things move by themselves"
        return "the world changes by itself" if self._moves_by_itself(state) else ""

    def _moves_by_itself(self, state: State) -> bool:
        waiting = state.copy(self._rng.getrandbits(48))
        waiting.advance(Action.NIL)
        self.advances += 1
        return waiting.ended or signature(waiting) != signature(state)

    def _look_ahead(self, state: State) -> None:
        """Extends the view of what comes if nothing is done, to see the end of the game."""
        if self._ahead is None:
            self._ahead = state.copy(self._rng.getrandbits(48))
        for _ in range(self.settings.look_ahead):
            if self._ahead.ended:
                break
            self._ahead.advance(Action.NIL)
            self.advances += 1
        if self._ahead.ended and self._end is None:
            self._end = self._ahead.tick

    def _decide(self, state: State) -> Action | None:
        """Begin to play a plan if one of the criteria is met that end the search."""
        planner = self.planner
        if planner is None:
            return None
        end = self._end if self._end is not None else ASSUMED_END
        left = end - state.tick - 1
        plan = planner.plan_within(left)
        if plan is not None and (self._settled() or planner.exhausted or len(plan) >= left - 1):
            return self._begin(state, plan, then_tree=False)
        late = self.settings.switch and state.tick + 1 >= self.settings.give_up * end
        if planner.exhausted or late:
            way = plan if plan is not None else planner.best
            self.reason = "nothing left to search" if planner.exhausted else "time is running out"
            return self._begin(state, way, then_tree=True)
        return None

    def expected_score(self, state: State) -> int:
        """Return an optimistic evaluation: all points that every thing in sight may bring."""
        base = self.knowledge
        return state.score + sum(max(0, points) * state.population(kind) for kind, points in base.scores.items())

    def _seek(self, state: State, should_stop: Stop, advances: int | None, settle: bool = True) -> None:
        """Goes on with the search that began here, or begins one; it may settle for a plan that is good enough."""
        if self.planner is None or signature(self.planner.root) != signature(state):
            self.planner = None  # its memory is free before there is another
            self.planner = Planner(
                state, self.knowledge, self.settings.score_weight, self.settings.megabytes,
                self.settings.equal_pruning, self.settings.prediction and self.settings.kb_pruning,
            )  # fmt: skip
        before = self.planner.advances
        left = None if advances is None else max(0, advances - self.advances)
        while not should_stop() and not self.planner.exhausted:
            if left is not None and self.planner.advances - before >= left:
                break
            won = self.planner.won
            self.planner.run(should_stop, None if left is None else left - (self.planner.advances - before))
            if settle and self.planner.won != won and self._settled():
                break
        self.advances += self.planner.advances - before

    def _settled(self) -> bool:
        planner = self.planner
        if planner is None or planner.won < 0:
            return False
        return self.settings.first_win or planner.plan_score >= self.expected_score(planner.root)

    def _begin(self, state: State, way: list[Action], then_tree: bool) -> Action | None:
        self._plan, self._then_tree = list(way), then_tree
        self._expected = signature(state)
        self.phase = Phase.PLAN
        return self._follow(state)

    def _follow(self, state: State) -> Action | None:
        """Return the next action of the plan; None if it has ended, or the world is not what it should be."""
        if signature(state) != self._expected or not self._plan:
            over = not self._plan
            self.planner, self._plan = None, []
            self._then_tree = self._then_tree or self._surprised
            self._surprised = self._surprised or not over
            self.phase = Phase.SEARCH
            if self._then_tree or over:
                self._give_up(self.reason or "the plan is played")
            return None
        action = self._plan.pop(0)
        after = state.twin()
        after.advance(action)
        self.advances += 1
        self._expected = signature(after)
        if not self.settings.replay:
            self.planner, self.phase = None, Phase.SEARCH
        return action

    def _give_up(self, reason: str) -> None:
        self.reason = reason
        self.planner = None
        if self.settings.tree:
            self.phase = Phase.TREE

    # The search of a tree.

    def _grow(self, state: State, should_stop: Stop, advances: int | None) -> Action:
        self.knowledge.refresh(state, self.settings.cautious and not self.targets.bold)
        self.target = self.targets.choose(state) if self.settings.target_chooser else self.targets.nothing()
        self.explorer.begin(state, self.target)
        self._growing = True
        self.explorer.run(should_stop, None if advances is None else max(1, advances - self.advances))
        self._growing = False
        self.advances += self.explorer.advances
        return self.explorer.choice()

    def so_far(self) -> Action | None:
        """Return the action that the tree search prefers now, while it asks `should_stop`; None at other times."""
        return self.explorer.choice() if self._growing and self.explorer.iterations else None


SMALLEST = (
    "BasicGame\n  SpriteSet\n    foe > RandomNPC\n  LevelMapping\n    f > foe\n  TerminationSet\n    Timeout limit=99\n"
)


def compile_well(kept: CodeCache | None = None) -> None:
    """Has everything compiled with all care, unless it is in the cache; it can be used meanwhile, once it is loaded."""
    load(kept, trees.__name__, plan.__name__)


def warm_up(kept: CodeCache | None = None) -> None:
    """Has everything loaded before a clock runs: from the cache, or compiled hastily."""
    load(kept, trees.__name__, plan.__name__, hasty=True)
    game = parse(SMALLEST)
    model = Model(game, parse_level("A f\n", game))
    model.warm_up()
    state = model.start(1)
    for search in (True, False):
        player = HybridPlayer(model, HybridSettings(search=search, megabytes=8), random.Random(1))
        player.prepare(state, lambda: False, 20)
        player.act(state, lambda: False, 20)
