"""What is read from a tree over positions."""

from ggtp.search.mcts.positions.reading import choices_of, line_from, summed_choices
from ggtp.search.mcts.positions.tree import Edge, Node


def edge(visits: int, total: float, *values: float) -> Edge:
    """An edge to a node of as many visits, with such values of each player."""
    made = Edge()
    made.visits, made.total = visits, total
    made.child = Node(None, 2)
    made.child.visits, made.child.totals = visits, [visits * value for value in values]
    return made


def test_moves_have_their_means_or_what_is_certain() -> None:
    sure = edge(3, 3.0, 1.0, 0.0)
    sure.proven, sure.length = 0.5, 4
    open_one, certain, unknown = choices_of(["a", "b", "c"], {"a": edge(4, 1.0, 0.25, 0.75), "b": sure})
    assert (open_one.visits, open_one.value, open_one.proven) == (4, 0.25, False)
    assert (certain.visits, certain.value, certain.proven, certain.length) == (3, 0.5, True, 4)
    assert (unknown.visits, unknown.value) == (0, 0.0)


def test_joint_moves_are_summed_with_equal_weight() -> None:
    root = Node(None, 2)
    root.edges = {("a", "x"): edge(10, 0.0, 0.2, 0.8), ("a", "y"): edge(30, 0.0, 0.6, 0.4), ("b", "x"): Edge()}
    one, other = summed_choices(root, ["a", "b"], 0, 0)
    assert (one.visits, one.value) == (40, 0.4)
    assert (other.visits, other.value) == (0, 0.0)


def test_the_line_follows_visits_after_the_move_that_will_be_made() -> None:
    root = Node(None, 2)
    root.edges = {"a": edge(9, 0.0, 0.5, 0.5), "b": edge(2, 0.0, 0.5, 0.5)}
    below = root.edges["b"].child
    assert below is not None
    below.edges = {("x", "y"): edge(1, 0.0, 0.5, 0.5), ("x", "z"): edge(0, 0.0, 0.5, 0.5)}
    assert line_from(root, None) == ["a"]
    assert line_from(root, "b") == ["b", "x+y"]
