"""Which system calls an engine may not make, as a program of the kernel's filter (seccomp).

Namespaces and Landlock leave some ways out: sockets of virtual machines' hosts, which no network namespace bounds;
shared memory that belongs to no process and no file, so that nobody would count it; keys that the user's programs
share; and parts of the kernel that engines have no use for.
"""

from __future__ import annotations

import errno
import platform
import socket
import struct
from collections.abc import Mapping
from dataclasses import dataclass

ALLOW, REFUSE = 0x7FFF0000, 0x00050000
LOAD, EQUAL, AT_LEAST, AND, RETURN = 0x20, 0x15, 0x35, 0x54, 0x06
NUMBER, ARCHITECTURE, FIRST, SECOND = 0, 4, 16, 24
"""Where the number of the call, the processor's kind and the arguments lie."""
OTHER_NUMBERS = 0x40000000
"""On x86-64, from where on the numbers are those of another table of calls."""
TYPE = 0xF
FAMILIES = (socket.AF_UNIX, getattr(socket, "AF_NETLINK", 16))
INTERNET = (socket.AF_INET, socket.AF_INET6)
FORBIDDEN = (
    *("shmget", "add_key", "request_key", "keyctl", "bpf", "perf_event_open", "userfaultfd", "io_uring_setup"),
    "open_by_handle_at",
)


@dataclass(frozen=True, slots=True)
class Processor:
    """A kind of processor: what the kernel calls it, and the numbers of its calls."""

    code: int
    numbers: Mapping[str, int]
    other_numbers: bool = False


PROCESSORS: Mapping[str, Processor] = {
    "x86_64": Processor(
        0xC000003E,
        dict(zip(("socket", *FORBIDDEN), (41, 29, 248, 249, 250, 321, 298, 323, 425, 304), strict=True)),
        other_numbers=True,
    ),
    "aarch64": Processor(
        0xC00000B7,
        dict(zip(("socket", *FORBIDDEN), (198, 194, 217, 218, 219, 280, 241, 282, 425, 265), strict=True)),
    ),
}


def program(*, only_streams: bool, strict: bool, machine: str = "") -> bytes:
    """Return the filter; nothing for kinds of processors whose calls we do not know.

    Args:
        only_streams: of the internet's sockets, refuse all but those of TCP.
        strict: refuse programs for other processors, such as those of 32 bits, whose calls are not looked at.
        machine: the processor; by default, the one that we run on.
    """
    processor = PROCESSORS.get(machine or platform.machine())
    if processor is None:
        return b""
    other = REFUSE | errno.ENOSYS if strict else ALLOW
    code = [(LOAD, 0, 0, ARCHITECTURE), (EQUAL, 1, 0, processor.code), (RETURN, 0, 0, other), (LOAD, 0, 0, NUMBER)]
    if processor.other_numbers:
        code += [(AT_LEAST, 0, 1, OTHER_NUMBERS), (RETURN, 0, 0, REFUSE | errno.ENOSYS)]
    for name in FORBIDDEN:
        code += [(EQUAL, 0, 1, processor.numbers[name]), (RETURN, 0, 0, REFUSE | errno.EPERM)]
    code += [(EQUAL, 1, 0, processor.numbers["socket"]), (RETURN, 0, 0, ALLOW), (LOAD, 0, 0, FIRST)]
    for family in FAMILIES if only_streams else (*FAMILIES, *INTERNET):
        code += [(EQUAL, 0, 1, family), (RETURN, 0, 0, ALLOW)]
    if only_streams:
        code += [(EQUAL, 2, 0, socket.AF_INET), (EQUAL, 1, 0, socket.AF_INET6)]
    code.append((RETURN, 0, 0, REFUSE | errno.EAFNOSUPPORT))
    if only_streams:
        code += [(LOAD, 0, 0, SECOND), (AND, 0, 0, TYPE), (EQUAL, 0, 1, socket.SOCK_STREAM), (RETURN, 0, 0, ALLOW)]
        code.append((RETURN, 0, 0, REFUSE | errno.EPERM))
    return b"".join(struct.pack("HBBI", *instruction) for instruction in code)
