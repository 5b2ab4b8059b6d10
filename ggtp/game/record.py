"""The record of a play: a tree of steps with a cursor. Nothing is ever removed from it.

A *step* is what one turn came to: the moves that stand, tries that were refused, or a
forfeit. Undo and redo move the cursor; another move after an undo adds a sibling.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from ggtp.errors import CommandError
from ggtp.game.model import Move, Player, Position, Result, Verdict

StepKey: TypeAlias = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Forfeit:
    """The play ended because a player gave it up, or was made to."""

    player: Player
    reason: str
    result: Result


@dataclass(frozen=True, slots=True)
class Message:
    """What one partner has said to another."""

    sender: Player
    receiver: Player
    text: str


class Node:
    """A place in the tree: the position, and the step that led to it."""

    __slots__ = (
        "banks",
        "children",
        "comment",
        "depth",
        "forfeit",
        "latest",
        "messages",
        "name",
        "number",
        "parent",
        "verdict",
    )

    def __init__(self, number: int, parent: Node | None, verdict: Verdict, forfeit: Forfeit | None = None) -> None:
        self.number = number
        self.parent = parent
        self.depth: int = 0 if parent is None else parent.depth + 1
        self.verdict = verdict
        self.forfeit = forfeit
        self.children: dict[StepKey, Node] = {}
        self.latest: Node | None = None
        """The child that redo goes to: the one last visited."""
        self.name = ""
        self.comment = ""
        self.messages: tuple[Message, ...] = ()
        """What partners have said to each other here, in order."""
        self.banks: Mapping[Player, float] = {}
        """The time that each player had left here, for games with clocks."""

    @property
    def position(self) -> Position:
        """The position at this node."""
        return self.verdict.position

    @property
    def made(self) -> tuple[tuple[Player, Move], ...]:
        """The moves that stand of the step that led here."""
        return self.verdict.made

    def result(self) -> Result | None:
        """How the play ended here, by the rules or by a forfeit."""
        return self.forfeit.result if self.forfeit else self.position.result()

    def path(self) -> list[Node]:
        """The nodes from the first one below the root to this one."""
        nodes: list[Node] = []
        node = self
        while node.parent is not None:
            nodes.append(node)
            node = node.parent
        nodes.reverse()
        return nodes


def step_text(node: Node) -> str:
    """What the step to a node was, for people: `Cross A1`, `Circle tries B2`, `Cross forfeits`."""
    if node.forfeit is not None:
        return f"{node.forfeit.player} forfeits"
    texts = [f"{player} {move}" for player, move in node.made]
    texts += [f"{refusal.player} tries {refusal.move}" for refusal in node.verdict.refused]
    return " + ".join(texts)


@dataclass(slots=True)
class GameRecord:
    """A tree of nodes and a cursor. Nodes are numbered from 0, the root, in order of creation."""

    start: Position
    nodes: list[Node] = field(init=False)
    cursor: Node = field(init=False)

    def __post_init__(self) -> None:
        root = Node(0, None, Verdict(self.start))
        self.nodes = [root]
        self.cursor = root

    @property
    def position(self) -> Position:
        """The position at the cursor."""
        return self.cursor.verdict.position

    def play(self, moves: Mapping[Player, Move]) -> Node:
        """Make a step and go there; the same moves again go to the node that is there already.

        Raises:
            IllegalMove: the rules do not know such a move. Nothing has changed.
        """
        key = tuple(moves.items()) if len(moves) == 1 else tuple(sorted(moves.items()))
        child = self.cursor.children.get(key)
        if child is None:
            child = self._grow(key, self.cursor.position.play(moves))
        else:
            child.messages = ()  # what was said after this step the last time is not said this time
        self._enter(child)
        return child

    def forfeit(self, forfeit: Forfeit) -> Node:
        """End the play here, as a step that can be undone like any other."""
        key = (("forfeit", forfeit.player), ("", forfeit.reason))
        child = self.cursor.children.get(key) or self._grow(key, Verdict(self.cursor.position), forfeit)
        self._enter(child)
        return child

    def undo(self) -> Node:
        """Go to the parent; the answer is the node that was left.

        Raises:
            CommandError: the cursor is at the root.
        """
        left = self.cursor
        if left.parent is None:
            raise CommandError("There is no move to undo.")
        left.parent.latest = left
        self.cursor = left.parent
        return left

    def redo(self) -> Node:
        """Go to the child that was last visited, and answer it.

        Raises:
            CommandError: nothing was played from here.
        """
        if self.cursor.latest is None:
            raise CommandError("There is no move to redo.")
        self.cursor = self.cursor.latest
        return self.cursor

    def goto(self, node: Node) -> tuple[list[Node], list[Node]]:
        """Go to any node. Answers the nodes left behind, in the order of undoing, and those entered."""
        old, new = self.cursor.path(), node.path()
        shared = 0
        while shared < min(len(old), len(new)) and old[shared] is new[shared]:
            shared += 1
        for child in new:
            self._enter(child)
        self.cursor = node
        return old[shared:][::-1], new[shared:]

    def find(self, text: str) -> Node:
        """The node of that number or name.

        Raises:
            CommandError: there is none.
        """
        if text.isascii() and text.isdigit() and len(text) < 19 and int(text) < len(self.nodes):
            return self.nodes[int(text)]
        named = [node for node in self.nodes if node.name == text]
        if len(named) == 1:
            return named[0]
        raise CommandError(f"No node {text} in the play tree.")

    def line(self) -> list[tuple[Player, Move]]:
        """The moves that stand, from the start to the cursor."""
        return [step for node in self.cursor.path() for step in node.made]

    def let_go(self) -> None:
        """Nobody wants this record any more: have its memory back at once, and not when garbage is looked for.

        Whoever still holds a node knows the way back from it, and no longer what came after.
        """
        for node in self.nodes:
            node.children = {}
            node.latest = None

    def _grow(self, key: StepKey, verdict: Verdict, forfeit: Forfeit | None = None) -> Node:
        child = Node(len(self.nodes), self.cursor, verdict, forfeit)
        self.cursor.children[key] = child
        self.nodes.append(child)
        return child

    def _enter(self, child: Node) -> None:
        if child.parent is not None:
            child.parent.latest = child
        self.cursor = child
