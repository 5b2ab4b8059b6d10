"""UCI: a program that speaks the Universal Chess Interface, as an engine: `uci:stockfish`."""

from __future__ import annotations

import sys

from ggtp.kit.bridge import uci
from ggtp.kit.bridge.bridge import run_bridge


class Uci(uci.UciBridge):
    """Plays chess, and xiangqi and breakthrough where the program does."""

    kind = "uci"
    dialect = uci.UCI


if __name__ == "__main__":
    sys.exit(run_bridge(Uci))
