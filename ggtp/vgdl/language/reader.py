"""Reads indented text into a tree of lines, every word with its place.

A line belongs to the nearest line above it that is indented less. A tab counts as one
character, `#` begins a comment, and empty lines mean nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

WORD = re.compile(r"\S+")
ARROW = ">"


@dataclass(frozen=True, slots=True)
class Word:
    """A word and where it stands; line and column count from one."""

    text: str
    line: int
    column: int

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Setting:
    """A word of the form `name=value`."""

    name: str
    value: str
    word: Word


@dataclass(slots=True)
class Line:
    """A line of text, and the lines below it that belong to it."""

    words: list[Word]
    indent: int
    children: list[Line] = field(default_factory=list)

    @property
    def first(self) -> Word:
        """The word that the line begins with."""
        return self.words[0]

    def sides(self) -> tuple[list[Word], list[Word] | None]:
        """The words before and after the arrow; None after it where there is no arrow."""
        for index, word in enumerate(self.words):
            if word.text == ARROW:
                return self.words[:index], self.words[index + 1 :]
        return self.words, None

    def walk(self) -> Iterator[Line]:
        """This line and all below it, from the top."""
        yield self
        for child in self.children:
            yield from child.walk()


def read(text: str) -> list[Line]:
    """The lines that belong to no other, each with those that belong to it."""
    top: list[Line] = []
    open_lines: list[Line] = []
    for number, raw in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        words = list(_words(raw, number))
        if not words:
            continue
        line = Line(words, words[0].column - 1)
        while open_lines and open_lines[-1].indent >= line.indent:
            open_lines.pop()
        (open_lines[-1].children if open_lines else top).append(line)
        open_lines.append(line)
    return top


def _words(raw: str, number: int) -> Iterator[Word]:
    """The words of a line up to its comment; an arrow is a word, whatever stands next to it."""
    for match in WORD.finditer(raw.partition("#")[0]):
        text, column = match.group(), match.start() + 1
        if ARROW not in text or text == ARROW:
            yield Word(text, number, column)
            continue
        for part in re.finditer(r">|[^>]+", text):
            yield Word(part.group(), number, column + part.start())


def settings(words: list[Word]) -> tuple[list[Word], list[Setting]]:
    """The plain words, and those of the form `name=value`."""
    plain, found = [], []
    for word in words:
        name, equals, value = word.text.partition("=")
        if equals:
            found.append(Setting(name, value, word))
        else:
            plain.append(word)
    return plain, found
