"""The switch that forbids skips, and the bound that keeps a test from hanging."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest
from support.paths import TESTS

pytestmark = pytest.mark.process

CONFTEST = TESTS / "conftest.py"


def run(folder: Path, text: str, *words: str, **environ: str) -> tuple[int, str]:
    """Runs pytest over one module with our conftest, away from our settings."""
    shutil.copy(CONFTEST, folder)
    (folder / "pytest.ini").write_text("[pytest]\naddopts = --strict-markers -p no:cacheprovider\n")
    (folder / "test_it.py").write_text("import os, pytest, time\n" + dedent(text))
    clean = {key: value for key, value in os.environ.items() if not key.startswith(("PYTEST_", "GGTP_"))}
    clean["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # plugins take longer to load than the tests to run
    command = [sys.executable, "-m", "pytest", "-q", "-rA", *words]
    done = subprocess.run(
        command, cwd=folder, env=clean | environ, capture_output=True, text=True, timeout=60, check=False
    )
    return done.returncode, done.stdout + done.stderr


SKIPS = """
    @pytest.mark.skipif(True, reason="no tool here")
    def test_marked(): pass
    def test_called(): pytest.skip("no tool there")
    @pytest.mark.xfail
    def test_expected(): assert False
    def test_fine(): pass
"""


def test_skips_are_skips_by_default(tmp_path: Path) -> None:
    status, text = run(tmp_path, SKIPS)
    assert (status, "1 passed, 2 skipped, 1 xfailed" in text) == (0, True), text
    assert run(tmp_path, SKIPS, GGTP_STRICT="0")[0] == 0
    assert run(tmp_path, SKIPS, GGTP_STRICT="")[0] == 0


@pytest.mark.parametrize(("words", "environ"), [(["--no-skips"], {}), ([], {"GGTP_STRICT": "1"})])
def test_skips_are_failures_on_demand(tmp_path: Path, words: list[str], environ: dict[str, str]) -> None:
    status, text = run(tmp_path, SKIPS, *words, **environ)
    assert status == 1
    assert "1 failed, 1 passed, 1 xfailed, 1 error" in text, text  # a marked test fails before it is run
    assert "was skipped, and skips are failures here (--no-skips): Skipped: no tool here" in text
    assert "no tool there" in text


def test_a_module_that_skips_itself_is_a_failure_too(tmp_path: Path) -> None:
    text = 'pytest.skip("no tool", allow_module_level=True)'
    assert run(tmp_path, text)[0] == 5  # nothing was collected
    status, output = run(tmp_path, text, "--no-skips")
    assert status == 2
    assert "skips are failures here" in output


def test_a_test_that_hangs_is_stopped(tmp_path: Path) -> None:
    status, text = run(
        tmp_path,
        """
        @pytest.mark.bound(0.2)
        def test_hangs():
            try:
                time.sleep(50)
            except Exception:
                pass
        def test_after(): pass
        """,
    )
    assert status == 1
    assert "test_hangs took more than 0.2 s" in text
    assert "1 failed, 1 passed" in text


def test_a_test_that_starts_a_process_says_so(tmp_path: Path) -> None:
    status, text = run(
        tmp_path,
        """
        import subprocess, threading

        def start(): subprocess.run(["true"], check=True)
        @pytest.fixture
        def started(): start()
        def start_apart():
            thread = threading.Thread(target=start)
            thread.start()
            thread.join()

        @pytest.mark.process
        def test_marked(): start()
        def test_plain(): start()
        def test_by_fixture(started): pass
        def test_by_thread(): start_apart()
        def test_quiet(): pass
        """,
        "--override-ini=markers=process: starts processes",
    )
    assert status == 1
    assert "test_plain starts a process (subprocess.Popen): mark it with `process`" in text
    assert "3 failed, 2 passed" in text


def test_the_guests_of_the_user_are_out_of_sight(tmp_path: Path) -> None:
    status, text = run(
        tmp_path,
        """
        def test_it():
            assert "GGTP_RULES_PATH" not in os.environ
            assert os.environ["XDG_DATA_HOME"] != "/mine"
        """,
        GGTP_RULES_PATH="/mine",
        XDG_DATA_HOME="/mine",
    )
    assert status == 0, text
