"""Every move of every game as JSON Lines, for programs: one object a line, each with its `kind`.

kind        members
tournament  name, format, version, created, players, rules
game        game (`g12.1`: no program reads that as a number), block, index, round, rule, options, start, seed (as
            text; empty while the tournament goes on), players (seat to player), scores, standings, points, end,
            reason, plies, seconds, faults
move        game, block, index, ply (from 1), seat, player, move, opening; and where they are known seconds, left,
            value, score, depth, seldepth, nodes, line (see `facts.MoveFacts`)
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from msgspec import to_builtins

from ggtp.tournament.facts import NOTHING
from ggtp.tournament.results import Game, Results


def tournament_record(results: Results) -> str:
    """The first line."""
    plan = results.plan.data()
    return _line(
        {
            "kind": "tournament",
            "name": plan["name"],
            "format": plan["format"],
            "version": results.version,
            "created": results.created,
            "time": plan["time"],
            "players": plan["player"],
            "rules": [{"rule": rule["rule"], "options": rule["options"]} for rule in plan["rule"]],
        }
    )


def game_records(results: Results, game: Game) -> Iterator[str]:
    """The line of a game, and one for each of its moves."""
    plan, start = results.plan, game.plan.opening(results.plan)
    yield _line(
        {
            "kind": "game",
            "game": f"g{game.id}",
            "block": game.plan.block,
            "index": game.plan.index,
            "round": game.plan.round,
            "rule": plan.rules[game.plan.rule].rule,
            "options": dict(game.plan.options(plan)),
            "start": start.name,
            "seed": str(game.plan.seed) if results.ended else "",
            "players": dict(game.plan.seats),
            "scores": dict(game.scores),
            "standings": dict(game.standings),
            "points": dict(game.points),
            "end": game.end,
            "reason": game.reason,
            "plies": len(game.moves),
            "seconds": round(game.seconds, 4),
            "faults": to_builtins(game.faults),
        }
    )
    for index, text in enumerate(game.moves):
        seat = _seat(text, game.plan.seats)
        facts = game.facts[index] if index < len(game.facts) else NOTHING
        yield _line(
            {
                "kind": "move",
                "game": f"g{game.id}",
                "block": game.plan.block,
                "index": game.plan.index,
                "ply": index + 1,
                "seat": seat,
                "player": game.plan.seats.get(seat, ""),
                "move": text[len(seat) + 1 :],
                "opening": index < game.opening(plan),
                **to_builtins(facts),
            }
        )


def _seat(text: str, seats: Mapping[str, str]) -> str:
    """Whose move it is: a seat's, or that of chance."""
    return next((seat for seat in seats if text.startswith(f"{seat} ")), text.partition(" ")[0])


def _line(data: Mapping[str, object]) -> str:
    return f"{json.dumps(data, ensure_ascii=False, separators=(',', ':'))}\n"
