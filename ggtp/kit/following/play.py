"""The play as an engine follows it: a tree of what it was told, with a cursor.

The tree mirrors the referee's record: every `made_move` goes to a child, `undone_move` to the
parent, `redone_move` to the child last visited. A joint turn is one node for each player, and
the position changes at the last of them.

Without hidden information a node holds the position. With it, a node holds *tables*: full
positions that explain all that was observed up to the node, made when somebody asks for them.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from ggtp.errors import MoveError
from ggtp.game import Move, Observation, Player, Position, Refused, Rules, Seen, TurnKind
from ggtp.kit.following.tables import Table
from ggtp.kit.following.tables_keeper import Keeper

if TYPE_CHECKING:
    from ggtp.catalogue.compile.background import Compilation

MOST_KEPT = 200
"""How many nodes outlive a `start`, after which `redone_move` may walk the last line again. Engines play many games."""


class PlayNode:
    """A place in the tree: what led here, and what is known here."""

    __slots__ = (
        "actor",
        "children",
        "latest",
        "messages",
        "parent",
        "pending",
        "position",
        "refused",
        "tables",
        "text",
    )

    def __init__(self, parent: PlayNode | None, actor: Player, text: Move) -> None:
        self.parent = parent
        self.actor = actor
        self.text = text
        self.children: dict[tuple[Player, Move], PlayNode] = {}
        self.latest: PlayNode | None = None
        """The child that `redone_move` goes to."""
        self.position: Position | None = None
        """None where it is hidden, and where the play could not be followed."""
        self.pending: dict[Player, Move] | None = None
        """In the middle of a joint turn: who has chosen what."""
        self.refused: tuple[Refused, ...] = ()
        """What the engine's own player tried here in vain."""
        self.messages: tuple[tuple[Player, str], ...] = ()
        """What partners have said here, and who."""
        self.tables: dict[tuple[int, Player], Table] = {}
        """Tables by their number and by whose knowledge they explain."""

    @property
    def key(self) -> tuple[Player, Move]:
        """What it is called among its parent's children."""
        return (self.actor, self.text)

    @property
    def stray(self) -> PlayNode | None:
        """What `redone_move` goes to, where that is none of the children."""
        latest = self.latest
        return None if latest is None or self.children.get(latest.key) is latest else latest

    def let_go(self) -> None:
        """Forget what came after: parents and children that know each other are not freed by themselves."""
        self.children = {}
        self.latest = None

    def path(self) -> list[PlayNode]:
        """The nodes from the first one below the root to this one."""
        nodes: list[PlayNode] = []
        node = self
        while node.parent is not None:
            nodes.append(node)
            node = node.parent
        nodes.reverse()
        return nodes

    def observations(self) -> list[Observation]:
        """All that was observed from the start to here, in order."""
        nodes = self.path()
        root = nodes[0].parent if nodes else self
        seen: list[Observation] = list(root.refused) if root is not None else []
        for node in nodes:
            seen.append(Seen(node.actor, node.text))
            seen.extend(node.refused)
        return seen


class Play:
    """One play, followed by what the referee tells. Nothing that it is told makes it fail."""

    def __init__(self, rules: Rules, values: Mapping[str, str], rng: random.Random, log: Callable[[str], None]) -> None:
        self.rules = rules
        self.values = values
        """Every option of the rules with its value."""
        self.compilation: Compilation | None = None
        """The rules being compiled, where the engine wants that and it can be done."""
        self._rng = rng
        self._log = log
        self._hidden = rules.traits.hidden
        self._count = 0
        self.root = PlayNode(None, "", "")
        first = rules.begin(values)
        self.root.position = None if self._hidden else first
        self.keeper = Keeper(rules, values, first, log)
        self.node = self.root

    # What the referee tells.

    def restart(self) -> None:
        """Back to the start; the line played before can still be redone."""
        if self._hidden:
            # What was seen looks the same in another play and means something else.
            self._prune()
            fresh, line = PlayNode(None, "", ""), self.root.latest
            self.root.let_go()
            fresh.latest = line
            if line is not None:
                line.parent = fresh
            self.root = fresh
        elif self._count > MOST_KEPT:
            self._prune()
        self.root.refused = ()
        self.root.messages = ()
        self.node = self.root

    def made(self, actor: Player, text: Move) -> None:
        """A move was made, as far as the engine may know it."""
        here = self.node
        stale = here.stray  # the line of an earlier play: nobody can redo it any more
        key = (actor, text)
        child = here.children.get(key)
        if child is None:
            child = PlayNode(here, actor, text)
            if not self._hidden:
                self._advance(here, child)
            here.children[key] = child
            self._count += 1
        elif self._hidden:
            # It may be another move than the last one that looked like this: only redoing knows it as the same.
            child, old = PlayNode(here, actor, text), child
            child.latest = old.latest
            here.children[key] = child
        else:
            child.refused = ()
            child.messages = ()
        if stale is not None:
            _let_go([stale])
        here.latest = child
        self.node = child

    def told(self, player: Player, text: str) -> None:
        """A partner has said something, or the engine itself."""
        self.node.messages = (*self.node.messages, (player, text))

    def undone(self) -> None:
        """The last move was taken back."""
        here = self.node
        if here.parent is None:
            self._log("undone_move at the start of the play: ignored")
            return
        here.parent.latest = here
        self.node = here.parent

    def redone(self) -> None:
        """The move that was last taken back was made again."""
        if self.node.latest is None:
            self._log("redone_move where nothing was undone: ignored")
            return
        self.node = self.node.latest

    def refused(self, move: Move, reason: str, player: Player) -> None:
        """A move of the engine's own player was refused."""
        here = self.node
        refusal = Refused(move, reason)
        here.refused = (*here.refused, refusal)
        if self._hidden:
            self.keeper.refused(here, player)
        # What was played on from here was played by one who did not know of the refusal.
        here.children = {}
        here.latest = None

    # Where the play stands.

    def position(self) -> Position | None:
        """The position, or the last one that could be followed; None where it is hidden."""
        node: PlayNode | None = self.node
        while node is not None and node.position is None:
            node = node.parent
        return node.position if node is not None else None

    def table(
        self, number: int, player: Player, *, to_move: bool = False, should_stop: Callable[[], bool] = lambda: False
    ) -> Position | None:
        """The engine's table of that number; with `to_move`, one in which it is the player's turn.

        Without hidden information every table is the position. An old one where nothing can be imagined, or not
        before it is told to stop.
        """
        if not self._hidden:
            return self.position()
        return self.keeper.table(self.node, number, player, self._rng, should_stop, to_move=to_move)

    # How it is done.

    def _advance(self, here: PlayNode, child: PlayNode) -> None:
        position = here.position
        if position is None:
            return
        actor, text = child.actor, child.text
        moves: dict[Player, Move] = {actor: text}
        turn = position.turn()
        if turn.kind is TurnKind.JOINT:
            moves = {**here.pending, actor: text} if here.pending else moves
            if len(moves) < len(turn.players) and actor in turn.players:
                child.position, child.pending = position, moves
                return
        try:
            child.position = position.play(moves).position
        except MoveError:
            self._advance_by_meaning(position, moves, child)

    def _advance_by_meaning(self, position: Position, moves: dict[Player, Move], child: PlayNode) -> None:
        # Another program's referee may spell a move in its own way.
        try:
            meant = {player: position.parse(player, text) for player, text in moves.items()}
            child.position = position.play(meant).position
        except MoveError as error:
            self._log(f"made_move {child.actor} {child.text} cannot be followed: {error}")

    def _prune(self) -> None:
        """Keep only the line that `redone_move` would walk."""
        node: PlayNode | None = self.root
        self._count = 0
        while node is not None:
            child = node.latest
            _let_go([other for other in node.children.values() if other is not child])
            node.children = {child.key: child} if child is not None else {}
            self._count += 1
            node = child


def _let_go(nodes: list[PlayNode]) -> None:
    """Have the memory of these nodes, and of all below them, back at once, and not when garbage is looked for."""
    while nodes:
        node = nodes.pop()
        nodes.extend(node.children.values())
        if node.stray is not None:
            nodes.append(node.stray)
        node.let_go()
