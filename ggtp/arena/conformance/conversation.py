"""Checks of what an engine answers: its options, its game, questions, and lines that it should not have been sent."""

from __future__ import annotations

import re
import statistics
import time
from collections import Counter

from ggtp.arena.conformance.subject import Subject
from ggtp.arena.conformance.talk import Broken, Talk
from ggtp.arena.conformance.verdict import Check
from ggtp.game.notation import format_result
from ggtp.protocol.introduction import RESERVED, TELL_MOVES, TELL_TABLE
from ggtp.protocol.messages import AnswerKind
from ggtp.protocol.text import split_list

UNKNOWN = "no_such_option"
"""An option that no engine has."""
NO_VALUES = ("", "none")
"""The answers of an option that has no value yet, whatever it takes."""
TOLD = (
    *RESERVED, TELL_MOVES, TELL_TABLE, "seed", "threads", "memory", "start_clock", "time_control", "messages",
    "refusal", "last_search",
)  # fmt: skip
"""Options that the referee sets or only reads."""
NO_TABLE = "99999"
"""The number of a table that no engine has."""
ROUND_TRIPS = 20
SLOW_MS = 15
"""If half of the answers take longer, something waits: an acknowledgement that TCP delays takes about 40 ms."""
_RANGE = re.compile(r"(-?\d*)\.\.(-?\d*)")


async def start(subject: Subject, check: Check) -> None:
    """It starts, connects and lists its options."""
    began = time.monotonic()
    await subject.connected()
    check.text = f"connected within {1000 * (time.monotonic() - began):.0f} ms, over {subject.spec.transport}"


async def options(subject: Subject, check: Check) -> None:
    """Its options have names, values and choices that go together."""
    talk = await subject.connected()
    listed = subject.listed
    kinds: Counter[str] = Counter()
    folded = [name.casefold() for name in listed]
    for name in listed:
        if not name or " " in name:
            check.fail(f"{name!r} is no name of an option: it has to be one word.")
        if folded.count(name.casefold()) > 1:
            check.fail(f"Option {name} is listed twice, but for upper and lower case.")
    for name in (name for name in listed if name and " " not in name):
        value, choices = await talk.ask("get_option", name), await talk.ask("list_option_choices", name)
        for asked, answer in (("get_option", value), ("list_option_choices", choices)):
            if answer.kind is not AnswerKind.REPLY:
                check.fail(f"{asked} {name}: {answer.kind.value}, although the option is listed.")
        kinds[kind_of(choices.text)] += 1
        if AnswerKind.REPLY is value.kind is choices.kind and not fits(value.text, choices.text):
            check.fail(f"Option {name} has the value {value.text}, which is none of its choices: {choices.text}.")
    told = ", ".join(f"{count} {kind}" for kind, count in kinds.most_common())
    check.text = f"{len(listed)} option{'s' * (len(listed) != 1)}{f': {told}' if told else ''}"
    for command in (("get_option",), ("list_option_choices",), ("set_option", "1")):
        answer = await talk.ask(command[0], UNKNOWN, *command[1:])
        if answer.kind is not AnswerKind.INVALID_OPTION_NAME:
            check.fail(f"{command[0]} {UNKNOWN}: {answer.kind.value} instead of invalid_option_name.")


async def values(subject: Subject, check: Check) -> None:
    """It takes the values that it says it takes, and no others."""
    talk = await subject.connected()
    tried = 0
    for name in (name for name in subject.listed if name and " " not in name and name not in TOLD):
        value, choices = (await talk.ask("get_option", name)).text, (await talk.ask("list_option_choices", name)).text
        if choices == "read-only" or value in NO_VALUES or not fits(value, choices):
            continue
        tried += 1
        if (await talk.ask("set_option", name, value)).kind is not AnswerKind.ACKNOWLEDGE:
            check.fail(f"set_option {name} {value} is refused, although it is the option's value.")
        if (now := (await talk.ask("get_option", name)).text) != value:
            check.fail(f"Option {name} is {now} after set_option {name} {value}.")
        for wrong in beyond(choices):
            if (await talk.ask("set_option", name, wrong)).kind is AnswerKind.ACKNOWLEDGE:
                check.warn(f"set_option {name} {wrong} is acknowledged, although it takes {choices}.")
                await talk.ask("set_option", name, value)
    check.text = f"{tried} options of its own were set"


def kind_of(choices: str) -> str:
    """Return the kind of an option with these choices."""
    if choices in ("any", ""):
        return "text"
    if choices == "on, off":
        return "switch"
    return choices if choices in ("read-only", "press") else "number" if _RANGE.fullmatch(choices) else "choice"


def fits(value: str, choices: str) -> bool:
    """Return whether a value is one of an option's choices, as far as these say."""
    if value in NO_VALUES or choices in ("any", "read-only", ""):
        return True
    found = _RANGE.fullmatch(choices)
    if found is None:
        return value in split_list(choices)
    low, high = found.groups()
    number = re.fullmatch(r"-?\d+", value) is not None
    return number and (not low or int(value) >= int(low)) and (not high or int(value) <= int(high))


def beyond(choices: str) -> list[str]:
    """Values that are none of an option's choices."""
    found = _RANGE.fullmatch(choices)
    if found is not None:
        low, high = found.groups()
        return [str(int(end) + step) for end, step in ((low, -1), (high, 1)) if end]
    return [] if choices in ("any", "read-only", "", "press") else ["no_such_value"]


async def game(subject: Subject, check: Check) -> None:
    """It takes the game that it is told."""
    await subject.talk()
    known = [name for name in ("rule", "rule_text", "rule_options", "player", "seed") if name in subject.listed]
    check.text = f"is told {', '.join(known)}" if known else "lists no option rule: it is trusted to know its game"


async def questions(subject: Subject, check: Check) -> None:
    """It answers questions about its table, and refuses tables that it does not have."""
    board = await subject.board()
    await board.others()
    talk = await subject.talk()
    for command in ("list_possible_moves", "get_result", "get_table"):
        answer = await talk.ask(command, "0")
        if answer.kind is not AnswerKind.REPLY:
            check.warn(f"{command} 0: {answer.kind.value}, so nobody can look at its table.")
        elif command == "get_result" and answer.text != format_result(board.position.result()):
            check.warn(f"get_result 0: {answer.text}, while the game goes on: none is expected.")
        elif command == "list_possible_moves" and not subject.rules.traits.hidden and board.its_turn:
            expected = set(board.position.moves(subject.player))
            told = {item for part in answer.text.split(";") for item in split_list(part.partition("=")[2] or part)}
            if expected != told and not (set(map(str.casefold, expected)) <= set(map(str.casefold, told))):
                missing = sorted(expected - told)[:3]
                check.warn(f"list_possible_moves 0 has other moves than the rule; missing: {', '.join(missing)}.")
        if (await talk.ask(command, NO_TABLE)).kind is not AnswerKind.INVALID_TABLE_NUMBER:
            check.fail(f"{command} {NO_TABLE} is answered, although there can be no such table.")
    check.text = "list_possible_moves, get_result and get_table, at the beginning"


async def answers(subject: Subject, check: Check) -> None:
    """It answers fast: what it is told with each move adds to every move."""
    talk = await subject.connected()
    taken = []
    for _ in range(ROUND_TRIPS):
        began = time.monotonic()
        await talk.ask("list_options")
        taken.append(1000 * (time.monotonic() - began))
    median = statistics.median(taken)
    check.text = f"half of {ROUND_TRIPS} answers came within {median:.2f} ms, the slowest took {max(taken):.0f} ms"
    if median > SLOW_MS:
        hint = " Set TCP_NODELAY on the socket." if subject.spec.transport == "tcp" else ""
        check.warn(f"An answer takes {median:.0f} ms, and so does everything that it is told.{hint}")


async def bad_lines(subject: Subject, check: Check) -> None:
    """It lives on after lines that it should not have been sent."""
    talk = await subject.talk()
    sent = (b"", b"no_such_command", b"set_option", b"get_option", b"get_table x", b"\xff\xfe", b"# nothing")
    for line in sent:
        talk.tell(line)
        try:
            await _barrier(talk)
        except Broken as broken:
            raise Broken(f"after the line {line.decode(errors='backslashreplace')!r}: {broken}") from None
    check.text = f"answers after {len(sent)} lines that no referee says"
    await subject.close()  # who knows what it still answers to these


async def _barrier(talk: Talk) -> None:
    """Wait for the answer to a question, whatever else comes before it."""
    talk.tell(b"list_options")
    until = time.monotonic() + talk.answer_seconds
    while time.monotonic() < until:
        answer = await talk.answer("list_options", until - time.monotonic())
        if answer.kind is AnswerKind.REPLY:
            return


async def end(subject: Subject, check: Check) -> None:
    """It takes its leave, and its process ends."""
    talk = await subject.connected()
    began = time.monotonic()
    talk.tell(b"disconnect_engine")
    try:
        answer = await talk.answer("disconnect_engine")
        if answer.kind is not AnswerKind.ACKNOWLEDGE:
            check.fail(f"disconnect_engine: {answer.kind.value} instead of acknowledge.")
    except Broken as broken:
        if not await talk.gone(0.0):
            raise
        check.warn(f"{broken} Acknowledge is expected before it ends.")
    if await talk.gone(subject.patience):
        check.text = f"ended {1000 * (time.monotonic() - began):.0f} ms after disconnect_engine"
    else:
        check.fail(f"It still runs {subject.patience:.0f} s after disconnect_engine, and has to be killed.")
    await subject.close()
