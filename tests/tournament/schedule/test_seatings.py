"""Who sits where."""

from __future__ import annotations

from collections import Counter

import pytest

from ggtp.tournament.schedule.seatings import seatings


def test_two_players_change_seats() -> None:
    assert seatings("AB", ("Cross", "Circle")) == ({"Cross": "A", "Circle": "B"}, {"Cross": "B", "Circle": "A"})


@pytest.mark.parametrize(
    ("players", "seats", "most", "count"),
    [
        ("ABC", "123", 0, 6),
        ("ABCD", "1234", 0, 24),
        ("ABCDE", "12345", 0, 5),
        ("ABC", "123", 3, 3),
        ("AB", "1234", 0, 4),
        ("ABC", "1234", 0, 3),
        ("AB", "123", 0, 2),
        ("ABCDEF", "123456", 0, 6),
    ],
)
def test_every_player_sits_equally_often_in_every_seat(players: str, seats: str, most: int, count: int) -> None:
    found = seatings(players, seats, most)
    assert len(found) == count
    assert len({tuple(seating.items()) for seating in found}) == count
    counts = Counter((seat, player) for seating in found for seat, player in seating.items())
    assert set(counts.values()) == {count // len(players)}
    assert len(counts) == len(players) * len(seats)


def test_a_game_for_one_is_played_by_each_alone() -> None:
    assert seatings("ABC", ("Robot",)) == ({"Robot": "A"}, {"Robot": "B"}, {"Robot": "C"})


def test_too_many_players_have_no_seating() -> None:
    assert seatings("ABC", ("Cross", "Circle")) == ()
    assert seatings("", ("Cross",)) == ()
