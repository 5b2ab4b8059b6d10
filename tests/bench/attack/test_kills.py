"""Killed programs lose no answered command."""

from __future__ import annotations

import random

import pytest

from ggtp.bench.attack.kills import PlayFile, begin, games, played
from ggtp.bench.attack.parts import Site


@pytest.mark.process
def test_nothing_is_lost(site: Site) -> None:
    with begin(site) as attempt:
        for number in (0, 2):
            attempt(number, random.Random(number))
    assert site.tally.findings == []
    assert site.tally.tried == 2


@pytest.mark.process
def test_a_lost_command_is_found(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    original = PlayFile._until_killed

    def lie(attempt: PlayFile) -> tuple[list[str], list[str]]:
        told, answered = original(attempt)
        return [*told, "play Cross A9"], [*answered, "play Cross A9"]

    monkeypatch.setattr(PlayFile, "_until_killed", lie)
    PlayFile(site, 0, random.Random(0)).attempt()
    assert site.tally.counts["lost"] == 1


def test_moves_that_are_undone_do_not_count() -> None:
    lines = [
        "start",
        "play Cross A1",
        "start",
        "play Cross A1",
        "play Circle B1",
        "undo",
        "play Circle C1",
        "undo",
        "redo",
    ]
    assert played(lines) == ["Cross A1", "Circle C1"]
    assert played([*lines, "undo"]) == ["Cross A1"]
    assert played([]) == []


def test_games_end_before_the_board_is_full() -> None:
    lines = [line for line, _ in zip(games(random.Random(1)), range(200), strict=False)]
    assert lines[0] == "start"
    assert {line.split()[0] for line in lines} == {"start", "play", "undo", "redo"}
