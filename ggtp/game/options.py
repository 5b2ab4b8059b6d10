"""Options: a name, a default, and the values that it takes.

One kind of option serves the referee, the rules and the engines, since the protocol
speaks of all three in the same four commands. A value is always its canonical text.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ggtp.errors import OptionError
from ggtp.game.durations import EXAMPLES, UNITS, whole_milliseconds
from ggtp.game.names import did_you_mean, match_name

ON_OFF = ("on", "off")


@dataclass(frozen=True, slots=True)
class Option:
    """What can be set, to what, and what it is for."""

    name: str
    default: str
    summary: str = ""
    choices: tuple[str, ...] = ()
    """The allowed values; empty where a range or any text is allowed."""
    low: int | None = None
    high: int | None = None
    """The allowed whole numbers, both ends included."""
    unit: str = ""
    """Of a number that is a time, `ms` or `s`: people may write it as a duration, too."""
    words: tuple[str, ...] = ()
    """Words that are allowed beside the integers."""

    def describe_choices(self) -> tuple[str, ...]:
        """The answer to `list_option_choices`: the values, a range such as `1..64`, or `any`."""
        if self.choices:
            return self.choices
        if self.low is not None or self.high is not None:
            return (*self.words, f"{'' if self.low is None else self.low}..{'' if self.high is None else self.high}")
        return ("any",)

    def canonical(self, text: str) -> str:
        """The canonical text of a value.

        Raises:
            OptionError: it is not one of the choices, or outside the range.
        """
        if self.choices:
            found = match_name(text, self.choices)
            if found is None:
                takes = f"it takes {', '.join(self.choices)}.{did_you_mean(text, self.choices)}"
                raise OptionError(f"No value {text} for option {self.name}: {takes}")
            return found
        if self.low is None and self.high is None:
            return text
        if self.words and (word := match_name(text, self.words)) is not None:
            return word
        if self.unit:
            text = self._counted(text)
        # Python reads '1_000' and digits of every script; the protocol means plain ones.
        plain = text[1:] if text[:1] in ("-", "+") else text
        if plain.isascii() and plain.isdigit() and len(plain) <= max(18, len(str(self.high))):
            number = int(text)
            if (self.low is None or number >= self.low) and (self.high is None or number <= self.high):
                return str(number)
        *words, numbers = self.describe_choices()
        takes = " or ".join((*words, f"a whole number, {numbers}"))
        raise OptionError(
            f"No value {text} for option {self.name}: it takes {takes}"
            f"{f', or a time such as {EXAMPLES}' if self.unit else ''}."
        )

    def _counted(self, text: str) -> str:
        """The number of units that a duration with one is; anything else as it is."""
        milliseconds = None if text[-1:].isdigit() else whole_milliseconds(text)
        if milliseconds is None or milliseconds % UNITS[self.unit]:
            return text
        return str(milliseconds // UNITS[self.unit])


def switch(name: str, default: bool, summary: str) -> Option:
    """An option that is `on` or `off`."""
    return Option(name, "on" if default else "off", summary, choices=ON_OFF)


def number(name: str, default: int, low: int | None, high: int | None, summary: str) -> Option:
    """An option that takes whole numbers from `low` to `high`."""
    return Option(name, str(default), summary, low=low, high=high)


def duration(name: str, default: int, low: int | None, high: int | None, summary: str, unit: str = "ms") -> Option:
    """An option that takes a time from `low` to `high`: a number of milliseconds or seconds, or `5s` or `2m`."""
    return Option(name, str(default), summary, low=low, high=high, unit=unit)


def find_option(options: Iterable[Option], name: str) -> Option:
    """The option of that name, exactly or without regard to case.

    Raises:
        OptionError: there is none.
    """
    by_name = {option.name: option for option in options}
    found = match_name(name, by_name)
    if found is None:
        raise OptionError(f"No option named {name}.{did_you_mean(name, by_name)}")
    return by_name[found]


def complete(options: Iterable[Option], values: Mapping[str, str]) -> dict[str, str]:
    """Every option with its canonical value: the given one, or the default.

    Raises:
        OptionError: an unknown name, or a value that it does not take.
    """
    table = list(options)
    result = {option.name: option.default for option in table}
    for name, value in values.items():
        option = find_option(table, name)
        result[option.name] = option.canonical(value)
    return result
