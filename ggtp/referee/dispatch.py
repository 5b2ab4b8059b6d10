"""Which method carries out which command: found and checked once, when a referee is made."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from inspect import CO_VARARGS
from types import CodeType, MethodType
from typing import TypeAlias

from ggtp.protocol.commands import SupervisorCommand
from ggtp.protocol.waiting import Conversation

Handler: TypeAlias = Callable[..., str | Conversation[str]]
"""Carries out a command, whose arguments are its own, and returns its answer."""


def handlers(
    table: Mapping[str, SupervisorCommand], *parts: object, but: Collection[str] = (), before: int = 0
) -> dict[str, Handler]:
    """Return the method for each command of a table, by the command's name, which is the method's name, too.

    Args:
        table: the commands.
        parts: the objects that have the methods.
        but: commands of the table that are carried out elsewhere.
        before: how many arguments methods take before those of the command.

    Raises:
        TypeError: a command has no method, or several, or one that takes other arguments.
    """
    found: dict[str, Handler] = {}
    for name, command in table.items():
        if name in but:
            continue
        methods = [method for part in parts if isinstance(method := getattr(part, name, None), MethodType)]
        if len(methods) != 1:
            raise TypeError(f"{len(methods)} methods carry out {name}, not one")
        fewest, most = _arguments(methods[0], before, len(command.parameters))
        if (fewest, most) != (command.fewest, len(command.parameters)):
            raise TypeError(f"{methods[0].__qualname__} does not take the arguments of {command.usage}")
        found[name] = methods[0]
    return found


def _arguments(method: MethodType, before: int, any_number: int) -> tuple[int, int]:
    """How many arguments a method takes, at least and at most: `any_number` where it takes as many as there are."""
    code, defaults = method.__func__.__code__, method.__func__.__defaults__ or ()
    assert isinstance(code, CodeType)
    named = code.co_argcount - 1 - before
    return named - len(defaults), any_number if code.co_flags & CO_VARARGS else named
