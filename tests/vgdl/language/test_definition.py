from __future__ import annotations

from support.vgdl import game


def test_only_resources_can_be_had() -> None:
    made = game("coin > Resource limit=7\nstone > Passive limit=9\n")
    numbers = {kind.name: kind.number for kind in made.types}
    assert made.resource_limit(numbers["coin"]) == 7
    assert made.resource_limit(numbers["stone"]) == 0


def test_what_a_type_makes_is_its_first_target() -> None:
    made = game("a > SpawnPoint stype=b\nb > Passive\nc > SpawnPoint\n")
    kinds = {kind.name: kind for kind in made.types}
    assert kinds["a"].target == kinds["b"].number
    assert kinds["c"].target == -1
