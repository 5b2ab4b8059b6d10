"""What can be set in a Monte Carlo tree search, and the formulas that the settings go into.

Values of players are between 0 and 1 here. The formulas are written out once more, for speed, in
`compiled.descend`; the tests hold the two together.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt

from ggtp.game import Option, duration, number, switch
from ggtp.search.evaluation.evaluator import PLAYOUTS, Evaluator
from ggtp.search.evaluation.evaluators import evaluation_options, evaluator_of
from ggtp.search.playouts.policies import playout_options, playout_policy
from ggtp.search.playouts.policy import RANDOM, PlayoutPolicy
from ggtp.search.tree.policies import tree_options, tree_policy
from ggtp.search.tree.policy import UCT, TreePolicy
from ggtp.search.tree.rave import Rave

BOUND, VISITS, VALUE = "bound", "visits", "value"
JOINT, DECOUPLED = "joint", "decoupled"
NO_CLUSTER = "none"
FILL = 0
"""As many playouts a leaf as there are lanes left over."""

OPTIONS = (
    duration("Time", 2000, 0, 1 << 31, "milliseconds to think at most; 0 for as long as the referee allows"),
    number("Playouts", 0, 0, 1 << 40, "how many random games to play at most; 0 for as many as time allows"),
    number("Exploration", 40, 0, 10_000, "weight of what is little known, in hundredths"),
    number("FirstPlay", -1, -1, 10_000, "value of a move never tried, in percent; -1 for the mean of its position"),
    *tree_options(),
    number("Widening", 0, 0, 1 << 20, "moves looked at first; their number grows with the root of visits; 0 for all"),
    switch("Solver", True, "prove wins, losses and draws, and use the proofs"),
    switch("Transpositions", True, "one node for equal positions"),
    switch("Reuse", True, "keep the tree between moves"),
    Option("Final", BOUND, "which move is chosen at the end", choices=(BOUND, VISITS, VALUE)),
    Option("Simultaneous", JOINT, "how moves at the same time are searched", choices=(JOINT, DECOUPLED)),
    *evaluation_options(PLAYOUTS),
    *playout_options(),
    number("Batch", 64, 1, 4096, "leaves that are evaluated together, in compiled games"),
    number("Expansion", 2, 1, 1 << 20, "visits after which a leaf gets its moves, in compiled games"),
    switch("Ahead", True, "look at once behind all moves of a leaf that gets some, in compiled games"),
    number("Guess", 80, 0, 100, "how much of a move's value is heuristic, in percent, in compiled games for two"),
    switch("Learning", True, "evaluate positions by what playouts of compiled rules have taught, too"),
    number(
        "Minimax", 80, 0, 90, "how much of a move's time minimax looks ahead first, in percent, where two take turns"
    ),
    switch("Foresight", True, "nobody overlooks a win, or leaves one, in random games of compiled rules that show it"),
    number("Processes", 1, 1, 256, "processes that search, each its own tree"),
    Option("Cluster", NO_CLUSTER, "the address of the scheduler of a Dask cluster, whose workers search too"),
    number("Leaf", FILL, 0, 4096, "playouts of each leaf; 0 for as many as there are lanes left over"),
)
"""Those of the engine, beside `threads` and `memory`, which every engine of the house has."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The options as numbers."""

    seconds: float | None = 2.0
    playouts: int | None = None
    exploration: float = 0.4
    first_play: float | None = None
    """None for the value of the position in which the move would be made."""
    selection: TreePolicy = UCT
    widening: int = 0
    solver: bool = True
    transpositions: bool = True
    reuse: bool = True
    final: str = BOUND
    simultaneous: str = JOINT
    evaluation: Evaluator = PLAYOUTS
    policy: PlayoutPolicy = RANDOM
    batch: int = 64
    leaf: int = FILL
    expansion: int = 2
    ahead: bool = True
    heuristic: float = 0.8
    learning: bool = True
    minimax: float = 0.8
    foresight: bool = True
    processes: int = 1
    cluster: str | None = None
    threads: int = 1
    megabytes: int = 256

    @classmethod
    def read(cls, values: Mapping[str, str]) -> Settings:
        """The settings in the canonical texts of all options."""
        whole = {option.name: int(values[option.name]) for option in OPTIONS if option.low is not None}
        return cls(
            seconds=whole["Time"] / 1000 if whole["Time"] else None,
            playouts=whole["Playouts"] or None,
            exploration=whole["Exploration"] / 100,
            first_play=whole["FirstPlay"] / 100 if whole["FirstPlay"] >= 0 else None,
            selection=tree_policy(values),
            widening=whole["Widening"],
            solver=values["Solver"] == "on",
            transpositions=values["Transpositions"] == "on",
            reuse=values["Reuse"] == "on",
            final=values["Final"],
            simultaneous=values["Simultaneous"],
            evaluation=evaluator_of(values),
            policy=playout_policy(values),
            batch=whole["Batch"],
            leaf=whole["Leaf"],
            expansion=whole["Expansion"],
            ahead=values["Ahead"] == "on",
            heuristic=whole["Guess"] / 100,
            learning=values["Learning"] == "on",
            minimax=whole["Minimax"] / 100,
            foresight=values["Foresight"] == "on",
            processes=whole["Processes"],
            cluster=None if values["Cluster"] in ("", NO_CLUSTER) else values["Cluster"],
            threads=int(values["threads"]),
            megabytes=int(values["memory"]),
        )

    @property
    def ignored(self) -> tuple[str, ...]:
        """The policies that hold only for searches over positions, by name: machine code does not know them."""
        return tuple(policy.name for policy in (self.selection, self.policy) if not policy.machine_code)

    @property
    def rave(self) -> int:
        """The equivalence of RAVE, where it is on."""
        return self.selection.equivalence if isinstance(self.selection, Rave) else 0


def calmed(exploration: float, heuristic: float) -> float:
    """How much is explored where so much of a value is estimated: what is estimated needs fewer visits to be known."""
    return exploration * (1 - heuristic / 2)


def foreseen(exploration: float) -> float:
    """How much is explored where players of random games look ahead: such games are less at odds with each other."""
    return 0.6 * exploration


def lower_bound(value: float, playouts: float) -> float:
    """What a move is worth by so many playouts, less a standard error."""
    return value - 0.5 / sqrt(playouts) if playouts else -1.0


def considered(visits: int, moves: int, widening: int) -> int:
    """How many of the moves are looked at after so many visits of their position."""
    return moves if widening == 0 else min(moves, int(widening * sqrt(visits + 1)))


def softened(score: float, here: float) -> float:
    """A score where so many others are at work below: the paper's soft virtual loss."""
    return score / sqrt(here + 1)
