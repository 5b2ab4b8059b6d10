"""What a front end may show about the table at a glance: plain data, no markup."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from ggtp.game import CHANCE, Player, TurnKind
from ggtp.game.notation import format_result
from ggtp.play.play import HUMAN
from ggtp.referee.referee import Referee

Phase: TypeAlias = Literal["empty", "ready", "playing", "over"]
"""No rule is set; the play is not started; it goes on; it has a result."""


@dataclass(frozen=True, slots=True)
class SeatStatus:
    """A player, and how things are with whoever plays for it."""

    player: Player
    engine: str
    """`human`, or the name of an engine."""
    gone: bool = False
    """Whether it should be an engine and there is none any more."""
    to_move: bool = False
    chosen: bool = False
    """Whether it has chosen already, in a turn that waits for others."""
    thinking: float | None = None
    """For how many seconds its engine has been thinking; None where it is not."""
    limit: float | None = None
    """How many seconds its engine was given for this move; None where there is no limit."""
    bank: float | None = None
    """How many seconds are left for all moves, the time of thinking taken off; None without a bank."""

    @property
    def human(self) -> bool:
        """Whether a person at this prompt plays for it."""
        return self.engine == HUMAN


@dataclass(frozen=True, slots=True)
class Status:
    """The table at a glance."""

    phase: Phase = "empty"
    rule: str = ""
    seats: tuple[SeatStatus, ...] = ()
    turn: tuple[Player, ...] = ()
    """Whose choice is waited for now; `Chance` where a draw is."""
    result: str = ""
    """How the play has ended, as `get_result` says it."""
    held: bool = False
    """Whether engines and chance wait for the supervisor to go on."""
    node: int | None = None
    """Where in the play tree we are."""
    node_name: str = ""
    file: str = ""
    """The play file that is open."""

    @property
    def thinking(self) -> bool:
        """Whether any engine is."""
        return any(seat.thinking is not None for seat in self.seats)


def status(referee: Referee, now: float) -> Status:
    """The table as it is at the time `now`, on the same clock as the referee's events."""
    desk = referee.desk
    play = desk.play
    if play.rules is None:
        return Status(file=desk.journal)
    if play.record is None:
        seats = _seats(referee, now, frozenset())
        return Status("ready", play.rules.name, seats, file=desk.journal)
    turn = play.turn()
    over = turn.kind is TurnKind.OVER
    waited_for = tuple(player for player in turn.players if player not in play.pending)
    cursor = play.record.cursor
    return Status(
        phase="over" if over else "playing",
        rule=play.rules.name,
        seats=_seats(referee, now, frozenset(waited_for)),
        turn=(CHANCE,) if turn.kind is TurnKind.CHANCE else waited_for,
        result=format_result(play.result()) if over else "",
        held=play.held and not over,
        node=cursor.number,
        node_name=cursor.name,
        file=desk.journal,
    )


def pace(referee: Referee) -> float | None:
    """The seconds after which the turn ends by itself; None where it waits for somebody."""
    return None if referee.flow.turn_due is None else referee.desk.play.turn().delay


def _seats(referee: Referee, now: float, to_move: frozenset[Player]) -> tuple[SeatStatus, ...]:
    play = referee.desk.play
    banks = referee.flow.banks if referee.desk.settings.number("time_bank") else {}
    return tuple(
        _seat(referee, player, seat.engine, now, player in to_move, player in play.pending, banks)
        for player, seat in play.seats.items()
    )


def _seat(
    referee: Referee,
    player: Player,
    engine: str,
    now: float,
    to_move: bool,
    chosen: bool,
    banks: Mapping[Player, float],
) -> SeatStatus:
    link = referee.flow.engines.seated.get(player)
    thinking = max(0.0, now - link.asked_at) if link is not None and link.asked_at is not None else None
    bank = banks.get(player)
    return SeatStatus(
        player,
        engine,
        gone=referee.desk.play.seats[player].is_engine and link is None,
        to_move=to_move,
        chosen=chosen,
        thinking=thinking,
        limit=link.limit if link is not None and thinking is not None else None,
        bank=None if bank is None else max(0.0, bank - (thinking or 0.0)),
    )
