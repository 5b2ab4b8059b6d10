"""Our own lateness is measured, and an engine is not charged for it."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import threading
import time

import pytest

from ggtp.arena.lateness import (
    ENDED,
    Punctual,
    ThreadTime,
    family_times,
    family_waits,
    kept_waiting,
    processor_waits,
    punctual_loop,
    thread_times,
    waited_seconds,
)


def spin(seconds: float) -> None:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        pass


def spin_of_its_own(seconds: float) -> None:
    """Compute for so much time of a processor."""
    until = time.thread_time() + seconds
    while time.thread_time() < until:
        pass


def test_what_came_while_we_were_busy_may_have_come_at_once() -> None:
    loop, punctual = punctual_loop()
    seen: list[float] = []

    async def script() -> None:
        reading, writing = os.pipe()
        heard = asyncio.Event()

        def readable() -> None:
            os.read(reading, 1)
            seen.append(punctual.late())
            heard.set()

        loop.add_reader(reading, readable)
        await asyncio.sleep(0)
        os.write(writing, b"x")
        spin(0.05)  # the line is there, and we look away
        await heard.wait()
        loop.remove_reader(reading)
        os.close(reading)
        os.close(writing)

    loop.run_until_complete(script())
    loop.close()
    assert seen[0] >= 0.05
    assert punctual.worst == seen[0]


def test_what_we_waited_for_is_not_late() -> None:
    punctual = Punctual()
    reading, writing = os.pipe()
    punctual.register(reading, 1)
    spin(0.02)
    assert punctual.select(0.001) == []
    began = time.monotonic()
    late = punctual.late()
    assert late <= time.monotonic() - began + 0.02
    punctual.close()
    os.close(reading)
    os.close(writing)


def test_the_kernel_says_how_long_threads_waited() -> None:
    waits = processor_waits(os.getpid())
    assert all(count >= 0 for count in waits.values())
    assert processor_waits(2**22 + 1) == {}


def test_the_thread_that_waited_most_counts() -> None:
    assert waited_seconds({"1": 100, "2": 0}, {"1": 2_000_000_100, "2": 5, "3": 7}) == 2.0
    assert waited_seconds({}, {}) == 0.0


@pytest.mark.parametrize(
    ("ran", "waited", "elapsed", "kept"),
    [
        ([0.0], [0.0], 1.0, 0.0),
        ([0.5], [0.25], 1.0, 0.25),
        ([0.0, 0.5], [0.25, 0.375], 1.0, 0.375),  # the longest wait
        ([1.0], [0.25], 1.0, 0.0),  # a whole processor was used
        ([0.5, 0.5], [0.5, 0.5], 1.0, 0.0),  # two threads that wait for each other
        ([0.25, 0.5], [0.5, 0.25], 1.0, 0.25),
        ([2.0, 2.0], [0.0, 0.5], 1.0, 0.0),
        ([], [], 1.0, 0.0),
    ],
)
def test_an_engine_is_kept_waiting_while_it_has_less_than_a_processor(
    ran: list[float], waited: list[float], elapsed: float, kept: float
) -> None:
    second = 1_000_000_000
    before = {str(thread): ThreadTime(7 * second, 3 * second) for thread in range(len(ran))}
    after = {
        str(thread): ThreadTime(int((7 + used) * second), int((3 + wait) * second))
        for thread, (used, wait) in enumerate(zip(ran, waited, strict=True))
    }
    assert kept_waiting(before, after, elapsed) == pytest.approx(kept)
    fresh = {
        f"new {thread}": ThreadTime(time.ran - 7 * second, time.waited - 3 * second) for thread, time in after.items()
    }
    assert kept_waiting(before, fresh, elapsed) == pytest.approx(kept)


def test_the_kernel_says_how_long_threads_ran() -> None:
    before = thread_times(os.getpid())
    began = time.thread_time()
    while time.thread_time() < began + 0.02:
        pass
    after = thread_times(os.getpid())
    me = str(threading.get_native_id())
    assert after[me].ran - before[me].ran >= 15_000_000
    assert thread_times(2**22 + 1) == {}


@pytest.mark.process
def test_processes_below_one_that_thinks_elsewhere_are_looked_at() -> None:
    """A guarded engine is three processes, and the one that talks hardly ever waits."""
    # What is begun in the background hears nothing by itself, and would end before anybody has looked at it.
    argv = ["sh", "-c", "exec 3<&0; cat <&3 & echo $!; wait"]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as shell:
        assert shell.stdout is not None
        below = shell.stdout.readline().strip()
        assert set(family_waits(shell.pid)) == {str(shell.pid), below}
        assert set(processor_waits(shell.pid)) == {str(shell.pid)}
        shell.communicate()


def test_what_threads_have_had_counts_when_they_have_ended() -> None:
    before = family_times(os.getpid())
    thread = threading.Thread(target=spin_of_its_own, args=(0.1,))
    thread.start()
    thread.join()
    after = family_times(os.getpid())
    starved = {**after, "starved": ThreadTime(0, 150_000_000)}
    assert kept_waiting(before, starved, 0.15) < 0.09


@pytest.mark.process
def test_what_children_have_had_counts_when_they_have_ended() -> None:
    before = family_times(os.getpid())
    program = "import time\nwhile time.process_time() < 0.1: pass"
    subprocess.run([sys.executable, "-I", "-S", "-c", program], check=True)
    starved = {**family_times(os.getpid()), "starved": ThreadTime(0, 150_000_000)}
    assert kept_waiting(before, starved, 0.15) < 0.09


def test_what_comes_of_rounding_does_not_count() -> None:
    second = 1_000_000_000
    after = {"1": ThreadTime(0, second), f"{ENDED}1": ThreadTime(second // 50, 0)}
    assert kept_waiting({}, after, 1.0) == 1.0
