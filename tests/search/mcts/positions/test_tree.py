"""Nodes for positions, and the table that keeps below its ceiling."""

from ggtp.search.mcts.positions.tree import EDGE_BYTES, Edge, Node, Table, prove


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


def test_what_a_policy_keeps_takes_memory() -> None:
    node = Node(None, 2)
    before = node.bytes()
    node.kept = {"one": 1, "two": 2}
    assert node.bytes() == before + 2 * EDGE_BYTES


def test_a_certain_win_is_certain_for_the_node_and_a_loss_when_there_is_nothing_else() -> None:
    def parent(*ends: tuple[float, int]) -> Node:
        """A node with edges to nodes of which it is certain what they are worth, and after how many moves."""
        made = Node(None, 2)
        for number, (value, length) in enumerate(ends):
            child = Node(None, 2)
            child.proven, child.length = (value, 1 - value), length
            edge = made.edges[str(number)] = Edge()
            edge.child = child
        return made

    def proved(node: Node, name: str) -> None:
        child = node.edges[name].child
        assert child is not None
        prove(node, node.edges[name], child, 0)

    won = parent((1.0, 0), (0.0, 0))
    proved(won, "0")
    assert (won.proven, won.length, won.edges["1"].proven) == ((1.0, 0.0), 1, None)
    lost = parent((0.0, 2), (0.0, 6))
    proved(lost, "0")
    assert lost.proven is None
    proved(lost, "1")
    assert (lost.proven, lost.length) == ((0.0, 1.0), 7), "of losses the latest"
