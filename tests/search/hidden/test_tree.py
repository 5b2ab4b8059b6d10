"""Nodes of what players have seen, and the memory that they take."""

from ggtp.search.hidden.tree import NODE_BYTES, Edge, Forest


def test_an_edge_never_made_is_worth_nothing() -> None:
    edge = Edge()
    assert edge.mean() == 0
    edge.visits, edge.total = 4, 10.0
    assert edge.mean() == 2.5


def test_the_same_observation_leads_to_the_same_node() -> None:
    forest = Forest(1)
    root = forest.plant()
    assert forest.child(root, ("a",)) is forest.child(root, ("a",))
    assert forest.child(root, ("b",)) is not forest.child(root, ("a",))
    assert forest.nodes == 3


def test_a_full_forest_has_no_room_for_what_is_new() -> None:
    forest = Forest(1)
    root = forest.plant()
    known = forest.child(root, "known")
    forest.charge((forest.ceiling - NODE_BYTES) // 200)
    assert forest.full
    assert forest.child(root, "new") is None
    assert forest.child(root, "known") is known
