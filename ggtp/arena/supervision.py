"""What a supervisor may do to a tournament that runs, at its prompt or from another terminal.

Both say the same lines, and whatever changes anything is in the journal, with who and why.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeAlias

from ggtp.arena.runner import Runner
from ggtp.errors import CommandError
from ggtp.tournament.journal.rulings import in_force, ruling_lines, scores_from
from ggtp.tournament.standings.table import remark_lines, table_lines

MOST_CONCURRENCY = 1024
NOT_RUNNING = "The tournament does not run."


async def supervise(runner: Runner, command: str, words: str, who: str) -> list[str]:
    """Do what a command asks; lines to show, the last of which is the answer.

    Args:
        runner: the tournament.
        command: one of `COMMANDS`.
        words: what stands behind it; a reason may come last.
        who: who says it, for the journal, as in `by somebody` or `at the prompt`.

    Raises:
        CommandError: it can't be done; nothing has changed.
    """
    act = _ACTS.get(command)
    if act is None:
        raise CommandError(f"{command or 'Nothing'} is not understood: there are {', '.join(COMMANDS)}.")
    return await act(runner, words.strip(), who)


def state_of(runner: Runner, *, running: bool = True) -> str:
    """How a tournament stands, in a line."""
    state = "stopped"
    if runner.ended:
        state = "ended"
    elif running:
        state = "ending" if runner.finishing else "paused" if runner.paused else "running"
    of = f" of {runner.ledger.total}" if runner.ledger.total is not None else ""
    games = f"{runner.ledger.standings.games}{of} games"
    return f"{runner.plan.name}: {state}, {games}{f', {len(runner.running)} running' if running else ''}"


async def _show(runner: Runner, _words: str, _who: str) -> list[str]:
    running = runner.players is not None and not runner.over
    return [*table_lines(runner.ledger.standings), *remark_lines(runner.ledger), state_of(runner, running=running)]


async def _pause(runner: Runner, words: str, who: str) -> list[str]:
    _must_go_on(runner)
    if runner.paused:
        raise CommandError("It is paused already.")
    runner.pause(_by(who, words))
    return ["Done"]


async def _resume(runner: Runner, words: str, who: str) -> list[str]:
    _must_go_on(runner)
    if not runner.paused:
        raise CommandError("It is not paused.")
    runner.resume(_by(who, words))
    return ["Done"]


async def _stop(runner: Runner, words: str, who: str) -> list[str]:
    if runner.over:
        raise CommandError("It is ending already.")
    runner.stop(_by(who, words))
    return ["Done"]


async def _set_concurrency(runner: Runner, words: str, who: str) -> list[str]:
    number, _, why = words.partition(" ")
    if not number.isascii() or not number.isdigit() or not 1 <= int(number) <= MOST_CONCURRENCY:
        raise CommandError(f"Say how many games are to be played at once, from 1 to {MOST_CONCURRENCY}.")
    _must_go_on(runner)
    if runner.players is None:
        raise CommandError(NOT_RUNNING)
    await runner.resize(int(number), _by(who, why))
    return ["Done"]


async def _at_game(runner: Runner, words: str, who: str) -> list[str]:
    game, _, line = words.partition(" ")
    if game not in runner.running or runner.players is None:
        raise CommandError(f"Game {game or 'without a number'} is not running.")
    answer = await runner.players.attend(game, line.strip(), who)
    if answer.startswith("?"):
        raise CommandError(answer[2:])
    if line.split()[0] in ("set_engine", "play"):
        runner.note(f"game {game}: {line.strip()}, {who}")
    return [answer[2:]]


async def _adjudicate(runner: Runner, words: str, who: str) -> list[str]:
    game, *rest = words.split() or [""]
    count = next((n for n, word in enumerate(rest) if "=" not in word and word != "draw"), len(rest))
    by = _by(who, " ".join(rest[count:]))
    live = runner.running.get(game)
    if live is not None:
        scores = scores_from(rest[:count], live.job.game.seats)
        if runner.players is None:
            raise CommandError(NOT_RUNNING)
        runner.players.judge(game, scores, by)
        runner.note(f"game {game} is adjudicated {by}")
        return ["Done"]
    played = runner.result_of(game)
    if played is None:
        raise CommandError(f"There is no game {game or 'without a number'} that was played or is running.")
    runner.decree("adjudicate", game, by, scores_from(rest[:count], played.plan.seats))
    return ["Done"]


async def _replay(runner: Runner, words: str, who: str) -> list[str]:
    game, _, why = words.partition(" ")
    if game in runner.running:
        raise CommandError(f"Game {game} is running: adjudicate it, or wait for its end.")
    if runner.result_of(game) is None:
        raise CommandError(f"There is no game {game or 'without a number'} that was played.")
    runner.decree("replay", game, _by(who, why))
    return ["Done"]


async def _quarantine(runner: Runner, words: str, who: str) -> list[str]:
    player, why = _player(runner, words)
    if player in runner.ledger.quarantined:
        raise CommandError(f"{player} is in quarantine already.")
    runner.decree("quarantine", player, _by(who, why))
    return ["Done"]


async def _admit(runner: Runner, words: str, who: str) -> list[str]:
    player, why = _player(runner, words)
    if player not in runner.ledger.quarantined | runner.ledger.losing:
        raise CommandError(f"{player} is not in quarantine.")
    runner.decree("admit", player, _by(who, why))
    return ["Done"]


async def _list_rulings(runner: Runner, _words: str, _who: str) -> list[str]:
    return [*ruling_lines(runner.rulings), f"{len(in_force(runner.rulings))} rulings are in force"]


async def _undo_ruling(runner: Runner, words: str, who: str) -> list[str]:
    valid = in_force(runner.rulings)
    number, _, why = words.partition(" ")
    meant = [one for one in valid if str(one.number) == number] if number else valid
    ruling = meant[-1] if meant else None
    if ruling is None:
        raise CommandError(f"There is no ruling {number} in force." if number else "There is no ruling in force.")
    if ruling.act == "replay":
        raise CommandError(f"Game {ruling.subject} is played again: adjudicate it, if its result is not to count.")
    runner.decree("undo", str(ruling.number), _by(who, why))
    return ["Done"]


def _must_go_on(runner: Runner) -> None:
    if runner.over or runner.finishing:
        raise CommandError("It is ending already.")


def _by(who: str, why: str) -> str:
    return f"{who}: {why.strip()}" if why.strip() else who


def _player(runner: Runner, words: str) -> tuple[str, str]:
    """The player whose name the words begin with, which may have blanks in it, and the rest."""
    said = f"{words} ".casefold()
    for name in sorted(runner.plan.names, key=len, reverse=True):
        if said.startswith(f"{name} ".casefold()):
            return name, words[len(name) :]
    raise CommandError(f"No player is called {words.partition(' ')[0] or 'nothing'}: {', '.join(runner.plan.names)}.")


_Act: TypeAlias = Callable[[Runner, str, str], Awaitable[list[str]]]

_ACTS: dict[str, _Act] = {
    "show_tournament": _show,
    "pause_tournament": _pause,
    "resume_tournament": _resume,
    "stop_tournament": _stop,
    "set_concurrency": _set_concurrency,
    "at_game": _at_game,
    "adjudicate_game": _adjudicate,
    "replay_game": _replay,
    "quarantine_player": _quarantine,
    "admit_player": _admit,
    "list_rulings": _list_rulings,
    "undo_ruling": _undo_ruling,
}
COMMANDS = tuple(_ACTS)
