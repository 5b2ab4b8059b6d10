"""What minimax has found out before a tree search, and how the tree goes on from it; see `compiled.scout`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ggtp.game import Move
from ggtp.gdl.play.compiled import CompiledGame
from ggtp.search.evaluation.learning import Lesson
from ggtp.search.mcts.compiled.layout import FIRST, FULL_GOAL
from ggtp.search.mcts.compiled.layout import POINT as TREE_POINT
from ggtp.search.mcts.compiled.tree import FlatTree, opposed
from ggtp.search.mcts.compiled.worker import Worker
from ggtp.search.minimax.plan import POINT, PROVEN, WIN

MEMORY = 4
"""A scout has one part of so many of all memory."""
TELLING = POINT // 2
"""What values must differ by to tell moves apart: a quarter of a point."""
NEAR = 2 * POINT
"""How far below the best a move may be to be compared with it: one point. Of others it is known that they are not."""
BLIND = 0.2
"""The part of its time that a scout has where heuristic values do not tell moves apart: it only looks for proofs."""
STRETCH = 6.0
"""How many times differences between values count, where nobody has learned it: good players make more of a lead."""
TRUSTED = 0.5
"""How far a lesson about facts must be trusted for heuristic values to count as known to be worth something."""
FEW = 4
"""Where there were fewer visits than so many for each move, they say little, and minimax decides."""


def serves(game: CompiledGame) -> bool:
    """Whether it is proven that two take turns, and what one gains the other loses, as far as their goals show."""
    return len(game.roles) == 2 and game.step.merged == 2 and opposed(game.network)


@dataclass(frozen=True, slots=True)
class DeepeningResult:
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

    @property
    def expected(self) -> float:
        """What the best move is worth as far as is known, from 0 to 1."""
        return min(1.0, max(0.0, (self.values[self.best] + WIN) / (2 * WIN)))

    def certain(self) -> dict[int, tuple[int, int]]:
        """The points of moves that win or lose for certain, and how many moves that takes."""
        sure = {move: value for move, value in self.values.items() if abs(value) > PROVEN}
        return {move: (FULL_GOAL if value > 0 else 0, max(1, WIN - abs(value))) for move, value in sure.items()}

    def decides(self, visits: int, solver: bool, alone: bool) -> bool:
        """Whether its best move is made, whatever so many visits say; `alone` as in `MinimaxWeight`."""
        return alone or (self.solved and solver and not self.even) or visits < FEW * len(self.values)

    @property
    def even(self) -> bool:
        """Whether nothing is won or lost for certain, and all moves but those that lose are equally good."""
        best = self.values[self.best]
        return abs(best) <= PROVEN and all(v < -PROVEN or best - v < POINT for v in self.values.values())

    def telling(self) -> bool:
        """Whether values tell moves apart about which nothing is certain."""
        uncertain = [value for value in self.values.values() if abs(value) <= PROVEN]
        return len(uncertain) > 1 and max(uncertain) - min(uncertain) >= TELLING

    def heuristics(self, stretch: float) -> dict[int, int]:
        """What moves may be worth about which nothing is certain, compared with the best, as trees have it.

        Args:
            stretch: how many times differences count.
        """
        uncertain = {move: value for move, value in self.values.items() if abs(value) <= PROVEN}
        best = max(uncertain.values(), default=0)
        even, least = FULL_GOAL * TREE_POINT // 2, TREE_POINT
        return {
            move: max(least, even - round(stretch * (best - value) * TREE_POINT / (2 * POINT)))
            for move, value in uncertain.items()
        }


@dataclass(frozen=True, slots=True)
class MinimaxWeight:
    """How much is thought of the heuristic values of minimax in a game."""

    worth: float
    """From 0 to 1: how well its heuristic values tell moves apart."""
    stretch: float
    """How many times differences between them count."""
    learned: bool = False
    """Whether random games have shown that mobility is worth something: then what looks bad is searched less deep.
    Where that is not known, as in Pawn Whopping, proofs would be overlooked for it."""
    alone: bool = False
    """Whether minimax is to choose: it is known what facts or pieces are worth, and it sees what they are worth after
    an exchange, while playouts are blunt. Heuristic values that only tell moves apart are not enough: in Connect Four
    they mean nothing."""

    @classmethod
    def of(cls, tree: FlatTree, lesson: Lesson | None) -> MinimaxWeight:
        """By what the tree has seen, and by what was learned of mobility, of facts and of pieces."""
        mobility_weight = lesson.mobility_weight if lesson is not None else 1.0
        stretch = mobility_weight if mobility_weight > 1 else STRETCH
        if lesson is not None and (lesson.pieces or lesson.trust >= TRUSTED):
            return cls(1.0, stretch, alone=True)
        learned = mobility_weight > 1
        return cls(1.0 if learned else tree.worth_of_heuristics, stretch, learned)

    @property
    def share(self) -> float:
        """How much of its time a scout is to have."""
        return BLIND + (1 - BLIND) * self.worth


def follow(
    deepening: DeepeningResult,
    tree: FlatTree,
    worker: Worker,
    state: bytes,
    role: int,
    weight: MinimaxWeight,
    *,
    solver: bool,
) -> None:
    """Let a tree, whose root is the state where a scout has looked ahead for a role, go on from what was found.

    Args:
        sounding: what was found.
        tree: nobody may be searching it.
        worker: one of its threads.
        state: that of the root.
        role: who chooses there.
        weight: how much what is estimated is to count.
        solver: whether proofs are to be used.
    """
    root = tree.get("ROOT")
    first = tree.node(root, FIRST)
    edges = {edge.move: first + place for place, edge in enumerate(tree.edges(root))}
    legal = worker.states.look(state).legal
    for move, (goal, length) in deepening.certain().items() if solver else ():
        joint = [move if other == role else legal[other][0] for other in range(2)]
        child = worker.plant(worker.states.next(state, joint))
        if child < 0:
            return  # without memory for it, nothing is lost but time
        tree.certify(child, _both(role, goal), length - 1)
        tree.certify_edge(edges[move], child, goal)
    if deepening.solved and solver and not deepening.even:
        sure = deepening.certain().get(deepening.best)
        tree.certify(root, _both(role, deepening.goal), sure[1] if sure else len(deepening.line))
    if deepening.telling():
        for move, heuristic in deepening.heuristics(weight.stretch).items():
            if not tree.edge(edges[move]).proven:
                tree.anchor(edges[move], heuristic, weight.worth)


def _both(role: int, goal: int) -> list[int]:
    return [goal if other == role else FULL_GOAL - goal for other in range(2)]
