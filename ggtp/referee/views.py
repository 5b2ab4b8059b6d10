"""What may be known of a table from outside: the view that a referee gives, and the table at a glance as plain data.

Nothing here changes anything. Whoever steers the table says commands to the referee, or calls its methods.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

from ggtp.errors import RuleFailed
from ggtp.game import CHANCE, Move, Player, Position, Result, Rules, Turn, TurnKind
from ggtp.game.notation import format_result
from ggtp.game.record import GameRecord
from ggtp.play.play import HUMAN, SeatPlan
from ggtp.referee.desk import Desk
from ggtp.referee.effects import LinkId
from ggtp.referee.faults import Fault
from ggtp.referee.flow import Flow
from ggtp.referee.notes import MoveNote

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


class PlayView(Protocol):
    """A play as it may be looked at; see `ggtp.play.play.Play`."""

    @property
    def rules(self) -> Rules | None:
        """The rules, if any were chosen."""

    @property
    def reference(self) -> str:
        """What finds the rules again."""

    @property
    def values(self) -> Mapping[str, str]:
        """The rule's options that were set."""

    @property
    def players(self) -> tuple[Player, ...]:
        """The players, in seating order."""

    @property
    def seats(self) -> Mapping[Player, SeatPlan]:
        """Who is to play for each player."""

    @property
    def record(self) -> GameRecord | None:
        """What was played; None until the play is started."""

    @property
    def pending(self) -> Mapping[Player, Move]:
        """What players have chosen in a turn that waits for others."""

    @property
    def held(self) -> bool:
        """Whether engines and chance wait for the supervisor to go on."""

    @property
    def lines(self) -> Sequence[str]:
        """The recorded commands since the rule was chosen."""

    @property
    def moves(self) -> Sequence[str]:
        """Every choice that was recorded, as `PLAYER MOVE`."""

    @property
    def position(self) -> Position:
        """The position at the cursor; only while there is a record."""

    def need_rules(self) -> Rules:
        """The rules, or a CommandError."""

    def need_record(self) -> GameRecord:
        """The record, or a CommandError."""

    def option_values(self) -> dict[str, str]:
        """Every option of the rule with its value."""

    def turn(self) -> Turn:
        """Whose turn it is, forfeits taken into account."""

    def result(self) -> Result | None:
        """How the play ended, or None."""


@dataclass(frozen=True, slots=True)
class EngineView:
    """An engine that was started and not stopped."""

    link: LinkId
    player: Player
    name: str
    options: tuple[str, ...]
    """The options that it has listed."""
    seated: bool
    """Whether it plays; if not, it is still being prepared."""
    thinking: bool
    """Whether a move of it is waited for."""


class View:
    """A table, to be looked at; a referee has one for its whole life."""

    def __init__(self, desk: Desk, flow: Flow) -> None:
        self._desk = desk
        self._flow = flow

    @property
    def play(self) -> PlayView:
        """The play at the table. Loading a file replaces it: ask again instead of keeping it."""
        return self._desk.play

    @property
    def options(self) -> Mapping[str, str]:
        """The value of every option of the referee."""
        return self._desk.settings.values

    def on(self, option: str) -> bool:
        """Whether a switch among the referee's options is on."""
        return self._desk.settings.on(option)

    @property
    def viewer(self) -> Player | None:
        """Whose knowledge may be shown without being asked for; None: everything."""
        return self._desk.viewer()

    @property
    def busy(self) -> bool:
        """Whether a command is being carried out that waits for something."""
        return self._desk.busy

    @property
    def faults(self) -> tuple[Fault, ...]:
        """What engines did wrong and nobody has taken note of, the latest last."""
        return tuple(self._desk.faults)

    @property
    def failure(self) -> RuleFailed | None:
        """How the rule has failed, if it has and the play is held for it."""
        return self._desk.failure

    @property
    def file(self) -> str:
        """The path of the open play file, or nothing."""
        return self._desk.journal

    def file_lines(self) -> tuple[str, ...]:
        """The play so far, as the lines of a play file."""
        return self._desk.file_lines()

    def engines(self) -> Iterator[EngineView]:
        """Every engine that was started and not stopped."""
        seated = self._flow.engines.seated
        for link in self._flow.engines.links.values():
            at_table = seated.get(link.player) is link
            yield EngineView(link.number, link.player, link.engine.name, link.listed, at_table, link.thinking)

    def engine(self, player: Player) -> EngineView | None:
        """The engine that plays for a player, if there is one now."""
        return next((engine for engine in self.engines() if engine.player == player and engine.seated), None)

    @property
    def banks(self) -> Mapping[Player, float]:
        """The seconds that each player has left for all moves, where there is a bank."""
        return self._flow.banks

    @property
    def thought(self) -> Mapping[Player, float]:
        """The seconds that each player's engine has thought in this play."""
        return self._flow.thought

    @property
    def notes(self) -> Sequence[MoveNote]:
        """The facts of each move, in their order, where the referee keeps notes."""
        return self._flow.notes.kept

    def awaits_search(self, link: LinkId) -> bool:
        """Whether an engine was asked about its search and has not answered yet."""
        return self._flow.notes.awaited(link)

    def pace(self) -> float | None:
        """The seconds after which the turn ends by itself; None where it waits for somebody."""
        return None if self._flow.turn_due is None else self._desk.play.turn().delay

    def status(self, now: float) -> Status:
        """The table at a glance at the time `now`, on the same clock as the referee's events."""
        play = self._desk.play
        if play.rules is None:
            return Status(file=self.file)
        if play.record is None:
            return Status("ready", play.rules.name, self._seats(now, frozenset()), file=self.file)
        turn = play.turn()
        over = turn.kind is TurnKind.OVER
        waited_for = tuple(player for player in turn.players if player not in play.pending)
        cursor = play.record.cursor
        return Status(
            phase="over" if over else "playing",
            rule=play.rules.name,
            seats=self._seats(now, frozenset(waited_for)),
            turn=(CHANCE,) if turn.kind is TurnKind.CHANCE else waited_for,
            result=format_result(play.result()) if over else "",
            held=play.held and not over,
            node=cursor.number,
            node_name=cursor.name,
            file=self.file,
        )

    def _seats(self, now: float, to_move: frozenset[Player]) -> tuple[SeatStatus, ...]:
        return tuple(self._seat(player, now, player in to_move) for player in self._desk.play.seats)

    def _seat(self, player: Player, now: float, to_move: bool) -> SeatStatus:
        play, link = self._desk.play, self._flow.engines.seated.get(player)
        since = None if link is None else self._flow.sealed.thinking_since(link)
        thinking = None if since is None else max(0.0, now - since)
        bank = self._flow.banks.get(player) if self._desk.settings.time_control(player).bank else None
        return SeatStatus(
            player,
            play.seats[player].engine,
            gone=play.seats[player].is_engine and link is None,
            to_move=to_move,
            chosen=player in play.pending,
            thinking=thinking,
            limit=link.limit if link is not None and thinking is not None else None,
            bank=None if bank is None else max(0.0, bank - (thinking or 0.0)),
        )
