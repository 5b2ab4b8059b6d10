"""Case files: all that is known of a game in which something went wrong, as a play file.

`ggtp FILE` replays it up to the place where it went wrong. What the play file has no words for
(who played with which options and seeds, which programs these were, what was said on the wire, an
engine's last words) is in comments, and so are the commands that seat the same engine again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from ggtp.play.writing import HEADER, game_lines
from ggtp.tournament.plan.plan import Plan
from ggtp.tournament.results import Game
from ggtp.tournament.schedule.schedule import engine_seed

Spoken: TypeAlias = tuple[float, int, bool, bytes]
"""Seconds since the game began, which engine, whether it was said to it (or by it), and the line."""

MOST_SHOWN = 500
"""How much of a line is kept."""


def case_text(
    plan: Plan, game: Game, wire: Iterable[Spoken], programs: Mapping[str, Sequence[str]] | None = None
) -> str:
    """The case file of a game; `programs` tells about each player's, its command line first."""
    rule = plan.rules[game.plan.rule]
    players = {player.name: player for player in plan.players}
    lines = [HEADER, f"# {plan.name}, game {game.id}, attempt {game.attempt}: {game.end}, {_one(game.reason)}"]
    for fault in game.faults:
        who = f"{fault.player or 'nobody'} ({fault.seat or 'no seat'})"
        lines += [
            f"# fault of {who} after {fault.ply} moves, {fault.fault}: {_one(fault.what)} Its price: {fault.price}."
        ]
        if fault.late_ms or fault.referee_ms or fault.machine_ms:
            lines += [
                f"#   over its limit by {fault.late_ms} ms; the referee was late by {fault.referee_ms} ms at most, "
                f"and the engine waited {fault.machine_ms} ms for a processor"
            ]
        if fault.cpu_ms or fault.memory_mib:
            memory = f" and {fault.memory_mib} MiB of memory at most" if fault.memory_mib else ""
            lines += [f"#   its process had used {fault.cpu_ms} ms of processor time{memory}"]
        lines += [f"#   last words: {_one(line)}" for line in fault.last_words.splitlines()[-20:]]
    lines += ["#", "# To ask an engine again at the end of this file, say at the prompt:"]
    for seat, name in game.plan.seats.items():
        player = players[name]
        lines += [f"#   set_engine {seat} {player.engine}"]
        lines += [f"#   set_engine_option {seat} {option} {value}" for option, value in player.options.items()]
        of_seat = plan.clocks_of(rule, player)
        named = {name.casefold() for name in player.options}
        lines += [
            f"#   (where it has the option) set_engine_option {seat} {limit} {getattr(of_seat, limit)}"
            for limit in ("nodes", "depth")
            if getattr(of_seat, limit) and limit not in named
        ]
        lines += [f"#   set_engine_option {seat} seed {engine_seed(game.plan, seat)}"]
    lines += ["#   genmove", "#"]
    for name, (command, *about) in (programs or {}).items():
        lines += [f"# The program of {name}: {_one(command)}", *(f"#   {_one(line)}" for line in about)]
    if programs:
        lines += ["#"]
    clocks = plan.clocks_of(rule)
    names = ("move", "bank", "increment", "margin", "start")
    lines += [f"set_option time_{name} {getattr(clocks, name)}" for name in names]
    odds = {seat: plan.clocks_of(rule, players[name]) for seat, name in game.plan.seats.items()}
    own = [f"{seat}={of.control.text()}" for seat, of in odds.items() if of.control != clocks.control]
    lines += [f"set_option time_odds {', '.join(own)}"] if own else []
    lines += [f"set_option secret_window {clocks.window_text}"]
    lines += [f"set_option seed {game.plan.seed}", *game_lines(rule.rule, game.plan.options(plan), game.moves)]
    lines += ["#", "# The wire, in seconds since the game began: > to an engine, < from it."]
    for at, link, to_engine, line in wire:
        arrow = ">" if to_engine else "<"
        lines += [f"# {at:12.6f} engine {link} {arrow} {_one(line.decode(errors='backslashreplace'))}"]
    return "\n".join(lines) + "\n"


def _one(text: str) -> str:
    """On one line, and not too long."""
    flat = " ".join(text.split())
    return flat if len(flat) <= MOST_SHOWN else f"{flat[:MOST_SHOWN]}..."
