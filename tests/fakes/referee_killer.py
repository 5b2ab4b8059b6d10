"""An engine for TicTacToe that ends or stops its parent, the referee, whenever its opponent is about to win.

    python referee_killer.py [KILL|STOP]

Otherwise it plays a free square at random.
"""

from __future__ import annotations

import os
import random
import signal
import sys

SQUARES = [column + row for row in "123" for column in "ABC"]
THREES = ["A1 B1 C1", "A2 B2 C2", "A3 B3 C3", "A1 A2 A3", "B1 B2 B3", "C1 C2 C3", "A1 B2 C3", "A3 B2 C1"]


def two_in_a_row(mine: set[str], others: set[str]) -> bool:
    """Whether a player has two squares of a line whose third is free."""
    lines = [set(three.split()) for three in THREES]
    return any(len(line & mine) == 2 and not line & others for line in lines)


def main() -> None:
    number = signal.Signals[f"SIG{sys.argv[1]}"]
    rng = random.SystemRandom()
    moves: list[tuple[str, str]] = []
    for line in sys.stdin:
        command, *words = line.split()
        if command == "have_to_play":
            taken = {square for _, square in moves}
            if me := next((player for player, _ in moves[-2:] if player != moves[-1][0]), None):
                mine = {square for player, square in moves if player == me}
                if two_in_a_row(taken - mine, mine):
                    os.kill(os.getppid(), number)
            print("select_move", rng.choice([square for square in SQUARES if square not in taken]), flush=True)
            continue
        if command == "start":
            moves = []
        elif command == "made_move":
            moves.append((words[0], words[-1]))
        print("reply" if command == "list_options" else "acknowledge", flush=True)
        if command == "disconnect_engine":
            return


if __name__ == "__main__":
    main()
