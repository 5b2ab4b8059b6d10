"""A program that speaks XBoard's protocol, well or badly: `xboard_program.py MODE [LOG]`; the log has what it hears."""

import sys
import threading

mode, log = sys.argv[1], open(sys.argv[2], "a") if len(sys.argv) > 2 else None  # noqa: SIM115  until the end
asked = 0


def say(*lines: str) -> None:
    print(*lines, sep="\n", flush=True)


if mode == "mute":
    threading.Event().wait()
for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    if log:
        print(line.strip(), file=log, flush=True)
    match word:
        case "protover":
            say(
                "Some banner",
                'feature myname="Fake, the = one" done=0 san=1',
                f"feature setboard={int(mode != 'bare')} usermove={int(mode != 'bare')} ping=1 memory=1 smp=1 time=1",
                'feature option="Resign Threshold -spin 800 200 1200" option="Style -combo Solid /// *Wild"',
                'feature option="Own Book -check 1" option="Clear -button" option="Book -file /a b.bin"',
                'feature option="Bad -spin many" option="Worse -whatever"',
                "feature done=1",
            )
        case "ping":
            if mode == "disagree":
                say("Illegal move: e2e4")
            say("Illegal move: option", f"pong {rest}")
        case "go":
            asked += 1
            if mode == "resign":
                say("tellics whisper oh no", "resign")
            elif mode == "claim" or (mode == "claim once" and asked == 1):
                say("1/2-1/2 {Draw by repetition}")
            elif mode == "crash":
                sys.exit("out of book")
            elif mode == "illegal":
                say("move e2e5")
            elif mode == "slow":
                say("1 5 0 1 a2a3")
            elif mode == "deaf":
                threading.Event().wait()
            else:
                say(
                    "# a remark",
                    "0 0 0 0 (book)",
                    "3  25  10  1234  e2e4 e7e5",
                    "4. 99999999999999 1 2 x",
                    "offer draw",
                    "4+ 35 20 4321 Nb1-c3",
                    "move b1c3",
                )
                if mode == "over":
                    say("1-0 {White mates}")
        case "?" if mode == "slow":
            say("My move is: a2a3")
        case "quit":
            break
