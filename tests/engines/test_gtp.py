"""The bridge `gtp:`, with the real programs GNU Go and GTP GRhino, and with one that can be told how to misbehave."""

from __future__ import annotations

import asyncio
import random
import re
import subprocess
import sys
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest
from support.programs import fake_program, need_program

from ggtp.catalogue import Catalogue
from ggtp.errors import CommandError, EngineError
from ggtp.protocol.messages import Command
from ggtp.servers.session import Assignment, Soloist

pytestmark = pytest.mark.process

SECONDS = 60.0
CATALOGUE = Catalogue.from_environment({})

PROGRAM = """
    import sys
    log = open(sys.argv[1], "a", buffering=1)
    board = []
    for line in sys.stdin:
        number, _, command = line.strip().partition(" ")
        if number == "quit":
            log.write("quit\\n")
            break
        log.write(command + "\\n")
        name, *words = command.split()
        known = "list_commands boardsize clear_board komi play genmove {more}".split()
        answer = "="
        if name == "list_commands":
            text = "\\n".join(known)
        elif name not in known:
            answer, text = "?", "unknown command"
        elif name == "undo":
            board.pop()
            text = ""
        elif name == "gogui-analyze_commands":
            text = "string/Nothing/nothing\\nparam/Search/params"
        elif name == "params":
            text = "" if words else "[bool] ponder 1\\n[list/a/b] kind a\\n[string] file x y\\nnonsense"
        elif name == "genmove":
            board.append(words)
            text = "{move}"
        elif name == "play":
            board.append(words)
            text = ""
        elif name == "boardsize" and words[0] == "7":
            answer, text = "?", "unacceptable size"
        else:
            text = ""
        print(answer + number, text, end="\\n\\n", flush=True)
"""


def fake(path: Path, move: str = "C3", more: str = "") -> tuple[str, Path]:
    log = path / "log"
    program = fake_program(path / "program", PROGRAM.replace("{move}", move).replace("{more}", more))
    return f"gtp:{program} {log}", log


def play(engine: str, rule: str, script: Callable[[Soloist], Awaitable[None]], **values: str) -> None:
    async def main() -> None:
        spec = CATALOGUE.find_engine(engine)
        logs = tuple(str(Path(word).parent) for word in spec.argv if word.endswith("/log"))
        soloist = Soloist(replace(spec, writes=logs))
        try:
            async with asyncio.timeout(SECONDS):
                rules = CATALOGUE.find_rules(rule)
                game = Assignment(rules, rule, values, rules.players(rules.complete(values))[0], seed="3")
                await soloist.open(game)
                await soloist.begin()
                await script(soloist)
        finally:
            await soloist.close()

    asyncio.run(main())


def heard(log: Path) -> list[str]:
    return log.read_text().splitlines()


def test_gnu_go_follows_the_play_and_moves() -> None:
    gnugo = need_program("gnugo")

    async def script(engine: Soloist) -> None:
        assert "level" in engine.listed
        assert "cleanup" in engine.listed
        await engine.set_option("level", "0")
        rules = CATALOGUE.find_rules("Go")
        position = rules.start({"size": "9", "handicap": "2"})
        # White begins where there is a handicap, and the stones are on the board.
        for player in ("White", "Black", "White", "Black"):
            move = await engine.select(player, 10_000, SECONDS)
            position = position.play({player: position.parse(player, move)}).position
            await engine.made(player, move)
        await engine.undone()
        await engine.undone()
        await engine.made("White", "J9")
        assert await engine.select("Black", None, SECONDS) != "J9"

    play(f"gtp:{gnugo} --mode gtp", "Go", script, size="9", handicap="2", komi="0.5")


def test_gnu_go_captures_what_is_dead_before_it_passes() -> None:
    gnugo = need_program("gnugo")
    # A white stone in the corner of black's board has no chance, but would count.
    black = ["B1", "B2", "B3", "B4", "B5", "D1", "D2", "D3", "D4", "D5"]
    last = {}

    def script_for(cleanup: str) -> Callable[[Soloist], Awaitable[None]]:
        async def script(engine: Soloist) -> None:
            await engine.set_option("cleanup", cleanup)
            await engine.made("Black", black[0])
            await engine.made("White", "E1")
            for stone in black[1:]:
                await engine.made("Black", stone)
                await engine.made("White", "pass")
            last[cleanup] = await engine.select("Black", None, SECONDS)

        return script

    for cleanup in ("on", "off"):
        play(f"gtp:{gnugo} --mode gtp --level 0", "Go", script_for(cleanup), size="5")
    assert last == {"on": "E2", "off": "pass"}


def test_gtp_rhino_plays_othello_to_the_end(tmp_path: Path) -> None:
    rhino = need_program("gtp-rhino", "grhino")
    script = tmp_path / "play.ggtp"
    script.write_text(f"set_rule Othello\nset_engine Black gtp:{rhino}\nset_engine White Random\nstart\nget_result\n")
    argv = [sys.executable, "-m", "ggtp", "--seed", "5", "--batch", str(script)]
    done = subprocess.run(argv, capture_output=True, text=True, timeout=SECONDS, check=True)
    assert done.stdout.splitlines()[-1].startswith("= Black=win 100")


def with_passes(of: str) -> list[tuple[str, str]]:
    """The beginning of a game of Othello in which that player has just had to pass."""
    for seed in range(100):
        rng, position, moves = random.Random(seed), CATALOGUE.find_rules("Othello").start(), []
        while players := position.turn().players:
            move = rng.choice(position.moves(players[0]))
            moves.append((players[0], move))
            position = position.play({players[0]: move}).position
            if moves[-1] == (of, "pass") and position.turn().players:
                return moves
    raise AssertionError


@pytest.mark.parametrize("of", ["Black", "White"])
def test_gtp_rhino_follows_who_has_to_pass(of: str) -> None:
    rhino = need_program("gtp-rhino", "grhino")
    moves = with_passes(of)

    async def script(engine: Soloist) -> None:
        position = CATALOGUE.find_rules("Othello").start()
        for player, move in moves[:-1]:
            await engine.made(player, move)
            position = position.play({player: move}).position
        assert await engine.select(of, 5_000, SECONDS) == "pass"
        await engine.made(of, "pass")
        other = "White" if of == "Black" else "Black"
        position = position.play({of: "pass"}).position
        assert await engine.select(other, 5_000, SECONDS) in position.moves(other)

    play(f"gtp:{rhino}", "Othello", script)


def test_what_a_program_does_not_play_is_refused() -> None:
    rhino, gnugo = need_program("gtp-rhino", "grhino"), need_program("gnugo")

    async def script(engine: Soloist) -> None:
        raise AssertionError

    for engine, rule, values in (
        (f"gtp:{rhino}", "Go", {}),
        (f"gtp:{rhino}", "Othello", {"size": "6"}),
        (f"gtp:{gnugo} --mode gtp", "TicTacToe", {}),
    ):
        with pytest.raises(CommandError, match="can't play"):
            play(engine, rule, script, **values)


def test_a_program_hears_only_what_it_does_not_know(tmp_path: Path) -> None:
    engine, log = fake(tmp_path, more="undo time_settings time_left set_random_seed")

    async def script(soloist: Soloist) -> None:
        assert await soloist.select("Black", 5_000, SECONDS) == "C3"
        await soloist.made("Black", "C3")
        await soloist.made("White", "D4")
        await soloist.select("Black", 5_000, SECONDS)
        await soloist.undone()
        await soloist.made("White", "pass")
        await soloist.select("Black", None, SECONDS)

    play(engine, "Go", script, size="9", komi="6.5")
    lines = [re.sub(r" [1-4] 1$", " N 1", line) for line in heard(log)]
    begun = lines.index("clear_board")
    assert lines[begun - 1 : begun + 3] == ["boardsize 9", "clear_board", "komi 6.5", "set_random_seed 3"]
    assert lines[begun + 3 :] == [
        "time_settings 0 N 1",
        "time_left black N 1",
        "genmove black",
        "play white D4",
        "time_settings 0 N 1",
        "time_left black N 1",
        "genmove black",
        "undo",
        "undo",
        "play white pass",
        "genmove black",
        "quit",
    ]


def test_a_program_without_undo_begins_again(tmp_path: Path) -> None:
    engine, log = fake(tmp_path, move="i9")

    async def script(soloist: Soloist) -> None:
        # Columns of Gomoku have an I here, and none there; what is nowhere is handed on as it is.
        assert await soloist.select("Black", None, SECONDS) == "i9"
        await soloist.made("Black", "I9")
        await soloist.select("White", None, SECONDS)

    play(engine, "Gomoku", script)
    lines = heard(log)
    assert lines.count("clear_board") == 2
    assert lines[-4:] == ["clear_board", "play black J9", "genmove white", "quit"]


def test_options_that_gogui_would_show_are_the_engine_s(tmp_path: Path) -> None:
    engine, log = fake(tmp_path, more="gogui-analyze_commands params")

    async def script(soloist: Soloist) -> None:
        assert {"ponder", "kind", "file"} <= set(soloist.listed)
        assert (await soloist.ask(Command("get_option", ("file",)))).text == "x y"
        assert (await soloist.ask(Command("list_option_choices", ("kind",)))).text == "a, b"
        await soloist.set_option("ponder", "off")
        await soloist.set_option("kind", "b")
        await soloist.select("Black", None, SECONDS)

    play(engine, "Go", script)
    assert heard(log)[-4:-1] == ["params ponder 0", "params kind b", "genmove black"]


@pytest.mark.parametrize("rule", ["Go", "Hex"])
def test_a_program_that_gives_up_loses_or_plays_on(tmp_path: Path, rule: str) -> None:
    engine, _ = fake(tmp_path, move="resign")

    async def script(soloist: Soloist) -> None:
        player = "Black" if rule == "Go" else "Red"
        assert await soloist.select(player, None, SECONDS) == "resign"
        await soloist.set_option("resign", "play_on")
        move = await soloist.select(player, None, SECONDS)
        assert move == "pass" or rule == "Hex"
        await soloist.made(player, CATALOGUE.find_rules(rule).start().parse(player, move))
        assert await soloist.select(player, None, SECONDS)

    play(engine, rule, script)


def test_faults_of_a_program_are_told(tmp_path: Path) -> None:
    async def nothing(soloist: Soloist) -> None:
        raise AssertionError

    async def select(soloist: Soloist) -> None:
        await soloist.select("Black", None, SECONDS)

    silent = fake_program(tmp_path / "dead", "import sys\nsys.exit('oh no')")
    with pytest.raises(EngineError, match="oh no"):
        play(f"gtp:{silent}", "Go", nothing)
    rude = fake_program(tmp_path / "rude", "input()\nprint('? go away', end='\\n\\n', flush=True)\ninput()")
    with pytest.raises(EngineError, match="does not speak the Go Text Protocol: go away"):
        play(f"gtp:{rude}", "Go", nothing)
    small, _ = fake(tmp_path)
    with pytest.raises(CommandError, match="can't play"):
        play(small, "Go", nothing, size="7")
    lazy = fake_program(
        tmp_path / "lazy",
        """
        while True:
            number, name = input().split()[:2]
            sign, text = ("?", "too tired") if name == "genmove" else ("=", "list_commands boardsize play genmove komi")
            print(sign + number, text, end="\\n\\n", flush=True)
        """,
    )
    with pytest.raises(EngineError, match="too tired"):
        play(f"gtp:{lazy}", "Go", select)
