"""A thread's part: equal seeds, equal trees; other kernels, the same game."""

import numpy as np
import pytest
from support.compiled_trees import searching, state_after

from ggtp.search.mcts.compiled import layout


def visits(seed: int) -> list[int]:
    search = searching("connect3", seed=seed)
    search.workers[0].search(40)
    assert search.tree is not None
    return [edge.visits for edge in search.tree.edges(search.root)]


def test_equal_seeds_make_equal_trees() -> None:
    assert visits(4) == visits(4)
    assert visits(4) != visits(5)


def test_a_known_state_is_not_planted_twice() -> None:
    search = searching("connect3")
    worker, tree = search.workers[0], search.tree
    assert tree is not None
    start = state_after(search.game)
    assert worker.plant(start) == search.root
    assert tree.get("NODE_COUNT") == 1
    assert tree.state(search.root) == start


def test_another_kernel_can_take_over() -> None:
    search = searching("connect3", batch=256)
    worker, tree = search.workers[0], search.tree
    assert tree is not None
    worker.search(10)
    worker.use(search.game.playouts("chunks"))
    assert worker.search(10) == 10
    assert tree.node(search.root, layout.DONE) > 0


def test_playouts_of_a_batch_take_a_part_of_the_memory_at_most() -> None:
    search = searching("connect3", batch=1024, leaf=4096, megabytes=64, solver=False)
    worker = search.workers[0]
    assert worker.get("LEAF") > 1
    assert worker.play_rows.nbytes < 64 << 20 >> 3
    assert worker.search(3) == 3
    plenty = searching("connect3", batch=8, leaf=40, megabytes=64).workers[0]
    assert plenty.get("LEAF") == 40


@pytest.mark.slow
@pytest.mark.parametrize(("megabytes", "threads"), [(4, 1), (16, 1), (16, 4)])
def test_a_batch_takes_a_part_of_the_memory_at_most(megabytes: int, threads: int) -> None:
    search = searching("connect3", batch=4096, leaf=4096, megabytes=megabytes, threads=threads, solver=False)
    worker = search.workers[0]
    # A quarter, and what is the same for all batches.
    assert threads * sum(np.asarray(array).nbytes for array in worker._kept) < (megabytes << 20) // 3
    assert 1 < worker.get("BATCH") < 4096
    assert worker.search(3) == 3
    plenty = searching("connect3", batch=4096, megabytes=1024).workers[0]
    assert plenty.get("BATCH") == 4096


def test_it_stops_at_once_where_it_is_told_to() -> None:
    search = searching("connect3")
    assert search.tree is not None
    search.tree.set("STOP", 1)
    assert search.workers[0].search(10) == 0
