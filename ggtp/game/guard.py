"""A guard around rules: what a rule does wrong becomes `RuleFailed`, and what it computes can be seen and interrupted.

`Catalogue.guarded_rules` is for whoever referees, replays or serves a game, and a `Play` takes up no others, so that
they never meet any other exception of a rule. Engines and searches take the rules as they are: they run in processes
of their own, need more of them than the contract, and are faster without a guard.

The guard writes nothing down while a rule computes. Which method is running is read from the stack of the thread,
by whoever wants to know (`current_call`); so a guarded call costs little more than the call itself.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import CodeType, FrameType, FunctionType, TracebackType
from typing import Any, TypeAlias, TypeVar, cast

from ggtp.errors import GgtpError, MoveError, OptionError, RuleFailed
from ggtp.game import advice
from ggtp.game.model import Position, Result, Rules, Turn, Verdict
from ggtp.game.picture import Picture

Method = TypeVar("Method", bound=Callable[..., Any])
_Kind: TypeAlias = type | tuple[type, ...]
_NONE = type(None)
# The first of them are what there usually is, and are seen at once.
_LISTED = (tuple, list, Sequence)


class RuleInterrupted(BaseException):
    """Raised in the middle of a guarded call, by a signal's handler: its text says why the call is given up."""


@dataclass(frozen=True, slots=True)
class Call:
    """A guarded call that is running."""

    rule: str
    method: str
    frame: FrameType
    """The guard's own frame: as long as it is the same one, it is the same call."""


_codes: set[CodeType] = set()
"""The code of every guarded method."""


def current_call(innermost: FrameType | None) -> Call | None:
    """The guarded call that is running in a thread, given its innermost frame; None where it can't be interrupted."""
    frame = innermost
    while frame is not None:
        code = frame.f_code
        if code is _failed.__code__:
            return None  # it has ended, and is being reported
        if code in _codes:
            # Before and after the rule's own code there is nothing to interrupt.
            return None if frame is innermost else Call(frame.f_locals["self"].name, code.co_name, frame)
        frame = frame.f_back
    return None


def _failed(guard: Any, method: str, error: BaseException) -> RuleFailed:
    """What is raised for an exception of a rule's method."""
    bare = guard.bare
    traceback = error.__traceback__
    if isinstance(error, RuleInterrupted):
        traceback = _without_last(traceback)  # the signal's handler is none of the rule's code
    place = _place(traceback, type(bare).__module__) or _definition(bare, method)
    what = str(error).strip().partition("\n")[0].rstrip(".")
    if not isinstance(error, GgtpError | RuleInterrupted):
        what = f"{type(error).__name__}: {what}" if what else type(error).__name__
    failure = RuleFailed(guard.name, method, place, what)
    if isinstance(error, RuleInterrupted) and isinstance(guard, GuardedPosition):
        # Whoever looks at this position again, to draw it perhaps, must not wait for the same computation again.
        guard.bare = cast(Position, _GivenUp(bare, method, failure))
    return failure


def _without_last(traceback: TracebackType | None) -> TracebackType | None:
    if traceback is None or traceback.tb_next is None:
        return None
    rest = _without_last(traceback.tb_next)
    return TracebackType(rest, traceback.tb_frame, traceback.tb_lasti, traceback.tb_lineno)


def _place(traceback: TracebackType | None, module: str) -> str:
    """`file:line` of the innermost frame in the rule's package, or else in any code but Python's own library."""
    home = module.rpartition(".")[0] or module
    place = own = ""
    while traceback is not None:
        frame = traceback.tb_frame
        name = str(frame.f_globals.get("__name__", ""))
        at = f"{frame.f_code.co_filename}:{traceback.tb_lineno}"
        if name == home or name.startswith(f"{home}."):
            own = at
        elif frame.f_code not in _codes and name.partition(".")[0] not in sys.stdlib_module_names:
            place = at
        traceback = traceback.tb_next
    return own or place


def _definition(bare: object, method: str) -> str:
    """`file:line` of where a method begins: what it returned was wrong, and nothing was raised."""
    code = getattr(getattr(bare, method, None), "__code__", None)
    return f"{code.co_filename}:{code.co_firstlineno}" if isinstance(code, CodeType) else ""


class _GivenUp:
    """A position one of whose methods did not return: it is not called again."""

    def __init__(self, bare: Position, method: str, failure: RuleFailed) -> None:
        self.bare = bare
        self._method = method
        self._failure = failure

    def __getattr__(self, name: str) -> object:
        if name == self._method:
            raise self._failure
        return getattr(self.bare, name)


def _verdict(guard: GuardedPosition, verdict: Verdict) -> Verdict:
    return Verdict(GuardedPosition(verdict.position, guard.name), verdict.made, verdict.refused, verdict.announcements)


def _position(guard: GuardedPosition | GuardedRules, position: Position | None) -> Position | None:
    return None if position is None else GuardedPosition(position, guard.name)


# Written out for each method, since a call by name with any arguments takes twice as long, and is made for every move.
_TEMPLATE = """
def {name}(self, {parameters}):
    try:
        value = {call}({arguments})
        if not isinstance(value, kind):
            raise TypeError(f"it returned {{type(value).__name__}}")
        return {returned}
    except (passes, RuleFailed):
        raise
    except (Exception, SystemExit, RuleInterrupted) as error:
        raise _failed(self, "{name}", error) from error
"""


def _guard(
    method: Method,
    kind: _Kind,
    passes: type[GgtpError] = RuleFailed,
    give: Callable[[Any, Any], Any] | None = None,
    *,
    asked: bool = False,
) -> Method:
    """A method that calls the rule's own method of that name.

    Args:
        method: the method of the contract, or a function of `advice`.
        kind: what it must return.
        passes: the exception that the contract allows it to raise.
        give: makes of the guard and the value what is returned; None: the value.
        asked: whether the method is a function of `advice`, which asks the rule.
    """
    name = method.__name__
    parameters = list(inspect.signature(method).parameters.values())[1:]
    names = [one.name for one in parameters]
    text = _TEMPLATE.format(
        name=name,
        parameters=", ".join(str(one.replace(annotation=one.empty)) for one in parameters),
        call="method" if asked else f"self.bare.{name}",
        arguments=", ".join(["self.bare", *names] if asked else names),
        returned="value" if give is None else "give(self, value)",
    )
    namespace: dict[str, Any] = {**globals(), "method": method, "kind": kind, "passes": passes, "give": give}
    exec(compile(text, __file__, "exec"), namespace)
    made: FunctionType = namespace[name]
    made.__doc__ = method.__doc__
    _codes.add(made.__code__)
    return cast(Method, made)


class GuardedPosition(Position):
    """A position of guarded rules."""

    __slots__ = ("bare", "name")
    bare: Position
    name: str
    """The rule's."""

    def __init__(self, bare: Position, name: str) -> None:
        """The rule's own position, and the rule's name."""
        self.bare = bare.bare if type(bare) is GuardedPosition else bare
        self.name = name

    turn = _guard(Position.turn, Turn)
    moves = _guard(Position.moves, _LISTED)
    play = _guard(Position.play, Verdict, MoveError, _verdict)
    result = _guard(Position.result, (Result, _NONE))
    view = _guard(Position.view, str)
    key = _guard(Position.key, object)
    picture = _guard(Position.picture, Picture)
    parse = _guard(Position.parse, str, MoveError)
    chance = _guard(Position.chance, _LISTED)
    draw = _guard(Position.draw, str)
    seen = _guard(Position.seen, str)
    spoken = _guard(Position.spoken, str)
    determinize = _guard(advice.determinize, (Position, _NONE), give=_position, asked=True)
    estimate = _guard(advice.estimate, object, asked=True)
    likely = _guard(advice.likely, _LISTED, asked=True)
    casual = _guard(advice.casual, str, asked=True)
    searcher = _guard(advice.searcher, object, asked=True)


class GuardedRules(Rules):
    """Rules whose methods, and those of their positions, raise `RuleFailed` where they fail."""

    def __init__(self, bare: Rules) -> None:
        """The rules as they were found, which have a name.

        Raises:
            RuleFailed: they have not what all rules have.
        """
        self.bare = bare
        attribute = "name"
        try:
            # A class variable of rules in Python, and an attribute of each object where rules are data.
            for attribute in ("name", "title", "traits", "own_options", "first_player_open", "text"):
                setattr(self, attribute, getattr(bare, attribute))
            attribute = "horizon"
            self.horizon = advice.horizon(bare)
        except Exception as error:
            raise _failed(self, attribute, error) from error

    players = _guard(Rules.players, _LISTED, OptionError)
    begin = _guard(Rules.begin, Position, OptionError, _position)
    options = _guard(Rules.options, _LISTED, OptionError)
    complete = _guard(Rules.complete, (dict, Mapping), OptionError)
    start = _guard(Rules.start, Position, OptionError, _position)
    symmetries = _guard(Rules.symmetries, _LISTED)
    start_clock = _guard(Rules.start_clock, object)
    talk = _guard(Rules.talk, object)
    twin = _guard(advice.twin, object, asked=True)
    imagine = _guard(advice.imagine, (Position, _NONE), give=_position, asked=True)
    imagine_soon = _guard(advice.imagine_soon, (Position, _NONE), give=_position, asked=True)
    nearly = _guard(advice.nearly, (Position, _NONE), give=_position, asked=True)


def guarded(rules: Rules) -> Rules:
    """The rules with a guard around them."""
    return rules if isinstance(rules, GuardedRules) else GuardedRules(rules)


def bare_rules(rules: Rules) -> Rules:
    """The rules without a guard, as they were found: for whoever needs more of them than the contract."""
    return rules.bare if isinstance(rules, GuardedRules) else rules


def bare_position(position: Position) -> Position:
    """The rule's own position, without a guard."""
    while isinstance(position, GuardedPosition | _GivenUp):
        position = position.bare
    return position
