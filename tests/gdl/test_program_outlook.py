"""What moves decide: the same as trying them out, one after the other, in any state that can be reached."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from support.compiled_trees import compiled

from ggtp.gdl.kernel_single import StateKernel, pack
from ggtp.gdl.network import FALSE
from ggtp.gdl.program_graph import XOR, Graph
from ggtp.gdl.program_outlook import Lookout, NoOutlook, Outlook
from ggtp.gdl.program_turns import Turn, Turns, find_turns, invariants

TOGETHER = """
(role ann) (role bob) (init (turn ann))
(<= (legal ann help) (true (turn ann))) (<= (legal ann wait) (true (turn ann))) (<= (legal ann noop) (true (turn bob)))
(<= (legal bob end) (true (turn bob))) (<= (legal bob wait) (true (turn bob))) (<= (legal bob noop) (true (turn ann)))
(<= (next (turn bob)) (true (turn ann)))
(<= (next (turn ann)) (true (turn bob)))
(<= (next helped) (does ann help))
(<= (next helped) (true helped))
(<= (next over) (does bob end))
(<= terminal (true over))
(<= (goal ?p 100) (role ?p) (true over) (true helped))
(<= (goal ?p 0) (role ?p) (not (true helped)))
"""
"""Both win where Bob ends it after Ann has helped, and neither where she has not."""


def turns_of(name: str) -> Turns:
    network = compiled(name).network
    return find_turns(network, invariants(network))


def outlooks(name: str, most: int = 10**6) -> tuple[Graph, list[int], list[Outlook]]:
    """A graph whose inputs are the facts, and what it says of both players' moves."""
    network = compiled(name).network
    graph = Graph()
    facts = [graph.input() for _ in network.facts]
    lookout = Lookout(graph, network, turns_of(name).turns, most)
    return graph, facts, [lookout.outlook(player, facts) for player in range(2)]


def holds(values: list[bool], literal: int) -> bool:
    return values[literal >> 1] != bool(literal & 1)


def holding(graph: Graph, facts: list[int], state: bytes) -> list[bool]:
    """What each node of a graph is in a state."""
    values = [False] * len(graph)
    for fact, literal in enumerate(facts):
        values[literal >> 1] = bool(state[fact // 8] >> fact % 8 & 1)
    inputs = {literal >> 1 for literal in facts}
    for node in range(1, len(graph)):
        if node in inputs or graph.left[node] == graph.right[node] == 0:
            continue
        a, b = holds(values, graph.left[node]), holds(values, graph.right[node])
        values[node] = a != b if graph.kinds[node] == XOR else a and b
    return values


def states_of(name: str, games: int, seed: int = 1) -> Iterator[bytes]:
    """States of random games, without their ends."""
    game, rng = compiled(name), random.Random(seed)
    kernel = game.state_kernel()
    for _ in range(games):
        state = pack(game.network, game.network.initial)
        while not (look := kernel.look(state)).terminal:
            yield state
            state = kernel.next(state, [rng.choice(moves) for moves in look.legal])


def winning_moves(kernel: StateKernel, state: bytes, role: int, most: int) -> set[int]:
    look = kernel.look(state)
    found = set()
    for move in () if look.terminal else look.legal[role]:
        after = kernel.look(kernel.next(state, [move if r == role else own[0] for r, own in enumerate(look.legal)]))
        if after.terminal and after.goals[role] == most:
            found.add(move)
    return found


def losing_moves(kernel: StateKernel, state: bytes, role: int, other: Turn, most: int) -> set[int]:
    look = kernel.look(state)
    found = set()
    for move in look.legal[role]:
        after = kernel.next(state, [move if r == role else own[0] for r, own in enumerate(look.legal)])
        if winning_moves(kernel, after, other.role, most) - {other.idle}:
            found.add(move)
    return found


@pytest.mark.parametrize(
    ("name", "games"),
    [("tictactoe", 40), ("connect3", 30), ("nim_gdl", 30), ("breakthrough_small", 12), ("pentago", 5)],
)
def test_moves_are_seen_to_win_and_to_lose(name: str, games: int) -> None:
    game = compiled(name)
    kernel, network = game.state_kernel(), game.network
    graph, facts, found = outlooks(name)
    turns = turns_of(name).turns
    most = [max(value for value, _ in network.goals[turn.role]) for turn in turns]
    won = lost = 0
    for state in states_of(name, games):
        values = holding(graph, facts, state)
        for player, turn in enumerate(turns):
            if not any(holds(values, facts[(literal >> 1) - 1] ^ (literal & 1)) for literal in turn.guard):
                continue
            legal = kernel.look(state).legal[turn.role]
            wins = winning_moves(kernel, state, turn.role, most[player])
            assert {move for move in legal if holds(values, found[player].wins.get(move, FALSE))} == wins
            loses = losing_moves(kernel, state, turn.role, turns[1 - player], most[1 - player])
            assert {move for move in legal if holds(values, found[player].loses.get(move, FALSE))} == loses
            won, lost = won + len(wins), lost + len(loses)
    assert won > 5
    assert lost > 5


def test_what_is_good_for_both_is_not_avoided() -> None:
    moves = compiled(TOGETHER).network.moves
    _, _, (ann, bob) = outlooks(TOGETHER)
    assert not ann.wins
    assert not ann.loses, "to help lets Bob win, and Ann with him"
    assert {moves[1][move] for move in bob.wins} == {"end"}


def test_a_graph_grows_no_further_than_it_may() -> None:
    with pytest.raises(NoOutlook):
        outlooks("connect3", most=50)


def test_moves_that_win_are_made_and_those_that_lose_are_not_unless_all_do() -> None:
    graph = Graph()
    inputs = [graph.input() for _ in range(5)]
    *legal, wins, loses = inputs
    made = Outlook({0: wins}, {1: loses, 2: loses}).conditions(graph, [0, 1, 2], legal)

    def worth(*held: int) -> list[bool]:
        state = sum(1 << inputs.index(literal) for literal in held).to_bytes(1, "little")
        values = holding(graph, inputs, state)
        return [holds(values, literal) for literal in made]

    assert worth(*legal) == [True, True, True]
    assert worth(*legal, wins) == [True, False, False]
    assert worth(*legal, loses) == [True, False, False]
    assert worth(*legal[1:], loses) == [False, True, True]
    assert worth(*legal[1:], wins) == [False, True, True]
    assert Outlook({}, {}).conditions(graph, [0, 1, 2], legal) == legal
