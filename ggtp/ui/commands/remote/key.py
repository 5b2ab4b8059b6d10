"""`ggtp key`: make a key, or show the public part of one."""

from __future__ import annotations

import argparse
from pathlib import Path

from ggtp.driver.remote.admission import Keyring, own_key
from ggtp.ui.commands.remote.arguments import keyring_of
from ggtp.ui.console.arguments import Parser
from ggtp.ui.console.environment import Environment, ExitStatus
from ggtp.ui.console.output import complain, say


def add_arguments(parser: Parser) -> None:
    """The arguments of `ggtp key`."""
    parser.add_argument("file", nargs="?", type=Path, metavar="FILE", help="the key's file; left out: the usual one")


def run(env: Environment, args: argparse.Namespace) -> ExitStatus:
    """Show the public part of the key, which is made if there is none."""
    usual = keyring_of(env)
    keyring = Keyring(args.file, usual.known) if args.file is not None else usual
    fresh = not keyring.own.exists()
    pair = own_key(keyring)
    if fresh:
        complain(env.stderr, f"made {keyring.own}; keep it to yourself, and give others what follows")
    say(env.stdout, pair.public.hex())
    return ExitStatus.DONE
