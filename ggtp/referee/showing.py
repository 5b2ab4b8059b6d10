"""What the supervisor is shown of a play: what was done in a step, the table, the possible moves, the result."""

from __future__ import annotations

from ggtp.game import CHANCE, Player
from ggtp.game.notation import format_result
from ggtp.game.record import Node
from ggtp.protocol.text import join_list, quote
from ggtp.referee.desk import Desk
from ggtp.referee.visitors import Visitors


class Showing:
    """Shows a play at the desk, no more of it than whoever looks may know."""

    def __init__(self, desk: Desk, visitors: Visitors) -> None:
        self._desk = desk
        self._visitors = visitors

    def step(self, node: Node) -> None:
        """Say what was done in a step, draw what became of it, and tell the people elsewhere."""
        desk = self._desk
        told = desk.settings.on("show_when_play")
        viewer = desk.viewer() if told or node.verdict.announcements else None
        lines = len(desk.effects)
        if told:
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
        for announcement in node.verdict.announcements:
            if announcement.to is None or viewer in (None, announcement.to):
                desk.inform(f"Umpire: {announcement.text}")
        quiet = told and len(desk.effects) == lines and node.result() is None and self._as_before(node, viewer)
        if not quiet and not self._in_vain(node):
            self.table(once_dealt=any(actor == CHANCE for actor, _ in node.made))
        result = node.result() if desk.settings.on("show_results") else None
        if result is not None:
            reason = f" ({result.reason})" if result.reason else ""
            desk.inform(format_result(result) + reason)
        self._visitors.step(node)

    def _as_before(self, node: Node, viewer: Player | None) -> bool:
        """Whether a step gives whoever looks no other moves, so that a picture can wait for the next step."""
        if viewer is None or node.parent is None:
            return False
        moves = list(node.position.moves(viewer))
        return not moves or moves == list(node.parent.position.moves(viewer))

    def _in_vain(self, node: Node) -> bool:
        """Whether others have tried something in vain and that is all: nothing of it is shown to who looks."""
        if node.made or node.forfeit is not None or not node.verdict.refused:
            return False
        viewer = self._desk.viewer()
        return viewer is not None and all(refusal.player != viewer for refusal in node.verdict.refused)

    def table(self, *, once_dealt: bool = False) -> None:
        """Draw the table and name the possible moves, as the options say; or later, while chance deals cards."""
        values = self._desk.settings.values
        if values["show_table"] == "on" or values["show_possible_moves"] == "on":
            with self._desk.rule_at_risk():
                if not (once_dealt and self._desk.dealing()):
                    self._table()

    def _table(self) -> None:
        desk = self._desk
        if desk.settings.on("show_table"):
            desk.draw(desk.play.position.picture(desk.viewer()))
        if desk.settings.on("show_possible_moves"):
            turn = desk.play.turn()
            viewer = desk.viewer()
            for player in turn.players:
                if viewer in (None, player):
                    desk.inform(f"{quote(player)}={join_list(desk.play.position.moves(player))}")
