"""What moves decide: the same as trying them out, one after the other, in any state that can be reached."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from support.compiled_trees import compiled

from ggtp.gdl.kernel.single import pack
from ggtp.gdl.network.network import FALSE
from ggtp.gdl.program.graph import XOR, Graph
from ggtp.gdl.program.outlook import Lookout, NoOutlook, Outlook
from ggtp.gdl.program.turns import Turn, Turns, find_turns, invariants

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


DIGGING = """
(role ann) (role bob) (init (turn ann)) (init (age 0)) (other ann bob) (other bob ann)
(after 0 1) (after 1 2) (after 2 3) (after 3 4) (after 4 5) (after 5 6) (safe walk) (safe dig)
(<= (legal ?p ?move) (true (turn ?p)) (safe ?move))
(<= (legal ?p fill) (true (turn ?p)) (true hole))
(<= (legal ?p noop) (role ?p) (not (true (turn ?p))))
(<= (next (turn ?q)) (true (turn ?p)) (other ?p ?q))
(<= (next hole) (does ?p dig))
(<= (next (age ?new)) (true (age ?old)) (after ?old ?new))
(<= (next (winner ?p)) (does ?p fill))
(<= over (true (winner ?p)))
(<= terminal over)
(<= terminal (true (age 6)))
(<= (goal ?p 100) (true (winner ?p)))
(<= (goal ?p 50) (role ?p) (not over))
(<= (goal ?p 0) (true (winner ?q)) (other ?p ?q))
"""
"""Whoever digs a hole lets the other one fill it, and win."""
NOTHING = "(<= (goal ?p 0) (true (winner ?q)) (other ?p ?q))"
DRAW = "(<= (goal ?p 50) (role ?p) (not over))"
ODD = {
    "a move that loses at once": DIGGING + "(safe sink) (<= (next (winner ?q)) (does ?p sink) (other ?p ?q))",
    "nothing to get that is not said": DIGGING.replace(NOTHING, ""),
    "only said what wins": DIGGING.replace(NOTHING, "").replace(DRAW, ""),
    "never nothing": DIGGING.replace("?p 0)", "?p 20)"),
    "a move that wins and one of who waits of the same name": DIGGING.replace(" fill)", " noop)").replace(
        "(does ?p noop)", "(does ?p noop) (true (turn ?p))"
    ),
}


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


def in_turn(state: bytes, turn: Turn) -> bool:
    return any((state[(own >> 1) - 1 >> 3] >> (((own >> 1) - 1) & 7) & 1) != own & 1 for own in turn.guard)


class Tried:
    """What moves of a game lead to, found by making them."""

    def __init__(self, name: str) -> None:
        self.network = compiled(name).network
        self.kernel = compiled(name).state_kernel()
        self.turns = turns_of(name).turns

    def after(self, state: bytes) -> dict[int, bytes]:
        """The states after each move of whose turn it is."""
        (role,) = (turn.role for turn in self.turns if in_turn(state, turn))
        legal = self.kernel.look(state).legal
        joint = {move: [move if r == role else own[0] for r, own in enumerate(legal)] for move in legal[role]}
        return {move: self.kernel.next(state, moves) for move, moves in joint.items()}

    def won(self, state: bytes, player: int) -> bool:
        role = self.turns[player].role
        look = self.kernel.look(state)
        return look.terminal and look.goals[role] == max(value for value, _ in self.network.goals[role])

    def beaten(self, state: bytes, player: int) -> bool:
        role = self.turns[player].role
        values = {value for value, _ in self.network.goals[role]}
        least = 0 if len(values) == 1 else min(values)
        return self.won(state, 1 - player) and self.kernel.look(state).goals[role] <= least

    def wins(self, state: bytes, player: int) -> set[int]:
        return {move for move, then in self.after(state).items() if self.won(then, player)}

    def loses(self, state: bytes, player: int) -> set[int]:
        return {
            move for move, then in self.after(state).items() if self.beaten(then, player) or self.left(then, player)
        }

    def left(self, state: bytes, player: int) -> bool:
        """Whether the other one has a move then by which the player is beaten."""
        if self.kernel.look(state).terminal or not in_turn(state, self.turns[1 - player]):
            return False
        return any(self.beaten(then, player) for then in self.after(state).values())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "games"),
    [("tictactoe", 40), ("connect3", 30), ("nim_gdl", 30), ("breakthrough_small", 12), ("pentago", 5)],
)
def test_moves_are_seen_to_win_and_to_lose(name: str, games: int) -> None:
    won, lost = seen_as_tried(name, games)
    assert won > 5
    assert lost > 5


@pytest.mark.slow
def test_a_move_can_lose_where_none_wins() -> None:
    won, lost = seen_as_tried("chomp", 60)
    assert won == 0
    assert lost > 5


@pytest.mark.parametrize("text", ODD.values(), ids=list(ODD))
def test_they_are_seen_whatever_goals_and_moves_are_called(text: str) -> None:
    won, lost = seen_as_tried(text, 40)
    assert won > 5
    assert lost > 5


def seen_as_tried(name: str, games: int) -> tuple[int, int]:
    """Compare what is seen with what happens; how many moves won and lost."""
    tried = Tried(name)
    graph, facts, found = outlooks(name)
    won = lost = 0
    for state in states_of(name, games):
        values = holding(graph, facts, state)
        for player, turn in enumerate(tried.turns):
            if in_turn(state, turn):
                legal = tried.kernel.look(state).legal[turn.role]
                wins, loses = tried.wins(state, player), tried.loses(state, player)
                assert {move for move in legal if holds(values, found[player].wins.get(move, FALSE))} == wins
                assert {move for move in legal if holds(values, found[player].loses.get(move, FALSE))} == loses
                won, lost = won + len(wins), lost + len(loses)
    return won, lost


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
