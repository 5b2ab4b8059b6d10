"""A look ahead at what is forced, before a tree search over positions of rules in Python, where two take turns.

What `compiled.scout` is for compiled games: playouts overlook threats, the more so as few of them can be played. So it
is asked, level after level, what can be proven: whether the player wins with its first move, or its second, whatever
the other does; and which moves let the other one do so. A win is taken, and a move that loses is never looked at again.

What was proven is kept for the moves to come, of both players.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from ggtp.game import Move, Player, Position, Rules, advice
from ggtp.search.mcts.options import Settings
from ggtp.search.minimax.forced import NEVER, OPEN, Attack, Proofs
from ggtp.search.minimax.plan import OutOfTime
from ggtp.search.minimax.walk import MoveNames, PositionWalk, SearcherWalk, Walk

MEMORY = 4
"""It has one part of so many of all memory."""
BOTTOM = 200
"""How far it looks at most; Python's stack ends not far below."""
SHARE, SHARE_FIRST = 0.125, 0.5
"""The parts of minimax's time that it has, and has until it has seen all replies: it finds nothing but what is certain,
and whoever overlooks a reply that wins has played all random games in vain."""
LEAST = 0.004
"""Seconds of a processor that it has at least, also on a machine where others compute."""
REPLIES = 2
"""How many moves ahead replies are."""
A_PLAYOUT = 64
"""How many positions it may look at for each random game, where only their number is limited."""


def serves(rules: Rules, players: Sequence[Player]) -> bool:
    """Whether two take turns, all is open, and what one gains the other loses; of texts it is not known for certain."""
    traits = rules.traits
    other = traits.chance or traits.hidden or traits.joint or traits.race or rules.text is not None
    return len(players) == 2 and traits.zero_sum and not other


@dataclass(slots=True)
class Outlook:
    """What was proven about the moves of a position."""

    won: dict[Move, int] = field(default_factory=dict)
    """Moves that win, and how many moves that takes."""
    lost: dict[Move, int] = field(default_factory=dict)
    """Moves that lose, and how many moves that takes."""
    level: int = 0
    """How many moves ahead all was looked at."""
    nodes: int = 0
    """How many positions were made."""
    over: bool = False
    """Whether nothing is left to be proven."""


def patience(
    settings: Settings,
    seconds: float,
    should_stop: Callable[[], bool],
    clock: Callable[[], float] = time.monotonic,
    computed: Callable[[], float] = time.thread_time,
) -> Callable[[Outlook], bool]:
    """What to ask whether it is enough, where a move may take so many seconds from now on.

    Args:
        settings: how much of them is for looking ahead.
        seconds: how many there are.
        should_stop: whether it is enough anyway.
        clock: what to look at.
        computed: how many seconds this thread has had a processor.
    """
    share, first = (part * settings.minimax * seconds for part in (SHARE, SHARE_FIRST))
    began, idle = clock(), computed()

    def enough(found: Outlook) -> bool:
        if should_stop():
            return True
        over = clock() - began > (share if found.level >= REPLIES else first)
        return over and computed() - idle > LEAST

    return enough


def positions(settings: Settings) -> int:
    """How many positions are looked at, where only the number of random games is limited."""
    return round(A_PLAYOUT * settings.minimax * (settings.playouts or 0))


class Lookout:
    """Looks ahead for either player, and remembers."""

    def __init__(self, players: Sequence[Player], megabytes: int) -> None:
        """Nothing is known yet.

        Args:
            players: both, in the order of the seats.
            megabytes: how much memory it may take.
        """
        self._players = players
        self._names = MoveNames()
        self.proofs = Proofs(megabytes << 20)

    def look(
        self, position: Position, player: Player, enough: Callable[[Outlook], bool], most: int | None = None
    ) -> Iterator[Outlook]:
        """Look ahead from a position in which it is the player's turn.

        Args:
            position: where to begin.
            player: whose turn it is.
            enough: is asked again and again whether to stop, and told what is known so far.
            most: how many positions to make; None for as many as there is time for.

        Yields:
            The same outlook again and again, whenever there is more in it.
        """
        seat = self._players.index(player)
        found = Outlook()
        self.proofs.begin(lambda: enough(found), most)
        try:
            yield from self._levels(self._walk(position, seat), seat, found)
        except OutOfTime:
            return

    def _walk(self, position: Position, seat: int) -> Walk:
        searcher = advice.searcher(position)
        if searcher is not None:
            return SearcherWalk(searcher)
        return PositionWalk(position, self._players, seat, self._names, opposed=True)

    def _levels(self, walk: Walk, seat: int, found: Outlook) -> Iterator[Outlook]:
        left = {move: walk.text(move) for move in walk.moves()}
        """Moves of which something is still to be proven."""
        attacks = [Attack(walk, attacker, self.proofs) for attacker in range(2)]
        before = self.proofs.nodes
        hopeless = [False, False]
        """Whether it is known of each that none of these moves lets it win."""
        for level in range(1, BOTTOM):
            attacker = seat if level % 2 else 1 - seat
            never = 0
            for move, name in list(left.items()):
                walk.play(move)
                length = attacks[attacker].length(level - 1)
                walk.undo()
                never += length == NEVER
                if length > OPEN:
                    (found.won if attacker == seat else found.lost)[name] = length
                    found.over = attacker == seat
                    del left[move]
                    yield found
                    if found.over:
                        return
            hopeless[attacker] = never == len(left)
            found.level = level
            found.nodes = self.proofs.nodes - before
            found.over = not left or all(hopeless)
            yield found
            if found.over:
                return
