"""Functions as machine code: those that are marked here are Python that `ggtp.native` translates when it is needed.

A module is compiled with all that it calls. A program that has a place to keep the machine code calls `load` first, and
waits a second or two for good code; or it has the module compiled hastily, in a tenth of that time, and calls `load`
again beside its work. A function that is just called is compiled hastily, anew in each program.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Sequence
from ctypes import addressof, c_double, c_int64, c_void_p
from enum import IntEnum
from functools import partial
from hashlib import sha256
from types import ModuleType
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from ggtp.native import marked as translation
from ggtp.native.checks import CheckedLibrary, SiteList, wanted
from ggtp.native.code import translator_sources
from ggtp.native.kinds import INT, PAIR, REAL, VOID, Kind, Signature, record
from ggtp.native.machine import CodeCache, Effort, Library, host, object_code

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Floats = NDArray[np.float64]
F = TypeVar("F", bound=Callable[..., Any])

_NUMBERS = {"Ints": np.dtype(np.int32), "Longs": np.dtype(np.int64), "Floats": np.dtype(np.float64)}
_RESULTS = {VOID: None, INT: c_int64, REAL: c_double}


class Native:
    """A function that is machine code from its first call on. While it runs, other threads may run too."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.plain = function
        """The function as it is written."""
        self.__doc__ = function.__doc__
        self._signature = Signature(function)
        self.good = False
        """Whether it was compiled with all care."""
        self._entry: Any = None
        self._libraries: list[Library] = []
        """What it was loaded from: who is still in the middle of older code needs that."""

    @property
    def symbol(self) -> str:
        """Its name among all functions."""
        return f"{self.plain.__module__.rpartition('.')[2]}.{self.plain.__name__}"

    @property
    def ready(self) -> bool:
        """Whether it has been loaded."""
        return bool(self._libraries)

    def __call__(self, *args: Any) -> Any:
        if self._entry is None:
            return self.bind()(*args)
        found = self._entry(*self._numbers(self._signature.kinds, args))
        return bool(found) if self._signature.truth else found

    def bind(self, *arrays: Any) -> Callable[..., Any]:
        """The function with its first arguments given: cheaper where it is called again and again.

        Raises:
            TypeError: one of them is not what it takes.
        """
        if self._signature.result is PAIR:
            return partial(self.plain, *arrays)
        if not self.ready:
            load(None, self.plain.__module__, hasty=True)
        entry, kinds, truth = self._entry, self._signature.kinds, self._signature.truth
        given = self._numbers(kinds[: len(arrays)], arrays)
        rest = kinds[len(arrays) :]

        def bound(*args: Any) -> Any:
            found = entry(*given, *self._numbers(rest, args))
            return bool(found) if truth else found

        bound.__dict__["arrays"] = arrays  # their memory is used: it must not go before we do
        return bound

    def _numbers(self, kinds: list[Kind], args: tuple[Any, ...]) -> list[Any]:
        """What machine code is given for some arguments."""
        numbers: list[Any] = []
        for kind, arg in zip(kinds, args, strict=True):
            if kind.sized:
                numbers += self._array(kind, arg)
            elif kind.fields:
                numbers.append(self._record(kind, arg))
            else:
                numbers.append(float(arg) if kind is REAL else int(arg))
        return numbers

    def _array(self, kind: Kind, array: NDArray[Any]) -> tuple[int, int]:
        """Where an array begins, and how many elements it has."""
        wanted = _NUMBERS[kind.text]
        if array.dtype != wanted or not array.flags.c_contiguous:
            raise TypeError(f"{self.symbol} takes {wanted} in a row, not {array.dtype}")
        return array.ctypes.data, array.size

    def _record(self, kind: Kind, record: tuple[Any, ...]) -> Any:
        """The addresses and sizes of all fields, in memory that lives as long as the result does."""
        numbers: list[Any] = []
        for (_, field), value in zip(kind.fields, record, strict=True):
            numbers += self._array(field, value) if field.sized else (self._record(field, value), 0)
        memory = (c_int64 * len(numbers))(*(n if isinstance(n, int) else addressof(n) for n in numbers))
        memory.__dict__["records"] = [n for n in numbers if not isinstance(n, int)]
        return memory

    def enter(self, library: Library, good: bool) -> None:
        """Use the machine code of a library from now on."""
        self._libraries.append(library)
        self.good = good
        if self._signature.result is PAIR:  # two numbers at once: for that the interpreter is good enough
            return
        kinds: list[Any] = []
        for kind in self._signature.kinds:
            kinds += (c_void_p, c_int64) if kind.sized else (c_void_p,) if kind.fields else (_RESULTS[kind],)
        self._entry = library.function(self.symbol, _RESULTS[self._signature.result], *kinds)


def compiled(function: F) -> F:
    """Marks a function that is to be machine code."""
    return cast(F, Native(function))


def bind(function: Callable[..., Any], *arrays: Any) -> Callable[..., Any]:
    """A marked function with its first arguments given; see `Native.bind`."""
    return cast(Native, function).bind(*arrays)


def load(kept: CodeCache | None, *modules: str, hasty: bool = False) -> bool:
    """Has all marked functions of some modules compiled, or found in a cache, with those that they call.

    Functions that were compiled hastily before are replaced; who is in the middle of one is not disturbed.

    Args:
        kept: where good code is kept.
        modules: their full names.
        hasty: be done soon, unless there is good code already.

    Returns:
        Whether the code is as good as it gets.
    """
    needed = list(dict.fromkeys(each for name in modules for each in _needed(name)))
    functions = [function for name in needed for function in marked(name)]
    if all(function.good for function in functions):
        return True
    if wanted():
        return _load_checked(functions)
    key = name_of(needed)
    code = kept.get(key) if kept is not None else None
    good = code is not None or not hasty
    if good or not all(function.ready for function in functions):
        if code is None:
            code = object_code(translation.module_text(functions), Effort.PASSES if good else Effort.FAST)
            if good and kept is not None:
                kept.put(key, code)
        library = Library(code)
        for function in functions:
            function.enter(library, good)
    return good


def _load_checked(functions: list[Native]) -> bool:
    """Use code that checks what it does; there is no better one then."""
    sites = SiteList()
    library = CheckedLibrary(translation.module_text(functions, sites), sites)
    for function in functions:
        function.enter(library, True)
    return True


def marked(module: str) -> list[Native]:
    """The functions of a module that are machine code."""
    found = vars(sys.modules[module]).values()
    return [each for each in found if isinstance(each, Native) and each.plain.__module__ == module]


def _needed(module: str) -> list[str]:
    """A module and all whose functions it may call."""
    found = [module]
    for name in found:
        for value in vars(sys.modules[name]).values():
            other = value.plain.__module__ if isinstance(value, Native) else getattr(value, "__name__", "")
            if isinstance(value, Native | ModuleType) and other not in found and marked(other):
                found.append(other)
    return found


def name_of(modules: Sequence[str]) -> str:
    """Return the name under which the machine code of some modules is kept; it differs if the code may differ."""
    sources = [*translator_sources(), *(inspect.getsource(sys.modules[name]) for name in modules)]
    known = [
        sorted((name, text) for name, value in vars(sys.modules[module]).items() if (text := _meaning(value)))
        for module in modules
    ]
    return "vgdl " + sha256(repr((host().fingerprint, sources, known)).encode()).hexdigest()


def _meaning(value: object) -> str:
    """Return all that machine code depends on in a value of its module: a number, the members of an enumeration, or
    the fields of a record; an empty text for any other value."""
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, type) and issubclass(value, IntEnum):
        return repr(list(value))
    found = record(value)
    return repr(found) if found is not None else ""
