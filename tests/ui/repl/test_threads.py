from __future__ import annotations

import asyncio
import subprocess
import sys

import pytest

from ggtp.ui.repl.threads import DaemonExecutor


def test_work_is_done_and_its_errors_arrive() -> None:
    def fail() -> None:
        raise ValueError("no")

    executor = DaemonExecutor()
    assert executor.submit(pow, 2, 5).result(10) == 32
    with pytest.raises(ValueError, match="no"):
        executor.submit(fail).result(10)


def test_it_serves_an_event_loop() -> None:
    async def main() -> int:
        asyncio.get_running_loop().set_default_executor(DaemonExecutor())
        return await asyncio.to_thread(lambda: 7)

    assert asyncio.run(main()) == 7


def test_the_program_ends_while_work_goes_on() -> None:
    program = (
        "import asyncio, threading\n"
        "from ggtp.ui.repl.threads import DaemonExecutor\n"
        "async def main():\n"
        "    loop = asyncio.get_running_loop()\n"
        "    loop.set_default_executor(DaemonExecutor())\n"
        "    loop.run_in_executor(None, threading.Event().wait)\n"
        "asyncio.run(main())\n"
    )
    assert subprocess.run([sys.executable, "-c", program], timeout=60, check=False).returncode == 0


def test_map_is_not_offered() -> None:
    with pytest.raises(NotImplementedError):
        DaemonExecutor().map(str, [1])
