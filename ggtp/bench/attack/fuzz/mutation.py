"""Makes texts that are nearly right out of right ones: pieces are moved, copied, nested and replaced."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

MOST_CHARACTERS = 1 << 16
"""A mutant has at most this many: what is slow for short texts is a finding, and long ones only take time."""
MOST_CHANGES = 6
TOKEN = re.compile(r"\"[^\"\n]*\"|[^\W\d]\w*|\d+(?:\.\d+)?|[ \t]+|.", re.DOTALL)
BRACKETS = {"(": ")", "[": "]", "{": "}"}
NUMBERS = (
    *(
        "0",
        "-0",
        "1",
        "-1",
        "2",
        "00",
        "255",
        "65536",
        "1000000000",
        "2147483647",
        "2147483648",
        "-9223372036854775809",
    ),
    *("18446744073709551616", "9" * 400, "1e9", "1e999", "-1e999", "nan", "inf", "0x10", "1_000", "0.1", "1e-400"),
    *("\u0663", "\xb2"),
)
ODD = (
    *(
        "",
        " ",
        "\t",
        "\r",
        "\n",
        "\r\n",
        "\0",
        "\x1b[2J",
        "\x7f",
        "\x85",
        "\u2028",
        "\u202e",
        "\u200b",
        "\ud800",
        "\ufeff",
    ),
    *(
        "\xe9",
        "\u265e",
        "\u0130",
        "\xdf",
        '"',
        "\\",
        "'",
        ",",
        "=",
        ";",
        "#",
        "?",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        "-> ",
        "= ",
    ),
    *("%s", "{}", "{0}", "../", "~", "/dev/zero", "/proc/self/mem", "None", "true", "x" * 3000),
)


def mutated(text: str, rng: random.Random, others: Sequence[str]) -> str:
    """Return a text that differs from this one in a few places; pieces of others may be put in."""
    for _ in range(rng.randrange(1, MOST_CHANGES)):
        text = rng.choices(CHANGES, WEIGHTS)[0](text, rng, others)[:MOST_CHARACTERS]
    return text


def pieces(text: str, rng: random.Random) -> list[tuple[int, int]]:
    """The places of the pieces of one kind, chosen at random: lines, tokens, or what is in brackets."""
    kind = rng.randrange(3)
    if kind == 0:
        return _lines(text)
    return _tokens(text) if kind == 1 else bracketed(text) or _tokens(text)


def bracketed(text: str) -> list[tuple[int, int]]:
    """The places of everything from an opening bracket to the one that closes it."""
    found, open_at = [], []
    for at, character in enumerate(text):
        if character in BRACKETS:
            open_at.append(at)
        elif open_at and character == BRACKETS[text[open_at[-1]]]:
            found.append((open_at.pop(), at + 1))
    return found


def _lines(text: str) -> list[tuple[int, int]]:
    found, begin = [], 0
    for line in text.splitlines(keepends=True):
        found.append((begin, begin + len(line)))
        begin += len(line)
    return found


def _tokens(text: str) -> list[tuple[int, int]]:
    return [match.span() for match in TOKEN.finditer(text)]


def _piece(text: str, rng: random.Random) -> tuple[int, int]:
    found = pieces(text, rng)
    return rng.choice(found) if found else (0, len(text))


def _remove(text: str, rng: random.Random, _others: Sequence[str]) -> str:
    begin, end = _piece(text, rng)
    return text[:begin] + text[end:]


def _copy(text: str, rng: random.Random, _others: Sequence[str]) -> str:
    """A piece once more, there or elsewhere, or many times."""
    begin, end = _piece(text, rng)
    times = rng.choice((1, 1, 1, 2, 10, 1000))
    at = end if rng.random() < 0.5 else _piece(text, rng)[0]
    return text[:at] + (text[begin:end] * times)[:MOST_CHARACTERS] + text[at:]


def _swap(text: str, rng: random.Random, _others: Sequence[str]) -> str:
    (a, b), (c, d) = sorted((_piece(text, rng), _piece(text, rng)))
    if b > c:
        return text
    return text[:a] + text[c:d] + text[b:c] + text[a:b] + text[d:]


def _splice(text: str, rng: random.Random, others: Sequence[str]) -> str:
    """A piece of another text in the place of one."""
    other = rng.choice(others) if others else text
    (begin, end), (c, d) = _piece(text, rng), _piece(other, rng)
    return text[:begin] + other[c:d] + text[end:]


def _number(text: str, rng: random.Random, _others: Sequence[str]) -> str:
    places = [match.span() for match in re.finditer(r"-?\d+(?:\.\d+)?", text)]
    begin, end = rng.choice(places) if places else _piece(text, rng)
    return text[:begin] + rng.choice(NUMBERS) + text[end:]


def _word(text: str, rng: random.Random, _others: Sequence[str]) -> str:
    """A word of the text in the place of another."""
    places = [match.span() for match in re.finditer(r"[^\W\d]\w*", text)]
    if not places:
        return text
    (begin, end), (c, d) = rng.choice(places), rng.choice(places)
    return text[:begin] + text[c:d] + text[end:]


def _nest(text: str, rng: random.Random, _others: Sequence[str]) -> str:
    """A piece in brackets, or what is around it once more, many levels deep."""
    begin, end = _piece(text, rng)
    levels = rng.choice((1, 2, 20, 900, 6000))
    opening = rng.choice(("(", "[", "{", "(not ", "(or ", "(f ", "[[", '{"a":', "a."))
    closing = BRACKETS.get(opening[0], "")
    return text[:begin] + opening * levels + text[begin:end] + closing * levels + text[end:]


def _odd(text: str, rng: random.Random, _others: Sequence[str]) -> str:
    at = rng.randrange(len(text) + 1)
    return text[:at] + rng.choice(ODD) + text[at + rng.randrange(2) :]


def _cut(text: str, rng: random.Random, _others: Sequence[str]) -> str:
    at = rng.randrange(len(text) + 1)
    return text[:at] if rng.random() < 0.5 else text[at:]


def _indent(text: str, rng: random.Random, _others: Sequence[str]) -> str:
    lines = text.splitlines(keepends=True)
    if not lines:
        return text
    at = rng.randrange(len(lines))
    lines[at] = rng.choice(("", " ", "    ", "\t", " " * 500)) + lines[at].lstrip()
    return "".join(lines)


CHANGES = (_remove, _copy, _swap, _splice, _number, _word, _nest, _odd, _cut, _indent)
WEIGHTS = (4, 4, 3, 5, 4, 4, 1, 3, 1, 1)
