"""Threads that search one tree: nothing is lost, nobody waits for them, and what fails in one is told."""

import threading
import time

import pytest
from support.compiled_trees import never, searched, searching, state_after

from ggtp.search.mcts.compiled import layout


@pytest.mark.slow
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


@pytest.mark.slow
def test_several_threads_work_on_one_tree() -> None:
    search = searched("connect3", threads=3, playouts=60_000, leaf=1, solver=False)
    tree = search.tree
    assert tree is not None
    assert len(search.workers) == 3
    edges = list(tree.edges(search.root))
    # Nothing is lost, and nothing is left behind by those who had to turn back.
    assert sum(edge.visits for edge in edges) == tree.node(search.root, layout.DONE)
    assert tree.node(search.root, layout.BEGUN) == tree.node(search.root, layout.DONE)
    alone = searched("connect3", playouts=60_000, leaf=1, solver=False)
    name = search.players[0]
    value = alone.decision(name).values[name]
    assert search.decision(name).values[name] == pytest.approx(value, abs=0.03)


def test_threads_are_in_machine_code_at_the_same_time() -> None:
    """Each is in the middle of one long call, and has got somewhere in it: nobody waits for a lock."""
    search = searching("connect3", threads=2, solver=False)
    tree = search.tree
    assert tree is not None
    workers = [search._worker(tree, number) for number in range(2)]
    chance = [worker.get("RANDOM") for worker in workers]
    threads = [threading.Thread(target=worker.search, args=(1 << 20,)) for worker in workers]
    for thread in threads:
        thread.start()
    while any(worker.get("RANDOM") == begun for worker, begun in zip(workers, chance, strict=True)):
        threads[0].join(0.001)
        if not threads[0].is_alive():
            break
    both = all(thread.is_alive() for thread in threads)
    tree.set("STOP", 1)
    for thread in threads:
        thread.join()
    assert both


def test_threads_solve_what_one_solves() -> None:
    decision = searched("tictactoe", threads=2, playouts=2_000_000).decision("cross")
    assert decision.solved
    assert decision.values == {"cross": 0.5, "circle": 0.5}


def test_nobody_waits_for_a_thread_that_is_in_the_middle_of_something(monkeypatch: pytest.MonkeyPatch) -> None:
    search = searching("connect3")
    free = threading.Event()
    monkeypatch.setattr(search.workers[0], "search", lambda rounds: free.wait(60) and 0)
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

    monkeypatch.setattr(search.workers[0], "search", fail)
    with pytest.raises(RuntimeError, match="broken"):
        search.run(never)
