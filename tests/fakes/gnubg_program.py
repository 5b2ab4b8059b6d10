"""A program that looks like GNU Backgammon's command line: `gnubg_program.py MODE LOG [gnubg's own words]`."""

import sys
import threading

mode, log = sys.argv[1], open(sys.argv[2], "a")  # noqa: SIM115  until the end
print("GNU Backgammon, or so", flush=True)
plies = "0"
for line in sys.stdin:
    text = line.strip()
    print(text, file=log, flush=True)
    if text.startswith("set evaluation chequerplay evaluation plies"):
        plies = text[-1]
    if text == "show pipcount":
        print("The pip counts are: root 167, gnubg 167.", flush=True)
    if text == "hint 1":
        if mode == "crash":
            sys.exit("no weights")
        if mode == "silent" or (mode == "slow" and plies != "0"):
            threading.Event().wait()
        elif mode == "double":
            print("0.525 0.149 0.007 - 0.475 0.125 0.005\nProper cube action: Redouble, take (36.4%)")
        elif mode == "illegal":
            print("1. Cubeful 0-ply    8/5 8/1                      Eq.: +0.200")
        elif mode != "mute":
            turn = "24/23 13/10" if plies == "0" else "6/5 8/5"
            print(f"1. Cubeful {plies}-ply    {turn}        Eq.: +0.200 (-0.1)")
            print("0.551 0.174 0.013 - 0.449 0.124 0.005\n2. Cubeful 0-ply  13/9  Eq.: +0.1", flush=True)
    if text == "exit":
        break
