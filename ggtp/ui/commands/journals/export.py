"""`ggtp export`: the games of a tournament's journal in the notations of other programs."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from ggtp.arena.journal_file import read_journal_file
from ggtp.catalogue import Catalogue
from ggtp.errors import CommandError
from ggtp.game import Rules
from ggtp.tournament.journal.journal import read_journal
from ggtp.tournament.report.records import game_records, tournament_record
from ggtp.tournament.results import Game, Results
from ggtp.ui.commands.report import write_whole
from ggtp.ui.console.environment import Environment, ExitStatus
from ggtp.ui.console.output import complain, say
from ggtp.ui.export.pgn import has_pgn, pgn_of
from ggtp.ui.export.sgf import has_sgf, sgf_of

FORMATS = {
    "pgn": "Portable Game Notation, for Chess: scores, depths, times and lines are comments",
    "sgf": "the Smart Game Format, for Go, Gomoku, Hex and Othello: a record of all games, or in a folder one for each",
    "jsonl": "JSON Lines, for all games: a line for each move",
}
NOTATIONS: dict[str, tuple[Callable[[Rules], bool], Callable[[Results, Game, Rules], str]]] = {
    "pgn": (has_pgn, pgn_of),
    "sgf": (has_sgf, sgf_of),
}
"""For the formats that are of some games alone: whether it is of this one, and what writes it."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `ggtp export`."""
    parser.add_argument("file", metavar="JOURNAL", help="the journal of a tournament, which may still be running")
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help="write to this file, whose ending says the format, or into this folder, a file for each game "
        "(default: standard output)",
    )
    parser.add_argument(
        "--format", choices=tuple(FORMATS), metavar="FORMAT", help="the format (default: what the file's ending says)"
    )
    parser.add_argument(
        "--game", action="append", default=[], metavar="ID", help="this game alone, as 12.1; may be repeated"
    )
    parser.epilog = "formats:\n" + "\n".join(f"  {name:<6} {what}" for name, what in FORMATS.items())


def run(env: Environment, args: argparse.Namespace) -> ExitStatus:
    """Write the games that count, in the order of their numbers.

    Raises:
        GgtpError: the journal can't be trusted, has no such game, or no game has the notation.
        OSError: it can't be read, or the games can't be written.
    """
    form = _format(args)
    results = read_journal(read_journal_file(args.file), args.file)
    games = _chosen(results, args.game, args.file)
    written = _written(env, results, games, form)
    if args.output and Path(args.output).is_dir():
        for game, text in written:
            write_whole(Path(args.output) / f"{game.id}.{form}", text)
    else:
        whole = "".join(text for _, text in written)
        if form == "jsonl":
            whole = tournament_record(results) + whole
        if args.output:
            write_whole(Path(args.output), whole)
        elif whole:
            say(env.stdout, *whole.removesuffix("\n").split("\n"))
    return ExitStatus.DONE


def _format(args: argparse.Namespace) -> str:
    if args.format:
        return str(args.format)
    names = ", ".join(FORMATS)
    if not args.output or Path(args.output).is_dir():
        raise CommandError(f"--format is needed where no file's ending says the format: it is one of {names}.")
    ending = Path(args.output).suffix.casefold().removeprefix(".")
    if ending not in FORMATS:
        raise CommandError(
            f"The ending of {args.output} is no format: it is one of "
            f"{', '.join(f'.{name}' for name in FORMATS)}, or say --format."
        )
    return ending


def _chosen(results: Results, wanted: Iterable[str], file: str) -> list[Game]:
    """The games that are wanted; all of them where nothing is said."""
    found = {game.id: game for game in results.games}
    names = list(dict.fromkeys(name.removeprefix("g") for name in wanted))
    for name in names:
        if name not in found:
            known = f"there are {next(iter(found))} to {list(found)[-1]}" if found else "there are none"
            raise CommandError(f"{file} has no game {name} that counts: {known}.")
    if not found:
        raise CommandError(f"{file} has no game that counts yet.")
    return [found[name] for name in names] if names else list(found.values())


def _written(env: Environment, results: Results, games: list[Game], form: str) -> Iterator[tuple[Game, str]]:
    """Each game with its text. What can't be written is complained about, once for each rule.

    Raises:
        CommandError: that is all of them.
    """
    if form == "jsonl":
        for game in games:
            yield game, "".join(game_records(results, game))
        return
    has, write = NOTATIONS[form]
    catalogue = Catalogue.from_environment(env.variables)
    rules = {index: catalogue.guarded_rules(results.plan.rules[index].rule) for index in {g.plan.rule for g in games}}
    without = {index: found.name for index, found in rules.items() if not has(found)}
    if len(without) == len(rules):
        names = ", ".join(sorted(set(without.values())))
        raise CommandError(f"{names} can't be written as {form}. Use --format jsonl, which is for all games.")
    for index, name in without.items():
        left = sum(game.plan.rule == index for game in games)
        complain(env.stderr, f"{name} can't be written as {form}: {left} games are left out")
    for game in games:
        if game.plan.rule not in without:
            try:
                yield game, write(results, game, rules[game.plan.rule])
            except ValueError as error:
                raise CommandError(f"Game {game.id} can't be written as {form}: {error}.") from None
