"""The lines of a plan's words in its file, as far as a look at the text can tell: TOML's reader does not say."""

from __future__ import annotations

import re
from collections import Counter

_HEADER = re.compile(r"\s*(\[\[?)\s*([^\]]+?)\s*\]\]?\s*(?:#.*)?")
_KEY = re.compile(r"""\s*((?:[\w-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[\w-]+|"[^"]*"|'[^']*'))*)\s*=""")
_INNER = re.compile(r"""(?:[{,]\s*)([\w-]+|"[^"]*"|'[^']*')\s*=""")
_PART = re.compile(r"""[\w-]+|"[^"]*"|'[^']*'""")
_QUOTES = re.compile("\"\"\"|'''")


def word_lines(text: str) -> dict[str, int]:
    """The line of each word of a plan, by its place, which is written as in `player 2.options.Depth`."""
    lines: dict[str, int] = {}
    counts: Counter[str] = Counter()
    table = ""
    inside = False
    for number, line in enumerate(text.splitlines(), 1):
        was_inside, inside = inside, inside ^ (len(_QUOTES.findall(line)) % 2 == 1)
        if was_inside:
            continue  # a text of several lines
        header = _HEADER.fullmatch(line)
        if header is not None:
            table = _table(_parts(header[2]), counts, begins=header[1] == "[[")
            lines.setdefault(table, number)
            continue
        key = _KEY.match(line)
        if key is None:
            continue
        place = ".".join((*([table] if table else []), *_parts(key[1])))
        lines.setdefault(place, number)
        for inner in _INNER.findall(line[key.end() :]):
            lines.setdefault(f"{place}.{_bare(inner)}", number)
    return lines


def line_of(place: str, lines: dict[str, int]) -> int:
    """The line of a place, or of what it is part of; 0 where that is not known either."""
    while place and place not in lines:
        place = place.rpartition(".")[0]
    return lines.get(place, 0)


def _table(parts: list[str], counts: Counter[str], *, begins: bool) -> str:
    """The place of a table: in a list of tables, which is counted, the latest one."""
    place = ""
    for index, part in enumerate(parts):
        place = f"{place}.{part}" if place else part
        if begins and index == len(parts) - 1:
            counts[place] += 1
        if counts[place]:
            place = f"{place} {counts[place]}"
    return place


def _parts(key: str) -> list[str]:
    return [_bare(part) for part in _PART.findall(key)]


def _bare(name: str) -> str:
    return name[1:-1] if name[:1] in "\"'" else name
