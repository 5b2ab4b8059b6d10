"""USI: a program that speaks the Universal Shogi Interface, as an engine: `usi:fairy-stockfish`."""

from __future__ import annotations

import sys

from ggtp.kit.bridge import uci
from ggtp.kit.bridge.bridge import run_bridge


class Usi(uci.UciBridge):
    """Plays shogi."""

    kind = "usi"
    dialect = uci.USI


if __name__ == "__main__":
    sys.exit(run_bridge(Usi))
