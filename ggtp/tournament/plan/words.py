"""Reads a mapping word by word, and says in one sentence what is wrong with it and where."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn

from ggtp.errors import GgtpError, OptionError
from ggtp.game.durations import EXAMPLES, Control, read_control, whole_milliseconds
from ggtp.game.names import did_you_mean


class Words:
    """One table of a plan. Whatever is not asked for before `done` is unknown.

    Errors are made of a sentence and of the place in the plan that it is about.
    """

    def __init__(self, place: str, data: object, error: Callable[[str, str], GgtpError]) -> None:
        self._place = place
        self._error = error
        if not isinstance(data, Mapping):
            raise error(f"{place or 'The plan'} must be a table.", place)
        self._data = data
        self._asked: list[str] = []

    def text(self, name: str, default: str | None = None) -> str:
        """A text; without a default it must be there, and not empty."""
        value = self._get(name, default)
        if value is None:
            self.refuse(name, "is missing")
        if not isinstance(value, str) or (default is None and not value):
            self.refuse(name, f"must be a text, not {_shown(value)}")
        if "\n" in value:
            self.refuse(name, "must be one line")
        return value

    def choice(self, name: str, default: str, choices: Sequence[str]) -> str:
        """One of several words."""
        value = self.text(name, default)
        if value not in choices:
            hint = did_you_mean(value, choices)
            names = ", ".join(choice for choice in choices if choice)
            self.refuse(name, f"can't be {_shown(value)}: it is one of {names}", hint)
        return value

    def whole(self, name: str, default: int, least: int, most: int) -> int:
        """A whole number."""
        value = self._get(name, default)
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            self.refuse(name, f"must be a whole number from {least} to {most}, not {_shown(value)}")
        return value

    def milliseconds(self, name: str, default: int, least: int, most: int) -> int:
        """A time: a whole number of milliseconds, or a duration such as `5s`."""
        value = self._get(name, default)
        read = whole_milliseconds(value) if isinstance(value, str) else value
        if isinstance(read, bool) or not isinstance(read, int) or not least <= read <= most:
            self.refuse(
                name,
                f"must be a time from {least} to {most} milliseconds, such as 1500 or {EXAMPLES}, not {_shown(value)}",
            )
        return read

    def real(self, name: str, default: float, least: float, most: float) -> float:
        """A number."""
        value = self._get(name, default)
        if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most:
            self.refuse(name, f"must be a number from {least:g} to {most:g}, not {_shown(value)}")
        return float(value)

    def switch(self, name: str, default: bool) -> bool:
        """True or false."""
        value = self._get(name, default)
        if not isinstance(value, bool):
            self.refuse(name, f"must be true or false, not {_shown(value)}")
        return value

    def texts(self, name: str) -> tuple[str, ...]:
        """A list of texts; one text alone is a list of one."""
        value = self._get(name, [])
        values = [value] if isinstance(value, str) else value
        if not isinstance(values, list | tuple) or not all(isinstance(text, str) for text in values):
            self.refuse(name, f"must be a list of texts, not {_shown(value)}")
        return tuple(values)

    def strings(self, name: str) -> dict[str, str]:
        """A table of options: texts, numbers and switches, all as text."""
        value = self._get(name, {})
        if not isinstance(value, Mapping):
            self.refuse(name, f"must be a table, not {_shown(value)}")
        result = {}
        for key, item in value.items():
            if isinstance(item, bool):
                result[str(key)] = "on" if item else "off"
            elif isinstance(item, str | int | float):
                result[str(key)] = str(item)
            else:
                self.refuse(f"{name}.{key}", f"must be a text or a number, not {_shown(item)}")
        return result

    def table(self, name: str) -> Words:
        """A table, empty where it is not given."""
        return Words(self._where(name), self._get(name, {}), self._error)

    def tables(self, name: str) -> list[Words]:
        """A list of tables."""
        value = self._get(name, [])
        if not isinstance(value, list | tuple):
            self.refuse(name, f"must be a list of tables: write [[{self._where(name)}]]")
        return [Words(f"{self._where(name)} {number}", item, self._error) for number, item in enumerate(value, 1)]

    def control(self, name: str) -> Control:
        """A time control such as `5+0.1`."""
        try:
            return read_control(self.text(name))
        except OptionError as error:
            raise self._error(f"{self._where(name)}: {error}", self._where(name)) from None

    def given(self, name: str) -> bool:
        """Return whether there is such a word."""
        self._asked.append(name)
        return name in self._data

    def is_text(self, name: str) -> bool:
        """Return whether a word that may be a table is a text."""
        return isinstance(self._get(name, None), str)

    def is_one_of(self, name: str, values: Sequence[str | int]) -> bool:
        """Whether a word has one of these values."""
        return self._get(name, None) in values

    def refuse(self, name: str, why: str, hint: str = "") -> NoReturn:
        """Say what is wrong with a word, and perhaps in another sentence what was meant."""
        raise self._error(f"{self._where(name)} {why}.{hint}", self._where(name))

    def done(self) -> None:
        """Refuse what nobody has asked for."""
        for name in self._data:
            if name not in self._asked:
                hint = did_you_mean(str(name), self._asked) or f" There are {', '.join(sorted(self._asked))}."
                self.refuse(str(name), "is not a key of plans", hint)

    def _get(self, name: str, default: object) -> Any:
        self._asked.append(name)
        return self._data.get(name, default)

    def _where(self, name: str) -> str:
        return f"{self._place}.{name}" if self._place else name


def _shown(value: object) -> str:
    try:
        text = repr(value)
    except ValueError:  # Python writes no integer of many thousand digits, though TOML in base 16 may have one
        text = "a number of too many digits"
    return text if len(text) <= 60 else f"{text[:57]}..."
