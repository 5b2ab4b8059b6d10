"""Nodes for positions, and the table that keeps below its ceiling."""

from ggtp.search.mcts.positions.tree import Edge, Node, Table


def grown(table: Table, depth: int, width: int) -> Node:
    """A tree with visits that halve from level to level."""
    node = Node(None, 2)
    node.visits = 1 << depth
    if depth:
        for number in range(width):
            edge = node.edges[str(number)] = Edge()
            edge.child = grown(table, depth - 1, width)
    table.keep(id(node), node)
    table.charge(node.bytes())
    return node


def test_the_first_node_of_a_position_stands() -> None:
    table, one, two = Table(1), Node(None, 2), Node(None, 2)
    table.keep("k", one)
    table.keep("k", two)
    assert table.find("k") is one
    assert table.find("x") is None


def test_what_cannot_be_reached_is_forgotten_first() -> None:
    table = Table(1)
    root = grown(table, 3, 3)
    other = grown(table, 3, 3)
    count = len(table)
    table.make_room(root)
    assert len(table) == count // 2
    assert table.find(id(root)) is root
    assert table.find(id(other)) is None


def test_then_what_was_visited_least() -> None:
    table = Table(1)
    root = grown(table, 6, 4)
    assert table.full
    table.make_room(root)
    assert not table.full
    assert table.used <= 0.7 * table.ceiling
    first = root.edges["0"].child
    assert first is not None  # visited often, and still there
    assert table.find(id(first)) is first


def test_what_is_proven_stays() -> None:
    table = Table(1)
    root = grown(table, 6, 4)
    proven = Edge()
    proven.proven, proven.child = 1.0, Node(None, 2)
    root.edges["won"] = proven
    table.make_room(root)
    assert proven.child is not None
