"""Games made ready to be stepped through in a page: each move, and which cells of the picture it changed.

A page holds every layout and every text of a cell once (`Album`). A game is its first picture in full and then the
differences, so that thousands of games stay small.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from ggtp.errors import GgtpError
from ggtp.game.model import Player, Rules
from ggtp.game.picture import Picture, text_width
from ggtp.game.record import Node, step_text
from ggtp.play.play import Play
from ggtp.play.replay import begun, make_all
from ggtp.ui.drawing.picture_html import Layout, Slot, layout_html, layout_of

Frame: TypeAlias = list[int]
"""Slot and value, slot and value, ...: what is different. Where the layout is another: -1, the layout, all values."""

MOST_STEPS = 5000
"""Of a longer game the rest is not pictured."""
LONGEST = 200
"""A cell's or a note's text is cut after so many characters."""


@dataclass(slots=True)
class Album:
    """The layouts and texts that the pictures of a page are made of."""

    layouts: dict[Layout, int] = field(default_factory=dict)
    slots: dict[Slot, int] = field(default_factory=dict)
    widths: list[list[int]] = field(default_factory=list)
    """For each layout, the widest text that each of its slots ever has."""

    def frame(self, picture: Picture, before: tuple[int, list[int]] | None) -> tuple[Frame, tuple[int, list[int]]]:
        """A picture as what has changed since the one before, and what to compare the next one with."""
        layout, slots = layout_of(picture)
        slots = [(text[:LONGEST], tone) for text, tone in slots]
        number = self.layouts.setdefault(layout, len(self.layouts))
        if number == len(self.widths):
            self.widths.append([0] * len(slots))
        values = [self.slots.setdefault(slot, len(self.slots)) for slot in slots]
        widths = self.widths[number]
        if before is None or before[0] != number:
            changed: Sequence[int] = range(len(values))
            frame = [-1, number, *values]
        else:
            changed = [i for i, (old, new) in enumerate(zip(before[1], values, strict=True)) if old != new]
            frame = [x for i in changed for x in (i, values[i])]
        for i in changed:
            widths[i] = max(widths[i], text_width(slots[i][0]))
        return frame, (number, values)

    def templates(self) -> list[str]:
        """Every layout as HTML, with empty slots."""
        return [layout_html(layout, self.widths[number]) for layout, number in self.layouts.items()]

    def data(self) -> list[list[str]]:
        """Every text with its tone, by number."""
        return [[text, tone] for text, tone in self.slots]


@dataclass(slots=True)
class PicturedGame:
    """A game's steps."""

    steps: list[str] = field(default_factory=list)
    """What was done in each step, as `Cross A1`."""
    notes: dict[int, str] = field(default_factory=dict)
    """What was said about a step, the start being number 0: announcements, comments, how it ended."""
    frames: list[Frame] = field(default_factory=list)
    """A picture for the start and for each step, as far as they could be drawn."""
    views: dict[Player, list[Frame]] = field(default_factory=dict)
    """The same as each player saw it, in games with secrets."""
    problem: str = ""
    """Why there are no more pictures."""

    def data(self) -> dict[str, Any]:
        """For JSON."""
        found: dict[str, Any] = {"s": self.steps, "f": self.frames}
        if self.notes:
            found["n"] = {str(step): text for step, text in self.notes.items()}
        if self.views:
            found["v"] = self.views
        if self.problem:
            found["x"] = self.problem
        return found


def picture_moves(album: Album, rules: Rules | None, options: dict[str, str], moves: Sequence[str]) -> PicturedGame:
    """A game from its moves, each `PLAYER MOVE`. Where the rules are not there, or refuse, the moves alone remain."""
    if rules is None:
        return PicturedGame(list(moves), problem="The rules are not found here, so there are no pictures.")
    play = Play()
    try:
        play = begun(rules, rules.name, options)
        make_all(play, moves)
    except GgtpError as error:
        return _partly(album, play, moves, f"The rules do not follow: {error}")
    except Exception as error:  # noqa: BLE001 - rules are guests and may raise anything
        return _partly(album, play, moves, f"The rules failed with {type(error).__name__}: {error}")
    return picture_nodes(album, [play.need_record().nodes[0], *play.need_record().cursor.path()], viewers(play))


def viewers(play: Play) -> tuple[Player, ...]:
    """Those whose pictures differ from the referee's."""
    return play.players if play.rules is not None and play.rules.traits.hidden else ()


def _partly(album: Album, play: Play, moves: Sequence[str], problem: str) -> PicturedGame:
    if play.record is None:
        return PicturedGame(list(moves), problem=problem)
    pictured = picture_nodes(album, [play.record.nodes[0], *play.record.cursor.path()], viewers(play))
    pictured.problem = pictured.problem or problem
    # The moves that could not be followed are told all the same; a joint turn may hide a few.
    pictured.steps += list(moves[len(play.record.line()) :])
    return pictured


def picture_nodes(album: Album, nodes: Iterable[Node], players: Sequence[Player] = ()) -> PicturedGame:
    """A line of a play's record, from its start on; as these players saw it, too."""
    pictured = PicturedGame(views={player: [] for player in players})
    before: dict[Player | None, tuple[int, list[int]] | None] = dict.fromkeys((None, *players))
    for number, node in enumerate(nodes):
        if number:
            pictured.steps.append(step_text(node))
        remarks = [refusal.reason for refusal in node.verdict.refused if refusal.reason]
        remarks += [
            said.text if said.to is None else f"to {said.to}: {said.text}" for said in node.verdict.announcements
        ]
        remarks += [text for text in (node.comment, node.forfeit.reason if node.forfeit else "") if text]
        if remarks:
            pictured.notes[number] = "; ".join(remarks)
        if pictured.problem:
            continue
        if number > MOST_STEPS:
            pictured.problem = f"Pictures end after {MOST_STEPS} moves."
            continue
        try:
            pictures = [(player, node.position.picture(player)) for player in before]
        except Exception as error:  # noqa: BLE001 - rules are guests and may raise anything
            pictured.problem = f"The picture failed with {type(error).__name__}: {error}"
            continue
        for player, picture in pictures:
            frame, before[player] = album.frame(picture, before[player])
            (pictured.frames if player is None else pictured.views[player]).append(frame)
    return pictured
