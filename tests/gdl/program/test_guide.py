"""Guided random games: hints that apply are followed, with the right chances, and nothing else changes."""

from __future__ import annotations

from collections import Counter
from math import exp

import numpy as np
import pytest
from support.compiled_trees import compiled
from support.lanes import KEPT

from ggtp.gdl.kernel.playouts import table
from ggtp.gdl.kernel.single import pack, rows
from ggtp.gdl.program.build import build_step
from ggtp.gdl.program.graph import Graph
from ggtp.gdl.program.guide import ATTACK, AVOID, DEFEND, Guide, Hint, any_of

LANES = 4096
NETWORK = compiled("tictactoe").network


def fact(text: str) -> int:
    return 2 * NETWORK.facts.index(text)


def hint(move: str, purpose: int = ATTACK, rank: int = 0, needs: tuple[int, ...] = (), role: int = 0) -> Hint:
    return Hint(role, NETWORK.moves[role].index(move), purpose, rank, needs)


def first_moves(*hints: Hint, weights: tuple[float, ...] = (), uses: tuple[int, ...] = ()) -> Counter[str]:
    """Where crosses stand after the first move of many games."""
    return after(pack(NETWORK, NETWORK.initial), "x", *hints, weights=weights, uses=uses)


def after(
    state: bytes, mark: str, *hints: Hint, weights: tuple[float, ...] = (), uses: tuple[int, ...] = ()
) -> Counter[str]:  # fmt: skip
    kernel = table(build_step(NETWORK, guide=Guide(hints, weights, uses)), kept=KEPT)
    kernel.seed(5)
    before = rows([state])
    found: Counter[str] = Counter()
    for _ in range(LANES // kernel.lanes):
        kernel.run_from(np.repeat(before, kernel.lanes, axis=0), max_steps=1)
        for row in kernel.lane_states():
            held = int.from_bytes(row.tobytes(), "little")
            now = {text for i, text in enumerate(NETWORK.facts) if held >> i & 1 and text.endswith(f" {mark})")}
            was = {text for i, text in enumerate(NETWORK.facts) if state[i // 8] >> i % 8 & 1}
            found[(now - was).pop()[6:9]] += 1
    return found


def test_without_a_hint_that_applies_all_moves_are_equally_likely() -> None:
    found = first_moves(hint("(mark 1 1)", needs=(fact("(cell 2 2 x)"),)), hint("(mark 1 1)", role=1), weights=(7.0,))
    assert len(found) == 9
    assert max(found.values()) < 1.3 * min(found.values())


def test_hints_of_rank_0_are_followed_at_once_attacks_first() -> None:
    assert first_moves(hint("(mark 2 2)", DEFEND), hint("(mark 1 1)")) == {"1 1": LANES}
    assert first_moves(hint("(mark 2 2)", DEFEND), hint("(mark 1 1)", rank=1), weights=(7.0,)) == {"2 2": LANES}
    both = first_moves(hint("(mark 2 2)"), hint("(mark 1 1)"))
    assert set(both) == {"1 1", "2 2"}
    assert max(both.values()) < 0.55 * LANES


def test_a_hint_applies_where_its_facts_hold_and_others_do_not() -> None:
    blank, taken = fact("(cell 2 2 blank)"), fact("(cell 3 3 x)")
    assert first_moves(hint("(mark 1 1)", needs=(blank, taken + 1))) == {"1 1": LANES}
    assert len(first_moves(hint("(mark 1 1)", needs=(blank + 1,)), hint("(mark 1 1)", needs=(taken,)))) == 9


def test_a_move_that_is_not_legal_is_not_made() -> None:
    marked = [text for text in NETWORK.facts if text in ("(cell 1 1 x)", "(control circle)") or text.endswith("blank)")]
    state = pack(NETWORK, [NETWORK.facts.index(text) for text in marked if text != "(cell 1 1 blank)"])
    found = after(state, "o", hint("(mark 1 1)", role=1), hint("(mark 2 2)", role=0))
    assert len(found) == 8
    assert "1 1" not in found


def test_a_role_may_follow_hints_in_some_cases_only() -> None:
    for parts in (0, 4, 8, 13):
        found = first_moves(hint("(mark 1 1)"), uses=(parts, 16))
        assert found["1 1"] / LANES == pytest.approx(parts / 16 + (1 - parts / 16) / 9, abs=0.03)
    assert first_moves(hint("(mark 1 1)"), uses=(16, 0)) == {"1 1": LANES}


@pytest.mark.parametrize("ranks", [(1,), (1, 2), (3,), (1, 1, 2, 4)])
def test_other_hints_are_followed_by_their_weights(ranks: tuple[int, ...]) -> None:
    weights = tuple(exp(value / 0.5) for value in (1.0, 0.9, 0.81, 0.729))
    names = ["1 1", "2 2", "3 3", "1 3"][: len(ranks)]
    hints = [hint(f"(mark {name})", rank=rank) for name, rank in zip(names, ranks, strict=True)]
    found = first_moves(*hints, weights=weights)
    total = sum(weights[rank - 1] for rank in ranks) + 9 - len(ranks)
    for name, rank in zip(names, ranks, strict=True):
        assert found[name] / LANES == pytest.approx(weights[rank - 1] / total, abs=0.07), "Boltzmann's chances"
    assert len(found) == 9, "no move is ruled out"


def test_moves_to_avoid_are_made_only_where_there_is_no_other() -> None:
    names = [f"{x} {y}" for x in "123" for y in "123"]
    bad = [hint(f"(mark {name})", AVOID) for name in names]
    assert set(first_moves(*bad[:7])) == {"3 2", "3 3"}
    assert len(first_moves(*bad)) == 9
    assert first_moves(*bad[1:], hint("(mark 3 3)", rank=1), weights=(7.0,)) == {"1 1": LANES}


def test_what_wins_or_defends_at_once_is_not_avoided() -> None:
    bad = hint("(mark 1 1)", AVOID)
    assert first_moves(bad, hint("(mark 1 1)")) == {"1 1": LANES}
    assert first_moves(bad, hint("(mark 1 1)", DEFEND)) == {"1 1": LANES}


def test_moves_that_weigh_next_to_nothing_are_ruled_out() -> None:
    names = {"1 1": 1, "2 2": 2, "3 3": 3}
    hints = [hint(f"(mark {name})", rank=rank) for name, rank in names.items()]
    found = first_moves(*hints, weights=(1e9, 2e8, 1e3))
    assert set(found) == {"1 1", "2 2"}
    assert 0 < found["2 2"] < found["1 1"] / 3


def test_terms_are_factored_without_changing_their_meaning() -> None:
    graph = Graph()
    a, b, c, d = (graph.input() for _ in range(4))
    terms = [frozenset(term) for term in ((a, b, c), (a, b, d ^ 1), (a, c), (b, d))]
    literal = any_of(graph, terms)
    for case in range(16):
        values = {0: 0} | {node >> 1: case >> i & 1 for i, node in enumerate((a, b, c, d))}
        for node in graph.cone([literal]):
            if node not in values:
                one, two = (values[x >> 1] ^ x & 1 for x in (graph.left[node], graph.right[node]))
                values[node] = one & two
        held = {x ^ 1 ^ (case >> i & 1) for i, x in enumerate((a, b, c, d))}
        assert values[literal >> 1] ^ literal & 1 == any(term <= held for term in terms)
    assert any_of(graph, []) == 0
    assert any_of(graph, [frozenset(), frozenset({a})]) == 1
