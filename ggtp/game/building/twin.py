"""Texts in the Game Description Language for rules that are programs: what several twins have in common.

A twin is the same game as a rulesheet: same moves, same ends, same points. Its moves are the
names of ours in small letters, a name of several words as a compound: `A right 2` is `(a right 2)`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ggtp.game.model import Move, Player


def move_term(move: Move) -> str:
    """A move's name as a term."""
    words = move.casefold().split()
    return words[0] if len(words) == 1 else f"({' '.join(words)})"


def facts(relation: str, rows: Iterable[Iterable[object]]) -> list[str]:
    """A line for each row."""
    return [f"({relation} {' '.join(map(str, row))})" for row in rows]


def counter(relation: str, last: int) -> list[str]:
    """Rules for a fact that counts the moves, from 0 to the last number there is."""
    return [
        *facts("then", ((n, n + 1) for n in range(last))),
        f"(init ({relation} 0))",
        f"(<= (next ({relation} ?n)) (true ({relation} ?m)) (then ?m ?n))",
    ]


def worth(player: Player, relation: str, points: Mapping[int, int]) -> list[str]:
    """Goals by a number for which the relation holds."""
    return [f"(<= (goal {player.casefold()} {value}) ({relation} {count}))" for count, value in points.items()]


def ends_without_moves(player: Player) -> list[str]:
    """The game is over when nothing can be moved."""
    return [f"(<= able (legal {player.casefold()} ?m))", "(<= terminal (not able))"]
