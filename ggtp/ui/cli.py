"""The command line: what to run, and how it ended. The only place that catches everything."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from ggtp import __version__
from ggtp.ui.environment import Environment, ExitStatus


def main(argv: Sequence[str] | None = None) -> int:
    """The command `ggtp`."""
    from ggtp.ui.batch import run_pipe, run_script

    args = list(sys.argv[1:] if argv is None else argv)
    env = Environment()
    if args[:1] == ["--version"]:
        print(f"ggtp {__version__}")
        return 0
    if args[:1] == ["--batch"]:
        return max(run_script(env, open(name).read()) for name in args[1:])
    return run_pipe(env, load=args[0] if args else "")


__all__ = ["ExitStatus", "main"]
