"""People on other machines: who is there, at which seat, and what each of them is told.

A seat is kept for a person by `set_engine Cross person:carol`, whether or not carol is there; `person:*` keeps it for
whoever comes. Everything that a visitor is told is what its player may know, asked of the position; nothing of what
the supervisor's own screen shows goes this way.
"""

from __future__ import annotations

from dataclasses import dataclass

from ggtp.game import Player, Talk, TurnKind
from ggtp.game.notation import format_result
from ggtp.game.record import Message, Node
from ggtp.play.play import PERSON
from ggtp.protocol.text import one_line
from ggtp.referee.desk import Desk
from ggtp.referee.effects import VisitorId, Whisper

ANYBODY = "*"
NO_SEAT = "There is no seat for you yet. You will be told when there is."


@dataclass(slots=True)
class Visitor:
    """A person on another machine."""

    number: VisitorId
    name: str
    wanted: str
    """The player that the person wants to be; empty for any."""
    player: Player = ""
    """The player that the person is; empty for none."""


class Visitors:
    """Everybody who is there."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self.present: dict[VisitorId, Visitor] = {}

    # Coming and going.

    def came(self, number: VisitorId, name: str, wanted: str) -> None:
        """Somebody has connected."""
        visitor = self.present[number] = Visitor(number, name, one_line(wanted.strip()))
        self._desk.inform(f"{name} has joined")
        self.arrange()
        if not visitor.player:
            self.tell(visitor, NO_SEAT)

    def left(self, number: VisitorId) -> None:
        """Somebody is gone; the seat stays as it was."""
        visitor = self.present.pop(number, None)
        if visitor is not None:
            at = f"; the seat of {visitor.player} is kept" if visitor.player else ""
            self._desk.inform(f"{visitor.name} has left{at}")

    def arrange(self) -> None:
        """Give everybody the seat that is meant for them, now that seats or visitors have changed."""
        taken: dict[Player, Visitor] = {}
        seats = {player: seat.engine for player, seat in self._desk.play.seats.items()}
        for anybody in (False, True):
            for visitor in self.present.values():
                if visitor in taken.values():
                    continue
                meant = f"{PERSON}{ANYBODY}" if anybody else f"{PERSON}{visitor.name}".casefold()
                free = [p for p, engine in seats.items() if engine.casefold() == meant and p not in taken]
                wanted = [p for p in free if p.casefold() == visitor.wanted.casefold()] if visitor.wanted else free
                # Who had a seat keeps it.
                found = visitor.player if visitor.player in wanted else next(iter(wanted), None)
                if found is not None:
                    taken[found] = visitor
        for visitor in self.present.values():
            player = next((p for p, it in taken.items() if it is visitor), "")
            if player == visitor.player:
                continue
            visitor.player = player
            if player:
                self._desk.inform(f"{visitor.name} sits down as {player}")
                self.tell(visitor, f"You are {player} in {self._desk.play.need_rules().name}")
                self._show_table(visitor)
            else:
                self.tell(visitor, "You have no seat any more.")

    # Telling.

    def tell(self, visitor: Visitor, *texts: str) -> None:
        """Information for one person."""
        self._desk.effects.append(Whisper(visitor.number, tuple(f"-> {one_line(text)}".rstrip() for text in texts)))

    def answer(self, visitor: Visitor, text: str) -> None:
        """The closing line of what a person said."""
        self._desk.effects.append(Whisper(visitor.number, (one_line(text),)))

    def anybody(self) -> bool:
        """Whether somebody on another machine plays along."""
        return bool(self._seated())

    def _seated(self) -> list[Visitor]:
        return [visitor for visitor in self.present.values() if visitor.player]

    def step(self, node: Node) -> None:
        """A step was made: tell everybody what they may know of it."""
        for visitor in self._seated():
            seen = self.seen(node, visitor.player)
            if seen:  # that another has tried something in vain is nobody's business
                self.tell(visitor, *seen)
            if (seen or node.made) and not self._desk.dealing():
                self._show_table(visitor)

    def dismiss(self) -> None:
        """The referee leaves."""
        for visitor in self.present.values():
            self.answer(visitor, "= Goodbye")

    def seen(self, node: Node, player: Player) -> list[str]:
        """What a player may know of a step."""
        before = node.parent.position if node.parent else node.position
        told = [(actor, before.spoken(actor, move, player)) for actor, move in node.made]
        lines = [f"{actor} plays {text}" for actor, text in told if text]
        lines += [
            f"{refusal.player} tries {refusal.move}: refused, {refusal.reason}"
            for refusal in node.verdict.refused
            if refusal.player == player
        ]
        if node.forfeit is not None:
            # The reason may quote what an engine has tried in vain.
            lines.append(f"{node.forfeit.player} forfeits")
        lines += [f"Umpire: {it.text}" for it in node.verdict.announcements if it.to in (None, player)]
        return lines

    def message(self, talk: Talk, message: Message) -> None:
        """A partner has said something."""
        for visitor in self._seated():
            if talk.hears(visitor.player, message.sender, message.receiver):
                self.tell(visitor, f"{message.sender} tells {message.receiver}: {message.text}")

    def chosen(self, player: Player) -> None:
        """Somebody has chosen in a turn that waits for others."""
        for visitor in self._seated():
            self.tell(visitor, f"{player} has chosen")

    def look(self, why: str) -> None:
        """The play is somewhere else now."""
        for visitor in self._seated():
            self.tell(visitor, why)
            self._show_table(visitor)

    def table_lines(self, player: Player) -> list[str]:
        """The table as a player knows it, and what there is to do for it."""
        play = self._desk.play
        if play.record is None:
            return ["The play has not begun."]
        lines = list(play.position.picture(player).plain())
        turn = play.turn()
        result = play.record.cursor.result()
        if result is not None:
            # Why it was forfeited may quote what was tried in vain.
            forfeited = play.record.cursor.forfeit is not None
            reason = f" ({result.reason})" if result.reason and not forfeited else ""
            lines.append(format_result(result) + reason)
        elif turn.kind is not TurnKind.CHANCE and player in turn.players and player not in play.pending:
            lines.append("It is your turn.")
        return lines

    def _show_table(self, visitor: Visitor) -> None:
        with self._desk.rule_at_risk():
            self.tell(visitor, *self.table_lines(visitor.player))
