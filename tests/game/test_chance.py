"""Chance that nobody can predict: the stream, the derivations, and the attack that they are against."""

from __future__ import annotations

import copy
import random
from collections import Counter
from itertools import product

import pytest
from support.playbook import Actor, Playbook

from ggtp.game.chance import KEY_BITS, MOST_KEY, SEED_BITS, Chance, derive, new_key
from ggtp.tournament.plan.plan import Contestant, Plan, RulePlan
from ggtp.tournament.results import GamePlan
from ggtp.tournament.schedule.schedule import Schedule, engine_seed

KEY = 0x6E8F_C0A3_11D7_4B52_93E6_0D4A_7F21_B85C
TRIED = 2**20
RED, GREEN = "Red", "Green"


def old_seed(key: int, player: str) -> int:
    """What an engine was told once: 31 bits of a generator that was seeded with the key."""
    return random.Random(f"{key} {player}").getrandbits(31)


def table(key: int) -> tuple[int, list[str]]:
    """The seed that an engine is told at a table with this key, and the dice that are thrown there."""
    book = Playbook(engines={"Mute": lambda: Actor(options=("seed",))}, defaults={"seed": str(key)})
    book.lay("set_rule CantStop", f"set_engine {RED} Mute", "start")
    told = next(line for line in book.cast[1].heard if line.startswith("set_option seed "))
    return int(told.split()[-1]), [line for line in book.say("list_played_moves").split("\n") if "Chance" in line]


def test_the_old_seed_of_an_engine_gave_the_dice_away() -> None:
    key = 3071
    told, dice = old_seed(key, RED), random.Random(key).random()
    (found,) = [tried for tried in range(2**12) if old_seed(tried, RED) == told]
    assert random.Random(found).random() == dice


def test_the_seed_of_an_engine_gives_a_small_key_away_and_no_other() -> None:
    small, _ = table(3071)
    assert [tried for tried in range(2**12) if derive(tried, "engine", RED, bits=SEED_BITS) == small] == [3071]
    told, dice = table(KEY)
    assert told == derive(KEY, "engine", RED, bits=SEED_BITS), "this is what is tried"
    assert dice, "there is something to find out"
    assert not any(derive(tried, "engine", RED, bits=SEED_BITS) == told for tried in range(TRIED))
    assert not any(old_seed(tried, RED) == told for tried in range(2**14))


def test_the_seed_that_an_engine_is_told_is_not_the_key_of_the_dice() -> None:
    told, dice = table(KEY)
    assert table(told)[1] != dice
    assert Chance(derive(told, "chance")).random() != Chance(derive(KEY, "chance")).random()


def test_the_same_key_throws_the_same_dice() -> None:
    assert table(KEY) == table(KEY)
    assert table(KEY) != table(KEY - 1)


def tournament(seed: int) -> list[GamePlan]:
    players = tuple(Contestant(name, "Random") for name in ("A", "B"))
    rules = (RulePlan("One", seats=(RED, GREEN)), RulePlan("Two", seats=(RED, GREEN)))
    schedule = Schedule(Plan(players, rules, seed=seed, blocks=3, format="match"))
    games = []
    while (game := schedule.next()) is not None:
        games.append(game)
        schedule.finished(game.id, {})
    return games


def test_a_tournament_has_independent_seeds_for_games_players_and_purposes() -> None:
    games = tournament(KEY)
    keys = {game.seed for game in games}
    told = [engine_seed(game, seat) for game in games for seat in game.seats]
    others = [derive(key, label, bits=SEED_BITS) for key, label in product(keys, ("chance", "resumed", "random move"))]
    assert len(keys) == 6, "a key for each rule and repetition, shared by the seatings"
    assert all(key.bit_length() > KEY_BITS - 32 for key in keys)
    numbers = [KEY, *keys, *told, *others]
    assert len(set(numbers)) == len(numbers)
    assert max(told) < 2**SEED_BITS
    assert games == tournament(KEY)
    assert not keys & {game.seed for game in tournament(KEY + 1)}


def test_a_derivation_depends_on_all_that_it_is_about() -> None:
    about: list[tuple[str | int, ...]] = [
        (),
        ("a",),
        ("a", "b"),
        ("ab",),
        ("a', 'b",),
        (1,),
        ("1",),
        (1, 1),
        (11,),
        ("\udcff",),
    ]
    found = {derive(key, label, *words) for key in (0, 1, MOST_KEY) for label in ("x", "y") for words in about}
    assert len(found) == 3 * 2 * len(about)
    assert 0 <= derive(1, "x", bits=1) <= 1


def test_a_new_key_is_large_and_never_the_same() -> None:
    keys = {new_key(random.SystemRandom()) for _ in range(64)}
    assert len(keys) == 64
    assert 2 ** (KEY_BITS - 20) < max(keys) <= MOST_KEY


def test_a_stream_repeats_itself_for_its_key_alone() -> None:
    def drawn(rng: random.Random) -> list[object]:
        return [
            rng.random(),
            rng.getrandbits(1000),
            rng.randrange(6),
            rng.sample(range(52), 52),
            rng.gauss(),
            rng.choice("ab"),
        ]

    one = Chance(5)
    first = drawn(one)
    assert drawn(Chance(5)) == first
    assert drawn(Chance(6)) != first
    assert drawn(one) != first
    one.seed(5)
    assert drawn(one) == first


def test_numbers_are_spread_evenly() -> None:
    rng = Chance(1)
    dice = Counter(rng.randrange(6) for _ in range(60_000))
    assert set(dice) == set(range(6))
    assert all(abs(count - 10_000) < 500 for count in dice.values())
    reals = [rng.random() for _ in range(20_000)]
    assert 0 <= min(reals) < 0.01
    assert 0.99 < max(reals) < 1
    assert abs(sum(reals) / len(reals) - 0.5) < 0.01
    ones = Counter(bit for _ in range(4_000) for bit in range(13) if rng.getrandbits(13) >> bit & 1)
    assert all(abs(ones[bit] - 2_000) < 200 for bit in range(13))


@pytest.mark.parametrize("bits", [0, 1, 7, 8, 9, 31, 64, 511, 512, 513, 5000])
def test_bits_are_as_many_as_asked_for(bits: int) -> None:
    rng = Chance(2)
    drawn = [rng.getrandbits(bits) for _ in range(64)]
    assert max(drawn).bit_length() == bits
    with pytest.raises(ValueError, match="negative"):
        rng.getrandbits(-1)


@pytest.mark.parametrize("key", [None, "3", 2.5])
def test_no_stream_begins_without_a_key(key: object) -> None:
    with pytest.raises(TypeError, match="integer"):
        Chance(key)  # type: ignore[arg-type]  # on purpose


@pytest.mark.parametrize("drawn", [0, 1, 7, 8, 63, 64, 65])
def test_a_copy_of_a_stream_goes_on_where_it_was(drawn: int) -> None:
    rng = Chance(3)
    rng.randbytes(drawn)
    rng.gauss()
    other = copy.copy(rng)
    expected = [rng.gauss(), rng.random(), rng.getrandbits(700)]
    assert [other.gauss(), other.random(), other.getrandbits(700)] == expected
    kept = rng.getstate()
    first = rng.random()
    rng.setstate(kept)
    assert rng.random() == first


def test_draws_do_not_follow_from_earlier_ones_as_with_the_twister() -> None:
    """624 numbers of 32 bits rebuild the state of a Mersenne Twister; here they rebuild something else."""

    def untempered(value: int) -> int:
        value ^= value >> 18
        value ^= value << 15 & 0xEFC60000
        bits = value
        for _ in range(5):
            bits = value ^ bits << 7 & 0x9D2C5680
        value = bits
        for _ in range(3):
            bits = value ^ bits >> 11
        return bits & 0xFFFFFFFF

    def predicted(rng: random.Random) -> bool:
        attack = random.Random(0)
        attack.setstate((3, (*(untempered(rng.getrandbits(32)) for _ in range(624)), 624), None))
        return [attack.getrandbits(32) for _ in range(8)] == [rng.getrandbits(32) for _ in range(8)]

    assert predicted(random.Random(9))
    assert not predicted(Chance(9))
