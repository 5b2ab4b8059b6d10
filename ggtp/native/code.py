"""The machine code of functions in the small part of Python that `native` knows, kept from one program to the next.

Beside the machine code, the text that it is made of is kept, under the sources: making it would take an engine that
starts longer than loading the code.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Any

from ggtp.native import compile
from ggtp.native.machine import CodeCache, Effort, Library, compile_text


def load(
    functions: Sequence[Callable[..., Any]], constants: dict[str, int | float], *, shared: bool, kept: CodeCache | None
) -> Library:
    """The machine code of functions; they and the rest are as `compile.module_text` takes them.

    Raises:
        NotNative: they use more than there is.
    """
    key = name_of(functions, constants, shared=shared)
    found = kept.get(key) if kept is not None else None
    text = found.decode() if found is not None else compile.module_text(functions, constants, shared=shared)
    if found is None and kept is not None:
        kept.put(key, text.encode())
    return compile_text(text, Effort.PASSES, kept)


def name_of(functions: Sequence[Callable[..., Any]], constants: dict[str, int | float], *, shared: bool) -> str:
    """What the text is kept under: it differs wherever the text may, for it has all of the sources in it."""
    modules = dict.fromkeys([compile.__name__, *(function.__module__ for function in functions)])
    sources = [inspect.getsource(sys.modules[module]) for module in modules]
    named = [function.__name__ for function in functions]
    made_of = repr((sources, named, sorted(constants.items()), shared))
    return "native " + sha256(made_of.encode()).hexdigest()
