"""What holds for every test: no skips on demand, nothing hangs, marks are true, and nobody's own guests are seen.

GGTP_STRICT=1 in the environment, or `--no-skips`, turns every skip into a failure: for a
machine that is meant to have whatever the tests need. Each phase of a test has two minutes;
a test that needs more says so with `@pytest.mark.bound(seconds)`. A test that starts a process
fails unless it has the mark `process`, by which the quick tests leave it out.
"""

from __future__ import annotations

import faulthandler
import gc
import os
import signal
import sys
import threading
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

# OpenBLAS ends its threads at a fork. If another thread of ours computes with them then, the next fork waits for ever.
os.environ["OPENBLAS_NUM_THREADS"] = "1"

# A busy machine takes its time, for examples as for everything else.
settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")

PROCESS_TESTS = Path(__file__).parent / "process"
SECONDS = 120
GRACE = 30
"""A test that sits in C code does not see the alarm; this much later the whole run ends, with tracebacks."""

STARTS = {"subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn", "os.spawn", "os.system"}
"""What the interpreter tells of when a process is started."""
KEPT = ("child", "family.py")
"""Programs of ours whose work outlives the test: compilers, whose result is kept, and the undertaker, who is started
once. By which test they are started depends on what was tested before."""
started: list[str] = []
older: set[int] = set()
"""Threads of tests before, which may start something at any time."""

stderr = pytest.StashKey[int]()


def note_start(event: str, args: tuple[Any, ...]) -> None:
    if event in STARTS and threading.get_ident() not in older:
        words = args[1] if len(args) > 1 and isinstance(args[1], (list, tuple)) else ()
        if not any(str(word).endswith(KEPT) for word in words):
            started.append(event)


sys.addaudithook(note_start)

# Collecting makes a million objects that stay: to look through them for garbage again and again takes as long as the
# rest of it, and later it would be a part of each test.
gc.disable()


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--no-skips", action="store_true", help="a skipped test is a failure (also: GGTP_STRICT=1)")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", f"bound(seconds): time for each phase of the test, instead of {SECONDS} s")
    # Capturing is off now: this is where the tracebacks of the last resort can be read.
    config.stash[stderr] = os.dup(2)


def pytest_unconfigure(config: pytest.Config) -> None:
    os.close(config.stash[stderr])


@pytest.fixture(scope="session", autouse=True)
def no_guests_of_the_user(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Tests find what is bundled, not what the person who runs them has lying about."""
    empty = tmp_path_factory.mktemp("user")
    with pytest.MonkeyPatch.context() as patch:
        for variable in ("GGTP_RULES_PATH", "GGTP_ENGINES_PATH"):
            patch.delenv(variable, raising=False)
        for variable in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"):
            patch.setenv(variable, str(empty / variable))
        yield


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What lies in `tests/process` starts the program itself. Modules with slow tests come first, so that no worker is
    left with one at the end."""
    slow = set()
    for item in items:
        if PROCESS_TESTS in item.path.parents:
            item.add_marker("process")
        if item.get_closest_marker("slow") is not None or item.get_closest_marker("browser") is not None:
            slow.add(item.path)
    items.sort(key=lambda item: item.path not in slow)


def strict(config: pytest.Config) -> bool:
    return bool(config.getoption("--no-skips")) or os.environ.get("GGTP_STRICT", "") not in ("", "0")


def fail_if_skipped(report: pytest.TestReport | pytest.CollectReport) -> None:
    """Makes a skip a failure that says so; expected failures are no skips."""
    if report.skipped and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome = "failed"
        report.longrepr = f"{report.nodeid} was skipped, and skips are failures here (--no-skips): {reason}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if strict(item.config):
        fail_if_skipped(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    if strict(collector.config):
        fail_if_skipped(report)
    return report


@contextmanager
def bounded(item: pytest.Item) -> Iterator[None]:
    """Fails the phase when its time is over."""
    marker = item.get_closest_marker("bound")
    seconds = float(marker.args[0]) if marker is not None else SECONDS

    def ring(number: int, frame: FrameType | None) -> None:
        # An outcome of pytest is no Exception: code under test that catches everything does not catch it.
        pytest.fail(f"{item.nodeid} took more than {seconds:g} s")

    faulthandler.dump_traceback_later(seconds + GRACE, exit=True, file=item.config.stash[stderr])
    before = signal.signal(signal.SIGALRM, ring) if hasattr(signal, "SIGALRM") else None
    try:
        if before is not None:
            signal.setitimer(signal.ITIMER_REAL, seconds)
        yield
    finally:
        if before is not None:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
        faulthandler.cancel_dump_traceback_later()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None, Any, Any]:
    older.clear()
    older.update(thread.ident or 0 for thread in threading.enumerate() if thread is not threading.current_thread())
    started.clear()
    with bounded(item):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, Any, Any]:
    with bounded(item):
        result = yield
    if started and item.get_closest_marker("process") is None:
        pytest.fail(f"{item.nodeid} starts a process ({started[0]}): mark it with `process`")
    return result


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item) -> Generator[None, Any, Any]:
    with bounded(item):
        return (yield)
