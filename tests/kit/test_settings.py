"""The values of an engine's options."""

import random

import pytest

from ggtp.errors import OptionError
from ggtp.game import number, switch
from ggtp.kit.settings import Settings

OWN = (number("Depth", 8, 1, 64, "how deep"), switch("Book", True, "whether to use a book"))


def test_defaults() -> None:
    values = Settings(OWN).values
    assert (values["Depth"], values["Book"], values["rule"], values["threads"]) == ("8", "on", "none", "1")


def test_a_value_that_is_not_taken_changes_nothing() -> None:
    settings = Settings(OWN)
    before = settings.values
    with pytest.raises(OptionError):
        settings.set(settings.find("Depth"), "65")
    assert settings.values is before


def test_whoever_holds_the_values_keeps_the_old_ones() -> None:
    settings = Settings(OWN)
    held = settings.values
    settings.set(settings.find("book"), "OFF")
    assert (held["Book"], settings.values["Book"]) == ("on", "off")


def test_names_without_regard_to_case() -> None:
    settings = Settings(OWN)
    assert settings.find("dEPTH").name == "Depth"
    assert settings.find("Deep") is None


@pytest.mark.parametrize("seed", ["0", "7", "any words"])
def test_a_seed_decides(seed):
    settings = Settings(OWN)
    settings.set(settings.find("seed"), seed)
    generators = [random.Random(1), random.Random(2)]
    settings.reseed(*generators)
    assert generators[0].random() == generators[1].random()


def test_random_is_no_seed() -> None:
    settings = Settings(OWN)
    generators = [random.Random(1), random.Random(1)]
    settings.reseed(*generators)
    assert generators[0].random() != generators[1].random()


def test_only_engines_that_talk_have_the_option_for_it() -> None:
    assert Settings(()).find("messages") is None
    option = Settings((), talks=True).find("messages")
    assert option is not None
    assert option.default == "off"
