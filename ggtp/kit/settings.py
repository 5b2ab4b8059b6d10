"""The options that every engine made with the kit has: how it learns its game, and how it may be held.

> The referee reads `list_options` after `connect_engine` and sets those of these that the engine
> lists: `rule`, `rule_text`, `player`, `rule_options`, `seed`, `threads`, `memory`.
"""

from __future__ import annotations

import random

from ggtp.errors import OptionError
from ggtp.game import Option, duration, number, switch
from ggtp.game.options import find_option

NONE = "none"
"""What an option answers that has no value."""
RANDOM_SEED = "random"
READ_ONLY = "read-only"

RULE = "rule"
RULE_TEXT = "rule_text"
RULE_OPTIONS = "rule_options"
PLAYER = "player"
SEED = "seed"
MEMORY = "memory"
START_CLOCK = "start_clock"
LAST_SEARCH = "last_search"
MESSAGES = "messages"
REFUSAL = "refusal"

HOUSE_OPTIONS = (
    Option(RULE, NONE, "the game, by name or by the path of a rule file"),
    Option(RULE_TEXT, NONE, "the rules themselves, for rules that are data"),
    Option(RULE_OPTIONS, "", "the options of the rule, as in size=8, komi=6.5"),
    Option(PLAYER, NONE, "for whom the engine plays"),
    Option(SEED, RANDOM_SEED, "where its chance begins; equal seeds make equal choices"),
    number("threads", 1, 1, 1024, "how many threads it may use"),
    number(MEMORY, 256, 1, 1 << 20, "how many MiB its tables of positions may take, and compiling its rule"),
    duration(START_CLOCK, 0, 0, 1 << 31, "how many milliseconds it may use before it acknowledges start"),
    Option(LAST_SEARCH, NONE, "what it has found out about the last move that it chose"),
    Option(REFUSAL, NONE, "why it has refused the last value that it did not take, in a sentence"),
)
TOLD = frozenset({LAST_SEARCH, REFUSAL})
"""These can only be read."""
TALKING_OPTIONS = (switch(MESSAGES, False, "whether it may send messages to partners, and is told theirs"),)
"""The options of engines that talk to partners."""
CHANGING = frozenset({RULE, RULE_TEXT, RULE_OPTIONS, PLAYER})
"""To set one of these withdraws a search that is under way."""


class Settings:
    """The values of all options of an engine."""

    def __init__(self, own: tuple[Option, ...], *, talks: bool = False) -> None:
        self.options = (*own, *HOUSE_OPTIONS, *(TALKING_OPTIONS if talks else ()))
        self.values = {option.name: option.default for option in self.options}

    def find(self, name: str) -> Option | None:
        """The option of that name, exactly or without regard to case."""
        try:
            return find_option(self.options, name)
        except OptionError:
            return None

    def set(self, option: Option, text: str) -> None:
        """Set an option.

        Raises:
            OptionError: it does not take the value.
        """
        value = option.canonical(text)
        # A search that is under way keeps the values that it began with.
        self.values = {**self.values, option.name: value}

    def reseed(self, *generators: random.Random) -> None:
        """Let sources of chance begin where the option `seed` says."""
        seed = self.values[SEED]
        for generator in generators:
            generator.seed(None if seed == RANDOM_SEED else seed)
