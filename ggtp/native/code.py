"""The machine code of functions in the small part of Python that `native` knows, kept from one program to the next.

Beside the machine code, the text that it is made of is kept, under the sources: making it would take an engine that
starts longer than loading the code.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Sequence
from hashlib import sha256
from importlib import import_module
from typing import Any

from ggtp.native import compile
from ggtp.native.checks import CheckedLibrary, SiteList, wanted
from ggtp.native.machine import CodeCache, Effort, Library, compile_text

TRANSLATOR = (
    "assignment",
    "atomics",
    "compile",
    "expressions",
    "kinds",
    "marked",
    "operators",
    "statements",
    "writer",
)
"""The modules on which it depends what text is made of a function."""


def load(
    functions: Sequence[Callable[..., Any]],
    constants: dict[str, int | float],
    *,
    shared: bool,
    kept: CodeCache | None,
    checked: bool | None = None,
) -> Library:
    """The machine code of functions; they and the rest are as `compile.module_text` takes them.

    Args:
        functions: the functions.
        constants: the numbers that they use.
        shared: whether several threads work on the same memory.
        kept: where text and code are kept; what is checked is made anew each time.
        checked: whether the code is to check what it does; by default, as the environment says.

    Raises:
        NotNative: they use more than there is.
    """
    if wanted() if checked is None else checked:
        sites = SiteList()
        return CheckedLibrary(compile.module_text(functions, constants, shared=shared, sites=sites), sites)
    key = name_of(functions, constants, shared=shared)
    found = kept.get(key) if kept is not None else None
    text = found.decode() if found is not None else compile.module_text(functions, constants, shared=shared)
    if found is None and kept is not None:
        kept.put(key, text.encode())
    return compile_text(text, Effort.PASSES, kept)


def name_of(functions: Sequence[Callable[..., Any]], constants: dict[str, int | float], *, shared: bool) -> str:
    """What the text is kept under: it differs wherever the text may, for it has all of the sources in it."""
    modules = dict.fromkeys(function.__module__ for function in functions)
    sources = [*translator_sources(), *(inspect.getsource(sys.modules[module]) for module in modules)]
    named = [function.__name__ for function in functions]
    made_of = repr((sources, named, sorted(constants.items()), shared))
    return "native " + sha256(made_of.encode()).hexdigest()


def translator_sources() -> list[str]:
    """The source of all that makes text of functions."""
    return [inspect.getsource(import_module(f"ggtp.native.{name}")) for name in TRANSLATOR]
