"""Joint moves: what every role does in a step, where the house only asks those who have a choice.

A step of the Game Description Language is a turn of the house, or a turn and a draw of chance.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ggtp.errors import IllegalMove
from ggtp.foreign.expressions import Expression, move_expression, move_name
from ggtp.game import CHANCE, Move, Player, Rules, TurnKind
from ggtp.gdl.play.rules import GdlPosition, GdlRules, move_text

__all__ = ["GdlPosition", "Line", "Step", "advance", "gdl_start", "legal_moves", "roles", "steps"]


@dataclass(frozen=True, slots=True)
class Step:
    """A joint move that was made, and where it led."""

    moves: tuple[Expression, ...]
    """Of every role, in the order of the rules."""
    position: GdlPosition
    made: int
    """Of how many moves of the house it is made."""


class Line:
    """The steps of a play that grows, and sometimes goes back; what was worked out once is kept."""

    def __init__(self, start: GdlPosition) -> None:
        self._start = start
        self._history: list[tuple[Player, Move]] = []
        self._steps: list[Step] = []

    def follow(self, history: Sequence[tuple[Player, Move]]) -> list[Step]:
        """The steps of the play with this history.

        Raises:
            MoveError: it is no play of this game.
        """
        same = 0
        while same < min(len(history), len(self._history)) and history[same] == self._history[same]:
            same += 1
        used = sum(step.made for step in self._steps)
        while used > same:
            used -= self._steps.pop().made
        last = self._steps[-1].position if self._steps else self._start
        self._steps += steps(last, history[used:])
        self._history = list(history)
        return list(self._steps)


def gdl_start(rules: Rules) -> GdlPosition | None:
    """The first position of rules in the Game Description Language in which nothing is hidden; None for others."""
    if not isinstance(rules, GdlRules) or rules.traits.hidden:
        return None
    position = rules.start()
    assert isinstance(position, GdlPosition)
    return position


def roles(position: GdlPosition) -> tuple[Player, ...]:
    """All roles, `random` included, in the order of the rules."""
    return tuple(map(str, position.game.roles))


def legal_moves(position: GdlPosition, role: Player) -> list[Move]:
    """What a role may do in this step, also where that is just one thing; nothing for what is no role."""
    term = next((term for term in position.game.roles if str(term) == role), None)
    if term is None or position.turn().kind is TurnKind.OVER:
        return []
    return list(position.legal(term))


def advance(position: GdlPosition, moves: Mapping[Player, Expression]) -> tuple[GdlPosition, list[tuple[Player, Move]]]:
    """The position after a joint move, and the moves of the house that it is made of.

    Raises:
        IllegalMove: a role may not do that, or the game is over.
    """
    meant = {role: _find(position, role, moves[role]) for role in roles(position)}
    chance = str(position.game.chance) if position.game.chance is not None else ""
    made: list[tuple[Player, Move]] = []
    turn = position.turn()
    drawing = turn.kind is TurnKind.CHANCE
    if not drawing:
        verdict = position.play({player: meant[player] for player in turn.players})
        made += verdict.made
        position = _gdl(verdict.position)
        drawing = bool(position.chosen)
    if drawing:
        verdict = position.play({CHANCE: meant[chance]})
        made += verdict.made
        position = _gdl(verdict.position)
    return position, made


def _find(position: GdlPosition, role: Player, move: Expression) -> Move:
    legal = legal_moves(position, role)
    name = move_name(move)
    for spelling in (name, f"({name})", name.strip("()")):
        if spelling in legal:
            return spelling
    raise IllegalMove(f"No move named {name} for player {role}.")


def steps(start: GdlPosition, history: Iterable[tuple[Player, Move]]) -> Iterator[Step]:
    """The joint moves that a play of the house is made of; one that is not complete is left out.

    Raises:
        MoveError: it is no play of this game.
    """
    before = position = start
    chosen: dict[Player, Move] = {}
    made = 0
    for player, move in history:
        chosen[player] = move
        made += 1
        turn = position.turn()
        if any(other not in chosen for other in turn.players):
            continue
        verdict = position.play({other: chosen[other] for other in turn.players})
        position = _gdl(verdict.position)
        if position.chosen:
            continue  # chance is still to be drawn
        yield Step(_joint(before, chosen), position, made)
        before, chosen, made = position, {}, 0


def _joint(before: GdlPosition, chosen: Mapping[Player, Move]) -> tuple[Expression, ...]:
    game = before.game
    moves = []
    for role in game.roles:
        move = chosen.get(CHANCE if role == game.chance else str(role))
        if move is None:
            move = move_text(next(iter(before.legal(role).values())))
        moves.append(move_expression(move))
    return tuple(moves)


def _gdl(position: object) -> GdlPosition:
    assert isinstance(position, GdlPosition)
    return position
