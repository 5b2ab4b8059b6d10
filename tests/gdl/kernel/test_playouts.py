from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from math import log, sqrt
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.lanes import KEPT, Kept, distribution, networks, random_network, run_code, xorshift
from support.networks import (
    GAMES,
    Builder,
    connect_four,
    dead_end,
    evaluate,
    quitter,
    random_game,
    random_states,
    tictactoe,
)

from ggtp.gdl.kernel import playouts as kernels
from ggtp.gdl.kernel.playouts import Cancelled, PlayoutKernel, chunks, fastest, one_function, table
from ggtp.gdl.kernel.single import pack, rows
from ggtp.gdl.network.network import FALSE, TRUE, Network
from ggtp.gdl.program.build import build_step
from ggtp.gdl.program.step import FIRST_FACT, GENERATOR, StepProgram
from ggtp.native.machine import Effort

KINDS: dict[str, Callable[[StepProgram], PlayoutKernel]] = {
    "one function": lambda program: one_function(program, kept=KEPT, words=4),
    "one function, passes": lambda program: one_function(program, effort=Effort.PASSES, kept=KEPT, words=4),
    "chunks": lambda program: chunks(program, size=60, kept=KEPT, words=4),
    "chunks, fast": lambda program: chunks(program, size=40, effort=Effort.FAST, kept=KEPT, words=4),
    "table": lambda program: table(program, kept=KEPT, words=4),
}


def bound(games: int, wrong: float = 1e-9) -> float:
    """How far a frequency may be from its probability (Hoeffding), but for that chance; and a little for rounding."""
    return sqrt(log(2 / wrong) / (2 * games)) + 2.0**-9


def one_block(kernel: PlayoutKernel, steps_of: StepProgram) -> list[int]:
    """Fifteen steps from the start; the slots of the facts and of the generator, as integers."""
    kernel._begin(kernel.lanes)
    kernel._play_blocks(1, draining=False)
    memory = kernel._memory.array()
    return [int.from_bytes(row.tobytes(), "little") for row in memory[GENERATOR : steps_of.first_counter]]


def plain_block(program: StepProgram, start: list[int], words: int) -> tuple[list[int], list[int]]:
    """The same on Python's integers, and the totals."""
    everybody = (1 << 64 * words) - 1
    memory = [0, everybody, *start[:2], everybody, 0, 0]
    memory += [everybody if holds else 0 for holds in program.initial]
    memory += [0] * (program.slots - len(memory))
    for _ in range(15):
        run_code(program.step, memory, everybody, lambda: xorshift(memory, GENERATOR, words))
    totals = []
    for counter in range(program.counters):
        first = program.first_counter + 4 * counter
        totals.append(sum(memory[first + digit].bit_count() << digit for digit in range(4)))
    return memory[GENERATOR : program.first_counter], totals


def check_against_python(network: Network, make: Callable[[StepProgram], PlayoutKernel], seed: int) -> None:
    program = build_step(network)
    kernel = make(program)
    kernel.seed(seed)
    start = [int.from_bytes(row.tobytes(), "little") for row in kernel._memory.array()[GENERATOR : GENERATOR + 2]]
    expected, totals = plain_block(program, start, kernel.words)
    assert one_block(kernel, program) == expected
    assert kernel._totals.numbers.tolist() == totals


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", GAMES)
def test_every_kernel_does_exactly_what_the_program_says(name: str, kind: str) -> None:
    check_against_python(GAMES[name](), KINDS[kind], seed=7)


@settings(max_examples=15, deadline=None)
@given(networks(), st.sampled_from(sorted(KINDS)), st.integers(0, 1 << 64))
def test_any_network(network: Network, kind: str, seed: int) -> None:
    check_against_python(network, KINDS[kind], seed)


@pytest.mark.parametrize("words", [1, 8])
def test_other_numbers_of_lanes(words: int) -> None:
    check_against_python(tictactoe(), lambda program: one_function(program, words=words, kept=KEPT), 1)
    check_against_python(tictactoe(), lambda program: table(program, words=words, kept=KEPT), 1)


@pytest.mark.slow
@pytest.mark.parametrize("merge", [True, False])
@pytest.mark.parametrize("name", sorted(GAMES.keys() - {"quitter"}))
def test_statistics_are_those_of_random_games(name: str, merge: bool) -> None:
    network = GAMES[name]()
    expected = distribution(network)
    kernel = one_function(build_step(network, merge=merge), kept=KEPT)
    kernel.seed(11)
    stats = kernel.playouts(400_000)
    assert stats.games >= 400_000
    assert stats.unfinished == 0
    near = bound(stats.games)
    for role, histogram in enumerate(stats.goals):
        assert sum(histogram.values()) == stats.games
        for value, count in histogram.items():
            share = sum(part for (goals, _), part in expected.items() if goals[role] == value)
            assert count / stats.games == pytest.approx(share, abs=near)
    longest = max(length for _, length in expected)
    mean = sum(length * part for (_, length), part in expected.items())
    assert stats.steps / stats.games == pytest.approx(mean, abs=near * longest)
    average = sum(goals[0] * part for (goals, _), part in expected.items())
    assert stats.mean(0) == pytest.approx(average, abs=100 * near)


@pytest.mark.slow
def test_connect_four_is_as_in_plain_python() -> None:
    network, random = connect_four(), Random(6)
    plain = [random_game(network, random) for _ in range(150)]
    stats = table(build_step(network), kept=KEPT, words=4).playouts(20_000)
    assert stats.mean(0) == pytest.approx(sum(goals[0] for goals, _ in plain) / 150, abs=100 * bound(150, 1e-3))
    assert stats.steps / stats.games == pytest.approx(sum(length for _, length in plain) / 150, abs=3)


@pytest.mark.parametrize("limit", [1, 3, 20])
def test_whenever_it_stops_long_games_are_not_missing(limit: int) -> None:
    """A quarter of the games ends at once, and only those are worth something."""
    kernel = one_function(build_step(quitter()), kept=KEPT)
    games, worth, steps = 0, 0, 0
    for seed in range(200):
        kernel.seed(seed)
        asked: Iterator[bool] = iter([False] * (limit - 1) + [True] * 999)
        stats = kernel.playouts(should_stop=lambda asked=asked: next(asked))
        games += stats.games
        worth += stats.goals[0][100]
        steps += stats.steps
    assert worth / games == pytest.approx(0.25, abs=bound(games))
    assert steps / games == pytest.approx(4, abs=40 * bound(games))


def test_few_games_are_exactly_as_many_as_asked() -> None:
    kernel = one_function(build_step(tictactoe()), kept=KEPT)
    assert [kernel.playouts(count).games for count in (1, 63, 64, 200, kernel.lanes)] == [1, 63, 64, 200, kernel.lanes]
    assert kernel.playouts(0).games == 0
    assert kernel.playouts(0).mean(0) == 0


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_seed_gives_the_same_games(kind: str) -> None:
    kernel = KINDS[kind](build_step(tictactoe()))
    kernel.seed(5)
    first = kernel.playouts(3_000)
    other = kernel.playouts(3_000)
    kernel.seed(5)
    assert kernel.playouts(3_000) == first
    assert other != first
    reference = KINDS["one function"](build_step(tictactoe()))
    reference.seed(5)
    assert reference.playouts(3_000) == first


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", GAMES)
def test_terminal_states_have_their_goals_at_once(name: str, kind: str) -> None:
    network = GAMES[name]()
    given = random_states(network, Random(4), 300)
    outcomes = KINDS[kind](build_step(network)).run_from(rows([pack(network, facts) for facts in given]), max_steps=0)
    for i, facts in enumerate(given):
        now = evaluate(network, facts)
        assert outcomes.lengths[i] == (0 if now.terminal else -1)
        assert tuple(outcomes.goals[i]) == (now.goals if now.terminal else (0,) * len(network.roles))


@pytest.mark.parametrize("before", [False, True])
@pytest.mark.parametrize("kind", ["one function", "table"])
def test_games_from_given_states(kind: str, before: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Games end as they can, each way as often as it should."""
    # Whether the step looks for the end before or after the move makes no difference to anybody.
    monkeypatch.setattr("ggtp.gdl.program.build._TYPICAL_LENGTH", 10**9 if before else 0)
    network = tictactoe()
    program = build_step(network)
    assert (program.observe is None) == before
    kernel = KINDS[kind](program)
    #  x o x
    #  o x .    x is to move, and wins in either corner; if not at once, then with the other corner
    #  . o .
    names = ["x0,0", "o1,0", "x2,0", "o0,1", "x1,1", "o1,2", "xturn"]
    facts = [network.facts.index(name) for name in names]
    outcomes = kernel.run_from(np.repeat(rows([pack(network, facts)]), 20_000, axis=0))
    near = bound(20_000)
    assert set(outcomes.lengths.tolist()) == {1, 3}
    assert (outcomes.lengths == 1).mean() == pytest.approx(2 / 3, abs=near)
    assert (outcomes.goals == [100, 0]).all()


def test_every_lane_plays_from_its_own_state() -> None:
    network = connect_four()
    given = random_states(network, Random(9), 700)
    kernel = one_function(build_step(network), kept=KEPT)
    outcomes = kernel.run_from(rows([pack(network, facts) for facts in given]))
    marks = [sum(network.facts[fact][0] in "xo" and "," in network.facts[fact] for fact in facts) for facts in given]
    for facts, length, count, goals in zip(given, outcomes.lengths, marks, outcomes.goals, strict=True):
        now = evaluate(network, facts)
        assert 0 <= length <= 42 - count
        assert (length == 0) == now.terminal
        if now.terminal:
            assert tuple(goals) == now.goals
    # Playing many games from one state gives the averages of that state, whatever the other lanes do.
    winning = next(facts for facts in given if evaluate(network, facts).goals == (100, 0))
    start = rows([pack(network, network.initial), pack(network, winning)])
    mixed = kernel.run_from(np.tile(start, (5_000, 1)))
    assert (mixed.goals[1::2] == [100, 0]).all()
    assert mixed.goals[::2, 0].mean() == pytest.approx(55.7, abs=100 * bound(5_000))
    assert mixed.lengths[::2].mean() == pytest.approx(21.3, abs=0.8)


def test_choices_are_uniform() -> None:
    """Chi-square over the first moves of tic-tac-toe, read from the lanes; 8 degrees of freedom."""
    network = tictactoe()
    program = build_step(network)
    kernel = one_function(program, kept=KEPT, words=4)
    counts = [0] * 9
    start = rows([pack(network, network.initial)] * kernel.lanes)
    for seed in range(200):
        kernel.seed(seed)
        kernel.run_from(start, max_steps=1)
        for i in range(9):
            plane = kernel._memory.get(FIRST_FACT + program.facts.index(network.facts.index(f"x{i // 3},{i % 3}")))
            counts[i] += sum(word.bit_count() for word in plane)
    total = 200 * kernel.lanes
    assert sum(counts) == total
    chi = sum((count - total / 9) ** 2 / (total / 9) for count in counts)
    assert 0.5 < chi < 35


def test_games_without_moves_are_given_up() -> None:
    kernel = one_function(build_step(dead_end()), kept=KEPT)
    stats = kernel.playouts(10_000)
    assert stats.goals[0].get(0, 0) == 0
    assert stats.unfinished / (stats.games + stats.unfinished) == pytest.approx(0.5, abs=bound(10_000))
    outcomes = kernel.run_from(rows([pack(dead_end(), dead_end().initial)] * 100))
    assert set(outcomes.lengths.tolist()) == {-1, 1}
    assert ((outcomes.lengths == 1) == (outcomes.goals[:, 0] == 100)).all()


def endless() -> Network:
    """One player, who stops or goes on; who has gone on goes on for ever."""
    b = Builder(("me",), ["new", "over", "lost"], [["stop", "go"]])
    then = {
        "new": FALSE,
        "over": b.all(b.fact("new"), b.does(0, "stop")),
        "lost": b.any(b.fact("lost"), b.all(b.fact("new"), b.does(0, "go"))),
    }
    return b.network(["new"], then.__getitem__, lambda role, move: TRUE, b.fact("over"), [[(100, b.fact("over"))]])


def test_endless_games_are_given_up() -> None:
    kernel = one_function(build_step(endless()), kept=KEPT)
    stats = kernel.playouts(20_000, max_steps=50)
    assert stats.goals == ({100: stats.games},)
    assert stats.games > 0
    assert stats.unfinished > 0
    outcomes = kernel.run_from(rows([pack(endless(), endless().initial)] * 100), max_steps=20)
    assert set(outcomes.lengths.tolist()) == {-1, 1}


def test_a_game_that_is_over_at_once() -> None:
    b = Builder(("me",), ["on"], [["go"]])
    network = b.network([], lambda fact: TRUE, lambda role, move: TRUE, b.fact("on") ^ 1, [[(60, TRUE)]])
    stats = one_function(build_step(network), kept=KEPT).playouts(100)
    assert (stats.games, stats.steps, stats.goals) == (100, 0, ({60: 100},))


def test_kept_code_gives_identical_games() -> None:
    kept = Kept()
    program = build_step(GAMES["nim"]())
    for make in (one_function, chunks, table):
        before = make(program, kept=kept).playouts(5_000)
        compiled, hits = len(kept), kept.hits
        assert make(program, kept=kept).playouts(5_000) == before
        assert len(kept) == compiled
        assert kept.hits > hits


def test_compilation_can_be_cancelled() -> None:
    program = build_step(connect_four())
    asked = iter([False, True])
    with pytest.raises(Cancelled):
        chunks(program, size=20, kept=KEPT, should_stop=lambda: next(asked))
    with pytest.raises(Cancelled):
        chunks(program, should_stop=lambda: True)


def test_playouts_can_be_cancelled_or_counted() -> None:
    kernel = one_function(build_step(tictactoe()), kept=KEPT)
    assert kernel.playouts(10**12, should_stop=lambda: True).games < 10_000
    with pytest.raises(ValueError, match="when to stop"):
        kernel.playouts()


def test_states_of_the_wrong_width() -> None:
    kernel = one_function(build_step(tictactoe()), kept=KEPT)
    with pytest.raises(ValueError, match="1 words"):
        kernel.run_from(np.zeros((5, 2), np.uint64))
    assert len(kernel.run_from(np.zeros((0, 1), np.uint64)).goals) == 0


def test_twins_play_at_the_same_time() -> None:
    kernel = one_function(build_step(tictactoe()), kept=KEPT)
    twin = kernel.twin()
    kernel.seed(1)
    twin.seed(1)
    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(lambda each: each.playouts(100_000), (kernel, twin))
    assert first == second


def test_the_fastest_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    program = build_step(tictactoe())
    assert len(fastest(program, kept=KEPT)._entries.step) == 1
    monkeypatch.setattr(kernels, "ONE_FUNCTION", 100)
    assert len(fastest(program, kept=KEPT)._entries.step) > 1
    monkeypatch.setattr(kernels, "CHUNKS", 100)
    assert fastest(program, kept=KEPT).words == 16


def test_many_goals_need_several_words_of_counters() -> None:
    """Forty values, each of its own move."""
    size = 40
    b = Builder(("me",), ["start", *(f"at{n}" for n in range(size))], [[f"go{n}" for n in range(size)]])
    network = b.network(
        ["start"],
        lambda fact: FALSE if fact == "start" else b.does(0, "go" + fact[2:]),
        lambda role, move: TRUE,
        b.fact("start") ^ 1,
        [[(n + 1, b.fact(f"at{n}")) for n in range(size)]],
    )
    program = build_step(network)
    kernel = one_function(program, kept=KEPT)
    outcomes = kernel.run_from(rows([pack(network, network.initial)] * 3_000))
    assert set(outcomes.goals[:, 0].tolist()) == set(range(1, size + 1))
    stats = kernel.playouts(40_000)
    assert len(stats.goals[0]) == size
    assert min(stats.goals[0].values()) > 0


def test_random_networks_are_of_every_kind() -> None:
    """The networks that all tests draw from have ends before and after the move, with and without."""
    made = [build_step(random_network(seed)) for seed in range(60)]
    assert {program.observe is None for program in made} == {True, False}
