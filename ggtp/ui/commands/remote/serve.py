"""`ggtp serve`: referee a play whose engines and people may be on other machines."""

from __future__ import annotations

import argparse
from pathlib import Path

from ggtp.driver.remote.admission import Keyring
from ggtp.ui.commands.remote.arguments import keyring_of
from ggtp.ui.console.arguments import MOST_KEY, Parser, whole_number
from ggtp.ui.console.environment import Environment, ExitStatus


def add_arguments(parser: Parser) -> None:
    """The arguments of `ggtp serve`."""
    parser.add_argument("address", metavar="ADDRESS", help="where to listen: host:port, with * for every interface")
    parser.add_argument("file", nargs="?", default="", metavar="FILE", help="a play file to begin with")
    parser.add_argument("--key", metavar="FILE", type=Path, help="the referee's key; left out: the usual one")
    parser.add_argument("--known", metavar="FILE", type=Path, help="the known keys; left out: the usual file")
    parser.add_argument("--anyone", action="store_true", help="let in those, too, whose key is not known")
    parser.add_argument("--seed", type=whole_number(0, MOST_KEY), metavar="N", help="begin the draws of chance from N")


def run(env: Environment, args: argparse.Namespace) -> ExitStatus:
    """Listen, then be `ggtp`: at a prompt, or by the commands of the standard input, whose end is not the end."""
    usual = keyring_of(env)
    keyring = Keyring(args.key or usual.own, args.known or usual.known)
    first = f"listen {args.address}{' anyone' if args.anyone else ''}"
    if env.interactive:
        from ggtp.ui.prompt.prompt import run_prompt

        return run_prompt(env, load=args.file, seed=args.seed, keyring=keyring, first=first)
    from ggtp.ui.batch import run_pipe

    return run_pipe(env, load=args.file, seed=args.seed, keyring=keyring, serve=first)
