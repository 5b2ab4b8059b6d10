"""The cache never takes more than it may, and what goes is what is oldest."""

import tracemalloc

import pytest

from ggtp.search.cache import Cache, weight


def test_what_is_kept_is_found() -> None:
    cache = Cache(1 << 20)
    cache.keep(("board", 1), (3, "exact"))
    assert cache.find(("board", 1)) == (3, "exact")
    assert cache.find(("board", 2)) is None
    assert (len(cache), cache.hits, cache.purges) == (1, 1, 0)


def test_something_new_takes_the_place_of_something_old() -> None:
    cache = Cache(1 << 20)
    cache.keep("a", (1, 2))
    used = cache.used
    cache.keep("a", (2, 3))
    assert (cache.find("a"), len(cache), cache.used) == ((2, 3), 1, used)


def test_the_oldest_quarter_goes() -> None:
    cache = Cache(20_000)
    number = 0
    while not cache.purges:
        before = len(cache)
        cache.keep(f"position {number}", (number, 0))
        number += 1
    assert len(cache) == before - before // 4 + 1
    gone = [i for i in range(number) if cache.find(f"position {i}") is None]
    assert gone == list(range(before // 4))


def test_what_is_kept_again_is_young_again() -> None:
    cache = Cache(20_000)
    cache.keep("first", (1, 1))
    number = 0
    while not cache.purges:
        cache.keep("first" if number % 10 == 9 else f"position {number}", (number, 0))
        number += 1
    assert cache.find("first") is not None


@pytest.mark.parametrize("ceiling", [0, 100, 1_000, 4_000, 50_000])
def test_the_ceiling_is_never_passed(ceiling):
    cache = Cache(ceiling)
    for number in range(2_000):
        cache.keep((f"board {number}" * (1 + number % 5), number), (number, 0, 1, (number,), 2, True))
        assert cache.used <= max(ceiling, Cache(0).used)
    assert len(cache) == 0 if ceiling < 500 else len(cache) > 0


@pytest.mark.slow
def test_the_bytes_are_those_that_python_takes() -> None:
    """Measured from outside, at the worst moment, making tables anew included."""
    ceiling = 1 << 20
    tracemalloc.start()
    try:
        cache = Cache(ceiling)
        before, _ = tracemalloc.get_traced_memory()
        tracemalloc.reset_peak()
        for number in range(30_000):
            cache.keep((1 << 40 | number, f"board {number}"), (number % 7, 0, 1, (1000 + number,), 300 + number, True))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert cache.purges > 3
    assert peak - before <= ceiling
    assert peak - before >= ceiling // 2, "it uses what it may"


def test_weight_counts_what_a_value_is_made_of() -> None:
    assert weight(5) == weight(True) == weight(None) == 0
    assert weight((1 << 40, "abc")) > weight((5, "abc")) > weight((5, 6)) > 0


def test_clear() -> None:
    cache = Cache(1 << 20)
    cache.keep("a", (1, 2))
    cache.clear()
    assert (len(cache), cache.find("a")) == (0, None)
    assert cache.used == Cache(0).used
