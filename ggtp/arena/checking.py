"""Starts a plan's engines and sets their options, before the first game."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Hashable, Iterator
from dataclasses import dataclass

from ggtp.arena.table.moment import Unplayable
from ggtp.arena.table.seating import Seating
from ggtp.catalogue import Catalogue
from ggtp.driver.listeners import Listeners
from ggtp.game.names import did_you_mean, match_name
from ggtp.protocol.text import split_list
from ggtp.tournament.plan.plan import Plan


@dataclass(frozen=True, slots=True)
class Problem:
    """Something about a player that is not as its plan wants it."""

    player: str
    place: str
    """The place in the plan, as in `player 2.options.Depth`."""
    text: str
    """A sentence."""
    fatal: bool = True
    """True if games can't be played with it."""


async def check_engines(plan: Plan, catalogue: Catalogue) -> list[Problem]:
    """Start every player's engine for every rule, set its options, and tell what was refused, in the plan's order."""
    room = asyncio.Semaphore(os.cpu_count() or 1)

    async def trial(rule: int, number: int) -> list[Problem]:
        async with room:
            return await _trial(plan, rule, number, catalogue)

    alike: dict[Hashable, int] = {}  # the same engine may play thousands of times
    for number, player in enumerate(plan.players):
        alike.setdefault((player.engine, *player.options.items(), *player.clocks.items()), number)
    found = await asyncio.gather(*(trial(rule, number) for number in alike.values() for rule in range(len(plan.rules))))
    return list(dict.fromkeys(problem for problems in found for problem in problems))


async def _trial(plan: Plan, rule: int, number: int, catalogue: Catalogue) -> list[Problem]:
    """Return what is wrong with one player in one rule."""
    player, seats = plan.players[number], plan.rules[rule].seats
    seating = Seating(plan, rule, dict.fromkeys(seats, player.name), catalogue, None)
    place, seat = f"player {number + 1}", seats[0]
    try:
        await seating.lay_rule(Listeners())
        await seating.must(f"set_engine {seat} {player.engine}", seat)
        problems = [
            Problem(player.name, f"{place}.options.{name}", text)
            for name, value in player.options.items()
            if (text := await _refusal(seating, seat, name, value))
        ]
        return [*problems, *_unbound(seating, seat, place)]
    except Unplayable as error:
        # A rule that can't be laid is no player's fault.
        return [
            Problem(
                player.name if error.seat else "", f"{place}.engine" if error.seat else f"rule {rule + 1}", str(error)
            )
        ]
    finally:
        await seating.clear()


async def _refusal(seating: Seating, seat: str, name: str, value: str) -> str:
    """Return why an engine does not take a value; nothing if it does."""
    driver = seating.laid
    answer = await driver.command(f"set_engine_option {seat} {name} {value}")
    if not answer.startswith("?"):
        return ""
    text = answer.removeprefix("? ")
    engine = driver.view.engine(seat)
    option = None if engine is None else match_name(name, engine.options)
    choices = None if option is None else await driver.ask_engine(seat, "list_option_choices", option)
    if not choices or choices == "any":
        return text
    return f"{text} It takes {choices}.{did_you_mean(value, split_list(choices))}"


def _unbound(seating: Seating, seat: str, place: str) -> Iterator[Problem]:
    """The limits of searches that an engine has no option for."""
    engine, clocks = seating.laid.view.engine(seat), seating.clocks(seat)
    if engine is None:
        return
    bound = set(clocks.limit_options(engine.options).values())
    for name in ("nodes", "depth"):
        value = getattr(clocks, name)
        if value and str(value) not in bound:
            text = (
                f"Engine {engine.name} has no option for the limit {name} = {value}, which does not bound its search."
            )
            yield Problem(seating.seats[seat], f"{place}.time.{name}", text, fatal=False)
