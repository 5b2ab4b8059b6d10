"""Conditions that others decide, found and dropped."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from ggtp.gdl.network.graph import FALSE, Graph, Ints, offsets
from ggtp.gdl.network.optimise import context
from ggtp.gdl.network.optimise.context import simplify

A, B, C, D = 2, 4, 6, 8
"""Facts."""
X, Y, U, V = 10, 12, 14, 16
"""Moves, two for each of two roles."""
FACTS, ROLES = 4, (2, 2)
LEGAL = [A, B, 1, 1]
"""Move X is legal if A holds, Y if B does, the others always."""


def ints(*values: int) -> Ints:
    return np.array(values, dtype=np.int64)


def simplified(rows: list[list[int]], root: int) -> tuple[list[list[int]], int]:
    """The graph of these nodes, which begin with number 9, for one root, after simplifying."""
    literals = [literal for row in rows for literal in row]
    # The first fact's next value is the root; the others have none.
    roots = ints(root, FALSE, FALSE, FALSE, *LEGAL)
    item = simplify(Graph(9, offsets(ints(*map(len, rows))), ints(*literals), roots), FACTS, ROLES)
    starts = item.starts.tolist()
    found = [item.literals[start:end].tolist() for start, end in pairwise(starts)]
    return found, int(item.roots[0])


@pytest.mark.parametrize(
    ("what", "rows", "root", "expected"),
    [
        ("a or (a and b) is a", [[A, B], [A ^ 1, 19]], 21, ([], A)),
        ("a or (not a and b) is a or b", [[A ^ 1, B], [A ^ 1, 19]], 21, ([[A ^ 1, B ^ 1]], 19)),
        ("a and not (a and b and c) is a and not (b and c)", [[A, B, C], [A, 19]], 20, ([[B, C], [A, 19]], 20)),
        ("a and not (not a and b) is a", [[A ^ 1, B], [A, 19]], 20, ([], A)),
        ("(a and b) and a is a and b", [[A, B], [A, 18]], 20, ([[A, B]], 18)),
        ("(a and b) and not a is false", [[A, B], [A ^ 1, 18]], 20, ([], FALSE)),
        ("a move needs not say that it is legal", [[X, A, C]], 18, ([[C, X]], 18)),
        ("a move cannot be made where it is not legal", [[X, A ^ 1]], 18, ([], FALSE)),
        ("nobody makes two moves", [[X, Y]], 18, ([], FALSE)),
        ("two players do", [[X, U]], 18, ([[X, U]], 18)),
        ("who makes one move does not make another", [[X, Y ^ 1]], 18, ([], X)),
        ("nor something that needs another", [[Y, C], [X, 19]], 20, ([], X)),
    ],
)
def test_what_is_known_goes(what: str, rows: list[list[int]], root: int, expected: tuple[list[list[int]], int]) -> None:
    assert simplified(rows, root) == expected, what


def test_a_shared_node_is_not_taken_apart() -> None:
    rows = [[A, B, C], [A, 19], [D, 19], [21, 23]]
    assert simplified(rows, 24) == ([[A, B, C], [A, 19], [D, 19], [21, 23]], 24)


def test_too_much_to_compare_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(context, "MAX_PAIRS", 0)
    assert simplified([[A, B], [A, 18]], 20) == ([[A, B], [A, 18]], 20)
