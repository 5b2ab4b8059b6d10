"""A table in memory: the real referee, and engines that say what they are told to say."""

from __future__ import annotations

import os

import pytest

from ggtp.bench.attack.fuzz.table import Table, finder
from ggtp.catalogue import Catalogue
from ggtp.errors import CommandError

FIND = finder(Catalogue.from_environment(os.environ))


def test_an_engine_is_seated_and_plays() -> None:
    table = Table(FIND, {}, {})
    for line in ("set_rule TicTacToe", "set_engine Circle Mute", "save_file game", "start", "play Cross A1"):
        table.said(line)
    table.heard(1, b"select_move B2")
    table.said("list_played_moves")
    assert table.answers == [*["= Done"] * 5, "= Cross A1, Circle B2"]
    assert table.files["game"].endswith("start\nforce_play Cross A1\nforce_play Circle B2\n")
    table.failed(1, "exit")
    assert not table.links
    table.said("quit")
    assert table.left


def test_a_silent_engine_is_waited_for_in_vain() -> None:
    table = Table(FIND, {}, {})
    table.obliging = False
    table.said("set_rule TicTacToe")
    table.said("set_engine Circle Mute")
    assert table.answers == ["= Done"]
    table.pass_time(1000)
    assert table.answers[1].startswith("? ")


def test_a_mutant_names_no_file() -> None:
    for name in ("/etc/passwd", "a.py", "../x"):
        with pytest.raises(CommandError, match="No rule named"):
            FIND(name)
