"""Functions of several modules that are marked to be machine code → LLVM's language.

Each may call the marked functions that its module knows by name. Every number of its module is a constant, and so is
every member of an enumeration of integers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from ggtp.native.compile import DECLARATIONS, Names, check_text, function_text
from ggtp.native.expressions import Callee
from ggtp.native.kinds import Signature
from ggtp.native.writer import Sites


class Marked(Protocol):
    """A function that is to be machine code."""

    plain: Callable[..., Any]

    @property
    def symbol(self) -> str: ...


class _Module(Names):
    """The marked functions and the numbers of a module."""

    def number(self, name: str) -> int | float | None:
        found = self.found(name)
        return found if isinstance(found, int | float) else None

    def callee(self, name: str) -> Callee | None:
        found: Any = self.found(name)
        return Callee(found.symbol, Signature(found.plain)) if hasattr(found, "symbol") else None


def module_text(functions: Sequence[Marked], sites: Sites | None = None) -> str:
    """Functions that call each other, and no others, as one module in LLVM's language.

    Args:
        functions: all of them.
        sites: where checks are noted; None for code without checks.

    Raises:
        NotNative: they use more than there is.
    """
    texts = [
        function_text(each.plain, Callee(each.symbol, Signature(each.plain)), _Module(each.plain), False, sites)
        for each in functions
    ]
    return DECLARATIONS + "\n".join([*texts, *([] if sites is None else [check_text()])])
