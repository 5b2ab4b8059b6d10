"""Which of several guests a name means."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from ggtp.catalogue.shelves import pick, survey


@dataclass(frozen=True)
class Thing:
    name: str
    place: int = 0


def shelves(*rows: str) -> list[list[Thing]]:
    return [[Thing(name, place) for name in row.split()] for place, row in enumerate(rows)]


@pytest.mark.parametrize(
    ("text", "rows", "found"),
    [
        ("Hex", ["Hex"], [Thing("Hex", 0)]),
        ("hex", ["Hex"], [Thing("Hex", 0)]),
        ("hex", ["Hex", "hex"], [Thing("Hex", 0)]),  # an earlier shelf wins, whatever the case
        ("hex", ["Go", "hex"], [Thing("hex", 1)]),
        ("hex", ["Hex hex"], [Thing("hex", 0)]),  # on one shelf the exact name wins
        ("HEX", ["Hex hex"], [Thing("Hex", 0), Thing("hex", 0)]),
        ("hex", ["hex hex"], [Thing("hex", 0), Thing("hex", 0)]),
        ("Hex", ["hex hex"], [Thing("hex", 0), Thing("hex", 0)]),
        ("he", ["Hex"], []),
        ("", ["Hex"], []),
        ("hex", [], []),
    ],
)
def test_pick(text: str, rows: list[str], found: list[Thing]) -> None:
    assert list(pick(text, shelves(*rows))) == found


def test_shelves_after_a_hit_are_not_looked_at() -> None:
    def lazy():
        yield [Thing("Hex")]
        raise AssertionError("looked further")

    assert pick("hex", lazy()) == (Thing("Hex"),)


def test_survey_sorts_by_name_and_tells_shadows_from_twins() -> None:
    result = survey(shelves("b a", "B c c"))
    assert [(standing.item.name, standing.item.place) for standing in result] == [
        ("a", 0),
        ("b", 0),
        ("B", 1),
        ("c", 1),
        ("c", 1),
    ]
    assert [standing.shadowed_by for standing in result] == [None, None, Thing("b", 0), None, None]
    assert [len(standing.twins) for standing in result] == [0, 0, 0, 1, 1]


def test_what_differs_in_case_on_one_shelf_shadows_nothing() -> None:
    assert [(standing.shadowed_by, standing.twins) for standing in survey(shelves("Hex hex"))] == [(None, ())] * 2
