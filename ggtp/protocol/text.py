"""Words, lists and maps as the protocol writes them on one line.

> Words are separated by runs of spaces or tabs. A command that takes N arguments splits at
> most N-1 times: its last argument is the rest of the line with its inner spaces kept.

> Lists are items joined by `, `. An item that contains a comma, a double quote or an equals
> sign is written in double quotes with backslash escapes. Maps are `key=value` items; a map
> to lists is `Cross=B1,C1,A2` per player, players separated by `; `.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

BLANKS = " \t"
# A semicolon is quoted too: it separates the players of a map to lists.
SPECIAL = frozenset(',"=;')


def split_words(text: str, most: int) -> list[str]:
    """At most `most` words; the last one is the rest of the line without blanks at its ends."""
    words: list[str] = []
    rest = text.strip(BLANKS)
    if rest and "  " not in rest and "\t" not in rest:  # as programs write it
        return rest.split(" ", most - 1)
    while rest and len(words) < most - 1:
        end = next((index for index, char in enumerate(rest) if char in BLANKS), len(rest))
        words.append(rest[:end])
        rest = rest[end:].lstrip(BLANKS)
    if rest:
        words.append(rest)
    return words


def quote(item: str) -> str:
    """An item of a list, in double quotes where it needs them."""
    if item and not SPECIAL.intersection(item) and item == item.strip(BLANKS):
        return item
    return '"' + item.replace("\\", "\\\\").replace('"', '\\"') + '"'


def join_list(items: Iterable[str]) -> str:
    """`a, b, c`."""
    return ", ".join(quote(item) for item in items)


def join_map(pairs: Mapping[str, str]) -> str:
    """`Cross=human, Circle=Minimax`."""
    return ", ".join(f"{quote(key)}={quote(value)}" for key, value in pairs.items())


def join_lists(lists: Mapping[str, Sequence[str]]) -> str:
    """`Cross=B1,C1,A2; Circle=A1`."""
    return "; ".join(f"{quote(key)}={','.join(quote(item) for item in items)}" for key, items in lists.items())


def split_list(text: str) -> list[str]:
    """The items of `a, "b, c", d`. Never fails: a quote that is not closed runs to the end."""
    return [unquote(piece) for piece in _split_outside(text, ",")] if text.strip(BLANKS) else []


def split_map(text: str) -> dict[str, str]:
    """The pairs of `size=8, "odd=name"=x`; an item without an equals sign has an empty value."""
    pairs = {}
    for piece in _split_outside(text, ","):
        key, *value = _split_outside(piece, "=", 1)
        if value or unquote(key):
            pairs[unquote(key)] = unquote(value[0]) if value else ""
    return pairs


def unquote(piece: str) -> str:
    """What `quote` has written, read back."""
    piece = piece.strip(BLANKS)
    if not piece.startswith('"'):
        return piece
    inside: list[str] = []
    escaped = False
    for char in piece[1:]:
        if escaped or char not in '"\\':
            inside.append(char)
            escaped = False
        elif char == "\\":
            escaped = True
        else:
            break
    return "".join(inside)


def _split_outside(text: str, mark: str, most: int = -1) -> list[str]:
    """The text, split at every `mark` that is not in quotes, at most `most` times."""
    pieces: list[str] = []
    begin = 0
    quoted = escaped = False
    for index, char in enumerate(text):
        if escaped:
            escaped = False
        elif quoted and char == "\\":
            escaped = True
        elif char == '"' and (quoted or text[begin:index].rstrip(BLANKS)[-1:] in ("", "=")):
            quoted = not quoted  # quotes open an item or a value; inside a word they are just characters
        elif char == mark and not quoted and len(pieces) != most:
            pieces.append(text[begin:index])
            begin = index + 1
    return [*pieces, text[begin:]]


def one_line(text: str) -> str:
    """The text with everything that could break a line, or a terminal, written as an escape."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else _escape(char) for char in text)


def _escape(char: str) -> str:
    code = ord(char)
    if char == "\t":
        return " "
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
