from __future__ import annotations

from hypothesis import given, settings
from support.lanes import networks
from support.networks import Builder, carousel, evaluate, nim, quitter, rock_paper_scissors, tictactoe, two_and_two

from ggtp.gdl.network.network import FALSE, TRUE, Network
from ggtp.gdl.program.turns import Turn, find_turns, invariants, shared_places


def reachable(network: Network, most: int = 200) -> list[tuple[int, ...]]:
    """States that can be reached by any joint moves, legal or not: what is proved holds in all of them."""
    states = [network.initial]
    for facts in states:
        joint: list[tuple[int, ...]] = [()]
        for own in network.moves:
            joint = [(*moves, move) for moves in joint for move in range(len(own))]
        for moves in joint:
            then = evaluate(network, facts, moves).next
            if then not in states and len(states) < most:
                states.append(then)
    return states


def holds(network: Network, facts: tuple[int, ...], literal: int) -> bool:
    node = literal >> 1
    return (node > 0 and node - 1 in facts) != bool(literal & 1)


@settings(max_examples=60)
@given(networks())
def test_what_is_proved_holds_in_every_state(network: Network) -> None:
    known = invariants(network)
    turns = find_turns(network, known)
    for facts in reachable(network):
        for fact, literal in enumerate(known.alias):
            assert holds(network, facts, literal) == (fact in facts)
        for ring in known.rings:
            assert sum(fact in facts for fact in ring) == 1
        legal = evaluate(network, facts).legal
        for turn in turns.turns:
            if not any(holds(network, facts, literal) for literal in turn.guard):
                assert legal[turn.role] == (turn.idle,)
        on = sum(holds(network, facts, literal) for turn in turns.turns for literal in turn.guard)
        assert on == 1 if turns.complete else on <= 1


def test_two_who_alternate() -> None:
    network = tictactoe()
    known = invariants(network)
    x, o = network.facts.index("xturn"), network.facts.index("oturn")
    assert known.alias[o] == network.fact_literal(x) ^ 1
    assert sum(alias != network.fact_literal(fact) for fact, alias in enumerate(known.alias)) == 1
    turns = find_turns(network, known)
    guard = network.fact_literal(x)
    assert turns.turns == (Turn(0, (guard,), 9), Turn(1, (guard ^ 1,), 9))
    assert turns.complete
    assert len(find_turns(nim(), invariants(nim())).turns) == 2


def test_three_in_a_ring_and_one_who_always_chooses() -> None:
    network = carousel()
    known = invariants(network)
    (ring,) = known.rings
    assert set(ring) == {0, 1, 2}
    turns = find_turns(network, known)
    assert [turn.role for turn in turns.turns] == [0, 1, 2]
    assert turns.complete


def test_two_who_have_two_moves_in_a_row() -> None:
    network = two_and_two()
    turns = find_turns(network, invariants(network))
    assert [[network.facts[(literal >> 1) - 1] for literal in turn.guard] for turn in turns.turns] == [
        ["t0", "t1"],
        ["t2", "t3"],
    ]
    assert turns.complete


def test_turns_that_depend_on_the_move() -> None:
    """Who says again moves again, by rules that do not say that somebody always does."""
    b = Builder(("a", "b"), ["a", "b", "n0", "n1", "n2"], [["again", "pass", "noop"]] * 2)
    again = b.any(b.does(0, "again"), b.does(1, "again"))
    nexts = {
        "a": b.any(b.all(b.fact("a"), again), b.all(b.fact("b"), again ^ 1)),
        "b": b.any(b.all(b.fact("b"), again), b.all(b.fact("a"), again ^ 1)),
        "n0": FALSE,
        "n1": b.fact("n0"),
        "n2": b.fact("n1"),
    }
    network = b.network(
        ["a", "n0"],
        nexts.__getitem__,
        lambda role, move: b.fact("ba"[role]) if move == "noop" else b.fact("ab"[role]),
        b.fact("n2"),
        [[(100, b.fact("a"))], [(100, b.fact("b"))]],
    )
    known = invariants(network)
    assert known.alias[:2] == (b.fact("a"), b.fact("a") ^ 1)
    assert len(find_turns(network, known).turns) == 2


def test_who_moves_at_once_does_not_take_turns() -> None:
    for network in (rock_paper_scissors(), quitter()):
        assert find_turns(network, invariants(network)).turns == ()


def test_copies_inverses_and_constants() -> None:
    b = Builder(("me",), ["a", "copy", "inverse", "never", "always", "late"], [["go", "stay"]])
    then = b.any(b.fact("a"), b.does(0, "go"))
    nexts = {"a": then, "copy": then, "inverse": then ^ 1, "never": b.fact("never"), "always": TRUE, "late": TRUE}
    network = b.network(["inverse", "always"], nexts.__getitem__, lambda role, move: TRUE, FALSE, [[]])
    a, late = b.fact("a"), b.fact("late")
    assert invariants(network).alias == (a, a, a ^ 1, FALSE, TRUE, late)


def test_places_are_shared_by_condition_then_by_name_then_at_all() -> None:
    names = [["p", "q", "r", "s"], ["s", "q", "x"]]
    # Conditions 10 to 13 of the first player; the second player's first move is legal as q is.
    places = shared_places([{0: 10, 1: 11, 2: 12, 3: 13}, {0: 11, 1: 50, 2: 60}], names)
    assert len(places) == 4
    assert {0: 1, 1: 0} in places
    assert sum(len(place) for place in places) == 7
    assert shared_places([{0: 10, 1: 11}, {1: 20}], [["p", "q"], ["p", "q"]]) == [{0: 0}, {0: 1, 1: 1}]
    assert shared_places([{0: 10}, {0: 10, 1: 10}], [["p"], ["q", "r"]]) == [{0: 0, 1: 0}, {1: 1}]
