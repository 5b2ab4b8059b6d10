"""Which move is looked at next: the formulas, with numbers."""

from math import log, sqrt

from ggtp.search.mcts.options import Settings, considered
from ggtp.search.mcts.positions.selection import chosen_of, widened
from ggtp.search.mcts.positions.tree import Edge, Node
from ggtp.search.tree.policy import TreePolicy
from ggtp.search.tree.rave import Rave


def edge(visits: int = 0, value: float = 0.0, later: int = 0, later_value: float = 0.0) -> Edge:
    made = Edge()
    made.visits, made.total = visits, visits * value
    made.rave_visits, made.rave_total = later, later * later_value
    return made


def node(visits: int, *edges: Edge, totals: tuple[float, ...] = (0.0, 0.0)) -> Node:
    made = Node(None, len(totals))
    made.visits, made.totals = visits, list(totals)
    made.edges = {f"m{number}": each for number, each in enumerate(edges)}
    return made


def chosen(parent: Node, seat: int | None = 0, **settings: float | TreePolicy | None) -> str:
    found = chosen_of(list(parent.edges.items()), (parent, seat, []), Settings(**settings))  # type: ignore[arg-type]
    return str(found)


def test_a_move_never_tried_is_worth_the_mean_of_its_position_or_what_is_said() -> None:
    bonus = 0.4 * sqrt(log(11))
    tried = 0.5 + bonus / sqrt(10)
    for mean in (tried - bonus + 0.001, tried - bonus - 0.001):
        parent = node(10, edge(10, 0.5), edge(), totals=(10 * mean, 10 - 10 * mean))
        assert chosen(parent) == ("m1" if mean + bonus > tried else "m0")
        assert chosen(parent, first_play=1.0) == "m1"
        assert chosen(parent, first_play=-1.0) == "m0"


def test_where_several_move_the_mean_of_all_counts() -> None:
    parent = node(10, edge(10, 0.5), edge(), totals=(10.0, 0.0))
    assert chosen(parent, seat=0) == "m1"
    assert chosen(parent, seat=1) == "m0"
    assert chosen(parent, seat=None) == "m1"


def test_the_policy_that_was_set_is_asked() -> None:
    parent = node(100, edge(later=60, later_value=0.2), edge(later=60, later_value=0.3), edge(100, 0.0))
    assert chosen(parent, selection=Rave(20)) == "m1"
    assert chosen(parent) == "m0", "the first among equals"


def test_what_is_certain_is_looked_at_only_where_nothing_else_is_left() -> None:
    sure, other = edge(10, 0.9), edge(10, 0.1)
    sure.proven = 0.9
    parent = node(20, sure, other)
    parent.floor = sure
    assert chosen(parent) == "m1"
    other.proven = 0.1
    assert chosen(parent) == "m0"


def test_widening_opens_what_was_best_later() -> None:
    parent = node(0, *(edge(later=10, later_value=value) for value in (0.1, 0.9, 0.5, 0.7)))
    moves = list(parent.edges)
    assert considered(0, 4, 1) == 1
    assert widened((parent, 0, []), [str(move) for move in moves], 1, Rave(1)) == ["m1"]
    parent.visits = 3
    assert widened((parent, 0, []), [str(move) for move in moves], 1, Rave(1)) == ["m1", "m3"]


def test_what_was_opened_stays_so_where_moves_are_added() -> None:
    """After another draw of chance there are others, also at the same time as somebody else's."""
    parent = node(0, *(edge(later=10, later_value=value) for value in (0.1, 0.9)))
    assert widened((parent, 0, []), ["m0", "m1"], 1, Rave(1)) == ["m1"]
    parent.edges |= {("x", "y"): edge(), "m2": edge(later=10, later_value=0.2)}
    assert widened((parent, 0, []), ["m1", "m2"], 1, Rave(1)) == ["m1"]
    parent.visits = 3
    assert widened((parent, 0, []), ["m1", "m2"], 1, Rave(1)) == ["m1", "m2"]
    assert parent.order == ["m1", "m2", "m0"]
