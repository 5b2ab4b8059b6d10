"""Arguments of the command line: argparse with our words, and with the streams of the environment."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from ggtp.ui.console.environment import Environment, ExitStatus
from ggtp.ui.console.output import complain

MOST_SEED = 2**63 - 1
"""The largest number that begins the chance of a tool, as of a check."""

MOST_KEY = 2**128 - 1
"""The largest value of the referee's option `seed`: `game.chance.MOST_KEY`, without an import that takes a while."""


class Parser(argparse.ArgumentParser):
    """A parser that takes whole option names only, suggests the ones that were meant, and says `ggtp: ...`.

    Every parser knows `--help` and `--debug`.
    """

    def __init__(self, env: Environment, prog: str, **kwargs: Any) -> None:
        """`kwargs` are those of argparse."""
        super().__init__(
            prog=prog,
            allow_abbrev=False,
            add_help=False,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            **kwargs,
        )
        self._env = env
        self.add_argument("-h", "--help", action="help", help="show this help and leave")
        self.add_argument("--debug", action="store_true", help="show where an error comes from")

    def parse_args(  # type: ignore[override]  # argparse has overloads for other kinds of namespaces
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> argparse.Namespace:
        """The arguments, all of them known.

        Raises:
            SystemExit: with status 2 after saying what is wrong, with 0 after showing help.
        """
        known, unknown = self.parse_known_args(args, namespace)
        if unknown:
            self.error(self._unknown(unknown[0]))
        return known

    def error(self, message: str) -> NoReturn:
        """Say what is wrong, and how it is used."""
        self._env.stderr.write(self.format_usage())
        complain(self._env.stderr, message)
        raise SystemExit(ExitStatus.USAGE)

    def _print_message(self, message: str, file: Any = None) -> None:
        # argparse writes to the streams of the process. All that it still writes itself is help that was asked for.
        self._env.stdout.write(message)

    def _unknown(self, word: str) -> str:
        from ggtp.game.names import near_names  # when it is needed: it is a tenth of the time to start

        if not word.startswith("-"):
            return f"there is no use for {word}"
        near = near_names(word.split("=")[0], self._option_string_actions, most=1)
        return f"no option {word}" + (f"; did you mean {near[0]}?" if near else "")


def whole_number(low: int, high: int) -> Callable[[str], int]:
    """Reads whole numbers within bounds, in plain digits."""

    def read(text: str) -> int:
        # Python reads '1_000' and the digits of every script too.
        if text.isascii() and text.isdigit() and len(text) <= max(20, len(str(high))) and low <= int(text) <= high:
            return int(text)
        raise argparse.ArgumentTypeError(f"{text} is no whole number from {low} to {high}")

    return read


def chosen_key(seed: int | None) -> int:
    """The key of a run's chance: the seed that was given, or one that nobody can guess."""
    import random

    from ggtp.game.chance import new_key  # when it is needed: help and usage need none of it

    return new_key(random.SystemRandom()) if seed is None else seed


def milliseconds(low: int, high: int) -> Callable[[str], int]:
    """Reads times within bounds: plain numbers are milliseconds, and others have units, as in `5s`."""

    def read(text: str) -> int:
        from ggtp.game.durations import EXAMPLES, whole_milliseconds  # when it is needed, as above

        value = whole_milliseconds(text)
        if value is None or not low <= value <= high:
            raise argparse.ArgumentTypeError(
                f"{text} is no time from {low} to {high} milliseconds: write a number of them, or {EXAMPLES}"
            )
        return value

    return read


def seconds(text: str) -> float:
    """Reads a time of more than none and at most a day: plain numbers are seconds, and others have units."""
    from ggtp.game.durations import EXAMPLES, read_milliseconds  # when it is needed, as above

    exact = read_milliseconds(text, "s")
    try:
        value = float(text) if exact is None else float(exact / 1000)
    except ValueError:
        value = 0.0
    if not 0 < value <= 86_400:
        raise argparse.ArgumentTypeError(f"{text} is no time in seconds from 0 to 86400, nor one such as {EXAMPLES}")
    return value


def part(text: str) -> tuple[int, int]:
    """Reads `K/N`, one of N parts."""
    number, slash, of = text.partition("/")
    known = slash and all(word.isascii() and word.isdigit() and len(word) < 7 for word in (number, of))
    if not known or not 1 <= int(number) <= int(of):
        raise argparse.ArgumentTypeError(f"{text} is no part: write K/N, such as 1/3 for the first of three")
    return int(number), int(of)


def setting(text: str) -> tuple[str, str]:
    """Reads an option and its value."""
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise argparse.ArgumentTypeError(f"{text} is not of the form NAME=VALUE")
    return name, value
