"""Games of a tournament in the Smart Game Format: Go, Gomoku, Hex and Othello."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ggtp.foreign.gtp import BLACK
from ggtp.foreign.gtp_board import (
    GO,
    GOMOKU,
    HANDICAP,
    HEX,
    KOMI,
    OTHELLO,
    GtpBoard,
    gtp_board,
    handicap_stones,
    margin,
)
from ggtp.foreign.sgf import sgf_point, write_sgf
from ggtp.game import Move, Rules
from ggtp.tournament.facts import NOTHING, MoveFacts
from ggtp.tournament.results import Game, Results

NUMBERS = {GO: "1", OTHELLO: "2", GOMOKU: "4", HEX: "11"}
"""What the format calls each game."""
FORFEITS = {"late": "T", "silence": "T"}
"""What a loss by a fault is called; all others are `F`, forfeit."""


def has_sgf(rules: Rules) -> bool:
    """Return whether games of the rules can be written so."""
    return rules.name in NUMBERS


def sgf_of(results: Results, game: Game, rules: Rules) -> str:
    """A game as a record: the players, the result and the clocks before it, and comments of engines at its moves."""
    plan = results.plan
    values = rules.complete(game.plan.options(plan))
    board = gtp_board(rules, values)
    assert board is not None, "the rules with numbers have boards"
    black, white = (game.plan.seats[player] for player in board.players)
    root: dict[str, str | Sequence[str]] = {
        "GM": NUMBERS[rules.name],
        "FF": "4",
        "CA": "UTF-8",
        "AP": f"ggtp:{results.version.removeprefix('ggtp ')}",
        "SZ": str(board.size),
        "GN": f"{plan.name} {game.id}",
        "EV": plan.name,
        "RO": game.id,
        "PB": black,
        "PW": white,
        "DT": results.created[:10],
        "RE": _result(game, board),
    }
    rule, players = plan.rules[game.plan.rule], {player.name: player for player in plan.players}
    clocks, others = (plan.clocks_of(rule, players[name]).control for name in (black, white))
    if clocks.bank and clocks == others:  # the format has one clock for both
        root["TM"] = f"{clocks.bank / 1000:g}"
        root["OT"] = f"{clocks.increment / 1000:g} fischer" if clocks.increment else ""
    if KOMI in values:
        root["KM"] = values[KOMI]
    stones = handicap_stones(rules, values)
    if stones:
        root |= {"HA": values[HANDICAP], "AB": [_point(stone, board) for stone in stones]}
    if rules.name == GO:
        root["RU"] = f"{values['scoring']} scoring, {values['ko']} superko"
    return write_sgf({name: value for name, value in root.items() if value}, _moves(results, game, board))


def _result(game: Game, board: GtpBoard) -> str:
    """`B+2.5`, `W+T` on time, `W+F` by a forfeit, `B+` where there are no points, `0` for a draw, `Void`, `?`."""
    if not game.counts:
        return "Void"
    first, second = (game.scores.get(player) for player in board.players)
    if first is None or second is None:
        return "?"
    if first == second:
        return "0"
    winner = "B" if first > second else "W"
    if game.end == "forfeit":
        return f"{winner}+{FORFEITS.get(game.faults[-1].fault, 'F') if game.faults else 'F'}"
    points = margin(game.reason) if game.end == "rules" else None
    return f"{winner}+{points or ''}"


def _moves(results: Results, game: Game, board: GtpBoard) -> Iterator[Mapping[str, str]]:
    book = game.opening(results.plan)
    for index, text in enumerate(game.moves):
        player, _, move = text.partition(" ")
        facts = game.facts[index] if index < len(game.facts) else NOTHING
        letter = "B" if board.colour(player) == BLACK else "W"
        node = {letter: _point(move, board)}
        if facts.left is not None:
            node[f"{letter}L"] = f"{facts.left:.3f}"
        words = ["opening"] if index < book else list(_words(facts))
        if index == len(game.moves) - 1 and game.reason:
            words.append(game.reason)
        if words:
            node["C"] = "\n".join(words)
        yield node


def _words(facts: MoveFacts) -> Iterator[str]:
    named = {
        "time": None if facts.seconds is None else f"{facts.seconds:.3f} s",
        "value": facts.value,
        "score": facts.score or None,
        "depth": facts.depth,
        "nodes": facts.nodes,
        "line": facts.line or None,
    }
    yield from (f"{name}: {value}" for name, value in named.items() if value is not None)


def _point(move: Move, board: GtpBoard) -> str:
    vertex = board.vertex(move)
    return vertex.lower() if board.rule == HEX else sgf_point(vertex, board.size)
