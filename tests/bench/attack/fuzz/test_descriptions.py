"""Descriptions are read, and asked for their command."""

from __future__ import annotations

import os

import pytest

from ggtp.bench.attack.fuzz.descriptions import FULL, reader, seeds
from ggtp.bench.attack.fuzz.trial import Budget
from ggtp.errors import EngineFileError


def test_a_description_is_read() -> None:
    read = reader(os.environ)
    assert read(FULL, Budget()) == "zmq False False 3"
    assert len(seeds(os.environ)) > 5
    with pytest.raises(EngineFileError):
        read("name = 3", Budget())
