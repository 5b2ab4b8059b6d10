"""Functions in Python that machine code calls.

No exception can pass through machine code. So whoever has called the machine code asks afterwards whether there was
one.
"""

from __future__ import annotations

from collections.abc import Callable
from ctypes import CFUNCTYPE, c_int64, c_void_p, cast


class Callback:
    """A function whose address machine code is given; it must live as long as that is used."""

    def __init__(self, function: Callable[..., object], arguments: int, stop: Callable[[], object]) -> None:
        """A function that is called with integers, and whose result is dropped.

        Args:
            function: what is called, in whatever thread runs the machine code.
            arguments: how many integers it takes.
            stop: called when the function has raised an exception: the machine code should end soon.
        """
        raised: list[BaseException] = []

        def called(*numbers: int) -> None:
            try:
                function(*numbers)
            except BaseException as error:  # noqa: BLE001  raised again by `check`
                raised.append(error)
                stop()

        self._raised = raised
        self._entry = CFUNCTYPE(None, *[c_int64] * arguments)(called)
        self.address = int(cast(self._entry, c_void_p).value or 0)

    def check(self) -> None:
        """Raise the first exception that the function has raised since it was last asked, if there was one."""
        if self._raised:
            error = self._raised[0]
            self._raised.clear()
            raise error
