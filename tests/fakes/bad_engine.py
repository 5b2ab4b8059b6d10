"""The evil engine of `ggtp bench attack`, for everybody's tests; see ggtp/bench/attack/zoo/engine.py.

    python bad_engine.py ENDPOINT [--fault WAY] [--at COMMAND] [--delay-ms N] [--say TEXT] [--most-mb N] [--spins]

It needs none of the project's libraries.
"""

from __future__ import annotations

import os
import sys

if __name__ == "__main__":
    sys.path[0] = os.path.abspath(os.path.join(os.path.dirname(__file__), os.pardir, os.pardir))
    from ggtp.bench.attack.zoo.engine import main

    main()
