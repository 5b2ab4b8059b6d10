"""Monte Carlo tree search over positions of rules in Python: one playout after the other.

Sequential games, moves at the same time, chance, one player or many. Below a draw of chance the tree is an open loop:
a node stands for the moves that lead to it, and positions are drawn anew on every way down.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from itertools import product
from math import inf, prod
from operator import add
from typing import TypeAlias

from ggtp.game import CHANCE, Move, Player, Position, Rules, Turn, TurnKind
from ggtp.search.evaluation.evaluator import CheckedLeaves, PositionGame, position_leaves
from ggtp.search.mcts.options import DECOUPLED, Settings
from ggtp.search.mcts.positions.lookout import MEMORY, Lookout, Outlook, patience, positions, serves
from ggtp.search.mcts.positions.reading import choices_of, line_from, summed_choices
from ggtp.search.mcts.positions.selection import chosen_of, widened
from ggtp.search.mcts.positions.tree import EDGE_BYTES, Edge, Node, Table, prove
from ggtp.search.mcts.positions.values import result_values
from ggtp.search.mcts.report import Decision
from ggtp.search.playouts.loop import Interrupted, Playouts
from ggtp.search.playouts.policy import Context, Mover, Values

DRAWN, TOGETHER, OVER = TurnKind.CHANCE, TurnKind.JOINT, TurnKind.OVER
"""To look them up in their class takes longer, and that is done at every node on the way down."""
DEEPEST = 400
MOST_JOINT = 4096
"""Of how many joint moves each is looked at by itself."""
UNTRIED = Edge()
"""What is known of a joint move that was never made."""

Step: TypeAlias = tuple[Node, Edge, Turn, "Move | tuple[Move, ...]"]


class PositionSearch:
    """A tree that is kept from move to move.

    Order of operations: `begin` at a position, `run`, `decision`; any number of times.
    """

    def __init__(
        self,
        rules: Rules,
        options: Mapping[str, str],
        settings: Settings,
        rng: random.Random,
        leaves: CheckedLeaves[Sequence[Position]] | None = None,
    ) -> None:
        """An empty tree for a game.

        Args:
            rules: the game.
            options: every option of the rules with its value.
            settings: how to search.
            rng: the one source of chance.
            leaves: those of a search before, of the same game and evaluator, which have learned something.

        Raises:
            EvaluatorFailed: the evaluator of the settings does not serve the game.
        """
        self.settings = settings
        self.playouts = 0
        """In this search, since `begin`."""
        self._rules, self._options = rules, options
        self._players = rules.players(options)
        self._seats = {player: seat for seat, player in enumerate(self._players)}
        self._rng = rng
        self._closed = not rules.traits.chance
        self._mover, self._playouts = self._new_playouts()
        self.leaves = leaves or self._new_leaves()
        """What gives the values of leaves; None where playouts do."""
        self._solve = settings.solver and self._closed
        self._looks = serves(rules, self._players)
        self._lookout: Lookout | None = None
        self._outlook: Outlook | None = None
        """What was proven before the search."""
        self._table = self._new_table()
        self._plans: dict[Hashable, tuple[float, Move]] = {}
        """With one player: the best that was ever found from a position, and the move that begins it."""
        self.root = Node(None, len(self._players))
        """The node of the position that is searched."""
        self._position: Position | None = None
        self._depth = 0
        self._should_stop: Callable[[], bool] = lambda: False
        self._won: Move | None = None
        """What wins at once."""

    # One search.

    def begin(self, position: Position, settings: Settings | None = None) -> None:
        """Go on from here, with what is known of the position from before, and with these settings."""
        if settings is not None and settings != self.settings:
            before, self.settings = self.settings, settings
            if (settings.megabytes, settings.minimax > 0) != (before.megabytes, before.minimax > 0):
                self._table, self._lookout = self._new_table(), None
            if settings.selection != before.selection:
                self._table = self._new_table()  # what one policy has kept in nodes means nothing to another
            self._solve = settings.solver and self._closed
            if settings.policy != before.policy:
                self._mover, self._playouts = self._new_playouts()
            if settings.evaluation != before.evaluation:
                self.leaves = self._new_leaves()
                self._table = self._new_table()
        self._mover.begin()
        self.playouts = 0
        self._depth = 0
        self._won = None
        self._outlook = None
        self._position = position
        known = self._table.find(position.key()) if self.settings.reuse else None
        if known is None:
            if not (self._closed and self.settings.reuse):
                self._table = self._new_table()
            known = self._new_node(position, certain=True)
        self.root = known

    def study(self, should_stop: Callable[[], bool], seconds: float | None) -> None:
        """Let the evaluator learn, for so many seconds at most; what was found with other values is forgotten.

        Raises:
            EvaluatorFailed: the evaluator has failed.
        """
        if self.leaves is not None and self.leaves.study(should_stop, seconds) and self._position is not None:
            self._table = self._new_table()
            self.root = self._new_node(self._position, certain=True)

    def look_ahead(
        self,
        player: Player,
        seconds: float | None,
        should_stop: Callable[[], bool],
        told: Callable[[], object] = lambda: None,
    ) -> None:
        """After `begin`: find out what is forced, where that serves; the search goes on from what was found.

        Args:
            player: whose turn it is.
            seconds: how long the move may take from now on, of which this has a part; None where only the number of
                playouts is limited, and then this goes by it.
            should_stop: is asked again and again.
            told: is called whenever there is something new.
        """
        position, settings = self._position, self.settings
        limited = seconds is not None or settings.playouts is not None
        if position is None or not (self._looks and self._solve and settings.minimax and limited) or self.settled:
            return
        if self._lookout is None or not settings.reuse:
            self._lookout = Lookout(self._players, max(1, settings.megabytes // MEMORY))
        if not self.root.edges:
            self._add_edges(self.root, position.moves(player))
        if seconds is None:
            looking = self._lookout.look(position, player, lambda found: should_stop(), positions(settings))
        else:
            looking = self._lookout.look(position, player, patience(settings, seconds, should_stop))
        for found in looking:
            self._outlook = found
            self._settle(position, player, found)
            told()

    def _settle(self, position: Position, player: Player, found: Outlook) -> None:
        """Note at the root what was proven of its moves."""
        seat = self._seats[player]
        for value, lengths in ((1.0, found.won), (0.0, found.lost)):
            for move, length in lengths.items():
                edge = self.root.edges[move]
                if edge.proven is None:
                    child = edge.child = edge.child or self._child(position.play({player: move}).position, certain=True)
                    child.proven = tuple(value if other == seat else 1 - value for other in range(2))
                    child.length = length - 1
                    prove(self.root, edge, child, seat)

    def _new_playouts(self) -> tuple[Mover, Playouts]:
        """What plays on from leaves, and has learned nothing yet."""
        context = Context(self._players, self._rng, lambda result: result_values(result, self._players))
        mover = self.settings.policy.mover(context)
        return mover, Playouts(context, mover, unfinished=0.0, searchers=self._closed)

    def _new_leaves(self) -> CheckedLeaves[Sequence[Position]] | None:
        evaluator = self.settings.evaluation
        if evaluator.fused:
            return None
        return position_leaves(evaluator, PositionGame(self._rules, self._options, self._rng.getrandbits(32)))

    def _new_table(self) -> Table:
        room = self.settings.megabytes
        return Table(room - room // MEMORY if self._looks and self.settings.minimax else room)

    def winning(self, player: Player) -> Move | None:
        """A move that wins at once with the most that there is to win."""
        position = self._position
        if position is None or position.turn().kind is not TurnKind.SINGLE:
            return None
        for move in position.moves(player):
            result = position.play({player: move}).position.result()
            if result is not None and result_values(result, self._players)[self._seats[player]] >= 1:
                self._won = move
                return move
        return None

    def run(self, should_stop: Callable[[], bool]) -> None:
        """Search until it is told to stop, the playouts are used up, or nothing is left to find out.

        Raises:
            EvaluatorFailed: the evaluator has failed.
        """
        self._should_stop = should_stop
        most = self.settings.playouts or inf
        while self.playouts < most and not self.settled and not should_stop():
            try:
                self._simulate()
            except Interrupted:
                break
            if self._table.full:
                self._table.make_room(self.root)

    @property
    def known(self) -> bool:
        """Whether something is known of the position already."""
        return self.root.visits > 0 or self._answered

    @property
    def settled(self) -> bool:
        """Whether more playouts would change nothing."""
        if self._answered:
            return True
        return len(self._players) == 1 and self._planned()[0] >= 1

    @property
    def _answered(self) -> bool:
        """Whether the value is certain, and known by which move.

        The look ahead says what a move is worth, and not what is to follow: who moves twice has to ask again.
        """
        root, position = self.root, self._position
        if root.proven is None or position is None:
            return False
        turn = position.turn()
        if turn.kind is TurnKind.OVER:
            return True
        edges = list(root.edges.values())
        if root.proven[self._seats[turn.players[0]]] >= 1:
            return any(edge.proven is not None and edge.proven >= 1 for edge in edges)
        return bool(edges) and all(edge.proven is not None for edge in edges)

    def decision(self, player: Player, seconds: float = 0.0) -> Decision:
        """What is known of the moves of a player now; may be asked while another thread searches."""
        position, root = self._position, self.root
        if position is None:
            return Decision(())
        turn = position.turn()
        moves = position.moves(player)
        if turn.kind is not TurnKind.JOINT:
            choices = choices_of(moves, dict(root.edges))
        elif self._decoupled(position, turn):
            choices = choices_of(moves, dict(root.tables.get(player, {})))
        else:
            choices = summed_choices(root, moves, turn.players.index(player), self._seats[player])
        visits = max(1, root.visits)
        values = root.proven or [total / visits for total in root.totals]
        best, planned = self._planned() if len(self._players) == 1 else (None, None)
        outlook = self._outlook
        decision = Decision(
            choices=choices,
            values=dict(zip(self._players, values, strict=True)),
            playouts=self.playouts,
            nodes=len(self._table),
            depth=self._depth,
            seconds=seconds,
            solved=self._answered or (best is not None and best >= 1),
            by_value=turn.kind is TurnKind.JOINT and not self._decoupled(position, turn),
            planned=planned,
            best=best if planned is not None else None,
            sounded=outlook.level if outlook is not None else 0,
        )
        made = decision.chosen(self.settings.final).move if choices else None
        return replace(decision, line=line_from(root, made)).with_winning(self._won)

    # Reading the tree.

    def _planned(self) -> tuple[float, Move | None]:
        position = self._position
        return self._plans.get(position.key(), (-1.0, None)) if position is not None else (-1.0, None)

    # One playout.

    def _simulate(self) -> None:
        position = self._position
        assert position is not None
        node, path = self.root, list[Step]()
        on_path = {id(node)}
        values: Values | None = None
        while True:
            while (turn := position.turn()).kind is DRAWN:
                position = position.play({CHANCE: position.draw(self._rng)}).position
            if node.proven is not None and path:
                values = node.proven
                break
            if turn.kind is OVER:
                values = self._ended(node, position)
                break
            if len(path) >= DEEPEST:
                break
            chosen = self._select(node, position, turn, path)
            edge = node.edges[chosen]
            path.append((node, edge, turn, chosen))
            child = edge.child
            if child is None or child.position is None:
                made = (chosen,) if isinstance(chosen, str) else chosen
                position = position.play(dict(zip(turn.players, made, strict=True))).position
            if child is None:
                drawn = not self._closed and (node.position is None or position.turn().kind is DRAWN)
                child = edge.child = self._child(position, certain=not drawn)
            node = child
            if child.position is not None:
                position = child.position
            if child.visits == 0 or id(child) in on_path:
                break
            on_path.add(id(child))
        learns = self.settings.selection.learns or self._mover.learns
        later: list[set[Move]] = [set() for _ in self._players] if learns else []
        played: list[Move] = []
        if values is None and position.result() is not None:
            values = self._ended(node, position)
        reached = values is not None or self.leaves is None  # and not only expected
        if values is None:
            values = self._evaluate(position, later, played)
        self.playouts += 1
        self._depth = max(self._depth, len(path))
        if len(self._players) == 1 and self._closed and reached and values[0] > self._planned()[0]:
            self._remember(path, played, values[0])
        self._back_up(node, path, values, later)

    def _evaluate(self, position: Position, later: Sequence[set[Move]], played: list[Move]) -> Values:
        """What a leaf is worth to each player: what comes of a playout, or what the evaluator says."""
        if self.leaves is None:
            return self._playouts.play(position, self._should_stop, later, played)
        values: list[float] = self.leaves.values([position])[0].tolist()
        return values

    def _new_node(self, position: Position, *, certain: bool) -> Node:
        """A node for this position, or, where it was drawn, for all that may be drawn instead."""
        node = Node(position if certain else None, len(self._players))
        self._table.charge(node.bytes())
        if certain:
            self._table.keep(position.key(), node)
        return node

    def _child(self, position: Position, *, certain: bool) -> Node:
        if certain and self.settings.transpositions:
            known = self._table.find(position.key())
            if known is not None:
                return known
        return self._new_node(position, certain=certain)

    def _ended(self, node: Node, position: Position) -> Values:
        result = position.result()
        assert result is not None
        values = result_values(result, self._players)
        if self._solve:
            node.proven = values
        return values

    def _remember(self, path: Sequence[Step], played: Sequence[Move], value: float) -> None:
        """Keep the way to the best end that was found so far, position by position."""
        position = self._position
        (player,) = self._players
        for move in [*(step[3] for step in path), *played]:
            assert position is not None
            assert isinstance(move, str)
            key = position.key()
            if self._plans.get(key, (-1.0, ""))[0] < value:
                self._plans[key] = value, move
            position = position.play({player: move}).position

    def _back_up(self, leaf: Node, path: Sequence[Step], values: Values, later: list[set[Move]]) -> None:
        self._add(leaf, values)
        got, child = values, leaf
        for node, edge, turn, chosen in reversed(path):
            edge.visits += 1
            if isinstance(chosen, str):
                seat = self._seats[turn.players[0]]
                edge.total += values[seat]
                if self._solve and edge.proven is None and child.proven is not None:
                    prove(node, edge, child, seat)
                if later:
                    self._learn(node, turn, (chosen,), values, later)
                floor = node.floor
                if floor is not None and floor.proven is not None and values[seat] < floor.proven:
                    # Whoever chooses here has something certain, and would not take less.
                    assert floor.child is not None
                    values = floor.child.proven or values
            else:
                edge.total += sum(values) / len(values)
                for player, move in zip(turn.players, chosen, strict=True):
                    own = node.tables.get(player, {}).get(move)  # none, where they chose together after this draw
                    if own is not None:
                        own.visits += 1
                        own.total += values[self._seats[player]]
                if later:
                    self._learn(node, turn, chosen, values, later)
            self._add(node, values)
            child = node
        if self._mover.learns:
            self._mover.learn(later, got)

    def _learn(
        self, node: Node, turn: Turn, chosen: tuple[Move, ...], values: Values, later: Sequence[set[Move]]
    ) -> None:
        """Note the moves that were made at a node, and let the tree policy learn from all that were made since."""
        # Also at the moves themselves: else one that was made later once, and won, is never found out.
        for player, move in zip(turn.players, chosen, strict=True):
            later[self._seats[player]].add(move)
        policy = self.settings.selection
        if policy.learns:
            tables = node.tables if turn.kind is TOGETHER else {turn.players[0]: node.edges}
            edges = {self._seats[player]: tables[player] for player in turn.players if player in tables}
            self._table.charge(EDGE_BYTES * policy.learn(node, edges, later, values))

    def _add(self, node: Node, values: Values) -> None:
        node.visits += 1
        node.totals = [*map(add, node.totals, values)]

    # Choosing on the way down.

    def _select(self, node: Node, position: Position, turn: Turn, path: Sequence[Step]) -> Move | tuple[Move, ...]:
        settings = self.settings
        if turn.kind is TOGETHER:
            return self._select_joint(node, position, turn, path)
        (player,) = turn.players
        place = node, self._seats[player], path
        if node.position is not None and node.edges:
            moves: Sequence[Move] | None = None
        else:
            moves = position.moves(player)
            self._add_edges(node, moves)
        if settings.widening:
            listed = moves if moves is not None else position.moves(player)
            moves = widened(place, listed, settings.widening, settings.selection)
        edges = node.edges
        choices = list(edges.items()) if moves is None else [(move, edges[move]) for move in moves]
        return chosen_of(choices, place, settings)

    def _add_edges(self, node: Node, moves: Sequence[Move]) -> None:
        before = node.bytes()
        fresh = [move for move in moves if move not in node.edges]
        self._rng.shuffle(fresh)  # the first among equals is tried first
        for move in fresh:
            node.edges[move] = Edge()
        self._table.charge(node.bytes() - before)

    # Moves at the same time.

    def _decoupled(self, position: Position, turn: Turn) -> bool:
        """Whether players choose each for themselves: where it was asked for, or joint moves are far too many."""
        return self.settings.simultaneous == DECOUPLED or (
            prod(len(position.moves(player)) for player in turn.players) > MOST_JOINT
        )

    def _select_joint(self, node: Node, position: Position, turn: Turn, path: Sequence[Step]) -> tuple[Move, ...]:
        settings = self.settings
        lists = [position.moves(player) for player in turn.players]
        if self._decoupled(position, turn):
            chosen = []
            for player, moves in zip(turn.players, lists, strict=True):
                table = node.tables.setdefault(player, {})
                for move in moves:
                    if move not in table:
                        table[move] = Edge()
                        self._table.charge(EDGE_BYTES)
                pairs = [(move, table[move]) for move in moves]
                self._rng.shuffle(pairs)  # no player is to follow another's order
                chosen.append(chosen_of(pairs, (node, self._seats[player], path), settings))
            joint = tuple(chosen)
        else:
            # Those never tried have no edge yet, since there may be thousands; of others, chance may allow a part.
            known = node.edges
            choices = [(joint, known.get(joint, UNTRIED)) for joint in product(*lists)]
            joint = chosen_of(choices, (node, None, path), settings)
        if joint not in node.edges:
            node.edges[joint] = Edge()
            self._table.charge(EDGE_BYTES)
        return joint
