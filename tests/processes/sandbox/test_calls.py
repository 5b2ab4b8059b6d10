"""The filter of system calls, run as the kernel would."""

from __future__ import annotations

import errno
import socket
import struct

import pytest

from ggtp.processes.sandbox.calls import ALLOW, FORBIDDEN, PROCESSORS, REFUSE, program

X86 = PROCESSORS["x86_64"]


def judge(code: bytes, number: int, *arguments: int, processor: int = X86.code) -> int:
    """What the filter says to a call."""
    data = struct.pack("iIQ6Q", number, processor, 0, *arguments, *[0] * (6 - len(arguments)))
    steps = list(struct.iter_unpack("HBBI", code))
    at = value = 0
    while True:
        kind, yes, no, operand = steps[at]
        at += 1
        if kind == 0x06:
            return int(operand)
        if kind == 0x20:
            (value,) = struct.unpack_from("I", data, operand)
        elif kind == 0x54:
            value &= operand
        else:
            at += yes if (value == operand if kind == 0x15 else value >= operand) else no


@pytest.mark.parametrize("machine", PROCESSORS)
@pytest.mark.parametrize("only_streams", [False, True])
def test_what_engines_have_no_use_for_is_refused(machine: str, only_streams: bool) -> None:
    code, processor = program(only_streams=only_streams, strict=False, machine=machine), PROCESSORS[machine]
    for name in FORBIDDEN:
        assert judge(code, processor.numbers[name], processor=processor.code) == REFUSE | errno.EPERM
    assert judge(code, 0, processor=processor.code) == ALLOW


def test_sockets_are_those_of_files_and_of_the_internet() -> None:
    number = X86.numbers["socket"]
    for only_streams, datagrams in ((False, ALLOW), (True, REFUSE | errno.EPERM)):
        code = program(only_streams=only_streams, strict=False, machine="x86_64")
        assert judge(code, number, socket.AF_UNIX, socket.SOCK_DGRAM) == ALLOW
        assert judge(code, number, socket.AF_INET6, socket.SOCK_STREAM | socket.SOCK_CLOEXEC) == ALLOW
        assert judge(code, number, socket.AF_INET, socket.SOCK_DGRAM) == datagrams
        assert judge(code, number, 40, socket.SOCK_STREAM) == REFUSE | errno.EAFNOSUPPORT


def test_programs_for_other_processors_are_refused_by_strict_sandboxes() -> None:
    for strict, answer in ((False, ALLOW), (True, REFUSE | errno.ENOSYS)):
        assert judge(program(only_streams=False, strict=strict, machine="x86_64"), 0, processor=0x40000003) == answer
    code = program(only_streams=False, strict=False, machine="x86_64")
    assert judge(code, 0x40000000 + 41, 40) == REFUSE | errno.ENOSYS


def test_a_processor_whose_calls_are_not_known_has_no_filter() -> None:
    assert program(only_streams=True, strict=True, machine="pdp11") == b""
