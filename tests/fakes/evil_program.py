"""Tries to break out of its sandbox in many ways, and says for each in JSON what came of it: nothing, or what it got.

    evil_program.py HOME PLAY_FILE PID PORT ABSTRACT

The home folder, an open play file and the process of the referee, a port that somebody listens at, and an abstract
socket.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import sys
from collections.abc import Callable
from contextlib import suppress

HOME, PLAY_FILE, PID, PORT, ABSTRACT = sys.argv[1:6]


def read_home() -> object:
    return [name for name in os.listdir(HOME) if name == "secret"] or open(f"{HOME}/secret").read()


def read_play_file() -> object:
    return open(PLAY_FILE).read()


def read_other_variables() -> object:
    return open(f"/proc/{PID}/environ").read()


def read_other_memory() -> object:
    with open(f"/proc/{PID}/mem", "rb") as file:
        return file.fileno()


def read_shadow() -> object:
    return open("/etc/shadow").read()


def read_ssh_keys() -> object:
    return [name for name in os.listdir("/etc/ssh") if name.endswith("_key")]


def signal_the_referee() -> object:
    os.kill(int(PID), signal.SIGCONT)
    return "signalled"


def trace_the_referee() -> object:
    import ctypes

    return "attached" if ctypes.CDLL(None).ptrace(16, int(PID), 0, 0) == 0 else ""


def connect_to_a_port() -> object:
    with socket.create_connection(("127.0.0.1", int(PORT)), 1) as connection:
        return connection.getpeername()


def connect_to_an_abstract_socket() -> object:
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect("\0" + ABSTRACT)
        return "connected"


def set_up_the_kernel() -> object:
    opened = []
    for name in ("kernel/core_pattern", "kernel/hostname", "vm/drop_caches", "fs/file-max"):
        with suppress(OSError):
            os.close(os.open(f"/proc/sys/{name}", os.O_WRONLY))
            opened.append(name)
    return opened


def write_outside() -> object:
    written = []
    for folder in (HOME, os.path.dirname(PLAY_FILE), "/usr", "/etc", os.path.dirname(os.path.abspath(__file__)), "/"):
        with suppress(OSError):
            with open(f"{folder}/evil", "w") as file:
                file.write("x")
            written.append(folder)
    return [folder for folder in written if not folder.startswith(HOME)]  # that may be a private folder of that name


def open_many_files() -> object:
    handles = []
    with suppress(OSError):
        for _ in range(10_000):
            handles.append(os.open("/dev/null", os.O_RDONLY))
    for handle in handles:
        os.close(handle)
    return len(handles) if len(handles) > 5000 else ""


def gain_privileges() -> object:
    with open("/proc/self/status") as file:
        status = file.read()
    found = dict(line.split(":", 1) for line in status.splitlines() if ":" in line)
    return "" if int(found["NoNewPrivs"]) == 1 else "new privileges can be had"


def reach_the_host_of_this_machine() -> object:
    with socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM):
        return "a socket"


def keep_memory_that_nobody_counts() -> object:
    import ctypes

    found = ctypes.CDLL(None).shmget(0, 1 << 20, 0o1600)
    return "a segment" if found >= 0 else ""


def send_a_datagram() -> object:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as out:
        out.connect(("127.0.0.1", int(PORT)))
        out.send(b"secret")  # in a network of its own nobody hears it
        return ""


def use_secrets_of_variables() -> object:
    return [name for name in os.environ if "SECRET" in name]


ATTACKS: tuple[Callable[[], object], ...] = (
    read_home,
    read_play_file,
    read_other_variables,
    read_other_memory,
    read_shadow,
    read_ssh_keys,
    signal_the_referee,
    trace_the_referee,
    connect_to_a_port,
    connect_to_an_abstract_socket,
    send_a_datagram,
    set_up_the_kernel,
    write_outside,
    open_many_files,
    gain_privileges,
    reach_the_host_of_this_machine,
    keep_memory_that_nobody_counts,
    use_secrets_of_variables,
)


def main() -> None:
    got: dict[str, str] = {}
    for attack in ATTACKS:
        with suppress(OSError, ValueError):
            result = attack()
            if result:
                got[attack.__name__] = str(result)[:200]
    with open(f"{os.environ['HOME']}/own", "w") as file:  # it has a home of its own
        file.write("mine")
    print(json.dumps({"tried": len(ATTACKS), "got": got}), flush=True)


if __name__ == "__main__":
    main()
