"""Start positions from the files of other programs: games in PGN and SGF, positions in EPD and FEN."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from ggtp.catalogue.paths import read_regular
from ggtp.foreign.gtp import BLACK, GtpError
from ggtp.foreign.gtp_board import HANDICAP, SPOKEN, GtpBoard, gtp_board, handicap_stones
from ggtp.foreign.pgn import PgnError, read_pgn, read_positions
from ggtp.foreign.sgf import SgfError, SgfGame, games_of, read_sgf
from ggtp.game import Rules
from ggtp.game.building.chessboard import START
from ggtp.tournament.plan.plan import PlanError

CHESS = "Chess"
FEN = "fen"
GAMES = {".pgn": (CHESS,), ".epd": (CHESS,), ".fen": (CHESS,), ".sgf": SPOKEN}
"""The rules that each ending is for; a file with another ending is a play file."""
MOST_BYTES = 2**28
"""How large a file of openings may be: such books have up to a few hundred thousand positions."""


def is_book(path: str) -> bool:
    """Return whether a file's ending says that it has games or positions in a notation of other programs."""
    return Path(path).suffix.casefold() in GAMES


def read_book(path: str, rules: Rules, options: Mapping[str, str], plies: int, most: int) -> list[dict[str, Any]]:
    """The start positions of a file, as a plan has them.

    Args:
        path: the file.
        rules: what is played.
        options: the rule's options.
        plies: at most this many moves of each game; 0 for all.
        most: at most this many positions, the first ones.

    Raises:
        PlanError: it can't be read, has no position, or is of another game.
        OSError: it can't be opened.
    """
    ending = Path(path).suffix.casefold()
    if rules.name not in GAMES[ending]:
        names = " and ".join(filter(None, (", ".join(GAMES[ending][:-1]), GAMES[ending][-1])))
        raise PlanError(f"{path}: files with the ending {ending} are for {names}, not for {rules.name}.")
    try:
        data = read_regular(path, MOST_BYTES)
    except ValueError as error:
        raise PlanError(f"{path}: {error}.") from None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("latin-1")  # as older tools write them
    stem = Path(path).stem
    try:
        if ending == ".pgn":
            found = _of_pgn(text, stem, plies)
        elif ending == ".sgf":
            found = _of_sgf(text, stem, rules, options, plies)
        else:
            found = (
                {"name": name or f"{stem} {n}", "options": {FEN: fen}}
                for n, (name, fen) in enumerate(read_positions(text), 1)
            )
        starts = list(islice(found, most))
    except (PgnError, SgfError, GtpError) as error:
        raise PlanError(f"{path}: {str(error).rstrip('.')}.") from None
    if not starts:
        raise PlanError(f"{path}: it has no start position.")
    return starts


def _of_pgn(text: str, stem: str, plies: int) -> Iterator[dict[str, Any]]:
    for number, game in enumerate(read_pgn(text), 1):
        moves = game.coordinates(plies)
        white = game.start.split()[1:2] != ["b"]
        seats = ("White", "Black") if white else ("Black", "White")
        start: dict[str, Any] = {
            "name": f"{stem} {number}",
            "moves": [f"{seats[index % 2]} {move}" for index, move in enumerate(moves)],
        }
        yield start if game.start == START else {**start, "options": {FEN: game.start}}


def _of_sgf(text: str, stem: str, rules: Rules, options: Mapping[str, str], plies: int) -> Iterator[dict[str, Any]]:
    values = rules.complete(options)
    board = gtp_board(rules, values)
    assert board is not None, "the rules that have records have boards"
    for number, record in enumerate(games_of(text), 1):
        game = read_sgf(record, plies or None)
        name = f"{stem} {number}"
        if game.size != board.size:
            raise SgfError(f"{name} is played on a board of size {game.size}, and the plan's has size {board.size}")
        start: dict[str, Any] = {"name": name, "moves": list(_moves(game, board))}
        yield {**start, "options": _handicap(game, rules, values, name)} if game.stones else start


def _moves(game: SgfGame, board: GtpBoard) -> Iterator[str]:
    for colour, vertex in game.moves:
        yield f"{board.player(colour)} {board.move(vertex)}"


def _handicap(game: SgfGame, rules: Rules, values: Mapping[str, str], name: str) -> dict[str, str]:
    """The option of a handicap whose stones are those of a record.

    Raises:
        SgfError: there is none.
    """
    count = str(len(game.stones))
    stones = {vertex for colour, vertex in game.stones if colour == BLACK}
    choices = next((option.choices for option in rules.options(values) if option.name == HANDICAP), ())
    if count not in choices or set(handicap_stones(rules, {**values, HANDICAP: count})) != stones:
        raise SgfError(f"{name} sets up stones that are no handicap of {rules.name}")
    return {HANDICAP: count}
