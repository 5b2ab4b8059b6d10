"""Journals of small tournaments, with games that were really played by the rules, at random or nearly so."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations

from ggtp.catalogue import Catalogue
from ggtp.game import CHANCE, Position, Rules, TurnKind
from ggtp.stats.results import level_scores
from ggtp.tournament.journal.journal import LineWriter, read_journal
from ggtp.tournament.plan.plan import Contestant, Plan, RulePlan
from ggtp.tournament.results import FaultSeen, Game, GamePlan, Happened, Job, Results
from ggtp.tournament.schedule.seatings import seatings


def find_rules(reference: str) -> Rules:
    return Catalogue.from_environment({}).find_rules(reference)


def play_out(position: Position, rng: random.Random, clever: Mapping[str, float]) -> tuple[list[str], Position]:
    """A game to its end. With the given chance a player takes a move that wins at once, if there is one."""
    moves: list[str] = []
    while (turn := position.turn()).kind is not TurnKind.OVER:
        chosen: dict[str, str] = {}
        for player in turn.players:
            options = [position.draw(rng)] if player == CHANCE else list(position.moves(player))
            chosen[player] = rng.choice(options)
            if turn.kind is TurnKind.SINGLE and rng.random() < clever.get(player, 0.0):
                for option in options:
                    result = position.play({player: option}).position.result()
                    if result is not None and result.standings[player].value == "win":
                        chosen[player] = option
                        break
        moves += [f"{player} {move}" for player, move in chosen.items()]
        position = position.play(chosen).position
    return moves, position


def journal(
    rules: Sequence[str] = ("TicTacToe",),
    players: Mapping[str, float] | None = None,
    *,
    blocks: int = 3,
    seed: int = 1,
    name: str = "evening",
    faulty: str = "",
    ended: bool = True,
    options: Mapping[str, str] | None = None,
    rename: Mapping[str, str] | None = None,
) -> bytes:
    """A round robin; the players' figures say how clever they are. One player may crash in every seventh game.

    Rules may be called otherwise in the journal than here.
    """
    strength = {"Strong": 0.9, "Weak": 0.1} if players is None else dict(players)
    found = {rule: find_rules(rule) for rule in rules}
    plans = tuple(
        RulePlan(rule, dict(options or {}), seats=f.players(f.complete(options or {})), hidden=f.traits.hidden)
        for rule, f in found.items()
    )
    shown = tuple(replace(rule, rule=(rename or {}).get(rule.rule, rule.rule)) for rule in plans)
    plan = Plan(tuple(Contestant(p, "Random") for p in strength), shown, name=name, seed=seed, blocks=blocks)
    rng = random.Random(seed)
    writer = LineWriter()
    lines = [writer.header(plan, version="ggtp test", created="2026-11-17T20:00:00+00:00")]
    number = 1
    for index, rule in enumerate(plans):
        size = min(len(rule.seats), len(strength))
        for meeting in combinations(strength, size) if len(rule.seats) > 1 else [tuple(strength)]:
            for _ in range(blocks):
                for place, seats in enumerate(seatings(meeting, rule.seats)):
                    game = GamePlan(number, place, 1, index, 0, rng.getrandbits(32), seats)
                    lines.append(writer.started(Job(game)))
                    lines.append(writer.result(_played(game, found[rule.rule], rule, strength, rng, faulty)))
                number += 1
    if ended:
        lines.append(writer.happened(Happened("end", "2026-11-17T21:00:00+00:00", "all games were played")))
    return b"".join(lines)


def _played(
    game: GamePlan, rules: Rules, rule: RulePlan, strength: Mapping[str, float], rng: random.Random, faulty: str
) -> Game:
    clever = {seat: strength[player] for seat, player in game.seats.items()}
    moves, position = play_out(rules.start(rule.options), rng, clever)
    thinking = {seat: round(rng.random() / 50, 4) for seat in game.seats}
    if faulty in game.seats.values() and (game.block * 2 + game.index) % 7 == 3:
        guilty = next(seat for seat, player in game.seats.items() if player == faulty)
        scores = {seat: float(seat != guilty) for seat in game.seats}
        fault = FaultSeen(faulty, guilty, "exit", f"{faulty} ended with status 3.", "loss", ply=2, last_words="oops")
        standings = {seat: "loss" if seat == guilty else "win" for seat in game.seats}
        return Game(
            game, scores, standings, {}, tuple(moves[:2]), "forfeit", f"{guilty} forfeits: it ended", (fault,),
            seconds=0.1, thinking=thinking, lag_ms=0.4,
        )  # fmt: skip
    result = position.result()
    assert result is not None
    points = {seat: float(result.scores.get(seat, 0)) for seat in game.seats}
    scores = dict(zip(points, level_scores(list(points.values())), strict=True))
    standings = {seat: result.standings[seat].value for seat in game.seats}
    return Game(
        game, scores, standings, {seat: f"{value:g}" for seat, value in points.items()}, tuple(moves), "rules",
        result.reason, seconds=sum(thinking.values()), thinking=thinking, lag_ms=0.3,
    )  # fmt: skip


def results(*args: object, **kwargs: object) -> Results:
    """What such a journal comes to."""
    return read_journal(journal(*args, **kwargs))  # type: ignore[arg-type]  # the same arguments
