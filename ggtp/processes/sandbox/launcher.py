"""What starts an engine from within its sandbox, where there is something to do first.

    python -I -S launcher.py listen HANDLE PORT VARIABLES COMMAND...
    python -I -S launcher.py landlock HANDLE COMMAND...

`listen`: listen on a port of the sandbox's own loopback interface, hand the socket out through an inherited one, and
become the engine, with the variables that another handle holds. Whoever has the socket accepts the engine's connection
outside, so that nothing stands between them.

`landlock`: take from the handle what the engine may do, give up everything else by Landlock, and become the engine.

It imports nothing of ours so that it starts fast.
"""

from __future__ import annotations

import os
import sys

HOST = "127.0.0.1"
FAILED = 127

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
"""Numbers of system calls, the same on all processors."""
ASK_VERSION = 1
PATH_BENEATH, NET_PORT = 1, 2
NO_NEW_PRIVS, DROP_CAPABILITY = 38, 24
MOST_CAPABILITIES = 64
SET_SECCOMP, FILTER = 22, 2

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
TRUNCATE, IOCTL_DEV = 1 << 14, 1 << 15
OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV
READING = EXECUTE | READ_FILE | READ_DIR
DEVICES = READ_FILE | WRITE_FILE
FIRST_RIGHTS, REFER = (1 << 13) - 1, 1 << 13
CONNECT_TCP, ALL_TCP = 1 << 1, (1 << 0) | (1 << 1)
ALL_SCOPES = (1 << 0) | (1 << 1)  # abstract sockets, signals


def rights(version: int) -> tuple[int, int, int]:
    """Return what a version of Landlock can forbid: of files, of TCP, and what reaches other processes."""
    files = FIRST_RIGHTS | (REFER if version >= 2 else 0) | (TRUNCATE if version >= 3 else 0)
    files |= IOCTL_DEV if version >= 5 else 0
    return files, ALL_TCP if version >= 4 else 0, ALL_SCOPES if version >= 6 else 0


def restrict(terms: dict[str, object]) -> None:
    """Give up whatever the terms do not name.

    Args:
        terms: `reads`, `writes` and `devices`, paths; `network`, and `port`, the one of this machine that it may
            connect to without; `calls`, the filter of system calls.

    Raises:
        OSError: the system can't do it.
    """
    import ctypes
    import struct

    libc = ctypes.CDLL(None, use_errno=True)

    def call(number: int, *arguments: object) -> int:
        words = [ctypes.c_void_p(word) if isinstance(word, int) else word for word in arguments]
        result = int(libc.syscall(ctypes.c_long(number), *words))
        if result < 0:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
        return result

    version = call(CREATE_RULESET, None, 0, ASK_VERSION)
    files, tcp, scopes = rights(version)
    tcp = 0 if terms["network"] else tcp
    size = 8 if version < 4 else 16 if version < 6 else 24
    ruleset = call(CREATE_RULESET, struct.pack("QQQ", files, tcp, scopes)[:size], size, 0)

    def allow(paths: object, allowed: int) -> None:
        assert isinstance(paths, list | tuple)
        for path in paths:
            try:
                handle = os.open(path, os.O_PATH | os.O_CLOEXEC)
            except OSError:
                continue  # it is not there, or not for us
            granted = allowed & files if os.path.isdir(path) else allowed & files & OF_FILES
            try:
                call(ADD_RULE, ruleset, PATH_BENEATH, struct.pack("=Qi", granted, handle), 0)
            except OSError:
                continue  # no rule can be about it, as about a pipe
            finally:
                os.close(handle)

    allow(terms["reads"], READING)
    allow(terms["writes"], files & ~IOCTL_DEV)
    allow(terms["devices"], DEVICES)
    if tcp and terms["port"]:
        call(ADD_RULE, ruleset, NET_PORT, struct.pack("QQ", CONNECT_TCP, terms["port"]), 0)
    # The superuser's privileges would open what the rules close, such as other processes' memory.
    for capability in range(MOST_CAPABILITIES):
        libc.prctl(DROP_CAPABILITY, capability, 0, 0, 0)
    if libc.prctl(NO_NEW_PRIVS, 1, 0, 0, 0):
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    call(RESTRICT_SELF, ruleset, 0)
    os.close(ruleset)
    code = terms["calls"]
    if isinstance(code, bytes) and code:
        text = ctypes.create_string_buffer(code, len(code))
        program = struct.pack("HxxxxxxP", len(code) // 8, ctypes.addressof(text))
        if libc.prctl(SET_SECCOMP, FILTER, program, 0, 0):
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def landlock(handle: int, command: list[str]) -> None:
    """Take the terms from the handle, keep to them, and become the engine."""
    import marshal  # what we read was written by the referee

    with os.fdopen(handle, "rb") as source:
        terms = marshal.load(source)
    try:
        restrict(terms)
        os.chdir(terms["start"])
    except OSError as error:
        sys.stderr.write(f"the sandbox cannot be made: {error}\n")
        sys.exit(FAILED)
    become(command, terms["env"])


def listen(handle: int, port: int, variables: int, command: list[str]) -> None:
    """Listen on the port, send the socket through the handle, and become the engine, with its variables.

    They are not ours: a library that LD_PRELOAD names would keep the socket, and could have whoever accepts at it wait.
    """
    import marshal  # what we read was written by the referee
    import socket

    with os.fdopen(variables, "rb") as source:
        environ = marshal.load(source)
    with socket.socket(fileno=handle) as out, socket.socket(socket.AF_INET, socket.SOCK_STREAM) as listener:
        listener.bind((HOST, port))
        listener.listen(8)
        socket.send_fds(out, [b"!"], [listener.fileno()])
    become(command, {"PWD": os.environ.get("PWD", "/"), **environ})


def become(command: list[str], environ: dict[str, str]) -> None:
    """Become the program, which is looked up in PATH; end as a shell does if it can't be executed."""
    try:
        os.execvpe(command[0], command, environ)
    except OSError as error:
        sys.stderr.write(f"{command[0]}: {error.strerror}\n")
        sys.exit(FAILED)


if __name__ == "__main__":
    if sys.argv[1] == "listen":
        listen(int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]), sys.argv[5:])
    else:
        landlock(int(sys.argv[2]), sys.argv[3:])
