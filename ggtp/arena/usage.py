"""What an engine's process has used so far, as the kernel counts it."""

from __future__ import annotations

import os
from dataclasses import dataclass

from ggtp.processes.family import descendants


@dataclass(frozen=True, slots=True)
class Usage:
    """Zero where nobody counts, as on systems without /proc."""

    cpu_ms: int = 0
    """Processor time, that of processes that it has started and seen to their end included."""
    memory_mib: int = 0
    """The most memory that it held at a time; not known any more of one that has ended."""


def usage_of(pid: int) -> Usage:
    """What a process has used; of one that has ended, as long as nobody has reaped it, the processor time."""
    used = max(_cpu_ms(_read(f"/proc/{pid}/stat")), _run_ms(_read(f"/proc/{pid}/schedstat")))
    return Usage(used, _peak_mib(_read(f"/proc/{pid}/status")))


def usage_of_all(pid: int) -> Usage:
    """What a process and those that it has started have used together; of memory, the largest share of one of them."""
    found = [usage_of(member) for member in descendants(pid)]
    return Usage(sum(each.cpu_ms for each in found), max((each.memory_mib for each in found), default=0))


def _cpu_ms(text: str) -> int:
    # The name, which may hold anything, ends at the last parenthesis; own and waited-for time are fields 14 to 17.
    fields = text.rpartition(")")[2].split()
    if len(fields) < 15:
        return 0
    return sum(map(int, fields[11:15])) * 1000 // os.sysconf("SC_CLK_TCK")


def _run_ms(text: str) -> int:
    """How long the first thread has run: what is shorter than a tick of the clock is known of no other one."""
    fields = text.split()
    return -(-int(fields[0]) // 1_000_000) if fields else 0


def _peak_mib(text: str) -> int:
    for line in text.splitlines():
        name, _, value = line.partition(":")
        if name == "VmHWM":
            return int(value.split()[0]) >> 10
    return 0


def _read(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""
