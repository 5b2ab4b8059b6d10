"""Sealed turns: what players do in them is kept until instants that tell the others nothing.

In a sealed turn (`Turn.sealed`) the time of an answer would tell whether a player had something to decide. So a window
begins at an instant that does not depend on the secret: in a joint turn or a race when the players are asked, in a
single turn when the first try comes. The outcome is made known at the end of the first window in which it is decided.
Engines are told a delay that ends within the window, so that one that keeps to it gives nothing away.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil

from ggtp.errors import MoveError, MoveRefused, RuleFailed
from ggtp.game import Move, Player, Turn, TurnKind
from ggtp.game.clock import MoveTime
from ggtp.game.record import Node
from ggtp.protocol.session import Selected
from ggtp.referee.desk import Desk
from ggtp.referee.engines import Engines, Link

LEAST_LIMIT = 0.001
"""The seconds that an engine is given at least."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A move that was chosen in a sealed turn and that nobody else knows yet."""

    player: Player
    move: Move
    seconds: float
    """How long it took since the window began; the first to move counts in a race."""
    link: Link | None = None
    """The engine that has selected it; None for a person."""
    selected: Selected | None = None

    def stands(self) -> bool:
        """Return whether nothing has overtaken it since."""
        return self.link is None or (self.selected is not None and self.link.has_chosen(self.selected))


class SealedTurn:
    """The window of the sealed turn at hand, and what was chosen in it."""

    def __init__(self, desk: Desk, engines: Engines) -> None:
        self._desk = desk
        self._engines = engines
        self._node: Node | None = None
        """The node whose turn it is about."""
        self._began: float | None = None
        """When the window began; None as long as nobody has tried in a single turn."""
        self._entered = 0.0
        """When the turn began, the first try included."""
        self._seconds = 0.0
        self._kept: dict[Player, Kept] = {}
        self.due: float | None = None
        """When the outcome is made known; None as long as it is open."""

    def clear(self) -> None:
        """Forget everything: the turn is another one."""
        self._node = self._began = self.due = None
        self._kept.clear()

    def is_active(self, turn: Turn) -> bool:
        """Return whether a turn is sealed and there is somebody to whom its time could tell something."""
        return turn.sealed and bool(self._engines.seated) and self._window(turn.delay) > 0

    def enter(self, turn: Turn) -> None:
        """It is this turn: begin its window, unless it has begun already."""
        cursor = self._desk.play.need_record().cursor
        if cursor is self._node:
            return
        if turn.kind is TurnKind.SINGLE and self._node is not None and self._goes_on(cursor, turn):
            self._node = cursor  # the try was refused, which only its player knows
            return
        self.clear()
        self._entered = self._desk.now
        if self.is_active(turn):
            self._node, self._seconds = cursor, self._window(turn.delay)
            self._began = None if turn.kind is TurnKind.SINGLE else self._desk.now

    def thinking_since(self, link: Link) -> float | None:
        """Return since when an engine seems to think to others: that it was asked again tells of a refused try."""
        if self._here and link.asked_at is not None and self._desk.viewer() not in (None, link.player):
            return min(self._entered, link.asked_at)
        return link.asked_at

    def _goes_on(self, cursor: Node, turn: Turn) -> bool:
        return cursor.parent is self._node and not cursor.made and turn.sealed and cursor.forfeit is None

    def _window(self, delay: float | None) -> float:
        people = any(not seat.is_engine for seat in self._desk.play.seats.values())
        return self._desk.settings.secret_window(delay, people=people)

    @property
    def _here(self) -> bool:
        record = self._desk.play.record
        return self._node is not None and record is not None and record.cursor is self._node

    def limit(self, turn: Turn, limit: float | None) -> float | None:
        """Return the seconds that an engine is told it has, so that its answer comes within the window.

        Args:
            turn: the turn at hand.
            limit: the seconds that its clocks give it; they alone decide about faults.
        """
        if not self._here or self._began is None:
            return limit
        left = round(self._end() - self._desk.now, 6)  # in whole milliseconds it is sent, rounded down
        if turn.kind is TurnKind.SINGLE:
            left /= 2  # more tries may follow
        else:
            left -= min(left / 2, self._desk.settings.time_margin)
        return max(LEAST_LIMIT, left if limit is None else min(left, limit))

    def _end(self) -> float:
        """When the window at hand ends."""
        assert self._began is not None
        windows = ceil((self._desk.now - self._began) / self._seconds)
        return self._began + max(1, windows) * self._seconds

    # Keeping.

    def keep(self, link: Link, selected: Selected) -> bool:
        """Keep what an engine has selected until the window ends; False if that is to be dealt with at once."""
        play = self._desk.play
        if not self._here or not link.has_chosen(selected) or self._is_late(link, selected):
            return False
        turn = play.turn()
        try:
            move = play.parse(link.player, selected.move)
            if turn.kind is TurnKind.SINGLE:
                if self._began is None:
                    self._began = self._desk.now
                if not play.position.play({link.player: move}).made:
                    return False
        except (MoveRefused, MoveError, RuleFailed):
            return False  # the usual way finds it again, and says whose fault it is
        self._keep(Kept(link.player, move, selected.seconds, link, selected))
        return True

    def keep_choice(self, player: Player, move: Move) -> bool:
        """Keep what a person has chosen in a race; False where it is made at once."""
        turn = self._desk.play.turn()
        if turn.kind is not TurnKind.RACE or not self._here or self._began is None:
            return False
        if player in self._kept:
            raise MoveRefused(f"{player} has chosen already.")
        self._keep(Kept(player, move, self._desk.now - self._began))
        return True

    def _is_late(self, link: Link, selected: Selected) -> bool:
        if link.limit is None:
            return False
        return bool(MoveTime(selected.seconds, link.limit, self._desk.settings.time_margin, link.waited).blame)

    def _keep(self, kept: Kept) -> None:
        self._kept[kept.player] = kept
        self.look()

    def has_kept(self, link: Link) -> bool:
        """Return whether an engine has answered, and its move is not made known yet."""
        kept = self._kept.get(link.player)
        return kept is not None and kept.link is link and kept.stands()

    def look(self) -> None:
        """Work out anew when the outcome is made known: what was chosen may decide the turn."""
        self.due = self._end() if self._here and self._began is not None and self._decided() else None

    def _decided(self) -> bool:
        play, standing = self._desk.play, {kept.player for kept in self._kept.values() if kept.stands()}
        if not standing:
            return False
        turn = play.turn()
        if turn.kind is TurnKind.RACE and any(self._claims(turn, self._kept[player]) for player in standing):
            return True
        return all(player in standing or player in play.pending for player in turn.players)

    @staticmethod
    def _claims(turn: Turn, kept: Kept) -> bool:
        """Return whether a move in a race is more than to let it pass."""
        return kept.move != turn.default.get(kept.player)

    # Opening.

    def open(self, *, over: bool = False) -> list[Kept]:
        """Return what is to be made now, in an order that tells nothing; with `over`, the turn ends by its delay.

        In a race it is the first claim, or that everybody passes.
        """
        turn = self._desk.play.turn()
        self.due = None
        if not self._here or not (over or self._decided()):
            return []
        kept = {player: one for player, one in self._kept.items() if one.stands()}
        self._kept.clear()
        if turn.kind is TurnKind.RACE:
            claims = [one for one in kept.values() if self._claims(turn, one)]
            if not claims and over:
                passed = {player: Kept(player, move, 0.0) for player, move in turn.default.items()}
                kept = passed | kept
            self._settle(kept.values())
            first = min(claims, key=lambda one: (one.seconds, turn.players.index(one.player)), default=None)
            if first is not None:
                return [first]
        else:
            self._settle(kept.values())
        return [kept[player] for player in turn.players if player in kept]

    def _settle(self, kept: Iterable[Kept]) -> None:
        for one in kept:
            if one.link is not None and one.selected is not None:
                one.link.take(one.selected)
