from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from support.network import Keys, visit
from support.programs import fake_program
from support.prompts import Screen, until

from ggtp.driver.driver import Driver
from ggtp.game import TurnKind
from ggtp.game.record import GameRecord
from ggtp.transport.secure.keys import Keyring
from ggtp.ui.console.environment import Environment
from ggtp.ui.console.new_driver import new_driver
from ggtp.ui.prompt import knowledge
from ggtp.ui.prompt.knowledge import Shelf, Source, list_folder, node_names
from ggtp.ui.prompt.suggest import place, suggest_at


def with_table(
    lines: list[str], ask: Callable[[Driver, Source], Awaitable[None]], keyring: Keyring | None = None
) -> None:
    """Lay the table, then ask."""

    async def main() -> None:
        driver = new_driver(Environment(), Screen(), seed=1, keyring=keyring)
        try:
            for line in lines:
                assert (await driver.command(line)).startswith("="), line
            async with asyncio.timeout(60):
                await ask(driver, Source(driver, os.environ))
        finally:
            await driver.close()

    asyncio.run(main())


async def texts(source: Source, line: str) -> list[str]:
    at = place(line)
    assert at is not None
    return [suggestion.text for suggestion in suggest_at(at, await source.knowledge(at))]


def test_names_of_the_catalogue() -> None:
    async def ask(driver: Driver, source: Source) -> None:
        assert {"TicTacToe", "Nim", "ConnectFour"} <= set(await texts(source, "set_rule "))
        assert {"human", "Minimax", "Random"} <= set(await texts(source, "set_engine Cross "))
        await driver.command("set_rule PhantomTicTacToe")
        engines = await texts(source, "set_engine Cross ")
        assert "Random" in engines
        assert "Minimax" not in engines  # it can't play what is hidden

    with_table([], ask)


def test_foreign_programs_that_are_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake_program(tmp_path / "stockfish", "")
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)

    async def ask(driver: Driver, source: Source) -> None:
        assert {"uci:stockfish", "uci:", "xboard:"} <= set(await texts(source, "set_engine White "))
        assert (await texts(source, "set_engine White UCI:st")) == ["uci:stockfish"]
        await driver.command("set_rule TicTacToe")
        assert not [name for name in await texts(source, "set_engine Cross ") if name.startswith("uci")]

    with_table(["set_rule Chess"], ask)


@pytest.mark.process
def test_options_of_referee_rule_and_engine() -> None:
    async def ask(driver: Driver, source: Source) -> None:
        assert await texts(source, "set_option show_t") == ["show_table"]
        assert await texts(source, "set_option view ") == ["auto", "all", *driver.referee.view.play.players]
        assert await texts(source, "set_rule_option starting_player cr") == ["Cross"]
        assert await texts(source, "set_engine_option Circle Dep") == ["Depth"]
        assert await texts(source, "set_engine_option Circle rule") == []  # the referee's own affair
        assert await texts(source, "set_engine_option circle depth ") == ["0"]
        await driver.command("set_engine_option Circle Depth 5")
        assert await texts(source, "set_engine_option Circle Depth ") == ["5"]
        assert await texts(source, "set_engine_option Circle Nonsense ") == []
        assert await texts(source, "set_engine_option Cross Depth ") == []

    with_table(["set_rule TicTacToe", "set_engine Circle Minimax"], ask)


@pytest.mark.process
def test_a_thinking_engine_is_left_alone() -> None:
    async def ask(driver: Driver, source: Source) -> None:
        await until(lambda: any(engine.thinking for engine in driver.view.engines() if engine.player == "Red"))
        assert await texts(source, "set_engine_option Red Depth ") == []

    setup = ["set_rule ConnectFour", "set_rule_option starting_player Red", "set_engine Red Minimax"]
    with_table([*setup, "set_engine_option Red Depth 64", "set_engine_option Red Time 900000", "start"], ask)


def test_moves_nodes_and_who_is_to_move() -> None:
    async def ask(driver: Driver, source: Source) -> None:
        assert await texts(source, "play Circle ") == ["A1", "C1", "A2", "B2", "C2", "A3", "B3", "C3"]
        assert await texts(source, "play Cross ") == []
        assert (await texts(source, "a"))[:3] == ["A1", "A2", "A3"]  # no command is needed for a person's move
        assert (await texts(source, "force_play "))[0] == "Circle"
        assert await texts(source, "goto_node ") == ["opening", "1", "0"]
        at = place("play Circle ")
        assert at is not None
        first, second = await source.knowledge(at), await source.knowledge(at)
        assert first.moves["Circle"] is second.moves["Circle"]  # listed once for a position

    setup = ["set_rule TicTacToe", "set_rule_option starting_player Cross", "start", "play Cross B1"]
    with_table([*setup, "name_node opening"], ask)


def test_what_a_viewer_may_not_know_is_not_suggested() -> None:
    async def ask(driver: Driver, source: Source) -> None:
        turn = driver.referee.view.play.turn()
        assert turn.kind is TurnKind.SINGLE
        mover = turn.players[0]
        assert await texts(source, f"force_play {mover} ")
        other = next(player for player in driver.referee.view.play.players if player != mover)
        await driver.command(f"set_option view {other}")
        assert await texts(source, f"force_play {mover} ") == []

    with_table(["set_rule PhantomTicTacToe", "start"], ask)


@pytest.mark.process
def test_the_steps_of_nodes_are_told_as_the_viewer_saw_them() -> None:
    async def ask(driver: Driver, source: Source) -> None:
        at = place("goto_node ")
        assert at is not None
        mine = {"0": "start", "1": "Cross ?", "2": "Circle tries B2", "3": "Circle A1"}
        assert (await source.knowledge(at)).nodes == mine
        await driver.command("set_option view all")
        assert (await source.knowledge(at)).nodes == {**mine, "1": "Cross B2"}
        await driver.command("set_option view Cross")
        assert (await source.knowledge(at)).nodes == {"0": "start", "1": "Cross B2", "2": "?", "3": "Circle ?"}

    setup = ["set_rule PhantomTicTacToe", "set_engine Cross Random", "set_option genmove off", "start"]
    with_table([*setup, "force_play Cross B2", "play Circle B2", "play Circle A1"], ask)


@pytest.mark.slow
def test_files(tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "my play.ggtp").touch()
    (tmp_path / "rule.py").touch()

    async def ask(driver: Driver, source: Source) -> None:
        assert await texts(source, f"load_file {tmp_path}/") == ["games/", "rule.py"]
        assert await texts(source, f"load_file {tmp_path}/games/my p") == ["my play.ggtp"]
        assert await texts(source, f"set_rule {tmp_path}/r") == ["rule.py"]
        assert await texts(source, "load_file /nowhere/at/all/") == []
        at_home = Source(driver, {"HOME": str(tmp_path)})
        assert await texts(at_home, "set_rule ~/r") == ["rule.py"]
        assert await texts(at_home, "load_file ~/r") == ["rule.py"]
        assert await texts(at_home, "save_file ~/games/my") == ["my play.ggtp"]

    with_table([], ask)


def test_a_folder_that_cannot_be_read_is_empty(tmp_path: Path) -> None:
    assert list_folder(tmp_path / "none") == []
    assert list_folder(Path("\0")) == []


def test_nodes_are_not_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    from ggtp.catalogue import Catalogue

    monkeypatch.setattr(knowledge, "MOST_NODES", 2)
    record = GameRecord(Catalogue.from_environment({}).find_rules("TicTacToe").start())
    player = record.position.turn().players[0]
    for move in ("A1", "B1", "C1"):
        record.play({player: move})
        record.undo()
    record.nodes[1].name = "trap"
    assert node_names(record) == {"trap": f"1 {player} A1", "3": f"{player} C1", "2": f"{player} B1"}


# Shelves.


def test_a_shelf_is_filled_once_and_off_the_loop() -> None:
    threads = []

    def make() -> list[str]:
        threads.append(threading.current_thread())
        return ["a"]

    async def main() -> None:
        shelf = Shelf(make)
        assert await asyncio.gather(shelf.items(), shelf.items()) == [["a"], ["a"]]
        assert await shelf.items() == ["a"]

    asyncio.run(main())
    assert len(threads) == 1
    assert threads[0] is not threading.main_thread()


def test_a_stale_shelf_is_filled_again_behind_ones_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(knowledge, "STALE_SECONDS", -1)
    made: list[int] = []

    def make() -> list[int]:
        made.append(len(made))
        return list(made)

    async def main() -> None:
        shelf = Shelf(make)
        assert await shelf.items() == [0]
        assert await shelf.items() == [0]
        await until(lambda: len(made) > 1)

    asyncio.run(main())


def test_a_shelf_that_fails_is_empty() -> None:
    async def main() -> None:
        assert list(await Shelf(lambda: [1 // 0]).items()) == []

    asyncio.run(main())


def test_who_gives_up_waiting_does_not_stop_the_search() -> None:
    go = threading.Event()

    def make() -> list[str]:
        go.wait(30)
        return ["a"]

    async def main() -> None:
        shelf = Shelf(make)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(shelf.items(), 0.01)
        go.set()
        assert await shelf.items() == ["a"]

    asyncio.run(main())


def test_who_is_connected_from_other_machines(tmp_path: Path) -> None:
    keys = Keys(tmp_path, "alice")

    async def ask(driver: Driver, source: Source) -> None:
        assert await driver.command("listen 127.0.0.1:0") == "= Done"
        assert driver.connections == []
        assert driver._porch.lobby is not None
        assert driver._porch.lobby._door is not None
        wire, _ = await visit(driver._porch.lobby._door.address, keys.pairs["alice"], keys.referee.public)
        await until(lambda: driver.connections)
        assert "remote:alice" in await texts(source, "set_engine Cross rem")
        wire.send([b"join"])
        await until(lambda: driver.connections == [("alice", "person")])
        assert "person:alice" in await texts(source, "set_engine Cross per")
        wire.close()

    with_table(["set_rule TicTacToe"], ask, keys.ring)
