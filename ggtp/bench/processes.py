"""What benchmarks ask the kernel about processes: who is below us, what each uses, and who is left."""

from __future__ import annotations

import os

WATCHDOG = b"transport/family.py"
"""Who sees to our engines when we are killed; it ends with us."""


def descendants(pid: int) -> set[int]:
    """All processes below a process."""
    parents: dict[int, int] = {}
    for name in os.listdir("/proc") if os.path.isdir("/proc") else []:
        if name.isdigit():
            fields = _stat(int(name))
            if len(fields) > 1:
                parents[int(name)] = int(fields[1])
    found: set[int] = set()
    fresh = {pid}
    while fresh:
        fresh = {child for child, parent in parents.items() if parent in fresh} - found
        found |= fresh
    return found


def cpu_seconds(pids: set[int]) -> float:
    """The processor time that these processes have used."""
    ticks = 0
    for pid in pids:
        fields = _stat(pid)
        if len(fields) > 12:
            ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def born(pid: int) -> int:
    """When a process has begun, in the kernel's ticks; with its number that is nobody else. 0: there is none."""
    fields = _stat(pid)
    return int(fields[19]) if len(fields) > 19 else 0


def ended(pid: int) -> bool:
    """Whether a process has ended and nobody has seen to that yet."""
    return _stat(pid)[:1] in ([b"Z"], [b"X"])


def alive(pid: int) -> bool:
    """Whether a process runs that should not: not one that has ended, and not the house's own watchdog."""
    if not _stat(pid) or ended(pid):
        return False
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            return WATCHDOG not in file.read()
    except OSError:
        return False


def resident_kib(pid: int) -> int:
    """The resident memory of a process; 0 where it can't be told."""
    try:
        with open(f"/proc/{pid}/status", encoding="ascii", errors="replace") as file:
            return next((int(line.split()[1]) for line in file if line.startswith("VmRSS:")), 0)
    except (OSError, ValueError):
        return 0


def open_files(pid: int) -> int:
    """How many files, pipes and sockets a process has open; 0 where it can't be told."""
    try:
        return len(os.listdir(f"/proc/{pid}/fd"))
    except OSError:
        return 0


def _stat(pid: int) -> list[bytes]:
    """What the kernel says of a process, from its state on; empty where there is none."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return file.read().rpartition(b")")[2].split()
    except OSError:
        return []
