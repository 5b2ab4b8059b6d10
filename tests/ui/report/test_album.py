"""Games made ready to be stepped through."""

from __future__ import annotations

import random
from typing import ClassVar

import pytest
from support.tournaments import find_rules, play_out

from ggtp.game import Picture, Position
from ggtp.game.picture import Cell, Grid, Note
from ggtp.game.record import GameRecord
from ggtp.ui.drawing.picture_html import Slot, cell_slot
from ggtp.ui.report.album import Album, Frame, picture_moves, picture_nodes


def expanded(album: Album, frames: list[Frame]) -> list[list[Slot]]:
    """What the page's script does with frames."""
    slots = list(album.slots)
    values: list[int] = []
    found = []
    for frame in frames:
        if frame[:1] == [-1]:
            values = frame[2:]
        else:
            values = list(values)
            for place, value in zip(frame[::2], frame[1::2], strict=True):
                values[place] = value
        found.append([slots[value] for value in values])
    return found


def seen(position: Position) -> list[Slot]:
    found: list[Slot] = []
    for part in position.picture(None).parts:
        if isinstance(part, Note):
            found.append((part.text, part.tone))
        else:
            found += [cell_slot(cell) for row in part.rows for cell in row]
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["TicTacToe", "ConnectFour", "Breakthrough", "CantStop", "Nim", "PhantomTicTacToe", "RockPaperScissors"]
)
def test_the_differences_come_to_the_pictures(name: str) -> None:
    rules = find_rules(name)
    moves, _ = play_out(rules.start(), random.Random(3), {})
    album = Album()
    replay = picture_moves(album, rules, {}, moves)
    assert not replay.problem
    assert len(replay.frames) == len(replay.steps) + 1
    record = GameRecord(rules.start())
    pictures = [seen(record.position)]
    pending: dict[str, str] = {}
    for move in moves:
        player, _, text = move.partition(" ")
        pending[player] = text
        if len(pending) == len(record.position.turn().players):
            record.play(pending)
            pictures.append(seen(record.position))
            pending = {}
    assert expanded(album, replay.frames) == pictures
    assert len(album.templates()) == len(album.layouts)


def test_a_move_is_a_few_numbers() -> None:
    rules = find_rules("Breakthrough")
    moves, _ = play_out(rules.start(), random.Random(3), {})
    replay = picture_moves(Album(), rules, {}, moves)
    assert all(len(frame) <= 6 for frame in replay.frames[1:])


def test_without_rules_the_moves_remain() -> None:
    replay = picture_moves(Album(), None, {}, ["Cross A1", "Circle B2"])
    assert (replay.steps, replay.frames) == (["Cross A1", "Circle B2"], [])
    assert "not found" in replay.problem


@pytest.mark.parametrize("moves", [["Cross A1", "Circle A1"], ["Cross A1", "Nobody B2"], ["Cross A1", "nonsense"]])
def test_moves_that_the_rules_refuse_are_told_after_those_that_hold(moves: list[str]) -> None:
    replay = picture_moves(Album(), find_rules("TicTacToe"), {}, moves)
    assert replay.steps == moves
    assert len(replay.frames) == 2
    assert replay.problem.startswith("The rules do not follow")
    assert replay.data()["x"] == replay.problem


def test_options_that_there_are_not() -> None:
    replay = picture_moves(Album(), find_rules("TicTacToe"), {"wings": "2"}, ["Cross A1"])
    assert (replay.steps, replay.frames) == (["Cross A1"], [])


class Flaky(Position):
    """A guest whose pictures fail after two moves, and whose pictures change their shape."""

    shapes: ClassVar[list[Picture]] = [Picture((Note("start"),)), Picture((Grid(((Cell("x"),),)), Note("n" * 500)))]

    def __init__(self, step: int = 0) -> None:
        self.step = step

    def picture(self, player: str | None) -> Picture:
        return self.shapes[self.step]


Flaky.__abstractmethods__ = frozenset()


def test_a_guest_that_fails_costs_its_pictures_only() -> None:
    from ggtp.game import Verdict

    record = GameRecord(Flaky())  # type: ignore[abstract]  # it has all that is asked for
    nodes = [record.nodes[0]]
    for step in (1, 2, 3):
        nodes.append(record._grow((("a", str(step)),), Verdict(Flaky(step), (("a", str(step)),))))  # type: ignore[abstract]
    album = Album()
    replay = picture_nodes(album, nodes)
    assert replay.steps == ["a 1", "a 2", "a 3"]
    assert [frame[:2] for frame in replay.frames] == [[-1, 0], [-1, 1]]
    assert "IndexError" in replay.problem
    assert max(len(text) for text, _ in album.slots) == 200


def test_games_with_secrets_are_pictured_as_each_player_saw_them() -> None:
    rules = find_rules("PhantomTicTacToe")
    album = Album()
    replay = picture_moves(album, rules, {}, ["Cross B2", "Circle A1"])
    last = {name: expanded(album, frames)[-1] for name, frames in replay.views.items()}
    everything = expanded(album, replay.frames)[-1]
    marks = {name: {text for text, _ in slots} & {"X", "O"} for name, slots in last.items()}
    assert marks == {"Cross": {"X"}, "Circle": {"O"}}
    assert {text for text, _ in everything} >= {"X", "O"}
    assert replay.data()["v"] == replay.views
    assert "v" not in picture_moves(album, find_rules("TicTacToe"), {}, ["Cross B2"]).data()


def test_refusals_and_announcements_are_remarks() -> None:
    rules = find_rules("PhantomTicTacToe")
    replay = picture_moves(Album(), rules, {}, ["Cross B2", "Circle B2", "Circle A1"])
    assert replay.steps[1] == "Circle tries B2"
    assert "taken" in replay.notes[2]
    assert replay.data()["n"] == {"2": replay.notes[2]}
