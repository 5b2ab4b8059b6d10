"""What a person on another machine may say, at a seat. A method is named like its command.

Every line is answered by one closing line, `= ...` or `? ...`, as the supervisor's are, and a refused one has changed
nothing. All of it is as the person's own player knows it.
"""

from __future__ import annotations

from contextlib import suppress

from ggtp.errors import CommandError, GgtpError, MoveRefused, RuleFailed, UnknownCommand
from ggtp.game import Move, OpenMoves, Player
from ggtp.game.names import match_name
from ggtp.game.notation import format_result
from ggtp.play.play import HUMAN, PERSON
from ggtp.protocol.codec import parse_supervisor
from ggtp.protocol.commands import SEAT, SEAT_COMMANDS
from ggtp.protocol.text import join_list, join_map
from ggtp.referee.commands.queries import DONE, NONE
from ggtp.referee.desk import Desk
from ggtp.referee.dispatch import handlers
from ggtp.referee.effects import VisitorId
from ggtp.referee.flow import Flow
from ggtp.referee.typed import LONGEST_MOVE
from ggtp.referee.visitors import NO_SEAT, Visitor

LONGEST_LINE = 4096
WITHOUT_SEAT = frozenset({"help", "leave", "list_players"})


class Seats:
    """Carries out what visitors say."""

    def __init__(self, desk: Desk, flow: Flow) -> None:
        self._desk = desk
        self._flow = flow
        self._visitors = flow.visitors
        self._commands = handlers(SEAT, self, before=1)

    def said(self, number: VisitorId, line: str) -> None:
        """A person has said a line. While a command of the supervisor's waits for something, it waits too."""
        visitor = self._visitors.present.get(number)
        if visitor is None:
            return
        if self._desk.busy:
            self._desk.deferred.append(lambda: self.said(number, line))
            return
        try:
            answer = f"= {self._carry_out(visitor, line)}"
        except RuleFailed as error:
            self._desk.inform(str(error))
            answer = "? The rule failed."  # where its file is concerns the supervisor alone
        except GgtpError as error:
            answer = f"? {error}"
        if answer != "= ":
            self._visitors.answer(visitor, answer)

    def _carry_out(self, visitor: Visitor, line: str) -> str:
        if len(line) > LONGEST_LINE:
            raise CommandError(f"A line of more than {LONGEST_LINE} characters.")
        try:
            command = parse_supervisor(line, SEAT)
        except UnknownCommand:
            move = self._move_alone(visitor, line.strip())
            if move is None:
                raise
            self._flow.play(visitor.player, move)
            return DONE
        if command is None:
            return ""
        if not visitor.player and command.name not in WITHOUT_SEAT:
            raise CommandError(NO_SEAT)
        return str(self._commands[command.name](visitor, *command.args))

    def _move_alone(self, visitor: Visitor, text: str) -> Move | None:
        """The move that a line is which is no command; None where it is none that the person may make now."""
        if visitor.player and self._desk.play.record is not None and len(text) <= LONGEST_MOVE:
            with suppress(MoveRefused):
                return self._desk.play.parse(visitor.player, text)
        return None

    # Asking.

    def show_table(self, visitor: Visitor) -> str:
        self._visitors.tell(visitor, *self._visitors.table_lines(visitor.player))
        return DONE

    def list_possible_moves(self, visitor: Visitor) -> str:
        play = self._desk.play
        play.need_record()
        if visitor.player not in play.turn().players or visitor.player in play.pending:
            return NONE
        moves = play.position.moves(visitor.player)
        return join_list((*moves, *moves.patterns) if isinstance(moves, OpenMoves) else moves) or NONE

    def get_result(self, visitor: Visitor) -> str:
        return format_result(self._desk.play.result())

    def list_played_moves(self, visitor: Visitor) -> str:
        played = []
        for node in self._desk.play.need_record().cursor.path():
            before = node.parent.position if node.parent else node.position
            told = [(actor, before.spoken(actor, move, visitor.player)) for actor, move in node.made]
            played += [f"{actor} {text}" for actor, text in told if text]
        return join_list(played) or NONE

    def list_players(self, visitor: Visitor) -> str:
        # Which program plays, and from where, is the supervisor's to tell.
        def kind(engine: str) -> str:
            return "human" if engine == HUMAN or engine.startswith(PERSON) else "engine"

        seats = self._desk.play.seats.items()
        return join_map({p: "you" if p == visitor.player else kind(seat.engine) for p, seat in seats}) or NONE

    def help(self, visitor: Visitor, command: str = "") -> str:
        found = match_name(command, SEAT) if command else ""
        if found is None:
            raise CommandError(f"No help on {command}. Use help to see what there is.")
        width = max(len(row.usage) for row in SEAT_COMMANDS)
        rows = [SEAT[found]] if found else list(SEAT_COMMANDS)
        self._visitors.tell(visitor, *(f"{row.usage:<{width}}  {row.summary}" for row in rows))
        return DONE

    # Playing.

    def play(self, visitor: Visitor, move: str) -> str:
        self._flow.play(visitor.player, self._move(visitor.player, move))
        return DONE

    def _move(self, player: Player, text: str) -> Move:
        """The move that is meant; in some rules the names of moves begin with `play` themselves."""
        play = self._desk.play
        try:
            return play.parse(player, text)
        except CommandError:
            with suppress(CommandError):
                return play.parse(player, f"play {text}")
            raise

    def tell(self, visitor: Visitor, player: str, text: str) -> str:
        self._flow.message(visitor.player, player, text)
        return DONE

    def resign(self, visitor: Visitor, reason: str = "") -> str:
        why = f"resigns: {reason}" if reason else "resigns"
        self._flow.end(self._desk.play.forfeit(visitor.player, why))
        return DONE

    def leave(self, visitor: Visitor) -> str:
        return "Goodbye"
