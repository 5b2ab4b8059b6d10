"""Python's own source as syntax trees, made by one thread at a time.

Python 3.11 fails at times where two threads make some at once: `SystemError: AST constructor recursion depth mismatch`.
Nothing is wrong with the source then. All of the house's trees are made here; whoever else makes one in this process
can't be kept from it, so that a second try is made.
"""

from __future__ import annotations

import ast
from threading import Lock

_making = Lock()


def parsed(source: str, filename: str = "<unknown>") -> ast.Module:
    """The tree of a source.

    Raises:
        SyntaxError: as `ast.parse` does, with ValueError, RecursionError and MemoryError.
    """
    with _making:
        try:
            return ast.parse(source, filename)
        except SystemError:
            return ast.parse(source, filename)
