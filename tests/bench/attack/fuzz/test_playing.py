"""Rules are played at random."""

from __future__ import annotations

import os
import random

from ggtp.bench.attack.fuzz.playing import play_at_random
from ggtp.catalogue import Catalogue


def test_a_game_is_played_to_its_end_or_some_turns() -> None:
    find = Catalogue.from_environment(os.environ).guarded_rules
    assert play_at_random(find("TicTacToe"), {}, random.Random(1), 100) == "2 players, 4 turns, over"
    assert play_at_random(find("CantStop"), {}, random.Random(1), 3).endswith("2 turns, open")
