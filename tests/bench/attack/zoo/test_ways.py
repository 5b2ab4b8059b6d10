"""The table of ways: every row has its function, and an outcome that there is."""

from __future__ import annotations

from importlib import import_module

import pytest

from ggtp.bench.attack.zoo.engine import EvilEngine
from ggtp.bench.attack.zoo.ways import PLAYS_ON, WAYS, Way
from ggtp.faults import IN_TOURNAMENTS
from ggtp.protocol.commands import ENGINE
from ggtp.referee.settings import OPTIONS

COMMANDS = {*ENGINE, ""}


def test_there_are_many() -> None:
    assert len(WAYS) >= 70


@pytest.mark.parametrize("way", WAYS.values(), ids=list(WAYS))
def test_every_way_can_be_gone(way: Way) -> None:
    module = import_module(f"{EvilEngine.__module__.rpartition('.')[0]}.{way.group}")
    assert callable(getattr(module, way.deed))
    assert way.outcomes <= {PLAYS_ON, *IN_TOURNAMENTS}
    assert way.outcomes
    assert way.at in COMMANDS
    assert set(way.wires.split()) <= {"zmq", "tcp", "stdio"}
    options = {option.name if hasattr(option, "name") else option for option in OPTIONS}
    assert {setting.partition("=")[0] for setting in way.settings.split()} <= options
