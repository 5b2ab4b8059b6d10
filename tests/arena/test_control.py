"""A running tournament obeys whoever may manage it, says no to what makes no sense, and leaves nothing."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest
from support.runs import Say, during, results

from ggtp.arena.control import NotRunning, ask, control_path
from ggtp.arena.runner import Runner


@pytest.mark.process
def test_pause_resume_and_stop(tmp_path: Path) -> None:
    path = tmp_path / "a.journal"

    async def script(runner: Runner, say: Say) -> None:
        assert (await say("show_tournament")).startswith("= tournament: running, ")
        assert await say("resume_tournament") == "? It is not paused."
        assert await say("pause_tournament  the room\nis needed") == "= Done"
        assert runner.paused
        assert await say("pause_tournament") == "? It is paused already."
        assert (await say("show_tournament")).startswith("= tournament: paused, ")
        assert await say("resume_tournament") == "= Done"
        assert await say("stop_tournament") == "= Done"
        assert await say("stop_tournament") == "? It is ending already."

    said = during(tmp_path, path, script)
    assert any(line.startswith("Paused by ") and "(process " in line for line in said)
    happened = results(path).happened
    assert [event.kind for event in happened] == ["pause", "resume", "pause"]
    assert happened[0].text.endswith(": the room is needed")
    assert "stopped by " in happened[2].text
    assert not control_path(path).exists()


@pytest.mark.process
def test_running_games_that_never_end_are_not_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "a.journal"

    async def script(runner: Runner, say: Say) -> None:
        while not any(live.job.moves for live in runner.running.values()):
            await say("show_tournament")
        runner.finish("enough")
        assert (await say("show_tournament")).startswith("= tournament: ending, ")
        assert await say("pause_tournament") == "? It is ending already."
        assert await say("stop_tournament") == "= Done"

    during(tmp_path, path, script, "--fault", "hang")
    assert results(path).running


@pytest.mark.process
def test_what_is_not_understood_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a.journal"

    async def script(runner: Runner, say: Say) -> None:
        for line in ("", "pause", "quit", "\x00", "stop_tournaments"):
            assert "is not understood" in await say(line)
        with pytest.raises(NotRunning):
            await say("stop_tournament" + "x" * 10_000)  # more than anybody has to say
        assert not runner.paused
        assert not runner.finishing

    during(tmp_path, path, script)


@pytest.mark.process
def test_only_its_owner_may_connect_however_deep_it_is(tmp_path: Path) -> None:
    folder = tmp_path / ("deep" * 20) / ("er" * 40)
    folder.mkdir(parents=True)
    path = folder / "a.journal"
    with socket.socket(socket.AF_UNIX) as old:  # of a run that was killed
        listener = tmp_path / "s"
        old.bind(str(listener))
        listener.rename(control_path(path))

    async def script(_runner: Runner, say: Say) -> None:
        assert control_path(path).stat().st_mode & 0o777 == 0o600
        assert (await say("show_tournament")).startswith("= ")

    during(tmp_path, path, script)


def test_nobody_listens(tmp_path: Path) -> None:
    with pytest.raises(NotRunning, match="No tournament that runs here writes"):
        ask(tmp_path / "a.journal", "show_tournament")
    with socket.socket(socket.AF_UNIX) as old:
        old.bind(str(tmp_path / "a.journal.control"))
    with pytest.raises(NotRunning):
        ask(tmp_path / "a.journal", "show_tournament")


@pytest.mark.process
def test_it_runs_without_where_no_socket_can_be(tmp_path: Path) -> None:
    path = tmp_path / "a.journal"
    control_path(path).mkdir()

    async def script(runner: Runner, _say: Say) -> None:
        assert not runner.ended

    assert any("can't be managed from elsewhere" in line for line in during(tmp_path, path, script))
    assert control_path(path).is_dir()
