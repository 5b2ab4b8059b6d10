"""A look ahead by minimax before a tree search, in compiled games in which two take turns against each other.

Random games judge positions well and threats badly: a line of forced moves is overlooked by whoever tries few of them.
So a scout looks at all moves, level after level, before the tree is searched. What it proves is settled: a win is taken
and a loss is never looked at again. What else it finds are values of the root's moves, which count there as guesses do:
they are of a deeper and more careful search than guesses of the tree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from ggtp.game import Move
from ggtp.gdl.compiled import CompiledGame
from ggtp.search.learning import Lesson, Lessons
from ggtp.search.mcts_layout import FIRST, FULL_GOAL
from ggtp.search.mcts_layout import POINT as TREE_POINT
from ggtp.search.mcts_worker import Worker
from ggtp.search.minimax import SORTED_FROM, Searching
from ggtp.search.minimax_compiled import CompiledMinimax, SearchCode
from ggtp.search.minimax_plan import (
    BOTTOM,
    ENDLESS,
    LINE_SHOWN,
    POINT,
    PROVEN,
    WIN,
    NotOpposed,
    OutOfTime,
    Plan,
)
from ggtp.search.tree_flat import FlatTree, opposed

PLAN = Plan(novelty=False, risk=None)
"""How it looks ahead: who has moved far is no better off for it."""
MEMORY = 4
"""A scout has one part of so many of all memory."""
NEAR = 2 * POINT
"""How far below the best a move may be to be compared with it: one point. Of others it is known that they are not."""
TELLING = POINT // 2
"""What values must differ by to tell moves apart: a quarter of a point."""
BLIND = 0.2
"""The part of its time that a scout has where guesses do not tell moves apart: it only looks for what is certain."""
STRETCH = 2.0
"""How many times differences between values count, where nobody knows better: good players make more of a lead."""
FEW = 4
"""Where there were fewer visits than so many for each move, they say little, and minimax decides."""
Told = Callable[[int], object]
"""Somebody who is told the number of the best move so far."""


def serves(game: CompiledGame) -> bool:
    """Whether it is proven that two take turns, and what one gains the other loses, as far as their goals show."""
    return len(game.roles) == 2 and game.step.merged == 2 and opposed(game.network)


@dataclass(frozen=True, slots=True)
class Sounding:
    """What a scout has found about the moves of a position."""

    values: Mapping[int, int]
    """Of moves by their numbers, as minimax has them; see `Scout._compared` for how exact they are."""
    depth: int = 0
    """The deepest level that was finished."""
    nodes: int = 0
    """How many positions were made."""
    solved: bool = False
    """Whether the best move is best for certain."""
    line: tuple[Move, ...] = ()
    """Where it is: what is expected to follow."""

    @property
    def best(self) -> int:
        """The best move; among equals, the first."""
        return max(self.values, key=lambda move: self.values[move])

    @property
    def goal(self) -> int:
        """What the best move is worth, in points of the game."""
        return round((self.values[self.best] + WIN) / (2 * POINT))

    def certain(self) -> dict[int, tuple[int, int]]:
        """The points of moves that win or lose for certain, and how many moves that takes."""
        sure = {move: value for move, value in self.values.items() if abs(value) > PROVEN}
        return {move: (FULL_GOAL if value > 0 else 0, max(1, WIN - abs(value))) for move, value in sure.items()}

    def decides(self, visits: int, solver: bool) -> bool:
        """Whether its best move is made, whatever so many visits say."""
        return (self.solved and solver and not self.even) or visits < FEW * len(self.values)

    @property
    def even(self) -> bool:
        """Whether nothing is won or lost for certain, and all moves but those that lose are equally good."""
        best = self.values[self.best]
        return abs(best) <= PROVEN and all(v < -PROVEN or best - v < POINT for v in self.values.values())

    def telling(self) -> bool:
        """Whether values tell moves apart about which nothing is certain."""
        guessed = [value for value in self.values.values() if abs(value) <= PROVEN]
        return len(guessed) > 1 and max(guessed) - min(guessed) >= TELLING

    def guesses(self, stretch: float) -> dict[int, int]:
        """What moves may be worth about which nothing is certain, compared with the best, as trees have it.

        Args:
            stretch: how many times differences count.
        """
        guessed = {move: value for move, value in self.values.items() if abs(value) <= PROVEN}
        best = max(guessed.values(), default=0)
        even, least = FULL_GOAL * TREE_POINT // 2, TREE_POINT
        return {
            move: max(least, even - round(stretch * (best - value) * TREE_POINT / (2 * POINT)))
            for move, value in guessed.items()
        }


def on_one_scale(before: Mapping[int, int], now: Mapping[int, int], first: int) -> dict[int, int]:
    """The values of a level that is not finished, beside those of the level before.

    Guesses depend on who has moved last, so that levels can't be compared: the move that was best, and is searched
    first, tells how far they are apart.
    """
    shift = 0
    if max(abs(before[first]), abs(now[first])) <= PROVEN:
        shift = before[first] - now[first]
    moved = {
        move: value if abs(value) > PROVEN else max(-PROVEN, min(PROVEN, value + shift)) for move, value in now.items()
    }
    return {**before, **moved}


class Scout(CompiledMinimax):
    """Looks ahead for one seat. Not for two threads at once, but any thread may stop it."""

    _found: Sounding | None = None
    """What is known so far, also in the middle of a level."""

    def sound(
        self, state: bytes, seconds: float | None, told: Told | None = None, *, reducing: bool = False
    ) -> Sounding | None:
        """Look ahead from a state in which it is the seat's turn; None where nothing was found out.

        Args:
            state: where the play stands.
            seconds: how long; None for as many positions as there may be.
            told: is told what is best, whenever a level is finished.
            reducing: whether moves that do not look good are searched less deep first.
        """
        # What was learned meanwhile is used; to learn more is not its business.
        self.learn(lambda: True)
        self.arena.go_on(seconds)
        self._found = None
        try:
            for level in self._levels(state, reducing):
                if told is not None:
                    told(level.best)
        except NotOpposed:
            return None
        except OutOfTime:
            pass
        return self._found

    def _levels(self, state: bytes, reducing: bool = False) -> Iterator[Sounding]:
        """One level deeper each time, until all is known."""
        walk = self.walk(state)
        order = list(walk.moves())
        self._look_at_goals(walk, order, lambda: False)
        plan = replace(self.plan, proximity=self._near, reducing=reducing)
        search = self.searching(walk, plan, lambda: False)
        order = list(search.ordered(order, walk.mover(), SORTED_FROM, search.hint()))
        before: dict[int, int] = {}
        for depth in range(1, BOTTOM + 1):
            order.sort(key=lambda move: -before.get(move, 0))
            now: dict[int, int] = {}
            sure, best = True, -ENDLESS
            for rank, move in enumerate(order):
                search.guessed = False
                walk.play(move)
                extra = self.plan.extra(rank, self.plan.extension)
                value = self._compared(search, depth - 1, extra, best)
                walk.undo()
                now[move] = value
                best = max(best, value)
                sure = sure and not search.guessed
                if value > PROVEN:
                    break
                if before:
                    values = on_one_scale(before, now, order[0])
                    self._found = Sounding(values, depth - 1, search.nodes)
            solved = sure or abs(best) > PROVEN
            line: tuple[Move, ...] = ()
            if solved:
                line = search.line(max(now, key=lambda move: now[move]), min(depth, LINE_SHOWN))
            before = {**before, **now}
            self._found = Sounding(before, depth, search.nodes, solved, line)
            yield self._found
            if solved:
                return

    def _compared(self, search: Searching, depth: int, extra: int, best: int) -> int:
        """The value of the position after a move, compared with the best one so far.

        It is exact if it is better, at least so much if it is near, and at most so much if it is not.
        """

        def value(low: int, high: int) -> int:
            return search.worth(search.child(depth, extra, low, high, 1), self.me)

        if best <= -PROVEN:
            return value(-ENDLESS, ENDLESS)
        # Whether something is more than a bound is found out much faster than what it is.
        floor = best - NEAR
        found = value(floor, floor + 1)
        if found <= floor:
            return found
        return value(best, ENDLESS) if value(best, best + 1) > best else min(found, best)


@dataclass(frozen=True, slots=True)
class Faith:
    """How much is thought of what minimax guesses in a game."""

    worth: float
    """From 0 to 1: how well its guesses tell moves apart."""
    stretch: float
    """How many times differences between them count."""
    learned: bool = False
    """Whether random games have shown that they are worth something: then what they think bad is searched less deep.
    Where that is not known, as in Pawn Whopping, proofs would be overlooked for it."""

    @classmethod
    def of(cls, tree: FlatTree, lesson: Lesson | None) -> Faith:
        """By what the tree has seen, and by what was learned of mobility and of facts."""
        learned = lesson is not None and (lesson.freedom > 1 or lesson.trust > 0)
        freedom = lesson.freedom if lesson is not None else 1.0
        return cls(1.0 if learned else tree.worth_of_guesses, max(STRETCH, freedom), learned)

    @property
    def share(self) -> float:
        """How much of its time a scout is to have."""
        return BLIND + (1 - BLIND) * self.worth


def follow(
    sounding: Sounding, tree: FlatTree, worker: Worker, state: bytes, role: int, faith: Faith, *, solver: bool
) -> None:
    """Let a tree, whose root is the state where a scout has looked ahead for a role, go on from what was found.

    Args:
        sounding: what was found.
        tree: nobody may be searching it.
        worker: one of its threads.
        state: that of the root.
        role: who chooses there.
        faith: how much what is guessed is to count.
        solver: whether proofs are to be used.
    """
    root = tree.get("ROOT")
    first = tree.node(root, FIRST)
    edges = {edge.move: first + place for place, edge in enumerate(tree.edges(root))}
    legal = worker.states.look(state).legal
    for move, (goal, length) in sounding.certain().items() if solver else ():
        joint = [move if other == role else legal[other][0] for other in range(2)]
        child = worker.plant(worker.states.next(state, joint))
        if child < 0:
            return  # without memory for it, nothing is lost but time
        tree.certify(child, _both(role, goal), length - 1)
        tree.certify_edge(edges[move], child, goal, length)
    if sounding.solved and solver and not sounding.even:
        sure = sounding.certain().get(sounding.best)
        tree.certify(root, _both(role, sounding.goal), sure[1] if sure else len(sounding.line))
    if sounding.telling():
        for move, guess in sounding.guesses(faith.stretch).items():
            if not tree.edge(edges[move]).proven:
                tree.anchor(edges[move], guess, faith.worth)


def _both(role: int, goal: int) -> list[int]:
    return [goal if other == role else FULL_GOAL - goal for other in range(2)]


class Scouts:
    """The scouts of a game, one for each seat, of which one is kept: a play is seldom searched for both."""

    def __init__(self, game: CompiledGame, lessons: Lessons | None = None) -> None:
        """Load the machine code, which may take seconds, unless it was kept.

        Args:
            game: for which `serves` holds.
            lessons: what is learned about it, by somebody else.
        """
        self._code = SearchCode(game)
        self._plan = replace(PLAN, learning=lessons is not None)
        if lessons is not None:
            self._code.lessons = lessons
        self._scout: Scout | None = None
        self._for = (-1, -1)

    def scout(self, seat: int, megabytes: int) -> Scout:
        """The one of a seat, where all may take so much memory."""
        if self._scout is None or self._for != (seat, megabytes):
            self._for = seat, megabytes
            self._scout = Scout(self._code, seat, self._plan, (megabytes << 20) // MEMORY)
        return self._scout

    def stop(self) -> None:
        """End a look ahead that is under way, from any thread."""
        if self._scout is not None:
            self._scout.stop()
