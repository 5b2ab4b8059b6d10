"""A tree of states of a compiled game in flat memory, as the inner loops work on it, and a view of it for Python.

The arrays are as large as the ceiling allows from the beginning; the system gives memory to what is really used.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from ctypes import c_int64, c_void_p
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ggtp.gdl.kernel.single import row_words
from ggtp.gdl.network.network import RANDOM, Network
from ggtp.gdl.play.compiled import CompiledGame
from ggtp.native import bits
from ggtp.native.code import load
from ggtp.native.machine import CodeCache, Library
from ggtp.search.evaluation.learning import Lesson
from ggtp.search.mcts.compiled import backup, descend, evaluate, expand, layout, open
from ggtp.search.mcts.options import DECOUPLED, Settings, calmed

FUNCTIONS = (
    *bits.FUNCTIONS,
    *descend.FUNCTIONS,
    *open.FUNCTIONS,
    *expand.FUNCTIONS,
    *evaluate.FUNCTIONS,
    *backup.FUNCTIONS,
)

LEAST_NODES = 256
EDGES_A_NODE = 4
ROOM = 0.6
"""How much of the memory may still be used when room was made."""
LITTLE = 0.05
"""A weight of heuristic values below which they do not matter."""

Words = npt.NDArray[np.int64]
Halves = npt.NDArray[np.int32]


class EdgeView(NamedTuple):
    """A move as the tree knows it."""

    move: int
    child: int
    visits: int
    value: float
    """From 0 to 1, for whoever chooses."""
    proven: bool
    length: int


def load_code(shared: bool, kept: CodeCache | None) -> Library:
    """The machine code of the inner loops; `shared` where several threads work on one tree."""
    return load(FUNCTIONS, layout.CONSTANTS, shared=shared, kept=kept)


def opposed(network: Network) -> bool:
    """Whether there are two players, and what one gains the other loses, as far as their goals show."""
    both = zip(network.roles, network.goals, strict=True)
    goals = [{value for value, _ in pairs} for role, pairs in both if role != RANDOM]
    return len(goals) == 2 and {layout.FULL_GOAL - value for value in goals[0]} == goals[1]


class FlatTree:
    """Memory for nodes and edges, and what is to be read from it. Threads may search while it is read."""

    def __init__(self, game: CompiledGame, settings: Settings, branching: int) -> None:
        """An empty tree.

        Args:
            game: whose states.
            settings: how to search.
            branching: about how many moves a state has.
        """
        network = game.network
        self.network = network
        self.roles = len(network.roles)
        self.chance = network.roles.index(RANDOM) if RANDOM in network.roles else -1
        self.row_words = row_words(network)
        half = -(-self.roles // 2)
        self.proven_at = layout.NODE_HEAD + self.roles
        self.moves_at = self.proven_at + half
        self.row_at = self.moves_at + half
        self.stride = self.row_at + self.row_words
        edge_bytes = 8 * (layout.EDGE_WORDS + (2 if settings.rave else 0))
        # A node, its edges, twice its place in the table of states, and what making room takes.
        each = 8 * self.stride + max(EDGES_A_NODE, branching) * edge_bytes + 4 * 4 + 3 * 4
        self.node_limit = max(LEAST_NODES, (settings.megabytes << 20) // each)
        self.edge_limit = self.node_limit * max(EDGES_A_NODE, branching)
        table = 1 << (2 * self.node_limit - 1).bit_length() - 1
        if table < self.node_limit * 5 // 4:
            table *= 2
        self._nodes = np.zeros(self.node_limit * self.stride, np.int64)
        self._edges = np.zeros(self.edge_limit * layout.EDGE_WORDS, np.int64)
        self._raves = np.zeros(2 * self.edge_limit if settings.rave else 2, np.int64)
        # The number of a node plus one, or 0: memory that nobody has touched yet costs nothing.
        self._hash = np.zeros(table, np.int32)
        self.opposed = opposed(network)
        self._silent = False
        """Whether random games have shown that heuristic values say nothing."""
        self._worth = np.zeros(64 * self.row_words, np.int64)
        self._most = np.array([max((v for v, _ in pairs), default=0) for pairs in network.goals], np.int64)
        self._reals = np.zeros(6, np.float64)
        self.plan = np.zeros(len(layout.TREE_FIELD), np.int64)
        self._fill_plan()
        self.settle(settings)
        self._node_halves = self._nodes.view(np.int32)
        self._edge_halves = self._edges.view(np.int32)

    def _fill_plan(self) -> None:
        """Where everything is, and how large."""
        players = [role for role in range(self.roles) if role != self.chance]
        for name, value in {
            "NODES": self._nodes.ctypes.data,
            "EDGES": self._edges.ctypes.data,
            "RAVES": self._raves.ctypes.data,
            "HASH": self._hash.ctypes.data,
            "HASH_MASK": len(self._hash) - 1,
            "STRIDE": self.stride,
            "NODE_LIMIT": self.node_limit,
            "EDGE_LIMIT": self.edge_limit,
            "ROLES": self.roles,
            "ROW_WORDS": self.row_words,
            "MOBILITY_WEIGHT": 1000,
            "PROVEN_AT": self.proven_at,
            "MOVES_AT": self.moves_at,
            "ROW_AT": self.row_at,
            "CHANCE": self.chance,
            "MOST": self._most.ctypes.data,
            "REALS": self._reals.ctypes.data,
            "ONE": players[0],
            "TWO": players[-1],
            "WORTH": self._worth.ctypes.data,
            "SOLO": int(self.roles == 1),
            "BEST": -1,
        }.items():
            self.set(name, value)

    def settle(self, settings: Settings) -> None:
        """Search from now on as these settings say; RAVE and the memory stay as they were."""
        first = -1.0 if settings.first_play is None else settings.first_play
        self._heuristic = settings.heuristic if self.opposed else 0.0
        heuristic = 0.0 if self._silent else self._heuristic
        bonus = calmed(settings.exploration, heuristic)
        self._reals[:] = (bonus, first, layout.FULL_GOAL * layout.POINT, heuristic, settings.exploration, heuristic)
        self.set("SOLVER", settings.solver)
        self.set("TRANSPOSITIONS", settings.transpositions)
        self.set("WIDENING", settings.widening)
        self.set("RAVE", settings.rave)
        self.set("DECOUPLED", settings.simultaneous == DECOUPLED)
        self.set("LIMIT", settings.playouts or 0)
        self.set("EXPANSION", settings.expansion)
        self.set("AHEAD", settings.ahead)
        self.set("HEURISTIC", self._heuristic > 0)

    def get(self, name: str) -> int:
        """A word of the plan."""
        return int(self.plan[layout.TREE_FIELD[name]])

    def set(self, name: str, value: int) -> None:
        """Change a word of the plan."""
        self.plan[layout.TREE_FIELD[name]] = value

    @property
    def size(self) -> int:
        """How much memory the arrays take when they are full."""
        arrays = (self._nodes, self._edges, self._raves, self._hash)
        return sum(array.nbytes for array in arrays) + 3 * 4 * self.node_limit

    def teach(self, lesson: Lesson | None) -> None:
        """Evaluate from now on by what was learned."""
        one = self.get("ONE")
        if lesson is None or not self.opposed:
            self.set("TRUST", 0)
            self.set("MOBILITY_WEIGHT", 1000)
            return
        facts = lesson.worth.shape[1]
        self._worth[:facts] = np.rint(lesson.worth[one] * layout.POINT)
        self.set("BASE", round(float(lesson.base[one]) * layout.POINT))
        self.set("TRUST", round(1000 * lesson.trust))
        self.set("MOBILITY_WEIGHT", round(1000 * lesson.mobility_weight))
        # Heuristic values that tell moves apart may be wrong: in Connect Four, who has filled columns can do less.
        self._silent = lesson.silent
        self._reals[layout.FULL_WEIGHT] = 0.0 if self._silent else self._heuristic

    # What somebody else has found out. Nobody may be searching.

    def anchor(self, edge: int, heuristic: int, worth: float) -> None:
        """Set the heuristic value of an edge of the root for whoever chooses, until the next root.

        Heuristic values there have this share of their weight, from 0 to 1.
        """
        self._edge_halves[edge * layout.EDGE_HALVES + layout.EDGE_HEURISTIC] = heuristic
        self.set("ANCHORED", max(1, round(1000 * worth)))

    def certify(self, node: int, goals: Sequence[int], length: int) -> None:
        """What each role gets in a node is certain, and comes after so many moves."""
        head = 2 * node * self.stride
        start = 2 * (node * self.stride + self.proven_at)
        self._node_halves[start : start + self.roles] = goals
        self._node_halves[head + layout.HEURISTIC] = goals[self.get("ONE")] * layout.POINT
        self._node_halves[head + layout.LENGTH] = length
        self._node_halves[head + layout.STATUS] = layout.PROVEN

    def doubt(self, node: int) -> None:
        """Search a node again of which it is certain what it is worth, unless it is known by which move."""
        if self.proven(node) is None or self.node(node, layout.COUNT) == 0:
            return
        if not any(edge.proven for edge in self.edges(node)):
            self._node_halves[2 * node * self.stride + layout.STATUS] = layout.READY

    def certify_edge(self, edge: int, child: int, goal: int) -> None:
        """What is behind an edge is certain, too; `child` is the certain node there."""
        start = edge * layout.EDGE_HALVES
        self._edge_halves[start + layout.CHILD] = child
        self._edge_halves[start + layout.PROOF] = goal

    # Reading.

    @property
    def worth_of_heuristics(self) -> float:
        """From 0 to 1: how well heuristic values tell moves apart, as `open.weigh` has it; 0 where they say nothing."""
        if self._silent:
            return 0.0
        return min(1.0, self.get("SPREAD") / (max(1, self.get("SPREADS")) * layout.APART)) ** 2

    @property
    def follows_heuristics(self) -> bool:
        """Whether visits of the root follow heuristic values to an extent that is worth speaking of."""
        anchored = self.get("ANCHORED")
        weight = self._reals[layout.FULL_WEIGHT] * anchored / 1000 if anchored else self._reals[layout.WEIGHT]
        return bool(self.get("HEURISTIC") and weight >= LITTLE)

    def node(self, node: int, field: int) -> int:
        """A field of a node's head."""
        return int(self._node_halves[2 * node * self.stride + field])

    def proven(self, node: int) -> list[int] | None:
        """Each role's certain goal."""
        if self.node(node, layout.STATUS) != layout.PROVEN:
            return None
        start = 2 * (node * self.stride + self.proven_at)
        return [int(goal) for goal in self._node_halves[start : start + self.roles]]

    def values(self, node: int) -> list[float]:
        """Each role's value, from 0 to 1."""
        sure = self.proven(node)
        if sure is not None:
            return [goal / layout.FULL_GOAL for goal in sure]
        start = node * self.stride + layout.NODE_HEAD
        visits = self.node(node, layout.DONE)
        scale = max(1, visits) * layout.FULL_GOAL * layout.POINT
        return [min(1.0, int(total) / scale) for total in self._nodes[start : start + self.roles]]

    def state(self, node: int) -> bytes:
        """The state of a node."""
        start = node * self.stride + self.row_at
        return self._nodes[start : start + self.row_words].astype("<i8").tobytes()

    def move_counts(self, node: int) -> list[int]:
        """Where several roles choose: how many moves each has. Else each role's move, which does not count."""
        start = 2 * (node * self.stride + self.moves_at)
        return [int(count) for count in self._node_halves[start : start + self.roles]]

    def chance_in(self, node: int) -> bool:
        """Whether chance has a choice in a node where several choose."""
        return self.chance >= 0 and self.move_counts(node)[self.chance] > 1

    def edge(self, number: int) -> EdgeView:
        """An edge."""
        start = number * layout.EDGE_HALVES
        child, move, visits, _, proof = (
            int(field) for field in self._edge_halves[start : start + layout.EDGE_HEURISTIC]
        )
        if proof >= 0:
            length = 1 + (self.node(child, layout.LENGTH) if child >= 0 else 0)
            return EdgeView(move, child, visits, proof / layout.FULL_GOAL, True, length)
        total = int(self._edges[number * layout.EDGE_WORDS + layout.EDGE_VALUE])
        # A thread may have added to one of the two already and not to the other.
        value = min(1.0, total / (visits * layout.FULL_GOAL * layout.POINT)) if visits else 0.0
        return EdgeView(move, child, visits, value, False, 0)

    def edges(self, node: int) -> Iterator[EdgeView]:
        """A node's edges: its moves, or its joint moves."""
        first = self.node(node, layout.FIRST)
        if self.node(node, layout.KIND) == layout.TOGETHER:
            first += sum(self.move_counts(node))
        return (self.edge(first + i) for i in range(self.node(node, layout.COUNT)))

    def own_edges(self, node: int, role: int) -> list[EdgeView]:
        """Where several roles choose: the moves of one of them, whatever the others do."""
        counts = self.move_counts(node)
        first = self.node(node, layout.FIRST) + sum(counts[:role])
        return [self.edge(first + i) for i in range(counts[role])]

    def joint_place(self, node: int, joint: int, role: int) -> int:
        """Which of its moves a role makes in the joint move of that number."""
        counts = self.move_counts(node)
        for other in range(self.roles - 1, role, -1):
            joint //= counts[other]
        return joint % counts[role]

    # Making room.

    def make_room(self, code: Library, worker: int) -> None:
        """Forget what can't be reached from the root, then what was visited least. Nobody may be searching.

        Args:
            code: the code of the inner loops.
            worker: the address of a thread's plan; every other thread's list of free nodes must be empty.
        """
        mark = code.function("mark", c_int64, *[c_void_p] * 3, c_int64)
        slide = code.function("slide", None, c_void_p, c_void_p, c_int64, c_void_p, c_int64)
        nodes = self.get("NODE_COUNT")
        queue = np.empty(nodes, np.int32)
        marks = np.empty(nodes, np.int32)
        least = 0
        while True:
            marks[:] = 0
            count = mark(worker, queue.ctypes.data, marks.ctypes.data, least)
            if (
                self._edges_of(queue[:count]) <= ROOM * self.edge_limit and count <= ROOM * self.node_limit
            ) or count < 2:
                break
            least = max(1, 2 * least)
        kept = np.flatnonzero(marks)
        places = np.full(nodes, -1, np.int32)
        places[kept] = np.arange(count, dtype=np.int32)
        firsts = self._node_halves[2 * kept * self.stride + layout.FIRST]
        order = kept[np.argsort(firsts, kind="stable")].astype(np.int32)
        slide(worker, order.ctypes.data, count, places.ctypes.data, nodes)
        self.set("FULL", 0)

    def _edges_of(self, nodes: Halves) -> int:
        heads = 2 * nodes.astype(np.int64) * self.stride
        heads = heads[self._node_halves[heads + layout.COUNT] > 0]
        counts = int(self._node_halves[heads + layout.COUNT].sum())
        together = heads[self._node_halves[heads + layout.KIND] == layout.TOGETHER]
        return counts + sum(
            int(self._node_halves[together + 2 * self.moves_at + role].sum()) for role in range(self.roles)
        )
