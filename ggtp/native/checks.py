"""Machine code that checks what it does, for whoever looks for an error: bounds, divisors, shifts and conversions.

An index outside of an array, or of memory that somebody watches, a division by 0 and the like raise `CheckFailed`, with
the place in the source. Such code is several times slower. It is asked for by an argument, or for a whole program by
GGTP_CHECK_NATIVE=1 in its environment.
"""

from __future__ import annotations

import os
from array import array
from collections.abc import Callable
from ctypes import CFUNCTYPE, c_int64, c_void_p
from threading import Lock
from typing import Any
from weakref import WeakSet

from ggtp.native.language import Words, address, swap, words
from ggtp.native.machine import Effort, Library, Watched, object_code
from ggtp.native.writer import Place

VARIABLE = "GGTP_CHECK_NATIVE"

FAILED, SITE, ONE, TWO, THREE, TABLE, COUNT = range(7)
"""The record of a library: whether a check has failed, where and with which numbers; and the memory that is watched."""
NEVER_MEMORY = 4096
"""No memory begins below this address."""

MEMORY = "@native.record = global [7 x i64] zeroinitializer\ndefine ptr @native.memory() { ret ptr @native.record }\n"


def wanted() -> bool:
    """Return whether this program is to check its machine code."""
    return os.environ.get(VARIABLE, "") not in ("", "0")


class CheckFailed(Exception):
    """Machine code was about to do what it may not; the text says where, and what."""


def fail(record: Words, site: int, one: int, two: int, three: int) -> None:
    """Note a failure, unless another one came first."""
    if swap(record, FAILED, 0, 1) == 0:
        record[SITE] = site
        record[ONE] = one
        record[TWO] = two
        record[THREE] = three


def inside(record: Words, base: Words, place: Words, size: int) -> int:
    """Whether what is to be read or written lies in the memory in which its pointer points, as far as that is known."""
    table = words(record[TABLE])
    origin = address(base, 0)
    first = address(place, 0)
    before = 0
    for i in range(record[COUNT]):
        low = table[2 * i]
        high = table[2 * i + 1]
        if low <= origin < high:
            return low <= first and first + size <= high
        if origin == high:
            before = low
    if before > 0:  # it points to the end of something, and to the beginning of nothing
        return before <= first and first + size <= origin
    return origin >= NEVER_MEMORY


FUNCTIONS: dict[str, Callable[..., Any]] = {"fail": fail, "inside": inside}
"""They are part of every module whose code checks what it does."""


class SiteList:
    """The places that a module checks."""

    def __init__(self) -> None:
        self._sites: list[tuple[Place, str]] = []

    def add(self, place: Place, what: str) -> int:
        """Note one; return its number."""
        self._sites.append((place, what))
        return len(self._sites) - 1

    def error(self, site: int, *numbers: int) -> CheckFailed:
        """The error of a check that has failed."""
        place, what = self._sites[site]
        meant, _, code = what.partition(": ")
        return CheckFailed(f"{place}: {meant.format(*numbers)}: {code}")


class CheckedLibrary(Library):
    """Loaded machine code that checks what it does: its functions raise `CheckFailed`."""

    def __init__(self, text: str, sites: SiteList) -> None:
        """A module in LLVM's language that was made with these sites."""
        super().__init__(object_code(text, Effort.TIDY))
        self._sites = sites
        self._watched: WeakSet[Watched] = WeakSet()
        self._lock = Lock()
        self._running = 0
        self._tables: list[array[int]] = []
        """Those that a call may still read."""
        place = CFUNCTYPE(c_void_p)(self.address("native.memory"))()
        self._record = (c_int64 * (COUNT + 1)).from_address(place)

    def watch(self, owner: Watched) -> None:
        """Check all accesses to somebody's memory, as long as that lives."""
        self._watched.add(owner)

    def function(self, name: str, result: Any, *arguments: Any) -> Any:
        """A function as a Python callable, as in `Library`."""
        entry = super().function(name, result, *arguments)

        def checked(*args: Any) -> Any:
            self._enter()
            found = entry(*args)
            failure = self._leave()
            if failure is not None:
                raise failure
            return found

        return checked

    def _enter(self) -> None:
        with self._lock:
            self._running += 1
            table = array("q", [number for owner in self._watched for extent in owner.extents() for number in extent])
            self._tables.append(table)
            self._record[COUNT] = 0
            self._record[TABLE] = table.buffer_info()[0]
            self._record[COUNT] = len(table) // 2

    def _leave(self) -> CheckFailed | None:
        """The error of a failed check; every call that was under way then has it."""
        with self._lock:
            self._running -= 1
            failed, site, *numbers = self._record[FAILED:TABLE]
            if not self._running:
                self._record[FAILED] = 0
                self._tables.clear()
            return self._sites.error(site, *numbers) if failed else None
