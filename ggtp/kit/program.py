"""An engine as a program: the command line, the main loop, and how it ends.

    if __name__ == "__main__":
        sys.exit(run(MyEngine()))

Questions are answered at once and in order, also while the engine thinks. The program ends
when the referee says `disconnect_engine`, when the channel closes, or when whoever started
it is gone; it never stays behind.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TextIO

from ggtp.errors import ConnectionLost, EngineError, GgtpError, RemoteProtocolError
from ggtp.game import Move, Rules
from ggtp.kit.engine import Budget, CannotChoose, Engine, Game
from ggtp.kit.front.shared_move import NOTHING, Slate
from ggtp.kit.rulebook import compile_in_background
from ggtp.kit.session import HAVE_TO_PLAY, Session, read_command
from ggtp.kit.settings import PLAYER, RULE, RULE_OPTIONS
from ggtp.kit.thinker import Thinker
from ggtp.processes.bounds import parent_signal
from ggtp.protocol.codec import encode_answer, shown
from ggtp.protocol.commands import ENGINE
from ggtp.protocol.messages import ACKNOWLEDGE, Command
from ggtp.protocol.text import one_line
from ggtp.transport.client import Channel, connect

DONE, FAILED, USAGE = 0, 1, 2

SWITCH_SECONDS = 0.001
"""How long a search in pure Python may keep the interpreter from answering a question."""
PARENT_SECONDS = 2.0
"""How often to look whether the parent is there, where the system does not tell."""

_ACKNOWLEDGE_LINE = encode_answer(ACKNOWLEDGE)


class Program:
    """The main loop of an engine on a channel."""

    def __init__(
        self,
        session: Session,
        channel: Channel,
        log: Callable[[str], None],
        orphaned: Callable[[], bool] | None = None,
        abort: Callable[[], None] | None = None,
        slate: Slate | None = None,
    ) -> None:
        """The loop, not yet running.

        Args:
            session: what answers.
            channel: where the referee is.
            log: where complaints go.
            orphaned: asked now and then whether to give up; None where nobody needs to ask.
            abort: ends the program from another thread, after the engine has failed there.
            slate: where the best move so far is noted, where a front answers in time: see `ggtp.kit.front.front`.
        """
        self._session = session
        self._engine = session.engine
        self._channel = channel
        self._log = log
        self._orphaned = orphaned
        self._abort = abort or _abort
        self._slate = slate
        self._requests = 0
        """How many there were."""
        self._any = random.Random()
        session.send_message = lambda answer: channel.send(encode_answer(answer))
        self._thinker = None if self._engine.instant else Thinker(self._engine, self._select, self._failed)

    def serve(self) -> int:
        """Answer until the end, and return the program's exit status."""
        session, send = self._session, self._channel.send
        receive = self._receive if self._orphaned is not None else self._channel.receive
        try:
            while not session.ended:
                line = receive()
                if line is None:
                    break
                try:
                    command = read_command(line)
                except RemoteProtocolError as error:
                    # The protocol has no answer to what is not in it.
                    self._log(f"{error}: {error.line}")
                    continue
                if command is None:
                    continue
                if command.name == HAVE_TO_PLAY:
                    game, budget = self._asked(command)
                    if self._thinker is not None:
                        self._channel.flush()  # the search would slow the main thread down
                        self._thinker.ask(game, budget)
                    else:
                        self._select(budget, self._engine.choose(game, budget))
                    continue
                if command.name == "start":
                    self._channel.flush()  # a new game may be a long business
                if self._thinker is not None and session.withdraws(command):
                    self._thinker.withdraw()
                    if command.name == "start":
                        # The engine hears of the new game when it has let go of the old one.
                        with self._thinker.resting:
                            answer = session.answer(command)
                        self._note_ahead()
                        send(encode_answer(answer))
                        continue
                answer = session.answer(command)
                if ENGINE[command.name].changes:
                    self._note_ahead()
                send(_ACKNOWLEDGE_LINE if answer is ACKNOWLEDGE else encode_answer(answer))
        except (ConnectionLost, CannotChoose, EngineError) as error:
            self._complain(error)
            return FAILED
        finally:
            if self._thinker is not None:
                self._thinker.withdraw()
            self._channel.close()
            session.close()
            self._engine.close()
        return DONE

    def _receive(self) -> bytes | None:
        """The next line, or None where there is none to come or nobody to answer."""
        while True:
            try:
                return self._channel.receive(PARENT_SECONDS)
            except TimeoutError:
                if self._orphaned is not None and self._orphaned():
                    return None

    def _note_ahead(self) -> None:
        """Have something noted for the request that may come next, before anybody waits for it."""
        if self._slate is not None:
            moves = self._session.ahead()
            # Not the first one: in Chomp that would be the poisoned square, always.
            self._slate.note(self._requests + 1, self._any.choice(moves) if moves else NOTHING)

    def _asked(self, command: Command) -> tuple[Game, Budget]:
        slate = self._slate
        if slate is None:
            return self._session.asked(command)
        self._requests += 1
        request = self._requests
        game, budget = self._session.asked(command, lambda move: slate.note(request, move))
        budget.request = request
        if game.rules.traits.hidden:  # else something is noted already
            slate.note(request, game.moves()[0])
        return game, budget

    def _select(self, budget: Budget, move: Move) -> None:
        line = encode_answer(self._session.selected(move))
        self._channel.send(line if self._slate is None else b"%d %b" % (budget.request, line))

    def _failed(self) -> None:
        error = sys.exc_info()[1]
        if isinstance(error, ConnectionLost):
            return  # the main loop sees the same, and ends
        if isinstance(error, CannotChoose | EngineError):
            self._complain(error)
        else:
            traceback.print_exc()
        self._engine.close()
        self._abort()

    def _complain(self, error: GgtpError) -> None:
        """Last words: those of a program that has let the engine down, and then what happened, in a sentence."""
        for line in error.last_words.splitlines() if isinstance(error, EngineError) else ():
            self._log(line)
        self._log(str(error))


class LoggedChannel(Channel):
    """A channel that writes down what goes through it: `>` before what the referee says, `<` before answers."""

    def __init__(self, channel: Channel, file: TextIO) -> None:
        self._channel = channel
        self._file = file
        self._begun = time.monotonic()

    def receive(self, timeout: float | None = None) -> bytes | None:
        line = self._channel.receive(timeout)
        self._write("(end)" if line is None else f"> {line.decode(errors='replace')}")
        return line

    def send(self, line: bytes) -> None:
        self._channel.send(line)
        self._write(f"< {line.decode(errors='replace')}")

    def flush(self) -> None:
        self._channel.flush()

    def close(self) -> None:
        self._channel.close()

    def _write(self, text: str) -> None:
        self._file.write(f"{time.monotonic() - self._begun:10.6f} {one_line(text)}\n")
        self._file.flush()


def run(engine: Engine, argv: Sequence[str] | None = None) -> int:
    """Be an engine program: read the command line, connect, and answer until the end.

    Args:
        engine: who chooses.
        argv: the command line without the program's name; None for the real one.

    Returns:
        The exit status: 0 done, 1 failed, 2 a wrong command line.
    """
    args = _parser(engine).parse_args(argv)
    if not engine.instant:
        sys.setswitchinterval(SWITCH_SECONDS)
    # The terminal's Ctrl-C is for the referee, which tells its engines when it ends.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if engine.guarded and sys.platform == "linux":
        with suppress(BlockingIOError):  # there may be no more processes: then it has to do without
            return _run_guarded(engine, args)
    log = logger(engine.name)
    session = _session(engine, args, log)
    if session is None:
        return USAGE
    channel, orphaned, status = _channel(engine, args)
    return status if channel is None else Program(session, channel, log, orphaned).serve()


def _run_guarded(engine: Engine, args: argparse.Namespace) -> int:
    """Be two processes: one that thinks, and in front of it one that answers in time."""
    from ggtp.kit.front.front import READY, Front, Rear, part  # other engines need none

    parted = part(_find_rules, spare=engine.spare)
    if isinstance(parted, Rear):
        if not parted.ready():
            return parted.end()
        outer, _, status = _channel(engine, args)
        if outer is None:
            parted.hang_up()
            parted.end()
            return status
        return Front(parted, outer).serve()
    slate, channel = parted
    log = logger(engine.name)
    session = _session(engine, args, log)
    if session is None:
        return USAGE
    channel.send(READY)
    return Program(session, channel, log, slate=slate).serve()


def _session(engine: Engine, args: argparse.Namespace, log: Callable[[str], None]) -> Session | None:
    """A session with the options of the command line; None, with a word why, where they are wrong."""
    session = Session(engine, _find_rules, log, compile_rules=compile_in_background)
    try:
        for name, value in ((RULE, args.rule), (RULE_OPTIONS, args.rule_options), (PLAYER, args.player)):
            if value is not None:
                session.set_option(name, value)
    except GgtpError as error:
        log(str(error))
        return None
    return session


def _channel(
    engine: Engine, args: argparse.Namespace
) -> tuple[Channel | None, Callable[[], bool] | None, int]:  # fmt: skip
    """The channel to the referee, and what to ask now and then whether it is gone; or else an exit status."""
    log = logger(engine.name)
    # Over plain TCP the end of the connection says it all, and such an engine may have been started by hand.
    tied = args.endpoint == "-" or "://" in args.endpoint
    orphaned = _tie_to_parent() if tied else None
    try:
        channel = connect(args.endpoint)
    except (GgtpError, ValueError, OSError) as error:
        log(str(error))
        return None, None, FAILED
    if args.log is not None:
        try:
            channel = LoggedChannel(channel, open(args.log, "a", encoding="utf-8"))  # noqa: SIM115  until the end
        except OSError as error:
            log(f"cannot write {shown(args.log)}: {error.strerror}")
            return None, None, USAGE
    return channel, orphaned, DONE


def _parser(engine: Engine) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=engine.name,
        description=f"{engine.name}, an engine that plays through the General Gaming Text Protocol.",
    )
    parser.add_argument(
        "endpoint",
        nargs="?",
        default="-",
        help="where the referee is: ipc://... or tcp://... (ZeroMQ), host:port, or - for standard input and output",
    )
    parser.add_argument("--rule", metavar="NAME", help="the game, for referees that do not set the option rule")
    parser.add_argument("--rule-options", metavar="MAP", help="the options of the game, as in size=8, komi=6.5")
    parser.add_argument("--player", metavar="NAME", help="for whom to play, for referees that do not say it")
    parser.add_argument("--log", metavar="FILE", help="append all that is said to this file")
    parser.add_argument("--version", action="version", version=f"{engine.name} {engine.version}")
    return parser


def logger(name: str) -> Callable[[str], None]:
    def log(text: str) -> None:
        # Standard error may be gone, which is no reason to stop playing.
        with suppress(OSError, ValueError):
            sys.stderr.write(f"{name}: {one_line(text)}\n")
            sys.stderr.flush()

    return log


def _find_rules(name: str) -> Rules:
    # The catalogue is needed once, and an engine should be up fast.
    from ggtp.catalogue import Catalogue

    return Catalogue.from_environment(os.environ).find_rules(name)


def _abort() -> None:
    with suppress(OSError, ValueError):
        sys.stderr.flush()
    # The main thread may be waiting for the referee, and nothing else would wake it.
    os._exit(FAILED)


def _tie_to_parent() -> Callable[[], bool] | None:
    """Arrange to end with the parent. Returns what to ask now and then, or None where the system sees to it."""
    parent = os.getppid()

    def orphaned() -> bool:
        return os.getppid() != parent

    if sys.platform != "linux":
        return orphaned

    def told(signum: int, frame: object) -> None:
        # The signal also comes when only the thread that started us has ended.
        if orphaned():
            os._exit(FAILED)

    signal.signal(signal.SIGUSR1, told)
    tied = parent_signal()(int(signal.SIGUSR1))
    told(signal.SIGUSR1, None)  # it may have gone before the system was told to watch it
    return None if tied else orphaned
