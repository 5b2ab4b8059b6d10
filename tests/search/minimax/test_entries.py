"""The cache in machine code: it grows, forgets the oldest and takes no position for another."""

import random
from ctypes import c_int64, c_void_p

import pytest
from support.minimaxes import ignore, in_code, never

from ggtp.search.minimax import layout
from ggtp.search.minimax.entries import hash_of
from ggtp.search.minimax.plan import Plan


def test_the_oldest_quarter_goes() -> None:
    minimax = in_code("tictactoe", 0, Plan(), ceiling=60_000)
    capacity = minimax.arena.capacity
    assert 0 < capacity < 1000
    found = minimax.search(minimax.first, [], never, ignore)
    assert (found.points, found.solved) == (50, True)
    assert found.purges > 2
    assert capacity * 3 // 4 <= found.entries <= capacity
    assert minimax.arena.count(layout.OLDEST) < capacity


def remembers(ceiling):
    """The cache alone: a function that remembers a number, and one that says in which place it is."""
    arena = in_code("tictactoe", ceiling=ceiling).arena
    function = arena._code.function
    enter = function("entry_for", c_int64, c_void_p, c_int64, c_int64)
    find = function("find", c_int64, c_void_p, c_int64, c_int64)
    mixed = [random.Random(number).getrandbits(63) for number in range(2 * arena.capacity)]
    return (
        arena,
        lambda number: enter(arena._at, mixed[number], number),
        lambda number: find(arena._at, mixed[number], number),
    )


@pytest.mark.slow
def test_the_cache_grows_and_finds_everything_meanwhile() -> None:
    arena, enter, find = remembers(4 << 20)
    count = arena.capacity
    assert count > 30_000
    growing = 0
    for number in range(count):
        assert enter(number) == number
        growing += arena.count(layout.MASK_BEFORE) > 0
        if number % 997 == 0 or number == count - 1:
            assert [find(other) for other in range(0, number, 101)] == list(range(0, number, 101))
            assert arena.count(layout.MASK) < max(4096, 6 * number), "no more is touched than is used"
    assert growing > 1000
    assert arena.count(layout.MASK) == arena.count(layout.MASK_MOST)
    assert find(count) == -1


def test_the_oldest_quarter_is_found_no_more_and_everything_else_is() -> None:
    arena, enter, find = remembers(1 << 20)
    count = arena.capacity
    for number in range(count):
        enter(number)
    assert arena.count(layout.PURGES) == 0
    gone = count // 4
    for number in range(count, count + gone):
        enter(number)
        assert arena.count(layout.COUNT) == count - gone + (number - count) + 1
    assert arena.count(layout.PURGES) == 1
    assert all(find(number) == -1 for number in range(gone))
    assert [find(number) for number in range(gone, count + gone)] == [*range(gone, count), *range(gone)]


def test_the_cache_stays_sound_however_often_the_oldest_go() -> None:
    arena, enter, find = remembers(100_000)
    rng = random.Random(1)
    for number in range(2 * arena.capacity):
        enter(number)
    for _ in range(20 * arena.capacity):
        number = rng.randrange(2 * arena.capacity)
        if find(number) < 0:
            enter(number)
            assert find(number) >= 0
    places = [place for number in range(2 * arena.capacity) if (place := find(number)) >= 0]
    assert len(places) == len(set(places)) == arena.count(layout.COUNT)
    assert arena.count(layout.PURGES) > 10


def test_positions_have_numbers_of_their_own() -> None:
    """Every position of the game is found again, and no other is taken for it."""
    minimax = in_code("tictactoe", 0, Plan(pruning=False, extension=0))
    found = minimax.search(minimax.first, [], never, ignore)
    assert found.solved
    assert found.entries == 5478 - 958, "all positions but those that are over"
    assert hash_of.__doc__
