"""Monte Carlo tree search where players do not see everything.

Every playout begins in one of the positions that explain what the player has seen. Three ways to remember what
came of it:

- *multiple*: a tree for every player, whose nodes are what that player has observed since. Everybody chooses by what
  it knows (Cowling, Powley and Whitehouse, *Information set Monte Carlo tree search*, 2012: MO-ISMCTS).
- *single*: one tree, whose nodes are what the searching player has observed; all choose there (SO-ISMCTS).
- *open*: a tree for every position to begin with, in which everybody sees everything: perfect-information Monte Carlo.
  What the searching player does first is remembered once for all of them: it has to make one move in all.

Players who move at the same time choose each for itself. In a race somebody is the first. Chance is drawn.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Mapping, Sequence
from enum import Enum
from itertools import groupby
from math import inf, sqrt
from operator import itemgetter

from ggtp.game import CHANCE, Move, Player, Position, Refused, Rules, Seen, TurnKind, Verdict, advice
from ggtp.game.hidden.sampling import observed
from ggtp.search.hidden.options import MIXED, VISITS, Settings
from ggtp.search.hidden.selection import InformationSets
from ggtp.search.hidden.tree import Edge, Forest, Node
from ggtp.search.hidden.worlds import Worlds
from ggtp.search.hidden.worth import BEST, EVEN, Horizon, worth
from ggtp.search.mcts.report import Choice, Decision
from ggtp.search.playouts.loop import Interrupted, Playouts
from ggtp.search.playouts.policy import Context
from ggtp.search.tree.policy import most_urgent

DEEPEST = 400
LOOK = 32
"""After how many playouts it is looked anew whether others could still change anything."""
FASTER = 1.5
"""How much faster playouts may become than they were: once there are tables, none have to be found."""


class Trees(Enum):
    """What a node stands for."""

    MULTIPLE = "multiple"
    SINGLE = "single"
    OPEN = "open"


Step = tuple[Node, Edge, Player, Move]

TABLE = "table"
"""The name of the tree in which everybody sees everything; no player is called that."""


class InformationSearch:
    """One search. Order of operations: make it, `run`, `decision`; `decision` also while another thread runs it."""

    def __init__(
        self,
        rules: Rules,
        options: Mapping[str, str],
        player: Player,
        moves: Sequence[Move],
        worlds: Worlds,
        trees: Trees,
        settings: Settings,
        rng: random.Random,
    ) -> None:
        """A search that has not begun.

        Args:
            rules: the game.
            options: every option of the rules with its value.
            player: for whom to choose.
            moves: from what to choose.
            worlds: where to begin.
            trees: what to remember.
            settings: how to search.
            rng: the one source of chance.
        """
        self.playouts = 0
        self.worlds = worlds
        self._players = rules.players(options)
        self._context = Context(self._players, rng, lambda result: worth(result, self._players, settings.aim))
        self._mover = settings.policy.mover(self._context)
        self._mover.begin()
        horizon = Horizon(self._players, advice.horizon(rules), settings.depth)
        self._playouts = Playouts(self._context, self._mover, unfinished=EVEN, judge=horizon)
        self._policy = InformationSets(settings.rave)
        self._seats = {name: seat for seat, name in enumerate(self._players)}
        self._player = player
        likely = set(advice.likely(worlds.positions[0], player))
        self._moves = tuple(move for move in moves if move in likely) or tuple(moves)
        self._trees = trees
        self._settings = settings
        self._rng = rng
        self._forest = Forest(settings.megabytes)
        self._roots: dict[Hashable, Node] = {}
        self._totals = [0.0] * len(self._players)
        self._squares = [0.0] * len(self._players)
        self._spread = [0.0] * len(self._players)
        """How much each player's results differ: the unit of exploration, whatever the points are."""
        self._depth = 0
        self._mixed: Move | None = None

    # Searching.

    def run(
        self,
        should_stop: Callable[[], bool],
        left: Callable[[], float] = lambda: inf,
        suggest: Callable[[Move], None] = lambda _move: None,
    ) -> None:
        """Search until it is told to stop, the playouts are used up, or more of them would change nothing.

        Args:
            should_stop: whether it is time to stop.
            left: how long there is to search at most, as a multiple of how long it has been searching.
            suggest: told now and then which move has been tried most.
        """
        settings = self._settings
        most = settings.playouts or inf
        while self.playouts < most and not should_stop():
            if self.playouts % LOOK == LOOK - 1:
                suggest(max(self._moves, key=self._visits))
                if settings.early and self.settled(FASTER * left() * self.playouts):
                    break
            self.worlds.grow()
            number, position = self.worlds.next() if self._trees is Trees.OPEN else (0, self.worlds.fresh())
            try:
                self._simulate(number, position, should_stop)
            except Interrupted:
                break

    def settled(self, more: float) -> bool:
        """Whether no other move can be chosen after so many more playouts."""
        if self._settings.final != VISITS:
            return False
        second, first = sorted([0, *map(self._visits, self._moves)])[-2:]
        return first - second > more

    def _visits(self, move: Move) -> int:
        """How often a move was tried here."""
        root = self._roots.get(self._player)
        edge = None if root is None else root.edge(self._player, move)
        return 0 if edge is None else edge.visits

    def _simulate(self, number: int, position: Position, should_stop: Callable[[], bool]) -> None:
        """One playout: down the trees as long as they know something, and then on to the end."""
        nodes = self._begin(number)
        path: list[Step] = []
        rng, settings = self._rng, self._settings
        later: list[set[Move]] = [set() for _ in self._players] if settings.rave or self._mover.learns else []
        first, fresh = True, False
        while (turn := position.turn()).kind is not TurnKind.OVER and not fresh and len(path) < DEEPEST:
            if turn.kind is TurnKind.CHANCE:
                moves = {CHANCE: position.draw(rng)}
                few = len(position.chance()) <= settings.outcomes
            else:
                moves, few = {}, True
                for mover in turn.movers(rng, first=self._player if first else None):
                    own = first and mover == self._player
                    node = nodes.get(self._looks(mover, own))
                    listed = self._moves if own else advice.likely(position, mover)
                    if node is None:
                        move = moves[mover] = rng.choice(listed)
                        if later:
                            later[self._seats[mover]].add(move)
                        fresh = True
                        continue
                    move, edge = self._select(node, mover, listed, together=turn.kind is TurnKind.JOINT)
                    fresh = fresh or edge.visits == 0
                    moves[mover] = move
                    path.append((node, edge, mover, move))
            verdict = position.play(moves)
            self._descend(nodes, position, moves, verdict, few)
            position, first = verdict.position, False
        result = position.result()
        if result is not None:
            values = self._context.worth(result)
        else:
            values = self._playouts.play(position, should_stop, later, [])
        self._back_up(path, values, later)

    def _looks(self, mover: Player, own: bool) -> Hashable:
        """In whose tree a player chooses; whether it is the choice that is searched for."""
        if self._trees is Trees.MULTIPLE:
            return mover
        return TABLE if self._trees is Trees.OPEN and not own else self._player

    def _begin(self, number: int) -> dict[Hashable, Node | None]:
        """The roots: of every player, of the one who searches, or of the table."""
        if self._trees is Trees.MULTIPLE:
            return {name: self._root(name) for name in self._players}
        mine = self._root(self._player)
        return {self._player: mine, TABLE: self._root(number)} if self._trees is Trees.OPEN else {self._player: mine}

    def _root(self, name: Hashable) -> Node:
        found = self._roots.get(name)
        if found is None:
            found = self._roots[name] = self._forest.plant()
        found.visits += 1
        return found

    def _descend(
        self,
        nodes: dict[Hashable, Node | None],
        position: Position,
        moves: Mapping[Player, Move],
        verdict: Verdict,
        few: bool,
    ) -> None:
        """Every tree to where the turn leads as far as whoever looks can tell."""
        for name, node in nodes.items():
            if node is None:
                continue
            seen: Hashable
            if self._trees is Trees.OPEN and name != TABLE:
                nodes[name] = None
                continue
            if not few:
                seen = CHANCE
            elif self._trees is Trees.OPEN:
                seen = tuple(moves.items())
            else:
                seen = tuple(observed(position, verdict, str(name)))
            if seen:
                child = nodes[name] = self._forest.child(node, seen)
                if child is not None:
                    child.visits += 1

    def _select(self, node: Node, player: Player, listed: Sequence[Move], *, together: bool) -> tuple[Move, Edge]:
        """The move with the highest bound among those that are possible; one never tried before any other.

        Where players move `together`, what a move may be worth is drawn (Thompson sampling): bounds would make them
        follow one another in circles, where they should mix their moves.
        """
        edges = node.tables.get(player)
        if edges is None:
            edges = node.tables[player] = {}
        choices: list[tuple[Move, Edge]] = []
        added = 0
        for move in listed:
            edge = edges.get(move)
            if edge is None:
                edge = Edge()
                if not self._forest.full:
                    edges[move] = edge
                    added += 1
            edge.available += 1
            choices.append((move, edge))
        if added:
            self._forest.charge(added)
        unit = self._settings.exploration * self._spread[self._seats[player]]
        return choices[most_urgent(self._policy.drawn(choices, unit, self._rng, together=together))]

    def _back_up(self, path: Sequence[Step], values: Sequence[float], later: list[set[Move]]) -> None:
        for node, steps in groupby(reversed(path), itemgetter(0)):  # those of one turn, where players share a tree
            tables: dict[int, dict[Move, Edge]] = {}
            for _, edge, player, move in steps:
                seat = self._seats[player]
                edge.visits += 1
                edge.total += values[seat]
                tables[seat] = node.tables[player]
                if later:
                    later[seat].add(move)
            if self._policy.equivalence:
                self._forest.charge(self._policy.learn(node, tables, later, values))
        if self._mover.learns:
            self._mover.learn(later, values)
        self.playouts += 1
        for seat, value in enumerate(values):
            self._totals[seat] += value
            self._squares[seat] += value * value
            # The standard deviation, which a few extreme results hardly change; the greatest there was, since it
            # becomes small where one sure move is made again and again.
            mean = self._totals[seat] / self.playouts
            deviation = sqrt(max(0.0, self._squares[seat] / self.playouts - mean * mean))
            self._spread[seat] = max(self._spread[seat], deviation)
        self._depth = max(self._depth, len(path))

    # What it has found.

    def decision(self, seconds: float = 0.0) -> Decision:
        """What is known of the moves now."""
        root = self._roots.get(self._player)
        known = [(move, None if root is None else root.edge(self._player, move)) for move in self._moves]
        count = max(1, self.playouts)
        return Decision(
            choices=[
                Choice(move, edge.visits, edge.mean() / BEST) if edge else Choice(move, 0, 0.0) for move, edge in known
            ],
            values={player: total / count / BEST for player, total in zip(self._players, self._totals, strict=True)},
            playouts=self.playouts,
            nodes=self._forest.nodes,
            depth=self._depth,
            seconds=seconds,
            line=self._line(),
        )

    def chosen(self, decision: Decision) -> Move:
        """The move to make: the one that the settings speak for."""
        if self._settings.final != MIXED or not decision.playouts:
            return decision.chosen(self._settings.final).move
        if self._mixed is None:
            weights = [choice.visits for choice in decision.choices]
            self._mixed = self._rng.choices([choice.move for choice in decision.choices], weights)[0]
        return self._mixed

    def _line(self) -> list[str]:
        """What the searching player expects, as it would see it."""
        node = self._roots.get(0 if self._trees is Trees.OPEN else self._player)
        line: list[str] = []
        while node is not None and len(line) < DEEPEST:
            below = list(node.children.items())
            if not below:
                break
            seen, node = max(below, key=lambda one: one[1].visits)
            line.append(_words(seen))
        return line


def _words(seen: Hashable) -> str:
    """What was observed of a turn, for people."""
    if not isinstance(seen, tuple):
        return str(seen)
    words = []
    for item in seen:
        match item:
            case Seen(_, text):
                words.append(text)
            case Refused(move):
                words.append(f"not {move}")
            case (_, move):
                words.append(move)
    return "+".join(words)
