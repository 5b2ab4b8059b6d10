"""A program that speaks UCI, well or badly: `uci_program.py MODE [LOG]`. All that it hears goes to the log."""

import subprocess
import sys
import threading

mode, log = sys.argv[1], open(sys.argv[2], "a") if len(sys.argv) > 2 else None  # noqa: SIM115  until the end

OPTIONS = """
option name Threads type spin default 1 min 1 max 4
option name Skill Level type spin default 20 min 0 max 20
option name Clear Hash type button
option name Own Book type check default true
option name Style type combo default Solid var Solid var Very Wild
option name Book File type string default <empty>
option name UCI_Variant type combo default chess var chess var xiangqi
option name Ponder type check default false
option name Broken type spin default many min 0 max few
option name Nothing type
option
"""


def say(*lines: str) -> None:
    print(*lines, sep="\n", flush=True)


if mode == "mute":
    threading.Event().wait()
if mode == "gone":
    sys.exit("no licence")
for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    if log:
        print(line.strip(), file=log, flush=True)
    match word:
        case "uci":
            say("Welcome to the fake", "id name Fake 1", *OPTIONS.split("\n"), "uciok")
        case "isready" if mode != "unready":
            say("readyok")
        case "go":
            if mode == "crash":
                sys.exit("segmentation imagined")
            elif mode == "hog":
                hoard = [b"x" * (1 << 20) * 64 for _ in range(8)]
                threading.Event().wait()
            elif mode == "many":
                children = [
                    subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) for _ in range(9)
                ]
                threading.Event().wait()
            elif mode == "flood":
                while True:
                    print("info string nonsense" * 10)
            elif mode == "long":
                while True:
                    sys.stdout.write("x" * 65536)
            elif mode == "garbage":
                sys.stdout.buffer.write(b"\xff\xfe\x00\n\x1b[2J\nbestmove\xff\n")
                sys.stdout.buffer.flush()
                say("bestmove")
            elif mode == "illegal":
                say("bestmove e2e5")
            elif mode == "none":
                say("bestmove (none)")
            elif mode not in ("slow", "deaf"):
                say(
                    "info depth 3 seldepth 5 multipv 1 score cp 120 nodes 1000 nps 10 time 9 pv e2e4 e7e5",
                    "info depth 4 score cp 9 lowerbound nodes 1100 pv d2d4",
                    "info depth 4 multipv 2 score cp -500 nodes 1200 pv a2a3",
                    "info depth x score mate nodes",
                    "info currmove e2e4 currmovenumber 1",
                    "info string depth 99 score cp 99",
                    "bestmove E2E4 ponder e7e5",
                )
        case "stop" if mode != "deaf":
            say("info depth 1 score mate -2 nodes 7 pv a2a3", "bestmove a2a3")
        case "quit":
            break
