"""What is known of a move."""

from ggtp.search.tree.statistics import Edge, Node


def test_a_move_never_made_is_worth_nothing() -> None:
    edge = Edge()
    assert edge.mean() == 0
    edge.visits, edge.total = 4, 10.0
    assert edge.mean() == 2.5


def test_a_node_keeps_nothing_until_a_policy_does() -> None:
    assert Node().kept is None
