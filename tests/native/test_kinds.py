"""The kinds of values, and what annotations say."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from ggtp.native.kinds import FLOATS, INT, INTS, PAIR, REAL, VOID, WORDS, NotNative, Signature, record
from ggtp.native.language import Words
from ggtp.vgdl.kernel.native import Floats, Ints


class Table(NamedTuple):
    numbers: Ints
    rates: Floats


class Both(NamedTuple):
    table: Table
    more: Ints


class Mixture(NamedTuple):
    numbers: Ints
    size: int


def several(one: int, two: float, row: Words, numbers: Ints) -> tuple[int, int]:
    return 0, 1


def truth(both: Both) -> bool:
    return True


def nothing() -> None:
    return


def test_the_annotations_are_the_kinds() -> None:
    signature = Signature(several)
    assert signature.kinds == [INT, REAL, WORDS, INTS]
    assert signature.names == ["one", "two", "row", "numbers"]
    assert signature.result is PAIR
    assert signature.declared() == "i64, double, ptr, ptr, i64"
    assert Signature(nothing).result is VOID


def test_a_truth_is_an_integer() -> None:
    assert Signature(truth).result is INT
    assert Signature(truth).truth


def test_a_record_has_arrays_and_records() -> None:
    kind = record(Both)
    assert Signature(truth).kinds == [kind]
    assert dict(kind.fields) == {"table": record(Table), "more": INTS}
    assert dict(record(Table).fields) == {"numbers": INTS, "rates": FLOATS}
    assert record(Mixture) is None
    assert record(int) is None


def missing(one: int):
    return one


def strange(one: str) -> int:
    return int(one)


def array(one: int) -> Ints:
    raise NotImplementedError


def wrong_record(one: Mixture) -> int:
    return one.size


@pytest.mark.parametrize("function", [missing, strange, array, wrong_record])
def test_all_types_must_be_known(function) -> None:
    with pytest.raises(NotNative, match=rf"test_kinds.py:\d+: in {function.__name__}: the type of"):
        Signature(function)
