"""Which method of a rule is running while it is checked: rules that are checked have no guard around them."""

from __future__ import annotations

from types import FrameType

from ggtp.game.guard import Call

CHECKS = __name__.rpartition(".")[0]
HELPERS = ("ggtp.game.advice", "ggtp.game.hidden.")
"""They ask the rule on behalf of the checks."""


def running_call(rule: str, innermost: FrameType | None) -> Call | None:
    """Return the call of a rule that the checks have made and that is running.

    Args:
        rule: the rule's name, for the call.
        innermost: the innermost frame of the thread that checks.
    """
    inside: FrameType | None = None
    frame = innermost
    while frame is not None:
        module = str(frame.f_globals.get("__name__", ""))
        if module.startswith(f"{CHECKS}."):
            return None if inside is None else Call(rule, inside.f_code.co_qualname, inside)
        if not module.startswith(HELPERS):
            inside = frame
        frame = frame.f_back
    return None
