"""A Dask cluster whose scheduler and workers are processes that a test may stop or kill."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

SCHEDULER = """
import asyncio, distributed

async def main():
    async with distributed.Scheduler(host="127.0.0.1", port=0, dashboard=False) as made:
        print(made.address, flush=True)
        await made.finished()

asyncio.run(main())
"""

WORKER = """
import asyncio, sys, distributed

async def main():
    async with distributed.Worker(sys.argv[1], nthreads=int(sys.argv[2]), host="127.0.0.1", dashboard=False) as made:
        print(made.address, flush=True)
        await made.finished()

if __name__ == "__main__":
    asyncio.run(main())
"""


class OwnCluster:
    """A scheduler and its workers."""

    def __init__(self) -> None:
        self._processes: list[subprocess.Popen[str]] = []
        self.scheduler = self._start(SCHEDULER)
        self.address = self._said(self.scheduler)
        self.workers: dict[str, subprocess.Popen[str]] = {}

    def add_worker(self, threads: int = 1) -> str:
        """One more worker, with one thread: what it is asked next waits for what it does. Returns where it is."""
        worker = self._start(WORKER, self.address, str(threads))
        where = self._said(worker)
        self.workers[where] = worker
        return where

    def close(self) -> None:
        for process in self._processes:
            os.kill(process.pid, signal.SIGCONT)
            process.kill()
        for process in self._processes:
            process.wait()
            assert process.stdout is not None
            process.stdout.close()

    def _start(self, program: str, *args: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-c", program, *args]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self._processes.append(process)
        return process

    def _said(self, process: subprocess.Popen[str]) -> str:
        assert process.stdout is not None
        return process.stdout.readline().strip()


@contextmanager
def own_cluster(workers: int) -> Iterator[OwnCluster]:
    """A cluster with so many workers, which ends with all of them."""
    cluster = OwnCluster()
    try:
        for _ in range(workers):
            cluster.add_worker()
        yield cluster
    finally:
        cluster.close()
