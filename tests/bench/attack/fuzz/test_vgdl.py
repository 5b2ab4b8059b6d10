"""Rules in VGDL are read and played."""

from __future__ import annotations

import pytest

from ggtp.bench.attack.fuzz.trial import Budget
from ggtp.bench.attack.fuzz.vgdl import LEVEL, read, seeds
from ggtp.errors import GgtpError


def test_rules_are_played() -> None:
    found = seeds({})
    assert all(LEVEL in text for text in found)
    assert read(found[0], Budget()).startswith("1 players")


@pytest.mark.parametrize("text", ["", "BasicGame\n", f"BasicGame{LEVEL}"])
def test_what_is_no_game_is_refused(text: str) -> None:
    with pytest.raises(GgtpError):
        read(text, Budget())
