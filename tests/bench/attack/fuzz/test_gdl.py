"""Rules in GDL are read and played."""

from __future__ import annotations

import pytest

from ggtp.bench.attack.fuzz.gdl import MOST_CHARACTERS, read, seeds
from ggtp.bench.attack.fuzz.trial import Budget
from ggtp.errors import RulesError


def test_rules_are_played() -> None:
    found = seeds({})
    assert len(found) > 20
    assert max(map(len, found)) <= MOST_CHARACTERS
    assert read(min(found, key=len), Budget()).endswith((" open", " over"))


def test_what_is_no_game_is_refused() -> None:
    with pytest.raises(RulesError):
        read("(role a", Budget())
