"""Plain UCT in many games at once: the player with which the paper on features compares itself.

It has nothing but random games, one at a time: every move of a position is tried once, then the one with the best bound
is followed; a simulation adds one node, and the tree is new for every move of the game. Games that are played side by
side share the lanes of a kernel, so that a match takes little longer than one game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from ggtp.gdl.kernel.playouts import PlayoutKernel
from ggtp.gdl.kernel.single import pack, rows
from ggtp.search.features.experiments import Laboratory, Rows

Whole = npt.NDArray[np.int64]
Numbers = npt.NDArray[np.float64]

EXPLORATION = 0.4
"""The weight of what is little known, for values from 0 to 1."""
FULL_GOAL = 100.0
LONGEST = 1000
"""Moves after which a game is a draw."""
GROWS = 16
"""By how many moves of a position there is more room where there were too few."""


def bounds(total: Numbers, visits: Numbers, trials: Numbers) -> Numbers:
    """The scores of all moves of many nodes at once: UCB1, as `tree.policy` has it for the moves of one.

    Args:
        total: for each node and move, the results for the player who makes it.
        visits: how often each was made.
        trials: how often each node was visited.
    """
    scores: Numbers = total / visits + EXPLORATION * np.sqrt(np.log(trials)[:, None] / visits)
    return scores


class Trees:
    """A tree for each of some positions, the nodes of all of them in the same arrays."""

    def __init__(
        self,
        lab: Laboratory,
        roots: Rows,
        simulations: int,
        chance: np.random.Generator,
        kernels: Sequence[PlayoutKernel],
        which: Whole | None = None,
    ) -> None:
        """Trees of nothing but their roots.

        Args:
            simulations: how many there will be at most.
            kernels: what random games are played by.
            which: for each position, the number of its kernel; that of the first where nothing is said.
        """
        games, size = len(roots), simulations + 1
        nodes = games * size
        self._lab, self._chance, self._kernels = lab, chance, kernels
        self._which = np.zeros(games, np.int64) if which is None else which
        self._states = np.zeros((nodes, roots.shape[1]), np.uint64)
        self._mover = np.zeros(nodes, np.int64)
        self._over = np.zeros(nodes, np.bool_)
        self._goals = np.zeros((nodes, 2))
        self._visits = np.zeros(nodes)
        self._untried = np.zeros(nodes, np.int64)
        """Legal moves that were not tried yet: they come first."""
        self._roots = np.arange(games) * size
        self._free = self._roots + 1
        """The next node of each tree."""
        self._width = 0
        self._moves = np.zeros((nodes, 0), np.int32)
        """Of each edge: the move, where it leads, how often it was made, and what came of it for who made it."""
        self._child = np.zeros((nodes, 0), np.int64)
        self._edge_visits = np.ones((nodes, 0))
        self._edge_total = np.full((nodes, 0), -np.inf)
        self._add(self._roots, roots)

    def simulate(self) -> None:
        """One random game more in every tree."""
        node, path = self._descend()
        values = self._goals[node]
        fresh = np.flatnonzero(~self._over[node])
        if len(fresh):
            at, new = node[fresh], self._free[fresh]
            mover = self._mover[at]
            edge = self._drawn(at)
            joint = np.empty((len(at), 2), np.int32)
            joint[:] = self._lab.idle
            joint[np.arange(len(at)), mover] = self._moves[at, edge]
            states = self._lab.states.next_many(self._states[at], joint)
            self._add(new, states)
            self._free[fresh] += 1
            self._child[at, edge] = new
            self._untried[at] = edge
            values[fresh] = self._goals[new]
            going = ~self._over[new]
            values[fresh[going]] = self._played(fresh[going], states[going])
            self._visits[at] += 1
            # The edge stood at one visit and no value: this is its first.
            self._edge_total[at, edge] = values[fresh, mover]
        for games, at, edge in path:
            self._visits[at] += 1
            place = at * self._width + edge
            self._edge_visits.reshape(-1)[place] += 1
            self._edge_total.reshape(-1)[place] += values[games, self._mover[at]]

    def _drawn(self, at: Whole) -> Whole:
        """Of each node, the edge of a move that was not tried yet, of all those by chance: the last of them."""
        edge = self._untried[at] - 1
        drawn = (self._chance.random(len(at)) * (edge + 1)).astype(np.int64)
        last = self._moves[at, edge]
        self._moves[at, edge] = self._moves[at, drawn]
        self._moves[at, drawn] = last
        return edge

    def _played(self, games: Whole, states: Rows) -> npt.NDArray[np.float64]:
        """What comes of a random game from each state, for both roles."""
        values = np.full((len(games), 2), 0.5)
        for number, kernel in enumerate(self._kernels):
            own = np.flatnonzero(self._which[games] == number)
            if len(own):
                played = kernel.run_from(states[own])
                ended = played.lengths >= 0
                values[own[ended]] = played.goals[ended] / FULL_GOAL
        return values

    def _descend(self) -> tuple[Whole, list[tuple[Whole, Whole, Whole]]]:
        """Where all moves have been tried, to the best of them: the nodes at the end, and the way there."""
        node = self._roots.copy()
        path: list[tuple[Whole, Whole, Whole]] = []
        games = np.arange(len(node))
        at = node
        while True:
            full = (self._untried[at] == 0) & ~self._over[at]
            games, at = games[full], at[full]
            if not len(games):
                return node, path
            edge = bounds(self._edge_total[at], self._edge_visits[at], self._visits[at]).argmax(axis=1)
            path.append((games, at, edge))
            at = self._child[at, edge]
            node[games] = at

    def _add(self, nodes: Whole, states: Rows) -> None:
        """New nodes, with their legal moves."""
        lab = self._lab
        looks, mover = lab.states.look_many(states), lab.movers(states)
        legal = np.zeros((len(states), max(map(len, lab.network.moves))), np.bool_)
        for role in (0, 1):
            turn = mover == role
            if turn.any():
                own = lab.legal_bits(looks, role)
                legal[turn, : own.shape[1]] = own[turn]
        legal[looks.terminal] = False
        which, moves = np.nonzero(legal)
        count = np.bincount(which, minlength=len(states))
        if count.max() > self._width:
            self._widen(int(count.max()) + GROWS)
        places = np.arange(len(which)) - np.repeat(np.cumsum(count) - count, count)
        self._moves[nodes[which], places] = moves
        self._states[nodes] = states
        self._mover[nodes] = mover
        self._untried[nodes] = count
        self._over[nodes] = count == 0
        self._goals[nodes] = np.where(looks.terminal[:, None], looks.goals / FULL_GOAL, 0.5)

    def _widen(self, width: int) -> None:
        room = ((0, 0), (0, width - self._width))
        self._width = width
        self._moves = np.pad(self._moves, room)
        self._child = np.pad(self._child, room)
        self._edge_visits = np.pad(self._edge_visits, room, constant_values=1.0)
        self._edge_total = np.pad(self._edge_total, room, constant_values=-np.inf)

    def visits(self) -> list[dict[int, int]]:
        """Of each position, its moves and how often each was made."""
        found = []
        for root in self._roots.tolist():
            tried = np.flatnonzero(np.isfinite(self._edge_total[root]))
            moves, visits = self._moves[root, tried], self._edge_visits[root, tried]
            found.append({int(move): int(count) for move, count in zip(moves, visits, strict=True)})
        return found

    def chosen(self) -> Whole:
        """Of each position the move that was made most often, of equals the better one."""
        totals = self._edge_total[self._roots]
        known = np.isfinite(totals)
        visits = np.where(known, self._edge_visits[self._roots], 0.0)
        means = np.where(known, totals, 0.0) / np.maximum(visits, 1.0)
        best = (visits + means / 2).argmax(axis=1)
        return np.asarray(self._moves[self._roots, best], np.int64)


def match(
    lab: Laboratory,
    taught: Mapping[int, PlayoutKernel],
    plain: PlayoutKernel,
    pairs: int,
    simulations: int,
    seed: int,
    say: Callable[[int, int], None] = lambda moves, games: None,
) -> list[list[float]]:
    """Games of UCT with features against UCT without them, all at once: for each pair, the score in each role.

    Args:
        taught: for each role, the random games of a search for it in which features are followed.
        say: told how many moves were made, and how many games go on.
    """
    chance = np.random.default_rng(seed)
    network = lab.network
    learner = np.tile([0, 1], pairs)
    """In each game, the role of the one that follows features."""
    states = np.repeat(rows([pack(network, network.initial)]), 2 * pairs, axis=0)
    for made in range(LONGEST):
        going = np.flatnonzero(~lab.states.look_many(states).terminal)
        if not len(going):
            break
        say(made, len(going))
        mover = lab.movers(states[going])
        which = np.where(learner[going] == mover, mover, 2)
        trees = Trees(lab, states[going], simulations, chance, (taught[0], taught[1], plain), which)
        for _ in range(simulations):
            trees.simulate()
        chosen = trees.chosen()
        for role in (0, 1):
            own = mover == role
            states[going[own]] = lab.after(states[going[own]], role, chosen[own])
    looks = lab.states.look_many(states)
    points = looks.goals.sum(axis=1)
    own = looks.goals[np.arange(len(states)), learner]
    scores = np.where(looks.terminal & (points > 0), own / np.maximum(points, 1), 0.5)
    return scores.reshape(pairs, 2).tolist()
