"""Functions as machine code that call those of `kernel`, from modules of their own.

The compiler's cache on the disk knows a function by the file that it is in. What is made here
is also known by the files of whatever it calls, so that a change there is seen.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numpy.typing import NDArray

from ggtp.vgdl import kernel

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Floats = NDArray[np.float64]
F = TypeVar("F", bound=Callable[..., Any])

TYPES = {**kernel.TYPES, "Longs": "int64[::1]"}
"""What the compiler makes of our annotations."""


def compiled(*uses: Callable[..., Any]) -> Callable[[F], F]:
    """Has a function compiled when it is needed first, for the types of its annotations alone.

    Args:
        uses: functions of other modules that it calls, one for each such module.
    """

    def make(function: F) -> F:
        dispatcher: Any = numba.njit(cache=True, boundscheck=False, error_model="numpy")(function)
        names = {name: TYPES[text] for name, text in function.__annotations__.items()}
        result = names.pop("return")
        signature = f"{result}({', '.join(names.values())})"
        find = dispatcher.get_call_template
        _remember(dispatcher, uses)

        def find_or_compile(args: Any, kws: Any) -> Any:
            if not dispatcher.overloads:
                dispatcher.compile(signature)
            if dispatcher._can_compile:
                dispatcher.disable_compile()
            return find(args, kws)

        dispatcher.get_call_template = find_or_compile
        return cast(F, dispatcher)

    return make


def _remember(dispatcher: Any, uses: tuple[Callable[..., Any], ...]) -> None:
    """Makes the stamps of other files a part of the stamp of a function's own."""
    try:
        own = dispatcher._cache._cache_file
        own._source_stamp = (own._source_stamp, *(stamp_of(used) for used in uses))
    except AttributeError:  # another version of the compiler: then without its cache
        dispatcher._cache = numba.core.caching.NullCache()


def stamp_of(function: Any) -> Any:
    """What tells whether a function, or what it calls, has changed since it was compiled."""
    return function._cache._cache_file._source_stamp
