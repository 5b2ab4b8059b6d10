"""Games in which a test throws the dice."""

from __future__ import annotations

import random

from support.tournaments import find_rules

from ggtp.arena.audit import may_be_told
from ggtp.game import CHANCE, TurnKind
from ggtp.play.replay import begun, make_all
from ggtp.tournament.journal.journal import LineWriter
from ggtp.tournament.journal.told import seals
from ggtp.tournament.plan.plan import Contestant, Plan, RulePlan
from ggtp.tournament.results import Game, GamePlan
from ggtp.tournament.schedule.schedule import Schedule

KEY = 0x51C2_9E07_7B3D_44A8_A6F0_1D92_E853_0B6C


def plan_for(rule: str, blocks: int, seed: int = KEY) -> Plan:
    rules = find_rules(rule)
    seats = tuple(rules.players(rules.complete({})))
    players = tuple(Contestant(name, "Random") for name in "ABCDEFGH"[: len(seats)])
    return Plan(players, (RulePlan(rule, seats=seats),), seed=seed, blocks=blocks, format="match")


def played(rule: str, game: GamePlan, dice: random.Random) -> Game:
    """The game with these dice and random moves."""
    rules, others, moves = find_rules(rule), random.Random(1), []
    position = rules.start({})
    while (turn := position.turn()).kind is not TurnKind.OVER and len(moves) < 60:
        chosen = {}
        for player in turn.players:
            chosen[player] = position.draw(dice) if player == CHANCE else others.choice(list(position.moves(player)))
        moves += [f"{player} {move}" for player, move in chosen.items()]
        position = position.play(chosen).position
    return Game(game, dict.fromkeys(game.seats, 0.5), moves=tuple(moves))


def dice_journal(rule: str, dice: random.Random, seed: int = KEY) -> bytes:
    """The journal of one game with these dice, of which the engines were told what they may know."""
    plan, writer = plan_for(rule, 1, seed), LineWriter()
    due = Schedule(plan).next()
    assert due is not None
    game = played(rule, due, dice)
    table = begun(find_rules(rule), rule, {})
    make_all(table, game.moves)
    nodes = table.need_record().cursor.path()
    told = {seat: list(seals(may_be_told(nodes, seat)))[-1] for seat in due.seats}
    whole = Game(due, game.scores, moves=game.moves, told=told)
    return writer.header(plan, version="test", created="2026-11-17T20:00:00+00:00") + writer.result(whole)
