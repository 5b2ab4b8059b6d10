"""Threads that search one tree: nothing is lost, nobody waits for them, and what fails in one is told."""

import hashlib
import os
import threading
import time
from collections.abc import Callable

import pytest
from support.compiled_trees import never, searched, searching, state_after

from ggtp.search import mcts_layout as layout

MORE_THAN_ONE, TWO = 1.2, 1.6
"""Processors that a process has had on average: more than one thread at a time can, and nearly as many as two can."""


def test_the_decision_can_be_read_while_threads_search() -> None:
    search = searching("connect3", threads=2, solver=False)
    stop = threading.Event()
    thread = threading.Thread(target=search.run, args=(stop.is_set,))
    thread.start()
    seen = 0
    try:
        while seen < 5_000:
            decision = search.decision(search.players[0], 1.0)
            assert all(0 <= choice.value <= 1 for choice in decision.choices)
            seen = decision.playouts
    finally:
        stop.set()
        thread.join()


def test_several_threads_work_on_one_tree() -> None:
    search = searched("connect3", threads=3, playouts=60_000, leaf=1, solver=False)
    tree = search._tree
    assert tree is not None
    assert len(search._workers) == 3
    edges = list(tree.edges(search._root))
    # Nothing is lost, and nothing is left behind by those who had to turn back.
    assert sum(edge.visits for edge in edges) == tree.node(search._root, layout.DONE)
    assert tree.node(search._root, layout.BEGUN) == tree.node(search._root, layout.DONE)
    alone = searched("connect3", playouts=60_000, leaf=1, solver=False)
    name = search.players[0]
    value = alone.decision(name).values[name]
    assert search.decision(name).values[name] == pytest.approx(value, abs=0.03)


def cores_used(work: Callable[[float], object]) -> float:
    """How many processors this process had on average, while that was done until a time on the clock."""
    began, computed = time.monotonic(), time.process_time()
    work(began + 0.25)
    return (time.process_time() - computed) / (time.monotonic() - began)


def two_free(deadline: float) -> None:
    """Compute in two threads that are known to run at the same time."""
    block = bytes(1 << 20)

    def compute() -> None:
        while time.monotonic() < deadline:
            hashlib.sha256(block)

    threads = [threading.Thread(target=compute) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="there is one processor")
def test_two_threads_use_more_than_one_processor() -> None:
    """Others may compute, too: it counts where two processors were there to be had, and only the search had one."""
    search = searching("connect3", threads=2, solver=False)
    vain = 0
    for _ in range(20):
        assert search.begin(state_after(search.game))
        if cores_used(lambda deadline: search.run(never, deadline)) > MORE_THAN_ONE:
            assert len(search._workers) == 2
            return
        vain += cores_used(two_free) > TWO
    if vain < 3:
        pytest.skip("there were never two processors free")
    pytest.fail(f"two processors were free {vain} times, and the search used one")


def test_threads_solve_what_one_solves() -> None:
    decision = searched("tictactoe", threads=2, playouts=2_000_000).decision("cross")
    assert decision.solved
    assert decision.values == {"cross": 0.5, "circle": 0.5}


def test_nobody_waits_for_a_thread_that_is_in_the_middle_of_something(monkeypatch: pytest.MonkeyPatch) -> None:
    search = searching("connect3")
    free = threading.Event()
    monkeypatch.setattr(search._workers[0], "search", lambda rounds: free.wait(60) and 0)
    began = time.monotonic()
    search.run(never, began + 0.05)
    assert search._threads  # it is still there
    assert search.decision(search.players[0]).choices
    assert not search.begin(state_after(search.game), deadline=time.monotonic() + 0.01)
    free.set()
    assert search.begin(state_after(search.game))


def test_what_fails_in_a_thread_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    search = searching("connect3")

    def fail(rounds: int) -> int:
        raise RuntimeError("broken")

    monkeypatch.setattr(search._workers[0], "search", fail)
    with pytest.raises(RuntimeError, match="broken"):
        search.run(never)
