"""An engine for KuhnPoker that leaves a mark wherever it can, and ends with an error where it finds one of another
process of its own: what it knows of one game, it then knows in the next.

    python deal_rememberer.py FOLDER NAME

FOLDER is the one of its description, and NAME what its marks are called. If it finds nothing, it plays well enough not
to be at fault.
"""

from __future__ import annotations

import contextlib
import os
import socket
import sys
import time
from collections.abc import Iterator

NAME = sys.argv[2]
PORT = 20000 + sum(NAME.encode()) % 10000
SOCKET = f"\0{NAME}"
TOKEN = os.urandom(8).hex()


def places(folder: str) -> list[str]:
    """The folders where it tries to write."""
    home = os.environ.get("HOME", "/")
    return [folder, ".", home, os.path.join(home, ".cache"), "/tmp", "/var/tmp", "/dev/shm", "/run"]


def files(folder: str) -> Iterator[str]:
    """Where it writes."""
    for place in places(folder):
        yield os.path.join(place, NAME)
    with contextlib.suppress(OSError):
        for name in os.listdir(folder):  # and whatever is there, as its own description
            yield os.path.join(folder, f"{name}.{NAME}")


def serve() -> None:
    """Be a daemon that outlives the engine and answers whoever asks."""
    if os.fork():
        return
    os.setsid()
    if os.fork():
        os._exit(0)
    os.environ.clear()
    listeners = []
    for family, address in ((socket.AF_UNIX, SOCKET), (socket.AF_INET, ("127.0.0.1", PORT))):
        with contextlib.suppress(OSError):
            listener = socket.socket(family)
            listener.bind(address)
            listener.listen()
            listeners.append(listener)
    for handle in (0, 1, 2):
        os.close(handle)
    until = time.monotonic() + 20 if listeners else 0.0
    while time.monotonic() < until:
        for listener in listeners:
            listener.settimeout(0.1)
            with contextlib.suppress(OSError):
                listener.accept()[0].sendall(TOKEN.encode())
    os._exit(0)


def known(folder: str) -> str:
    """Where there is anything of another process of its own."""
    for path in files(folder):
        with contextlib.suppress(OSError), open(path) as file:
            if file.read() != TOKEN:
                return path
    for family, address in ((socket.AF_UNIX, SOCKET), (socket.AF_INET, ("127.0.0.1", PORT))):
        with contextlib.suppress(OSError), socket.socket(family) as wire:
            wire.settimeout(0.5)
            wire.connect(address)
            if wire.recv(64).decode() not in ("", TOKEN):
                return str(address)
    return ""


def main() -> None:
    folder = sys.argv[1]
    served = facing = False
    for line in sys.stdin:
        command = line.split()[0]
        if command == "have_to_play":
            if where := known(folder):
                sys.exit(f"{NAME} found another game in {where}")
            if not served:
                served = True
                for path in files(folder):
                    with contextlib.suppress(OSError), open(path, "w") as file:
                        file.write(TOKEN)
                serve()
            print("select_move", "fold" if facing else "check", flush=True)
            continue
        facing = line.rstrip().endswith(" bet") or (facing and command != "start")
        print("reply" if command == "list_options" else "acknowledge", flush=True)
        if command == "disconnect_engine":
            return


if __name__ == "__main__":
    main()
