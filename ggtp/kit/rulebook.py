"""How an engine comes by its rules: by their name or path, or from the text that it was told.

> `rule_text`: the rules themselves, for rules that are data.

A text that was told is believed, whatever the engine's own folders hold under that name.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import PurePath
from typing import TYPE_CHECKING

from ggtp.errors import RulesError, RulesNotFound
from ggtp.game import Rules

if TYPE_CHECKING:
    from ggtp.catalogue.compile.background import Compilation
    from ggtp.native.machine import CodeCache

UNNAMED = "told"
"""What rules are called of which there is a text and no name."""

Compile = Callable[[Rules, int], "Compilation | None"]
"""Begins to compile rules, within so many MiB."""


def find_told(name: str, text: str, find_rules: Callable[[str], Rules]) -> Rules:
    """The rules of that name, or at that path; where a text was told, the rules of the text.

    Raises:
        GgtpError: there are none, or they can't be used.
    """
    if not text:
        return find_rules(name)
    found: Rules | None = None
    trouble: RulesError | RulesNotFound | None = None
    try:
        found = find_rules(name)
    except (RulesError, RulesNotFound) as error:
        trouble = error
    if found is not None and found.text is not None and " ".join(found.text.split()) == text:
        return found
    from ggtp.catalogue.gdl_rules import load_told

    try:
        return load_told(text, rule_name(name))
    except RulesError:
        if found is not None:
            return found  # data of another kind, which the name leads to
        if trouble is not None and not isinstance(trouble, RulesNotFound):
            raise trouble from None
        raise


def rule_name(reference: str) -> str:
    """What to call rules that were told under a name or a path."""
    path = PurePath(reference)
    if not path.suffix and not path.is_absolute():
        return reference
    kept = "".join(letter if letter.isalnum() or letter in "_-" else "_" for letter in path.stem)
    return kept or UNNAMED


def code_cache() -> CodeCache:
    """Where machine code is kept from one program to the next."""
    import os

    from ggtp.catalogue.compile.cache import usual_cache

    return usual_cache(os.environ)


def compile_in_background(rules: Rules, megabytes: int) -> Compilation | None:
    """Begin to compile rules; None for rules that can't be."""
    if rules.text is None:
        return None
    import os

    from ggtp.catalogue.compile.background import begin_compiling
    from ggtp.catalogue.compile.compiler import Compiler

    return begin_compiling(Compiler.from_environment(os.environ), rules, megabytes)
