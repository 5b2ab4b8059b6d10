"""Variables that may have no value, and functions that may end without a result."""

# ruff: noqa: B007, F821, F841
# mypy: disable-error-code="possibly-undefined,return,has-type"

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from support.native import native

from ggtp.native.compile import module_text
from ggtp.native.kinds import NotNative


def after_both(one: int) -> int:
    if one > 3:
        found = 1
    elif one > 2:
        found = 2
    else:
        return 7
    return found


def after_a_loop_without_end(one: int) -> int:
    while True:
        one += 1
        if one % 7 == 0:
            found = one
            break
    return found


def before_the_next_round(count: int) -> int:
    total = 0
    for i in range(count):
        if i % 2:
            continue
        found = i
        total += found
    return total


def for_ever(one: int) -> int:
    while 1:
        if one > 100:
            return one
        one = one * 2 + 1


@pytest.mark.parametrize("function", [after_both, after_a_loop_without_end, before_the_next_round, for_ever])
def test_what_certainly_has_a_value_is_known(function: Callable[[int], int]) -> None:
    made = native(function)
    assert [made(i) for i in range(9)] == [function(i) for i in range(9)]


def in_one_branch(one: int) -> int:
    if one:
        found = 1
    return found


def in_a_loop(one: int) -> int:
    for _ in range(one):
        found = 1
    return found


def the_counter(one: int) -> int:
    for i in range(one):
        pass
    return i


def in_a_while(one: int) -> int:
    while one > 0:
        found = one
        one -= 1
    return found


def before_one_break(one: int) -> int:
    while True:
        if one > 5:
            break
        found = one
        if one > 3:
            break
        one += 1
    return found


def before_continue(one: int) -> int:
    for i in range(one):
        if i:
            one = found
            continue
        found = 1
    return one


def changed(one: int) -> int:
    if one:
        found = 0
    found += 1
    return found


def as_an_index(one: int) -> int:
    if one > 1:
        found = 2
    return one * (found + 1)


def hides_a_constant(one: int) -> int:
    if one > 1:
        LIMIT = 2
    return LIMIT


def _line(function: Callable[..., Any], lines: int) -> int:
    return function.__code__.co_firstlineno + lines


@pytest.mark.parametrize(
    ("function", "lines"),
    [
        (in_one_branch, 3), (in_a_loop, 3), (the_counter, 3), (in_a_while, 4), (before_one_break, 8),
        (before_continue, 3), (changed, 3), (as_an_index, 3), (hides_a_constant, 3),
    ],
)  # fmt: skip
def test_what_may_have_no_value_is_refused(function: Callable[[int], int], lines: int) -> None:
    message = rf"test_assignment.py:{_line(function, lines)}: in {function.__name__}: \w+ may have no value here"
    with pytest.raises(NotNative, match=message):
        module_text([function], {"LIMIT": 3}, shared=False)


def without_a_result(one: int) -> int:
    if one > 3:
        return one


def only_from_a_loop(one: int) -> int:
    while one > 3:
        return one


@pytest.mark.parametrize("function", [without_a_result, only_from_a_loop])
def test_a_function_returns_on_all_ways(function: Callable[[int], int]) -> None:
    with pytest.raises(NotNative, match=f"in {function.__name__}: it can end without returning a value"):
        module_text([function], {}, shared=False)


def loop_with_else(one: int) -> int:
    while one > 3:
        one -= 1
    else:
        one = 2
    return one


def count_with_else(one: int) -> int:
    for _ in range(one):
        pass
    else:
        one = 2
    return one


def several_targets(one: int) -> int:
    two = three = one
    return two + three


def exception(one: int) -> int:
    try:
        return one
    finally:
        one = 2


def nested(one: int) -> int:
    def inner() -> int:
        return 1

    return one


def promised(one: int) -> int:
    assert one > 3
    return one


def matched(one: int) -> int:
    match one:
        case 3:
            return 1
        case _:
            return 2


def removed(one: int) -> int:
    two = one
    del two
    return one


def world(one: int) -> int:
    global MANY
    MANY = one
    return one


MANY = 3
FORMS = [
    loop_with_else, count_with_else, several_targets, exception, nested, promised, matched, removed, world
]  # fmt: skip


@pytest.mark.parametrize("function", FORMS)
def test_other_forms_of_statements_are_refused(function: Callable[[int], int]) -> None:
    with pytest.raises(NotNative, match=rf"test_assignment.py:\d+: in {function.__name__}: .* is not known"):
        module_text([function], {}, shared=False)
