"""Game records in the Smart Game Format: Go and other games in which stones are placed, read and written.

The main line is read, as far as a position is made of it. Points are two letters from the upper left corner,
but in Hex, where they are a letter and a number.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ggtp.foreign.gtp import BLACK, PASS, WHITE

LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
MOST_SIZE = 25
USUAL_SIZE = 19
HEX = "11"
"""The number of Hex, whose cells are a letter and a number."""

_TOKEN = re.compile(r"\s*(?:([();])|([A-Za-z]+)((?:\s*\[(?:\\.|[^\]\\])*\])+))", re.DOTALL)
_VALUE = re.compile(r"\[((?:\\.|[^\]\\])*)\]", re.DOTALL)


class SgfError(Exception):
    """No game record that can be followed."""


@dataclass(frozen=True, slots=True)
class SgfGame:
    """What a record says."""

    size: int
    komi: str | None
    stones: tuple[tuple[str, str], ...]
    """Colours and vertices that were set up before the first move."""
    moves: tuple[tuple[str, str], ...]
    """Colours and vertices, or `pass`."""


def read_sgf(text: str, most: int | None = None) -> SgfGame:
    """The main line of the first game, at most so many moves of it.

    Raises:
        SgfError: it is none, or is set up in the middle.
    """
    nodes = _main_line(text)
    root = nodes[0]
    size = _size(root.get("SZ", [str(USUAL_SIZE)])[0])
    vertex = _cell if root.get("GM") == [HEX] else _vertex
    stones: list[tuple[str, str]] = []
    moves: list[tuple[str, str]] = []
    for node in nodes:
        for name, colour in (("AB", BLACK), ("AW", WHITE)):
            if name in node and moves:
                raise SgfError("stones are set up in the middle of the game")
            stones += [(colour, vertex(point, size)) for value in node.get(name, ()) for point in _points(value)]
        for name, colour in (("B", BLACK), ("W", WHITE)):
            if name in node and (most is None or len(moves) < most):
                moves.append((colour, vertex(node[name][0], size)))
    komi = root.get("KM", [""])[0].strip()
    return SgfGame(size, komi or None, tuple(stones), tuple(moves))


def _main_line(text: str) -> list[dict[str, list[str]]]:
    """The properties of each node, always along the first variation."""
    nodes: list[dict[str, list[str]]] = []
    place, closed = text.find("("), False
    while place >= 0 and (found := _TOKEN.match(text, place)):
        place = found.end()
        sign, name, values = found.groups()
        if sign == "(":
            if closed:
                break
        elif sign == ")":
            closed = True  # the first variation is over, and the main line with it
        elif closed:
            continue
        elif sign == ";":
            nodes.append({})
        elif nodes:
            nodes[-1].setdefault("".join(char for char in name if char.isupper()), []).extend(_VALUE.findall(values))
    if not nodes or not closed:
        raise SgfError("no game record, or one that breaks off")
    return nodes


def _size(text: str) -> int:
    if text.strip().isdigit() and 1 <= int(text) <= MOST_SIZE:
        return int(text)
    raise SgfError(f"no board of size {text[:10]}")


def _points(value: str) -> list[str]:
    """A point, or all points of a rectangle, `aa:cc`."""
    first, colon, last = value.strip().partition(":")
    if not colon:
        return [first]
    if len(first) != 2 or len(last) != 2:
        raise SgfError(f"no point {value[:10]}")
    columns = range(ord(first[0]), ord(last[0]) + 1)
    rows = range(ord(first[1]), ord(last[1]) + 1)
    return [chr(column) + chr(row) for row in rows for column in columns][: MOST_SIZE**2]


def _vertex(value: str, size: int) -> str:
    point = value.strip()
    if point == "" or (point == "tt" and size <= USUAL_SIZE):
        return PASS
    column, row = (ord(char) - ord("a") for char in point) if len(point) == 2 else (-1, -1)
    if not (0 <= column < size and 0 <= row < size):
        raise SgfError(f"no point {value[:10]}")
    return f"{LETTERS[column]}{size - row}"


def _cell(value: str, size: int) -> str:
    """A cell of Hex, or a swap."""
    text = value.strip().lower()
    found = re.fullmatch(r"([a-z])([1-9][0-9]?)", text)
    if found is not None and not (ord(found[1]) - ord("a") < size and int(found[2]) <= size):
        raise SgfError(f"no cell {value[:10]}")
    return text


def games_of(text: str) -> Iterator[str]:
    """The records of a collection, each with its outer brackets."""
    place, depth, begin = text.find("("), 0, 0
    while place >= 0 and (found := _TOKEN.match(text, place)):
        if found[1] == "(":
            begin = begin if depth else place
            depth += 1
        elif found[1] == ")":
            depth -= 1
            if not depth:
                yield text[begin : found.end()]
        place = found.end() if depth else text.find("(", found.end())
    if depth:
        raise SgfError("a game record that breaks off")


def write_sgf(root: Mapping[str, str | Sequence[str]], moves: Iterable[Mapping[str, str]]) -> str:
    """A record of one game: the properties of its first node, and of a node for each move."""
    return f"({_node(root)}\n{''.join(f'{_node(move)}{chr(10)}' for move in moves)})\n"


def sgf_point(vertex: str, size: int) -> str:
    """A vertex such as `D4`, or `pass`, as a point of the format."""
    if vertex == PASS:
        return ""
    return chr(ord("a") + LETTERS.index(vertex[0].upper())) + chr(ord("a") + size - int(vertex[1:]))


def _node(properties: Mapping[str, str | Sequence[str]]) -> str:
    found = ";"
    for name, value in properties.items():
        values = (value,) if isinstance(value, str) else value
        found += name + "".join(f"[{_escaped(text)}]" for text in values) if values else ""
    return found


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("]", "\\]")
