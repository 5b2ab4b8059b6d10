"""A game as minimax walks through it: one decision after the other, forth and back.

Every decision is one player's, or a draw of chance. Moves that several make at the same time are
taken apart: the player for whom we search decides first, then the others in their order, each
knowing what was decided before. So the search assumes the worst: that the others can guess.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from ggtp.game import CHANCE, Move, Player, Position, Result, Searcher, Standing, TurnKind
from ggtp.search.minimax.plan import NotOpposed

if TYPE_CHECKING:  # most games are not in GDL, and an engine should be up fast
    from ggtp.gdl.play.rules import GdlPosition

OVER = -1
DRAWN = -2
"""Instead of a seat: chance decides."""
DRAWS = 8
"""How often chance is asked where its outcomes can't be listed."""
MOST_POINTS = 100
WORTH = {Standing.WIN: 100.0, Standing.DRAW: 50.0, Standing.LOSS: 0.0}


class Walk(Protocol):
    """Where the search stands. Players are numbered by their seats, moves by whatever the walk likes."""

    def mover(self) -> int:
        """The seat of who decides now, `DRAWN` or `OVER`."""

    def moves(self) -> Sequence[int]:
        """What can be decided."""

    def weights(self) -> Sequence[int]:
        """Where chance decides: how likely each of the moves is."""

    def play(self, move: int) -> None:
        """Decide."""

    def undo(self) -> None:
        """Take the last decision back."""

    def scores(self) -> Sequence[float]:
        """At the end: every player's points, from 0 to 100."""

    def partial(self) -> Sequence[float] | None:
        """Before the end: the points that every player would have now, where the rule says so."""

    def key(self) -> Hashable:
        """Equal for equal positions with equal decisions under way."""

    def text(self, move: int) -> Move:
        """The name of a move."""

    def number(self, move: Move) -> int:
        """The number of a move's name."""


class MoveNames:
    """Numbers for the names of moves, the same for a whole play."""

    def __init__(self) -> None:
        self.texts: list[Move] = []
        self.numbers: dict[Move, int] = {}

    def number(self, move: Move) -> int:
        """The number of a name."""
        found = self.numbers.get(move)
        if found is None:
            found = self.numbers[move] = len(self.texts)
            self.texts.append(move)
        return found


class SearcherWalk:
    """A rule's own fast path as a walk."""

    def __init__(self, searcher: Searcher) -> None:
        # What is asked millions of times is not asked through another function.
        self.mover = searcher.to_move
        self.moves = searcher.legal
        self.play = searcher.play
        self.undo = searcher.undo
        self.scores = searcher.scores
        self.key = searcher.key
        self.text = searcher.text
        self.number = searcher.number

    def weights(self) -> Sequence[int]:
        return ()

    def partial(self) -> Sequence[float] | None:
        return None


class _Place:
    """A position, and what was decided already of a joint turn."""

    __slots__ = ("children", "mover", "moves", "pending", "position", "weights")

    def __init__(self, position: Position, pending: tuple[tuple[Player, Move], ...] = ()) -> None:
        self.position = position
        self.pending = pending
        self.mover: int | None = None
        self.moves: Sequence[int] | None = None
        self.weights: Sequence[int] = ()
        self.children: dict[int, _Place] = {}


class PositionWalk:
    """Any position as a walk, with every kind of turn but races."""

    def __init__(
        self,
        position: Position,
        players: Sequence[Player],
        me: int,
        names: MoveNames,
        opposed: bool,
        goals: Callable[[Any], Sequence[float] | None] | None = None,
    ) -> None:
        """A walk from a position.

        Args:
            position: where it begins.
            players: the names of the seats.
            me: the seat that decides first where several do at the same time.
            names: numbers of moves.
            opposed: whether two play against each other, so that points must add up to a hundred to mean anything.
            goals: says what points a position that is not the last one would give; `partial_goals` for rules in GDL.
        """
        self._players = players
        self._seats = {player: seat for seat, player in enumerate(players)}
        self._order = [players[me], *(player for seat, player in enumerate(players) if seat != me)]
        self._names = names
        self._opposed = opposed
        self._goals = goals
        self._rng = random.Random(0)
        self._stack = [_Place(position)]

    @property
    def position(self) -> Position:
        """Where the walk stands; in a joint turn, what was decided already is not in it."""
        return self._stack[-1].position

    def mover(self) -> int:
        place = self._stack[-1]
        if place.mover is None:
            place.mover = self._find_mover(place)
        return place.mover

    def _find_mover(self, place: _Place) -> int:
        turn = place.position.turn()
        match turn.kind:
            case TurnKind.OVER:
                return OVER
            case TurnKind.CHANCE:
                return DRAWN
            case TurnKind.JOINT:
                done = {player for player, _ in place.pending}
                return self._seats[next(p for p in self._order if p in turn.players and p not in done)]
        return self._seats[turn.players[0]]

    def moves(self) -> Sequence[int]:
        place = self._stack[-1]
        if place.moves is None:
            mover = self.mover()
            if mover == DRAWN:
                place.moves = self._draws(place)
            else:
                listed = () if mover == OVER else place.position.moves(self._players[mover])
                place.moves = [self._names.number(move) for move in listed]
        return place.moves

    def _draws(self, place: _Place) -> Sequence[int]:
        outcomes = list(place.position.chance())
        if not outcomes:
            outcomes = [(place.position.draw(self._rng), 1) for _ in range(DRAWS)]
        place.weights = [weight for _, weight in outcomes]
        return [self._names.number(move) for move, _ in outcomes]

    def weights(self) -> Sequence[int]:
        self.moves()
        return self._stack[-1].weights

    def play(self, move: int) -> None:
        place = self._stack[-1]
        child = place.children.get(move)
        if child is None:
            # Kept until the place is left: moves are looked at for their order before they are searched.
            child = place.children[move] = self._after(place, self._names.texts[move])
        self._stack.append(child)

    def _after(self, place: _Place, text: Move) -> _Place:
        mover = self.mover()
        player = CHANCE if mover == DRAWN else self._players[mover]
        position, turn = place.position, place.position.turn()
        if turn.kind is not TurnKind.JOINT:
            return _Place(position.play({player: text}).position)
        pending = (*place.pending, (player, text))
        if len(pending) < len(turn.players):
            return _Place(position, pending)
        return _Place(position.play(dict(pending)).position)

    def undo(self) -> None:
        # What was below it is not needed until the search comes this way again.
        self._stack.pop().children = {}

    def scores(self) -> Sequence[float]:
        result = self._stack[-1].position.result()
        if result is None:
            return [50.0] * len(self._players)
        # What a rulesheet calls goals are always points, whatever they add up to.
        if self._goals is not None and self._opposed and sum(result.scores.values()) != MOST_POINTS:
            raise NotOpposed
        return points_of(result, self._players, self._opposed)

    def partial(self) -> Sequence[float] | None:
        return None if self._goals is None else self._goals(self._stack[-1].position)

    def key(self) -> Hashable:
        place = self._stack[-1]
        return (place.position.key(), place.pending) if place.pending else place.position.key()

    def text(self, move: int) -> Move:
        return self._names.texts[move]

    def number(self, move: Move) -> int:
        return self._names.number(move)


def points_of(result: Result, players: Sequence[Player], opposed: bool) -> list[float]:
    """The points of a result from 0 to 100; where its points are of another kind, what the standings are worth."""
    scores: Mapping[Player, object] = result.scores
    if all(player in scores for player in players):
        points = [float(result.scores[player]) for player in players]
        right = not opposed or sum(points) == MOST_POINTS
        if right and min(points) >= 0 and max(points) <= MOST_POINTS:
            return points
    # Other points, such as stones on the board, are no measure of who has won.
    return [WORTH[result.standings[player]] for player in players]


def partial_goals(position: GdlPosition) -> list[float] | None:
    """The goals that a rulesheet gives before the end; None where it gives none to somebody."""
    game = position.game
    found = []
    for role in game.roles:
        if role == game.chance:
            continue
        texts = [str(value) for value in game.machine.goal_values(position.state, role)]
        values = [int(text) for text in texts if text.isascii() and text.isdigit()]
        if not values:
            return None
        found.append(float(max(values)))
    return found
