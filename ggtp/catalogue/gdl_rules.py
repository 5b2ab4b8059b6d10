"""Rules in the Game Description Language: data, so loading them runs nobody's code."""

from __future__ import annotations

from pathlib import Path
from threading import RLock

from ggtp.catalogue.loaders import RuleFile, Sketch
from ggtp.errors import RulesError
from ggtp.game import Rules

SUFFIXES = (".gdl", ".kif")


def load(file: RuleFile, content: bytes) -> object:
    """The rules of a file.

    Raises:
        RulesError: it is not UTF-8, can't be read, or can't be played; placed as far as is known.
    """
    text = decode(file.path, content)
    return _rules(text, file.name, str(file.path))


def load_told(text: str, name: str) -> Rules:
    """The rules in a text that somebody was told, under that name.

    Raises:
        RulesError: it can't be read or played.
    """
    return _rules(text, name)


def _rules(text: str, name: str, path: str = "") -> Rules:
    from ggtp.gdl.language.validate import parse_validly
    from ggtp.gdl.play.rules import GdlRules  # only those who play such a game pay for it

    return GdlRules(name, parse_validly(text, path), title_of(text), RLock())


def sketch(path: Path, content: bytes) -> Sketch:
    """The title is the first sentence of the comment at the top."""
    try:
        text = decode(path, content)
    except RulesError as problem:
        return Sketch(problem=problem)
    return Sketch(title=title_of(text))


def title_of(text: str) -> str:
    """What the first line of comment says, without its full stop; nothing where there is none."""
    first = next((line.strip() for line in text.splitlines() if line.strip()), "")
    return first.lstrip("; ").rstrip(". ") if first.startswith(";") else ""


def decode(path: Path, content: bytes) -> str:
    """The text of a rule file.

    Raises:
        RulesError: it is not UTF-8.
    """
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        before = fault.object[: fault.start].decode()  # the mark that may be at the beginning is not a part of it
        line, column = before.count("\n") + 1, len(before.rpartition("\n")[2]) + 1
        raise RulesError("the file is not UTF-8 text", path=str(path), line=line, column=column) from fault
