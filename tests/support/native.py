"""Functions as machine code, called like those of Python."""

from __future__ import annotations

from collections.abc import Callable
from ctypes import c_double, c_int64, c_void_p
from typing import Any, TypeVar, cast

from ggtp.native.checks import CheckedLibrary, SiteList
from ggtp.native.compile import module_text
from ggtp.native.kinds import INT, REAL, VOID, Kind, Signature
from ggtp.native.machine import Effort, Library, compile_text

F = TypeVar("F", bound=Callable[..., Any])
Constants = dict[str, int | float]


def library(*functions: Callable[..., Any], shared: bool = False, **constants: float) -> Library:
    """The machine code of functions that use these constants."""
    return compile_text(module_text(functions, constants, shared=shared), Effort.PASSES)


def checked_library(*functions: Callable[..., Any], **constants: float) -> CheckedLibrary:
    """The same, with checks."""
    sites = SiteList()
    return CheckedLibrary(module_text(functions, constants, shared=False, sites=sites), sites)


def entry(code: Library, function: F) -> F:
    """A function of a library, which takes arrays of numpy where it takes pointers."""
    signature = Signature(function)
    call = code.function(function.__name__, _ctype(signature.result), *map(_ctype, signature.kinds))
    return cast(F, lambda *args: call(*(getattr(arg, "ctypes", _Plain(arg)).data for arg in args)))


def native(function: F, *others: Callable[..., Any], **constants: float) -> F:
    """A function as machine code, with others that it calls."""
    code = compile_text(module_text([function, *others], constants, shared=False), Effort.PASSES)
    found = entry(code, function)
    found.__dict__["code"] = code
    return found


def _ctype(kind: Kind) -> Any:
    return {VOID: None, INT: c_int64, REAL: c_double}.get(kind, c_void_p)


class _Plain:
    def __init__(self, data: float) -> None:
        self.data = data
