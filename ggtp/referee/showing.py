"""What people here are shown of the play: the moves as they may know them, the umpire's words, and the table."""

from __future__ import annotations

from ggtp.game import CHANCE, Player, TurnKind
from ggtp.game.notation import format_result
from ggtp.game.record import Node
from ggtp.play.play import HUMAN
from ggtp.protocol.text import join_list, quote
from ggtp.referee.desk import Desk
from ggtp.referee.visitors import Visitors


class Showing:
    """Shows steps of the play. A picture that would be out of date at once is owed, and comes with a later step."""

    def __init__(self, desk: Desk, visitors: Visitors) -> None:
        self._desk = desk
        self._visitors = visitors
        self._owed = False
        """Whether something was not drawn that whoever looks has not seen since."""
        self._own = False
        """Whether that is what a person here has done, or the beginning."""

    def step(self, node: Node) -> None:
        """Say what was done in a step, draw what became of it, and tell the people elsewhere."""
        desk = self._desk
        told = desk.settings.on("show_when_play")
        viewer = desk.viewer() if told or node.verdict.announcements else None
        lines = len(desk.effects)
        if told:
            self._tell(node, viewer)
        for announcement in node.verdict.announcements:
            if announcement.to is None or viewer in (None, announcement.to):
                desk.inform(f"Umpire: {announcement.text}")
        quiet = told and len(desk.effects) == lines and node.result() is None and self._as_before(node, viewer)
        if (self._owed or not quiet) and not self._in_vain(node):
            self.table(node)
        result = node.result() if desk.settings.on("show_results") else None
        if result is not None:
            reason = f" ({result.reason})" if result.reason else ""
            desk.inform(format_result(result) + reason)
        self._visitors.step(node)

    def _tell(self, node: Node, viewer: Player | None) -> None:
        desk = self._desk
        before = node.parent.position if node.parent else node.position
        for actor, move in node.made:
            seen = move if viewer is None else before.spoken(actor, move, viewer)
            if seen:
                desk.inform(f"{actor} plays {seen}")
        for refusal in node.verdict.refused:
            if viewer in (None, refusal.player):
                desk.inform(f"{refusal.player} tries {refusal.move}: refused, {refusal.reason}")
        if node.forfeit is not None:
            desk.inform(node.forfeit.result.reason)

    def _as_before(self, node: Node, viewer: Player | None) -> bool:
        """Whether a step gives whoever looks no other moves, so that a picture can wait for the next step."""
        if viewer is None or node.parent is None:
            return False
        if node.position.turn().kind is TurnKind.CHANCE and not self._desk.dealing():
            return False  # the supervisor draws, and nobody knows when
        moves = list(node.position.moves(viewer))
        return not moves or moves == list(node.parent.position.moves(viewer))

    def _in_vain(self, node: Node) -> bool:
        """Whether others have tried something in vain and that is all: nothing of it is shown to who looks."""
        if node.made or node.forfeit is not None or not node.verdict.refused:
            return False
        viewer = self._desk.viewer()
        return viewer is not None and all(refusal.player != viewer for refusal in node.verdict.refused)

    def table(self, node: Node | None = None) -> None:
        """Draw the table and name the possible moves, as the options say.

        After the step to a node, or `start`, that is left for the next one if it comes at once.
        """
        desk = self._desk
        values = desk.settings.values
        if values["show_table"] == "on" or values["show_possible_moves"] == "on":
            with desk.rule_at_risk():
                if node is not None and desk.dealing():
                    self._owed = True
                    self._own = self._own or node.parent is None or self._made_by_people(node)
                else:
                    self._table(node)

    def _table(self, node: Node | None) -> None:
        desk = self._desk
        if desk.settings.on("show_table"):
            self._owed = node is not None and not self._own and self._passing(node)
            if not self._owed:
                self._own = False
                desk.draw(desk.play.position.picture(desk.side()))
        if desk.settings.on("show_possible_moves"):
            viewer = desk.viewer()
            for player in desk.play.turn().players:
                if viewer in (None, player):
                    desk.inform(f"{quote(player)}={join_list(desk.play.position.moves(player))}")

    def _people(self) -> set[Player]:
        return {player for player, seat in self._desk.play.seats.items() if seat.engine == HUMAN}

    def _made_by_people(self, node: Node) -> bool:
        people = self._people()
        return any(actor in people for actor, _ in node.made)

    def _passing(self, node: Node) -> bool:
        """Whether a step is one of several that engines make while the people here have nothing new to choose."""
        desk = self._desk
        settings, play, turn = desk.settings, desk.play, desk.play.turn()
        if settings.on("show_between") or not settings.on("genmove") or play.held or turn.kind is TurnKind.OVER:
            return False
        people = self._people()
        if not people or node.parent is None or self._made_by_people(node):
            return False
        asked = people.intersection(turn.players)
        if not asked:
            return turn.kind is not TurnKind.CHANCE
        # In a race that goes on: others have let something go, and that is all.
        racing = turn.kind is TurnKind.RACE and node.parent.position.turn().kind is TurnKind.RACE
        quiet = racing and not node.verdict.announcements and all(actor != CHANCE for actor, _ in node.made)
        return quiet and all(
            list(node.position.moves(player)) == list(node.parent.position.moves(player)) for player in asked
        )
