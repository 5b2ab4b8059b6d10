"""Games of a tournament in Portable Game Notation, with comments as fastchess and cutechess write them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence

from ggtp.foreign.pgn import write_pgn
from ggtp.game import Rules
from ggtp.game.building.chessboard import START
from ggtp.tournament.facts import NOTHING, MoveFacts
from ggtp.tournament.plan.clocks import Clocks
from ggtp.tournament.plan.plan import Plan
from ggtp.tournament.results import Game, Results

CHESS = "Chess"
TERMINATIONS = {
    "rules": "normal",
    "late": "time forfeit",
    "silence": "stalled connection",
    "illegal": "illegal move",
    "forfeit": "abandoned",
    "void": "unterminated",
    "quarantine": "unterminated",
}
"""What tools call an end, by the fault that caused it or the way of ending; all others are adjudications."""
MOST_PAWNS = 100.0
_SCORE = re.compile(r"(cp|mate) (-?[0-9]+)")


def has_pgn(rules: Rules) -> bool:
    """Return whether games of the rules can be written so."""
    return rules.name == CHESS


def pgn_of(results: Results, game: Game, rules: Rules) -> str:
    """A game with its tags and comments, and an empty line behind it."""
    plan, seats = results.plan, game.plan.seats
    white, black = rules.players(rules.complete({}))
    fen = rules.complete(game.plan.options(plan))["fen"]
    result = _result(game, white, black)
    tags = {
        "Event": plan.name,
        "Site": "?",
        "Date": results.created[:10].replace("-", ".") or "????.??.??",
        "Round": game.id,
        "White": seats[white],
        "Black": seats[black],
        "Result": result,
        **({} if fen == START else {"SetUp": "1", "FEN": fen}),
        "GameDuration": _duration(game.seconds),
        "PlyCount": str(len(game.moves)),
        "Termination": _termination(game),
        **_time_controls(plan, game, (white, black)),
    }
    moves = [move.rpartition(" ")[2] for move in game.moves]
    return write_pgn(tags, moves, list(_comments(results, game)), result)


def _result(game: Game, white: str, black: str) -> str:
    if not game.counts or white not in game.scores:
        return "*"
    first, second = game.scores[white], game.scores[black]
    return "1/2-1/2" if first == second else "1-0" if first > second else "0-1"


def _termination(game: Game) -> str:
    if game.end == "forfeit" and game.faults:
        return TERMINATIONS.get(game.faults[-1].fault, TERMINATIONS["forfeit"])
    return TERMINATIONS.get(game.end, "adjudication")


def _duration(seconds: float) -> str:
    whole = round(seconds)
    return f"{whole // 3600:02}:{whole // 60 % 60:02}:{whole % 60:02}"


def _time_controls(plan: Plan, game: Game, players: Sequence[str]) -> dict[str, str]:
    """The clocks of both, or of each where they are not the same."""
    seated = {player.name: player for player in plan.players}
    rule = plan.rules[game.plan.rule]
    first, second = (time_control(plan.clocks_of(rule, seated[game.plan.seats[player]])) for player in players)
    return {"TimeControl": first} if first == second else {"WhiteTimeControl": first, "BlackTimeControl": second}


def time_control(clocks: Clocks) -> str:
    """`60+0.5`: a bank and its increment in seconds; `0.1/move` for a limit of each move; `-` without either."""
    if clocks.bank:
        increment = f"+{clocks.increment / 1000:g}" if clocks.increment else ""
        return f"{clocks.bank / 1000:g}{increment}"
    return f"{clocks.move / 1000:g}/move" if clocks.move else "-"


def _comments(results: Results, game: Game) -> Iterator[str]:
    """`+0.35/12 0.410s, tl=58.200s, n=12345, pv="e2e4"`, as far as it is known; `book` for the start position."""
    book = game.opening(results.plan)
    for index, _ in enumerate(game.moves):
        facts = game.facts[index] if index < len(game.facts) else NOTHING
        parts = ["book"] if index < book else list(_words(facts))
        if index == len(game.moves) - 1 and game.reason:
            parts.append(game.reason)
        yield ", ".join(parts)


def _words(facts: MoveFacts) -> Iterator[str]:
    score = pawns(facts)
    first = [f"{score or '0.00'}/{facts.depth or 0}"] if score or facts.depth else []
    first += [f"{facts.seconds:.3f}s"] if facts.seconds is not None else []
    if first:
        yield " ".join(first)
    named: Mapping[str, object] = {
        "tl": None if facts.left is None else f"{facts.left:.3f}s",
        "n": facts.nodes,
        "sd": facts.seldepth,
        "pv": f'"{facts.line}"' if facts.line else None,
    }
    yield from (f"{name}={value}" for name, value in named.items() if value is not None)


def pawns(facts: MoveFacts) -> str:
    """What an engine expected, in pawns, `+0.35`, or plies to mate, `-M4`; nothing where it has not said.

    A value from 0 to 100 is counted back as `ggtp.kit.bridge.uci` makes values of pawns.
    """
    found = _SCORE.fullmatch(facts.score)
    if found is not None and found[1] == "mate":
        moves = int(found[2])
        return f"+M{2 * moves - 1}" if moves > 0 else f"-M{-2 * moves}"
    if found is not None:
        amount = int(found[2]) / 100
    elif facts.value is None:
        return ""
    else:
        odds = min(max(facts.value, 0.001), 99.999)
        amount = 4 * math.log10(odds / (100 - odds))
    amount = max(-MOST_PAWNS, min(MOST_PAWNS, amount))
    return f"{amount:+.2f}" if round(amount, 2) else "0.00"
