"""`ggtp help`: a command, a topic, a subcommand, or a page of the manual."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from ggtp.errors import CommandError
from ggtp.game.names import match_name, near_names
from ggtp.protocol.commands import SUPERVISOR
from ggtp.referee.helptext import TOPICS, help_lines
from ggtp.ui.console.environment import Environment, ExitStatus
from ggtp.ui.console.output import say
from ggtp.ui.manual import pages as manual
from ggtp.ui.subcommands import SUBCOMMANDS, summaries


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `ggtp help`."""
    parser.add_argument("topic", nargs="?", default="", metavar="TOPIC", help="without it, everything is named")


def run(env: Environment, args: argparse.Namespace) -> ExitStatus:
    """Tell all there is about a word: first what is short, then the page of the manual.

    Raises:
        CommandError: nothing is called so.
    """
    pages = manual.find_texts()
    if not args.topic:
        _print(env, overview(pages))
        return ExitStatus.DONE
    names = {**SUPERVISOR, **TOPICS, **SUBCOMMANDS, **pages}
    # A page may be asked for by the name at its head, too: ggtp-rules.
    name = match_name(args.topic, names) or match_name(args.topic.removeprefix("ggtp-"), names)
    if name is None:
        near = near_names(args.topic, names, most=1)
        hint = f"Did you mean {near[0]}?" if near else "`ggtp help` names what there is."
        raise CommandError(f"No help on {args.topic}. {hint}")
    parts = []
    if name in SUPERVISOR or name in TOPICS:
        parts.append(help_lines(name))
    if name in SUBCOMMANDS:
        parts.append(SUBCOMMANDS[name].parser(env).format_help().rstrip("\n").split("\n"))
    for index, part in enumerate(parts):
        _print(env, [*([""] if index else []), *part])
    if name in pages:
        _show_page(env, name, pages[name], first=not parts)
    return ExitStatus.DONE


def overview(pages: dict[str, Path]) -> list[str]:
    """Everything that there is help on."""
    lines = ["Subcommands of ggtp:", *summaries(list(SUBCOMMANDS.values())), "", "Topics:"]
    width = max(map(len, TOPICS))
    lines += [f"  {name:<{width}}  {what}" for name, what in TOPICS.items()]
    if pages:
        width = max(map(len, pages))
        lines += ["", "Pages of the manual:"]
        lines += [f"  {topic:<{width}}  {manual.summary(_read(path))}" for topic, path in pages.items()]
    return [*lines, "", "ggtp help TOPIC tells more, also on each command of the prompt (ggtp help commands)."]


def _show_page(env: Environment, topic: str, text: Path, *, first: bool) -> None:
    program = manual.reader(env.variables)
    source = manual.find_pages(Path(__file__).parents[2]).get(topic)
    if env.interactive and program is not None and source is not None:
        env.stdout.flush()
        os.execv(program, ["man", str(source)])
    if not first:
        _print(env, [""])
    _print(env, _read(text).splitlines())


def _read(path: Path) -> str:
    return path.read_text("ascii")


def _print(env: Environment, lines: list[str]) -> None:
    say(env.stdout, *lines)
