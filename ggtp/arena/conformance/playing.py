"""Checks of how an engine plays: moves, time, and what happens to a move that nobody wants any more."""

from __future__ import annotations

import time

from ggtp.arena.conformance.board import Board
from ggtp.arena.conformance.subject import Subject
from ggtp.arena.conformance.talk import Broken
from ggtp.arena.conformance.verdict import Check
from ggtp.arena.lateness import family_times, kept_waiting
from ggtp.game import TurnKind
from ggtp.game.clock import MoveTime
from ggtp.protocol.introduction import turn_news

MOVE_MS = 300
"""The time for each move of a game that is played to its end."""
MARGIN = 0.1
"""The seconds that a move may be late: the referee's usual margin."""
MOST_MOVES = 60
"""After so many moves of the engine a game is long enough."""
DELAYS = (1000, 300, 100)
"""The milliseconds for single moves."""
LONG_MS = 30_000
"""A time that a search may take, where it is withdrawn."""
BUSY = "; some moves were late since the machine was busy"
SETTLING = 0.3
"""The seconds for which a stale move is waited for; it would be found in the next check otherwise."""


async def moves(subject: Subject, check: Check) -> None:
    """It plays whole games with legal moves in time."""
    made, hidden = 0, 0
    times: list[MoveTime] = []
    for _ in range(subject.games):
        board = await subject.board()
        for _ in range(MOST_MOVES):
            await board.others()
            if board.over:
                break
            times.append(await _one_move(subject, board, MOVE_MS))
            made += 1
        hidden += board.hidden
    subject.hidden = hidden
    worst = max((taken.elapsed for taken in times), default=0.0)
    games = f"{subject.games} game{'s' * (subject.games != 1)}"
    check.text = f"{made} legal moves in {games}, {MOVE_MS} ms each; the latest came after {1000 * worst:.0f} ms"
    if not made:
        check.skip("it was never its turn")
    for taken in times:
        _judge(check, taken)


async def hidden_turns(subject: Subject, check: Check) -> None:
    """It goes on where moves are hidden from it."""
    if not subject.rules.traits.hidden:
        check.skip(f"{subject.rules.name} has no secrets")
    elif not subject.hidden:
        check.skip("nothing was hidden from it in these games")
    else:
        check.text = f"{subject.hidden} moves of the games above were hidden from it, at least in part"


async def lateness(subject: Subject, check: Check) -> None:
    """It moves within the delay that it is told."""
    board = await _its_turn(subject)
    if board is None:
        check.skip("it was never its turn")
        return
    found = []
    for delay in DELAYS:
        taken = await _one_move(subject, board, delay)
        found.append(f"{1000 * taken.elapsed:.0f} of {delay} ms")
        _judge(check, taken)
        await board.others()
        if board.over:
            board = await _its_turn(subject)
            assert board is not None
    check.text = f"took {', '.join(found)}{check.text}"


async def thinking(subject: Subject, check: Check) -> None:
    """It answers questions while it thinks."""
    board = await _its_turn(subject)
    if board is None:
        check.skip("it was never its turn")
        return
    talk = await subject.talk()
    await _request(subject, board, 1000)
    began = time.monotonic()
    await talk.ask("get_table", "0")
    taken = time.monotonic() - began
    if talk.selections:
        check.text = "the move was there before the answer"
        if taken > 0.5:
            check.warn(f"A question was answered after {1000 * taken:.0f} ms, when the move was chosen.")
    else:
        check.text = f"a question was answered after {1000 * taken:.0f} ms, before the move"
    await board.select((await talk.move(1.0 + subject.patience)).move)


async def withdrawal(subject: Subject, check: Check) -> None:
    """A search that is withdrawn ends, and its move is not sent after the acknowledge."""
    board = await _its_turn(subject)
    if board is None:
        check.skip("it was never its turn")
        return
    talk = await subject.talk()
    await _request(subject, board, LONG_MS)
    began = time.monotonic()
    await talk.ask("undone_move" if board.steps else "start")
    stale = talk.drop()  # from here on nobody waits for a move
    if board.steps:
        await talk.ask("redone_move")
    check.text = f"withdrawn within {1000 * (time.monotonic() - began):.0f} ms"
    if stale:
        check.text += "; the stale move came before the acknowledge, as it may"
    late = await talk.anything(SETTLING)
    if late:
        raise Broken(f"{late} came after the search was withdrawn and that was acknowledged.")
    taken = await _one_move(subject, board, 1000)
    if taken.blame == "late":
        check.warn(f"The next move took {1000 * taken.elapsed:.0f} ms of 1000 ms: the withdrawn search may still run.")


async def illegal_move(subject: Subject, check: Check) -> None:
    """Told that a move is illegal, it selects another one when it is asked again."""
    board = await _its_turn(subject)
    if board is None:
        check.skip("it was never its turn")
        return
    if subject.rules.traits.hidden or board.position.turn().kind is TurnKind.RACE:
        check.skip("in a game with secrets, or a race, a refusal that is made up would mislead it")
        return
    talk = await subject.talk()
    await _request(subject, board, MOVE_MS)
    first = (await talk.move(MOVE_MS / 1000 + subject.patience)).move
    await talk.ask("illegal_move", f"{first} only to see what it does")
    await _request(subject, board, MOVE_MS)
    second = (await talk.move(MOVE_MS / 1000 + subject.patience)).move
    check.text = f"selected {first}, and when that was refused, {second}"
    if first == second and len(board.position.moves(subject.player)) > 1:
        check.warn(f"It selects {first} again, so a policy of asking again can't help it.")
    await board.select(second)


async def undo_and_redo(subject: Subject, check: Check) -> None:
    """After steps back and forward it plays on from the right place."""
    board = await _its_turn(subject)
    if board is None:
        check.skip("it was never its turn")
        return
    await _one_move(subject, board, MOVE_MS)
    await board.others()
    steps = list(board.steps)
    for _ in steps:
        await board.back()
    for step in steps:
        await board.forward(step)
    check.text = f"{len(steps)} steps back and forward"
    if not board.over:
        await _one_move(subject, board, MOVE_MS)
        check.text += ", then a legal move"
    while (board.steps and not board.its_turn) or board.over:
        await board.back()
    # Another move than before: a branch.
    if board.its_turn:
        await board.any_move()
        await board.others()
        if not board.over:
            await _one_move(subject, board, MOVE_MS)
            check.text += ", and one on another branch"


async def _its_turn(subject: Subject) -> Board | None:
    """A game in which it is the engine's turn after a move or two; None where it never is."""
    board = await subject.board()
    await board.others()
    if not board.over and not board.steps:
        await board.any_move()
        await board.others()
    if board.over:  # a short game: at its beginning, then
        board = await subject.board()
        await board.others()
    return None if board.over else board


def _judge(check: Check, taken: MoveTime) -> None:
    """A late move is a fault, unless the machine kept the engine waiting."""
    if taken.blame == "late":
        check.fail(f"A move took {1000 * taken.elapsed:.0f} ms of {1000 * taken.limit:.0f} ms: late moves are faults.")
    elif taken.blame == "machine" and BUSY not in check.text:
        check.text += BUSY


async def _one_move(subject: Subject, board: Board, delay: int) -> MoveTime:
    """Ask for a move, and make it; the time that it took.

    Raises:
        Broken: there is none, or it is not legal.
    """
    talk = await subject.talk()
    before = {} if talk.pid is None else family_times(talk.pid)
    asked = await _request(subject, board, delay)
    selection = await talk.move(delay / 1000 + subject.patience)
    elapsed = selection.at - asked
    pid = talk.pid if elapsed > delay / 1000 + MARGIN else None
    waited = 0.0 if pid is None else kept_waiting(before, family_times(pid), elapsed)
    await board.select(selection.move)
    return MoveTime(elapsed, delay / 1000, MARGIN, waited)


async def _request(subject: Subject, board: Board, delay: int) -> float:
    """Ask for a move; when that was. An engine that wants to be told its moves and its view is told them."""
    talk, position, player = await subject.talk(), board.position, subject.player
    news = turn_news(subject.listed, lambda: position.moves(player), lambda: position.view(player))
    for name, value in news.items():
        await talk.ask("set_option", name, value)
    return talk.ask_move(delay)
