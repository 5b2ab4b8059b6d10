"""Open-loop Monte Carlo tree search: for games with chance.

A node is a sequence of actions, not a state: each iteration plays the sequence again from the root,
with a chance of its own, so that a node's value is the mean over what may happen.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable

from ggtp.vgdl.model import State
from ggtp.vgdl.vocabulary import Action
from ggtp.vgdl.world import WON

EXPLORATION = math.sqrt(2)
WIN, SCORE, STEP = 1000.0, 50.0, 5.0
"""What a win, a point and a tick are worth."""
BACKTRACKS = 4
"""How many other actions are tried where one has lost, before the loss is believed."""


class Node:
    """What is known of a sequence of actions."""

    __slots__ = ("children", "total", "untried", "visits")

    def __init__(self, actions: list[Action]) -> None:
        self.visits = 0
        self.total = 0.0
        self.children: dict[Action, Node] = {}
        self.untried = actions


class OpenLoop:
    """A search from one state; `run` as long as there is time, then `choice`."""

    def __init__(self, root: State, rng: random.Random, depth: int = 12) -> None:
        self._root = root
        self._rng = rng
        self._depth = depth
        self._actions = [*root.actions(), Action.NIL]
        self._tree = self._node()
        self._least = self._most = 0.0
        self.iterations = 0
        self.advances = 0

    def _node(self) -> Node:
        actions = list(self._actions)
        self._rng.shuffle(actions)
        return Node(actions)

    def run(self, should_stop: Callable[[], bool]) -> None:
        """Plays from the root again and again until somebody says stop."""
        while not should_stop():
            self._iterate()

    def choice(self) -> Action:
        """The action that was tried most often."""
        children = self._tree.children
        if not children:
            return Action.NIL
        return max(children, key=lambda action: (children[action].visits, children[action].total))

    def visits(self) -> dict[Action, int]:
        """How often each first action was tried."""
        return {action: child.visits for action, child in self._tree.children.items()}

    def _iterate(self) -> None:
        self.iterations += 1
        state = self._root.copy(self._rng.getrandbits(48))
        node, path, steps = self._tree, [self._tree], 0
        while not _over(state) and steps < self._depth:
            steps += 1
            new = bool(node.untried)
            action = node.untried.pop() if new else self._best(node)
            if new:
                node.children[action] = self._node()
            self._advance(state, action)
            node = node.children[action]
            path.append(node)
            if new:
                break
        while not _over(state) and steps < self._depth:
            before = state.twin()
            self._advance(state, self._rng.choice(self._actions))
            if _over(state) and state.winner != WON:  # perhaps it was only this one action
                for action in self._rng.sample(self._actions, min(BACKTRACKS, len(self._actions))):
                    other = before.twin()
                    self._advance(other, action)
                    if not _over(other) or other.winner == WON:
                        state = other
                        break
            steps += 1
        value = self.value(state, steps)
        self._least, self._most = min(self._least, value), max(self._most, value)
        for visited in path:
            visited.visits += 1
            visited.total += value

    def value(self, state: State, steps: int) -> float:
        """What a state at the end of an iteration is worth."""
        outcome = 0.0 if not state.ended else WIN if state.winner == WON else -WIN
        return outcome + SCORE * (state.score - self._root.score) - STEP * steps * (outcome > 0)

    def _advance(self, state: State, action: Action) -> None:
        state.advance(action)
        self.advances += 1

    def _best(self, node: Node) -> Action:
        """The action with the highest upper bound, values scaled to what was met so far."""
        span = max(1e-9, self._most - self._least)
        log = math.log(node.visits + 1)

        def bound(action: Action) -> float:
            child = node.children[action]
            mean = (child.total / child.visits - self._least) / span if child.visits else 1.0
            return mean + EXPLORATION * math.sqrt(log / max(1, child.visits))

        return max(node.children, key=bound)


def _over(state: State) -> bool:
    """Whether a game has ended: asked by a call, since it changes where nothing is assigned."""
    return state.ended
