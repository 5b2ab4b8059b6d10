"""The command line: what to run, and how it ended. The only place that catches everything."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Sequence
from contextlib import nullcontext, redirect_stdout, suppress
from typing import Literal, NoReturn, TextIO

from ggtp import __version__
from ggtp.errors import GgtpError, PlacedError, clipped
from ggtp.ui.console.arguments import MOST_KEY, Parser, whole_number
from ggtp.ui.console.environment import Environment, ExitStatus
from ggtp.ui.console.output import complain, say
from ggtp.ui.subcommands import SUBCOMMANDS, summaries

__all__ = ["SUBCOMMANDS", "ExitStatus", "main"]

USAGE = """ggtp [--seed N] [FILE]
       ggtp [--seed N] --batch FILE...
       ggtp SUBCOMMAND ..."""

DESCRIPTION = """A referee for all discrete games. Commands are typed at the prompt, or come from a pipe;
a FILE is a play to begin with. At the prompt, `help` tells what can be said."""

EPILOG = """
A file that is called like a subcommand is given as ./FILE. `ggtp SUBCOMMAND --help` and
`ggtp help TOPIC` tell more.

exit status: 0 done, 1 refused or failed, 2 wrong usage, 3 interrupted, 4 a bug of ours"""

WORD = re.compile(r"[A-Za-z][\w-]*")
"""What looks like a subcommand: files commonly have a dot or a slash in what they are called."""


def main(argv: Sequence[str] | None = None, env: Environment | None = None) -> int:
    """The command `ggtp`: runs it and answers the exit status. Errors are told on standard error."""
    words = list(sys.argv[1:] if argv is None else argv)
    env = env or _process_environment()
    # What a guest prints is no line of the protocol, nor of anybody's JSON.
    with nullcontext() if env.interactive else redirect_stdout(env.stderr):
        status = _guarded(lambda: program(words, env), env, debug="--debug" in words)
    status = max(status, _guarded(lambda: _flush(env), env, debug=False))
    return status


def program(words: Sequence[str], env: Environment) -> ExitStatus:
    """What `main` does, without the handling of errors."""
    index = _first_word(words)
    if index is not None:
        word = words[index]
        if word in SUBCOMMANDS:
            return SUBCOMMANDS[word].run(env, [*words[:index], *words[index + 1 :]])
        if WORD.fullmatch(word) and not os.path.exists(word):
            _refuse_word(word, env)
    args = _parser(env).parse_args(words)
    if args.version:
        say(env.stdout, f"ggtp {__version__}")
        return ExitStatus.DONE
    if args.batch:
        return _batch(env, args.batch, args.seed)
    if args.file and args.file != "-":
        return _play(env, args.file, args.seed)
    return _play(env, "", args.seed, piped=args.file == "-")


def _parser(env: Environment) -> Parser:
    epilog = "subcommands:\n" + "\n".join(summaries(list(SUBCOMMANDS.values()))) + "\n" + EPILOG
    parser = Parser(env, "ggtp", usage=USAGE, description=DESCRIPTION, epilog=epilog)
    either = parser.add_mutually_exclusive_group()
    either.add_argument("file", nargs="?", metavar="FILE", help="a play file to begin with; - is the standard input")
    either.add_argument(
        "--batch",
        nargs="+",
        metavar="FILE",
        help="carry out each file as a play of its own and print what happens; - is the standard input",
    )
    parser.add_argument("--seed", type=whole_number(0, MOST_KEY), metavar="N", help="begin the draws of chance from N")
    parser.add_argument("--version", action="store_true", help="show the version and leave")
    return parser


def _first_word(words: Sequence[str]) -> int | None:
    """Where the first word stands that is no option, nor the value of one; None where options decide."""
    index = 0
    while index < len(words):
        if words[index] in ("--batch", "--"):
            return None
        if words[index] == "--seed":
            index += 1
        elif not words[index].startswith("-"):
            return index
        index += 1
    return None


def _refuse_word(word: str, env: Environment) -> NoReturn:
    from ggtp.game.names import near_names
    from ggtp.protocol.commands import SUPERVISOR

    hint = ""
    near = near_names(word, SUBCOMMANDS, most=1)
    if word in SUPERVISOR:
        hint = "; it is a command for the prompt: start ggtp and type it there"
    elif near:
        hint = f"; did you mean {near[0]}?"
    _parser(env).error(f"no file and no subcommand is called {word}{hint}")


def _play(env: Environment, file: str, seed: int | None, *, piped: bool = False) -> ExitStatus:
    if env.interactive and not piped:
        from ggtp.ui.prompt.prompt import run_prompt

        return run_prompt(env, load=file, seed=seed)
    from ggtp.ui.batch import run_pipe

    return run_pipe(env, load=file, seed=seed)


def _batch(env: Environment, files: Sequence[str], seed: int | None) -> ExitStatus:
    from ggtp.ui.batch import read_script, read_stream, run_script
    from ggtp.ui.console.waiting import waiting

    worst = ExitStatus.DONE
    for file in files:
        try:
            with waiting(env.stderr, f"{file} to end") if os.path.exists(file) else nullcontext():
                text = read_stream(env.stdin) if file == "-" else read_script(file)
        except (OSError, ValueError) as error:
            _tell(env, f"{file}: {(isinstance(error, OSError) and error.strerror) or error}")
            worst = max(worst, ExitStatus.REFUSED)
            continue
        if len(files) > 1:
            say(env.stdout, f"# {file}")
        worst = max(worst, run_script(env, text, seed=seed))
        if worst is ExitStatus.INTERRUPTED:
            break
    return worst


# How it ended.


def _guarded(work: Callable[[], ExitStatus], env: Environment, *, debug: bool) -> ExitStatus:
    """The status of the work, whatever comes of it."""
    try:
        return work()
    except SystemExit as stop:  # argparse leaves in this way
        return ExitStatus(stop.code) if stop.code in list(ExitStatus) else ExitStatus.BUG
    except BrokenPipeError:
        # Whoever read our output has seen enough. That is how `head` ends, and no fault.
        return ExitStatus.DONE
    except KeyboardInterrupt:
        _trace(env, debug)
        _tell(env, "interrupted")
        return ExitStatus.INTERRUPTED
    except GgtpError as error:
        _trace(env, debug)
        _tell(env, clipped(str(error)), *(error.caret() if isinstance(error, PlacedError) else ()))
        return ExitStatus.REFUSED
    except OSError as error:
        _trace(env, debug)
        _tell(env, f"{error.filename}: {error.strerror}" if error.filename else error.strerror or str(error))
        return ExitStatus.REFUSED
    except Exception as error:  # noqa: BLE001 - the edge: nobody above could do better
        _trace(env, debug)
        what = f"{type(error).__name__}: {error}".removesuffix(": ")
        details = "" if debug else "; run with --debug for the details"
        _tell(env, f"internal error: {' '.join(what.split())}{details}")
        python = ".".join(map(str, sys.version_info[:3]))
        _tell(
            env, f"please report it with the command, its input and the details (ggtp {__version__}, Python {python})"
        )
        return ExitStatus.BUG


def _tell(env: Environment, text: str, *more: str) -> None:
    with suppress(OSError, ValueError):  # nobody listens: then there is nobody to tell that
        complain(env.stderr, "\n".join((text, *more)))


def _trace(env: Environment, debug: bool) -> None:
    if debug:
        from traceback import format_exc

        with suppress(OSError, ValueError):
            env.stderr.write(format_exc())


def _flush(env: Environment) -> ExitStatus:
    """Write out what is left. A stream that can't be written is put away, or Python would complain at its end."""
    try:
        env.stdout.flush()
    except OSError:
        with suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), env.stdout.fileno())
        raise
    return ExitStatus.DONE


def _process_environment() -> Environment:
    """The streams of the process, made safe: a closed one is empty, and no character is too strange to print."""
    env = Environment(stdin=_or_nothing(sys.stdin, "r"), stdout=_or_nothing(sys.stdout, "w"))
    env.stderr = _or_nothing(sys.stderr, "w")
    reconfigure = getattr(env.stdout, "reconfigure", None)
    if reconfigure is not None and env.stdout.errors == "strict":
        reconfigure(errors="backslashreplace")
    return env


def _or_nothing(stream: TextIO | None, mode: Literal["r", "w"]) -> TextIO:
    # Python has None for a stream that was closed before it began, as by `>&-` in a shell.
    return open(os.devnull, mode, encoding="utf-8") if stream is None else stream
