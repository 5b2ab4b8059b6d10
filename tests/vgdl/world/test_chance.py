from __future__ import annotations

from ggtp.vgdl.world.chance import Chance, spread


def test_the_numbers_are_those_that_java_specifies() -> None:
    # java.util.Random(42): nextInt(10) twice, then with a fresh generator nextDouble, nextFloat.
    chance = Chance(42)
    assert [chance.below(10) for _ in range(5)] == [0, 3, 8, 4, 0]
    assert Chance(42).fraction() == 0.7275636800328681
    assert Chance(0).fraction() == 0.730967787376657
    assert abs(Chance(42).short_fraction() - 0.7275637) < 1e-7


def test_steps_are_counted_and_rejected_draws_too() -> None:
    chance = Chance(1)
    chance.below(4)
    chance.fraction()
    chance.short_fraction()
    assert chance.calls == 4
    for _ in range(20):
        assert chance.below((1 << 30) + 1) <= 1 << 30
    assert chance.calls > 24  # nearly half of the range is left over


def test_a_copy_draws_the_same() -> None:
    chance = Chance(5)
    chance.fraction()
    other = chance.copy()
    assert [chance.below(7) for _ in range(9)] == [other.below(7) for _ in range(9)]


def test_near_seeds_are_spread() -> None:
    alike = {Chance(seed).below(4) for seed in range(8)}
    assert len(alike) == 1
    assert len({Chance(spread(seed)).below(4) for seed in range(8)}) > 2
