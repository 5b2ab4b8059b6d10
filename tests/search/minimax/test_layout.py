"""The places of the array have one number each."""

import pytest

from ggtp.search.minimax import layout


def test_every_place_has_a_number_of_its_own() -> None:
    places = {name: value for name, value in layout.constants().items() if name not in OTHERS}
    assert sorted(places.values()) == list(range(layout.FIELDS + 1))


OTHERS = {"SELFISH", "ALONE", "OPPOSED", "PARANOID", "STOPPED", "UNCERTAIN", "SURE", "NOBODY", "ENTRY_FACTS"}


@pytest.mark.parametrize("name", ["SELFISH", "STOPPED", "KERNEL", "FACTS", "ENTRY_FACTS"])
def test_the_machine_code_knows_them_by_name(name):
    assert layout.constants()[name] == getattr(layout, name)
