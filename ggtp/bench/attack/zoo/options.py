"""Ways to have options."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ggtp.bench.attack.zoo.talking import MEGABYTE, NASTY

if TYPE_CHECKING:
    from ggtp.bench.attack.zoo.engine import EvilEngine

MILLION = 1_000_000


def controls_in_options(engine: EvilEngine, answer: str) -> None:
    """Name options that would disturb a terminal."""
    engine.send(f"{answer}, {NASTY}, two words, \u202eDepth")


def million_options(engine: EvilEngine, answer: str) -> None:
    """Name a million options, after the ones that are needed."""
    engine.send(f"{answer}, " + ", ".join(f"o{number}" for number in range(MILLION)))


def endless_options(engine: EvilEngine, answer: str) -> None:
    """Begin a reply of 1 GiB."""
    engine.stream.write(engine.stream.endless() + answer.encode())
    for _ in range(1 << 14):
        engine.stream.write(b", option" * (1 << 13))
    engine.rest()


def same_options(engine: EvilEngine, answer: str) -> None:
    """Name each option three times."""
    names = answer.removeprefix("reply ")
    engine.send(f"reply {names}, {names}, {names.lower()}")


def strange_options(engine: EvilEngine, answer: str) -> None:
    """Name options that are no names, and some that only the referee sets."""
    engine.send(f"{answer}, , =, ;, seed, rule, {'x' * 1000}, none, ?")


def lying_choices(engine: EvilEngine, _answer: str) -> None:
    """Offer values that are refused later."""
    name = engine.line.split()[-1]
    engine.send("reply nothing, 1..0, 99..1, .., free text")
    engine.game.options.pop(name, None)


def endless_choices(engine: EvilEngine, _answer: str) -> None:
    """Offer a million values."""
    engine.send("reply " + ", ".join(map(str, range(MILLION))))


def huge_value(engine: EvilEngine, _answer: str) -> None:
    """Have a value of a megabyte, with nasty ends."""
    engine.send(f"reply {NASTY}{'v' * MEGABYTE}{NASTY}")
