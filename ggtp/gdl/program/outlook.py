"""What moves decide, in a graph: which of them win, and which let the other one win.

It is computed from the rules themselves, for all moves at once: what holds after a move is made is put in the place of
what holds now. Most of it is the same for all moves, and equal expressions are one node of the graph; so where a win
shows in few facts, looking two moves ahead costs a few times what a move does. Where it shows in many, as a majority
does, it would be thousands of times that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ggtp.gdl.network.network import FALSE, TRUE, Network
from ggtp.gdl.program.graph import INPUT, XOR, Graph, instantiate
from ggtp.gdl.program.turns import Turn


class NoOutlook(Exception):
    """No move decides anything within two moves, or to see which does would take more gates than there may be."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """What moves decide: for each of a player's moves the literal that says so, where it is legal."""

    wins: Mapping[int, int]
    """The game is over, with the most that there is to win."""
    loses: Mapping[int, int]
    """The other one has won then, or can make a move that wins, and the player has the least that there is."""

    def __bool__(self) -> bool:
        return bool(self.wins or self.loses)

    def conditions(self, graph: Graph, moves: Sequence[int], legal: Sequence[int]) -> list[int]:
        """When a move is worth making: it wins; or none does, and it does not lose, unless all do.

        Args:
            moves: the moves that may be made.
            legal: the literals that say when.
        """
        if not self:
            return list(legal)
        winning = [graph.and_(may, self.wins.get(move, FALSE)) for move, may in zip(moves, legal, strict=True)]
        safe = [graph.and_(may, self.loses.get(move, FALSE) ^ 1) for move, may in zip(moves, legal, strict=True)]
        open_, lost = graph.any(winning) ^ 1, graph.any(safe) ^ 1
        calm = [graph.or_(good, graph.and_(may, lost)) for good, may in zip(safe, legal, strict=True)]
        return [graph.or_(won, graph.and_(other, open_)) for won, other in zip(winning, calm, strict=True)]


class Lookout:
    """Looks two moves ahead, in games in which two take turns."""

    def __init__(self, graph: Graph, network: Network, turns: Sequence[Turn], most: int) -> None:
        """A lookout over a graph.

        Args:
            turns: both players.
            most: how many nodes the graph may grow by.
        """
        self._graph, self._network, self._turns = graph, network, turns
        self._most = len(graph) + most

    def outlook(self, player: int, facts: Sequence[int]) -> Outlook:
        """What the moves of a player decide.

        Args:
            facts: the literals that stand for facts where it is the player's turn.

        Raises:
            NoOutlook: the graph would grow too much.
        """
        graph = self._graph
        after = {move: self._after(player, facts, move) for move in self._moves(player, facts)}
        wins = {move: self._won(player, then) for move, then in after.items()}
        replies = self._replies(1 - player)
        loses = {}
        for move, then in after.items():
            later = graph.and_(self._substituted(replies, then), self._ended(then) ^ 1)
            loses[move] = graph.or_(self._beaten(player, then), later)
        return Outlook(_possible(wins), _possible(loses))

    def _moves(self, player: int, facts: Sequence[int]) -> list[int]:
        """The moves that may be legal."""
        turn = self._turns[player]
        legal = instantiate(self._graph, self._network, _as_inputs(facts), self._network.legal[turn.role])
        return [move for move, literal in enumerate(legal) if literal != FALSE]

    def _after(self, player: int, facts: Sequence[int], move: int) -> list[int]:
        """The literals that stand for facts after a move."""
        network, own, other = self._network, self._turns[player], self._turns[1 - player]
        inputs = _as_inputs(facts)
        inputs[network.move_literal(own.role, move) >> 1] = TRUE
        inputs[network.move_literal(other.role, other.idle) >> 1] = TRUE
        then = instantiate(self._graph, network, inputs, network.next)
        self._heed()
        return then

    def _ended(self, facts: Sequence[int]) -> int:
        return instantiate(self._graph, self._network, _as_inputs(facts), [self._network.terminal])[0]

    def _won(self, player: int, facts: Sequence[int]) -> int:
        """Whether a game is over, and won by a player."""
        return self._graph.and_(self._ended(facts), self._with_most(player, facts))

    def _beaten(self, player: int, facts: Sequence[int]) -> int:
        """Whether a game is over, won by the other player and lost by this one."""
        return self._graph.and_(self._won(1 - player, facts), self._with_least(player, facts))

    def _with_most(self, player: int, facts: Sequence[int]) -> int:
        """Whether a player has the most that there is to it; never, where that is nothing."""
        goals = self._network.goals[self._turns[player].role]
        most = max((value for value, _ in goals), default=0)
        return self._holds(facts, [literal for value, literal in goals if value == most > 0])

    def _with_least(self, player: int, facts: Sequence[int]) -> int:
        """Whether a player has the least that there is to it: where the rules don't say what, no more than that."""
        goals = self._network.goals[self._turns[player].role]
        values = {value for value, _ in goals}
        if 0 in values:
            return self._holds(facts, [literal for value, literal in goals if value == 0])
        least = min(values) if len(values) > 1 else 0
        return self._holds(facts, [literal for value, literal in goals if value > least]) ^ 1

    def _holds(self, facts: Sequence[int], wanted: Sequence[int]) -> int:
        """Whether one of the network's literals holds."""
        had = instantiate(self._graph, self._network, _as_inputs(facts), wanted)
        self._heed()
        return self._graph.any(had)

    def _replies(self, player: int) -> tuple[dict[int, int], int]:
        """Whether a player has a move that wins, and by which the other one loses.

        What is good for both need not be avoided.

        Returns:
            Inputs that stand for any facts, by their nodes, and the literal.
        """
        graph, network = self._graph, self._network
        inputs = [graph.input() for _ in network.facts]
        turn = self._turns[player]
        legal = instantiate(graph, network, _as_inputs(inputs), network.legal[turn.role])
        winning = []
        for move, literal in enumerate(legal):
            if move == turn.idle:  # which may be a move like any other in the player's turn
                literal = graph.and_(literal, graph.any([inputs[(own >> 1) - 1] ^ (own & 1) for own in turn.guard]))
            if literal != FALSE:
                then = self._after(player, inputs, move)
                winning.append(graph.and_(literal, self._beaten(1 - player, then)))
        return {literal >> 1: fact for fact, literal in enumerate(inputs)}, graph.any(winning)

    def _substituted(self, function: tuple[Mapping[int, int], int], facts: Sequence[int]) -> int:
        """A function of facts, with other literals in their place."""
        graph = self._graph
        inputs, wanted = function
        image: dict[int, int] = {0: FALSE}

        def of(literal: int) -> int:
            return image[literal >> 1] ^ (literal & 1)

        for node in graph.cone([wanted]):
            kind = graph.kinds[node]
            if kind == INPUT:
                image[node] = facts[inputs[node]]
            else:
                made = graph.xor if kind == XOR else graph.and_
                image[node] = made(of(graph.left[node]), of(graph.right[node]))
        self._heed()
        return of(wanted)

    def _heed(self) -> None:
        if len(self._graph) > self._most:
            raise NoOutlook


def _as_inputs(facts: Sequence[int]) -> dict[int, int]:
    """Literals of facts by the network's nodes."""
    return {1 + fact: literal for fact, literal in enumerate(facts)}


def _possible(literals: Mapping[int, int]) -> dict[int, int]:
    return {move: literal for move, literal in literals.items() if literal != FALSE}
