"""Rules in the Game Description Language: data, so loading them runs nobody's code."""

from __future__ import annotations

from pathlib import Path

from ggtp.catalogue.loaders import RuleFile, Sketch
from ggtp.errors import RulesError

SUFFIXES = (".gdl", ".kif")


def load(file: RuleFile, content: bytes) -> object:
    """The rules of a file.

    Raises:
        RulesError: it is not UTF-8, can't be read, or can't be played; placed as far as is known.
    """
    from ggtp.gdl.rules import load_text  # only those who play such a game pay for it

    return load_text(_decode(file.path, content), file.name, str(file.path))


def sketch(path: Path, content: bytes) -> Sketch:
    """The title is the first sentence of the comment at the top."""
    try:
        text = _decode(path, content)
    except RulesError as problem:
        return Sketch(problem=problem)
    return Sketch(title=title_of(text))


def title_of(text: str) -> str:
    """What the first line of comment says, without its full stop; nothing where there is none."""
    first = next((line.strip() for line in text.splitlines() if line.strip()), "")
    return first.lstrip("; ").rstrip(". ") if first.startswith(";") else ""


def _decode(path: Path, content: bytes) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        line = content.count(b"\n", 0, fault.start) + 1
        raise RulesError("the file is not UTF-8 text", path=str(path), line=line) from fault
