"""A search of `asp.solve_child`, with the machine code that the user's cache keeps.

    python -m ggtp.catalogue.solve_child < request > findings

The request has `cache`, a folder, and `name`, that of the network there, besides what it has without.
"""

from __future__ import annotations

import os
import sys
import threading
from pathlib import Path

from ggtp.asp.solve_child import end_with, main
from ggtp.catalogue.cache import DiskCache


def opened(folder: str) -> DiskCache:
    """The cache in a folder."""
    return DiskCache(Path(folder))


if __name__ == "__main__":
    threading.Thread(target=end_with, args=(os.getppid(),), daemon=True).start()
    sys.exit(main(sys.stdin.buffer, sys.stdout.buffer, opened))
