"""A search of `asp.solve_child`, with the machine code that the user's cache keeps.

    python -m ggtp.catalogue.solve.child < request > findings

The request has `cache`, a folder, and `name`, that of the network there, besides what it has without.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from ggtp.asp.solve_child import main, watched
from ggtp.catalogue.compile.cache import DiskCache, shared_folder


def opened(folder: str) -> DiskCache:
    """The cache in a folder."""
    return DiskCache(Path(folder), shared=shared_folder(os.environ))


def serve() -> int:
    """Reads the request from the standard input, and writes findings to the standard output."""
    watched()
    return main(sys.stdin.buffer, sys.stdout.buffer, opened)


if __name__ == "__main__":
    sys.exit(serve())
