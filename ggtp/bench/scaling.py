"""What benchmarks share that measure MCTS with more and more threads or workers: their options, and what they tell."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from ggtp.ui.console.arguments import seconds, whole_number
from ggtp.ui.console.environment import Environment, ExitStatus

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


def add_arguments(parser: argparse.ArgumentParser, game: str, many: str) -> None:
    """The options that they share.

    Args:
        parser: where they go.
        game: what kind of rule is wanted.
        many: what there are more and more of.
    """
    parser.add_argument("--rule", default="gdl/connectfour", help=f"{game} (default gdl/connectfour)")
    parser.add_argument("--seconds", type=seconds, default=5.0, help="how long each search lasts (default 5)")
    parser.add_argument(
        f"--{many}", type=whole_number(1, 1024), help=f"up to how many {many} (default as many as there are cores)"
    )


def counts(most: int) -> Iterator[int]:
    """1, 2, 4 and so on, and the most."""
    count = 1
    while count < most:
        yield count
        count *= 2
    yield most


def tell(
    env: Environment, args: argparse.Namespace, results: Sequence[DataclassInstance], lines: Sequence[str]
) -> ExitStatus:
    """Print one line of JSON, or the lines for people."""
    if args.json:
        told = {"rule": args.rule, "seconds": args.seconds, "results": [asdict(result) for result in results]}
        env.stdout.write(json.dumps(told) + "\n")
    else:
        env.stdout.write("\n".join(lines) + "\n")
    return ExitStatus.DONE
