"""Arguments of the subcommands that connect to a referee on another machine."""

from __future__ import annotations

import argparse
from pathlib import Path

from ggtp.driver.remote.admission import Keyring, usual_keyring
from ggtp.driver.remote.outpost import Referee
from ggtp.ui.console.arguments import Parser, seconds
from ggtp.ui.console.environment import Environment


def add_remote_arguments(parser: Parser) -> None:
    """`--key`, `--server-key` and `--silence`."""
    parser.add_argument(
        "--key", metavar="FILE", type=Path, help="our key, as ggtp key makes it; left out: the usual one"
    )
    parser.add_argument(
        "--server-key", metavar="KEY", required=True, help="the referee's public key, which it shows when it listens"
    )
    parser.add_argument(
        "--silence",
        metavar="SECONDS",
        type=seconds,
        default=10.0,
        help="how long the referee may give no sign of life before the connection is lost",
    )


def keyring_of(env: Environment) -> Keyring:
    """The user's keys."""
    return usual_keyring(env.variables)


def referee_of(env: Environment, address: str, args: argparse.Namespace) -> Referee:
    """The referee that the arguments name.

    Raises:
        GgtpError: the address or a key is none, or there is no key file.
    """
    return Referee.read(address, args.server_key, args.key, keyring_of(env), args.silence)
