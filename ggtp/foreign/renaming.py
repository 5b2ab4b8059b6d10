"""Other words for the words of a rulesheet: so that no player knows a game by its names, or keeps its spelling.

A renaming is one to one, so what is said in one vocabulary can be said back in the other.
"""

from __future__ import annotations

import random
import re
from collections.abc import Collection, Iterable, Iterator

from ggtp.foreign.expressions import Expression

LOGIC = frozenset(("distinct", "not", "or", "and", "<="))
KEYWORDS = LOGIC | frozenset(
    ("init", "true", "next", "role", "does", "goal", "legal", "terminal", "base", "input", "sees", "random", "_")
)
"""Words that mean something in every rulesheet."""

_NUMBER = re.compile(r"[+-]?[0-9]+")
_ONSETS = ("b", "br", "c", "ch", "d", "dr", "f", "fl", "g", "gr", "h", "j", "k", "l", "m", "n", "p", "r", "s", "t", "v")
_VOWELS = ["a", "e", "i", "o", "u", "ai", "ea", "ou"]
_CODAS = ("", "", "n", "r", "l", "m", "s", "nd", "rk", "st", "x")


class Renaming:
    """Words of a rulesheet to other words, and back."""

    def __init__(self, there: dict[str, str]) -> None:
        """`there` is one to one; words that it does not have stay as they are."""
        self._there = there
        self._back = {other: word for word, other in there.items()}
        self._loosely = {other.lower(): word for word, other in there.items()}

    def apply(self, expression: Expression) -> Expression:
        """The expression in the other words."""
        if isinstance(expression, str):
            return self._there.get(expression, expression)
        return tuple(map(self.apply, expression))

    def undo(self, expression: Expression) -> Expression:
        """What was meant in the first words; as a last resort without regard to case."""
        if isinstance(expression, str):
            return self._back.get(expression) or self._loosely.get(expression.lower(), expression)
        return tuple(map(self.undo, expression))


def scrambled(rules: Iterable[Expression], rng: random.Random, kept: Collection[str] = ()) -> Renaming:
    """Made-up words for all words that are neither keywords nor numbers nor `kept`, variables included."""
    there: dict[str, str] = {}
    words = dict.fromkeys(words_of(rules))
    taken = {word.lower() for word in words} | KEYWORDS | set(kept)
    for word in words:
        if word.lower() in KEYWORDS or word in kept or _NUMBER.fullmatch(word):
            continue
        mark = "?" if word.startswith("?") else ""
        made = mark + _made_up(rng)
        while made in taken:
            made += _made_up(rng)
        taken.add(made)
        there[word] = made
    return Renaming(there)


def small_letters(rules: Iterable[Expression]) -> Renaming:
    """Every word in small letters; those that would become the same get numbers."""
    there: dict[str, str] = {}
    words = dict.fromkeys(words_of(rules))
    taken = {word for word in words if word == word.lower()}
    for word in words:
        small = word.lower()
        if word == small or small in KEYWORDS:
            if word != small:
                there[word] = small
            continue
        made, number = small, 2
        while made in taken:
            made = f"{small}_{number}"
            number += 1
        taken.add(made)
        there[word] = made
    return Renaming(there)


def words_of(expressions: Iterable[Expression]) -> Iterator[str]:
    """Every word, in order."""
    for expression in expressions:
        if isinstance(expression, str):
            yield expression
        else:
            yield from words_of(expression)


def _made_up(rng: random.Random) -> str:
    syllables = (rng.choice(_ONSETS) + rng.choice(_VOWELS) + rng.choice(_CODAS) for _ in range(rng.randint(2, 4)))
    return "".join(syllables)
