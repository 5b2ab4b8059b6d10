"""Supervisors step in: with real workers and engines, and everything is in the journal."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from support.runs import Say, during, results, tictactoe
from support.runs import run as play

from ggtp.arena.runner import Runner, open_runner
from ggtp.arena.supervision import COMMANDS, supervise
from ggtp.errors import CommandError
from ggtp.protocol.commands import SUPERVISOR


def say(path: Path, line: str) -> list[str]:
    """Say a line to a tournament that does not run."""
    runner, journal = open_runner(None, path, resume=False)
    command, _, words = line.partition(" ")
    try:
        return asyncio.run(supervise(runner, command, words, "by X"))
    finally:
        journal.close()


@pytest.fixture
def ended(tmp_path: Path) -> Path:
    """The journal of a tournament of four games, all of which the first player to move has won."""
    path = tmp_path / "a.journal"
    play(tictactoe(tmp_path, blocks=2), path)
    return path


def test_the_prompt_has_every_command() -> None:
    assert set(COMMANDS) <= set(SUPERVISOR)


@pytest.mark.process
def test_a_running_game_is_decided_and_its_engines_play_on(tmp_path: Path) -> None:
    path = tmp_path / "a.journal"

    async def script(runner: Runner, say: Say) -> None:
        while not runner.running:
            await say("show_tournament")
        for _ in range(2):  # the first games of this table, and the next, with the same engines
            for game in list(runner.running):
                answer = await say(f"adjudicate_game {game} Cross=0 Circle=1 it hangs")
                assert answer == "= Done" or "There is no game" in answer
            while runner.ledger.standings.games < 2:
                await say("show_tournament")

    during(tmp_path, path, script, "--fault", "hang")
    found = results(path)
    ruled = [game for game in found.games if game.end == "ruled"]
    assert len(ruled) >= 2
    for game in ruled:
        assert game.scores == {"Cross": 0.0, "Circle": 1.0}
        assert game.reason.endswith(": it hangs")
        assert not game.faults
    assert any("is adjudicated by " in event.text for event in found.happened)


@pytest.mark.process
def test_somebody_takes_a_seat_and_that_game_does_not_count(tmp_path: Path) -> None:
    path = tmp_path / "a.journal"

    async def script(runner: Runner, say: Say) -> None:
        while not runner.running:
            await say("show_tournament")
        game, live = next(iter(runner.running.items()))
        seat = next(seat for seat, player in live.job.game.seats.items() if player == "Bad")
        answer = "?"
        while answer.startswith("?"):  # it may not have begun
            answer = await say(f"at_game {game} set_engine {seat} human")
        assert answer == "= Done"
        assert await say(f"at_game {game} get_engine {seat}") == "= human"
        assert (await say(f"at_game {game} undo")).startswith("? undo can't be said")
        assert (await say(f"at_game {game} set_engine {seat} Random")).startswith("? set_engine can't be said")
        assert (await say(f"at_game {game} play {seat} Z9")).startswith("? ")
        assert await say("at_game 999.9 get_table") == "? Game 999.9 is not running."
        while runner.running.get(game) is live:  # it is played again after that
            moves = (await say(f"at_game {game} list_possible_moves")).partition(f"{seat}=")[2]
            await say(f"at_game {game} play {seat} {moves.split(',')[0]}")

    during(tmp_path, path, script, "--fault", "hang")
    found = results(path)
    (taken,) = [game for game in found.void if "was taken by" in game.reason]
    assert not taken.faults
    assert len(taken.moves) >= 5
    assert [event.text for event in found.happened if "human, by" in event.text]


@pytest.mark.process
def test_more_games_at_once_and_fewer(tmp_path: Path) -> None:
    path = tmp_path / "a.journal"

    async def script(runner: Runner, say: Say) -> None:
        for number in (5, 1, 3):
            assert await say(f"set_concurrency {number} for fun") == "= Done"
            played = runner.ledger.standings.games
            while runner.ledger.standings.games < played + 4:
                await say("show_tournament")
        for word in ("", "0", "many", "99999", "-1"):
            assert (await say(f"set_concurrency {word}")).startswith("? Say how many")

    during(tmp_path, path, script)
    notes = [event.text for event in results(path).happened if event.kind == "note"]
    assert [text.partition(" by ")[0] for text in notes] == ["5 games at once", "1 games at once", "3 games at once"]
    ids = [game.id for game in results(path).games]
    assert len(ids) == len(set(ids))


@pytest.mark.process
def test_a_player_is_sent_away_and_comes_back(tmp_path: Path) -> None:
    path = tmp_path / "a.journal"

    async def script(runner: Runner, say: Say) -> None:
        assert await say("admit_player bad") == "? Bad is not in quarantine."
        assert await say("pause_tournament") == "= Done"
        assert await say("quarantine_player bad it smells") == "= Done"
        assert await say("quarantine_player Bad") == "? Bad is in quarantine already."
        assert (await say("quarantine_player Nobody")).startswith("? No player is called Nobody: Good, Bad")
        assert await say("resume_tournament") == "= Done"
        while not runner.ledger.standings.skipped:
            await say("show_tournament")
        assert await say("undo_ruling") == "= Done"
        played = runner.ledger.standings.games
        while runner.ledger.standings.games < played + 3:
            await say("list_rulings")

    during(tmp_path, path, script)
    assert [ruling.act for ruling in results(path).rulings] == ["quarantine", "undo"]
    assert results(path).rulings[0].text.endswith(": it smells")


@pytest.mark.process
def test_after_the_games(ended: Path) -> None:
    before = {game.id: dict(game.scores) for game in results(ended).games}
    assert say(ended, "adjudicate_game 1.0 draw the rules were read wrongly") == ["Done"]
    (game, *others) = results(ended).games
    assert (game.end, game.scores) == ("ruled", {"Cross": 0.5, "Circle": 0.5})
    assert {game.id: game.scores for game in others} == {name: before[name] for name in ("1.1", "2.0", "2.1")}
    assert results(ended).ended
    assert say(ended, "undo_ruling")[-1] == "Done"
    assert {game.id: game.scores for game in results(ended).games} == before
    assert say(ended, "list_rulings")[-1] == "0 rulings are in force"
    assert say(ended, "replay_game 2.1 once more") == ["Done"]
    assert not results(ended).ended
    play(None, ended)
    found = results(ended)
    assert found.ended
    assert [game.attempt for game in found.games] == [1, 1, 1, 2]


@pytest.mark.process
@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("adjudicate_game", "There is no game without a number"),
        ("adjudicate_game 9.9 draw", "There is no game 9.9"),
        ("adjudicate_game 1.0", "missing"),
        ("adjudicate_game 1.0 Cross=7 Circle=1", "from 0 to 1"),
        ("replay_game 9.9", "There is no game 9.9"),
        ("replay_game", "There is no game"),
        ("undo_ruling", "no ruling in force"),
        ("undo_ruling 1", "no ruling 1 in force"),
        ("set_concurrency 3", "does not run"),
        ("quarantine_player", "No player is called nothing"),
        ("dance", "is not understood"),
    ],
)
def test_what_can_not_be_done_changes_nothing(ended: Path, line: str, why: str) -> None:
    before = ended.read_bytes()
    with pytest.raises(CommandError, match=why):
        say(ended, line)
    assert ended.read_bytes() == before


@pytest.mark.process
def test_a_game_that_is_played_again_can_not_be_taken_back(ended: Path) -> None:
    say(ended, "replay_game 1.0")
    with pytest.raises(CommandError, match="is played again"):
        say(ended, "undo_ruling")
    with pytest.raises(CommandError, match=r"There is no game 1\.0"):
        say(ended, "adjudicate_game 1.0 draw")
