"""`ggtp audit`: was every engine told what its player may know, and nothing else?

A journal keeps a seal of what each engine was told. Here every game is played once more, by the rules
alone, and what its players may know of each step is put into the protocol's words; the seals must be
the same. In games with secrets it is looked, besides, whether positions that a player can't tell
apart look the same to it, along the very games that were played.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path

from ggtp.catalogue import Catalogue
from ggtp.errors import GgtpError
from ggtp.game.checks.examine import Ledger
from ggtp.game.checks.leaks import LeakDetector
from ggtp.game.hidden.sampling import observed
from ggtp.game.model import Observation, Player
from ggtp.game.record import Node
from ggtp.play.play import Play
from ggtp.play.replay import begun, make_all
from ggtp.protocol.messages import Command
from ggtp.protocol.utterances import made_move, utterance
from ggtp.tournament.journal.journal import read_journal
from ggtp.tournament.journal.told import seals
from ggtp.tournament.plan.plan import Plan
from ggtp.tournament.results import Game
from ggtp.ui.console.arguments import MOST_SEED, whole_number
from ggtp.ui.console.environment import Environment, ExitStatus
from ggtp.ui.console.progress import Progress

SHORTENED = frozenset(("agreed", "drawn", "solved"))
"""Ends after which engines may have been told moves that do not count."""
MOST_SHOWN = 20


@dataclass(slots=True)
class Audit:
    """What was found."""

    games: int = 0
    seats: int = 0
    """How many seals were compared."""
    differ: list[str] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)
    """Why games could not be looked at, and how many."""
    probes: int = 0
    """At how many positions it was looked for leaks."""
    leaks: list[str] = field(default_factory=list)

    @property
    def clean(self) -> bool:
        """Whether nobody was told what it may not know."""
        return not self.differ and not self.leaks


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `ggtp audit`."""
    parser.add_argument("journal", metavar="JOURNAL", help="the journal of a tournament")
    parser.add_argument(
        "--probes",
        type=whole_number(0, 10**9),
        default=200,
        metavar="N",
        help="look for leaks at so many positions (default 200)",
    )
    parser.add_argument(
        "--seed", type=whole_number(0, MOST_SEED), default=0, help="which positions are looked at (default 0)"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object on one line")


def run(env: Environment, args: argparse.Namespace) -> ExitStatus:
    """Play every game again and compare."""
    path = Path(args.journal)
    results = read_journal(path.read_bytes(), str(path))
    catalogue = Catalogue.from_environment(env.variables)
    progress = Progress(env.stderr)
    audit = Audit()
    rng = random.Random(args.seed)
    with redirect_stdout(env.stderr):  # rules are guests and may print
        for number, game in enumerate(results.games):
            progress.say(f"game {number + 1} of {len(results.games)}")
            share = (args.probes - audit.probes) / (len(results.games) - number)
            audit_game(audit, results.plan, game, catalogue, rng, share)
    progress.clear()
    print(_as_json(audit) if args.json else "\n".join(_lines(audit)), file=env.stdout)
    return ExitStatus.DONE if audit.clean else ExitStatus.REFUSED


def audit_game(audit: Audit, plan: Plan, game: Game, catalogue: Catalogue, rng: random.Random, probes: float) -> None:
    """One game; `probes` positions of it, on the average, are looked at for leaks."""
    audit.games += 1
    why = _not_comparable(game)
    if why:
        audit.skipped[why] += 1
        return
    rule = plan.rules[game.plan.rule]
    try:
        play = begun(catalogue.guarded_rules(rule.rule), rule.rule, rule.options)
        make_all(play, game.moves)
    except GgtpError as error:
        audit.differ.append(f"game {game.id}: the rules do not follow: {error}")
        return
    nodes = play.need_record().cursor.path()
    for seat in game.plan.seats:
        audit.seats += 1
        due = seals(may_be_told(nodes, seat))
        if game.told.get(seat) not in due[_told_for_certain(nodes, seat) - 1 :]:
            audit.differ.append(f"game {game.id}, {seat} ({game.plan.seats[seat]}): it was told something else")
    if rule.hidden:
        _probe(audit, play, nodes, rng, probes, f"game {game.id}")


def _not_comparable(game: Game) -> str:
    if not game.told:
        return "the journal does not say what was told"
    if game.faults:
        return "there were faults in it"
    if game.end in SHORTENED:
        return "it was ended early, and not all of its moves are in the journal"
    if game.end == "ruled":
        return "the supervisor has decided it"
    return ""


def may_be_told(nodes: Sequence[Node], seat: Player) -> Iterator[bytes]:
    """What a player's engine may be told of a play, in the protocol's words."""
    yield b"start"
    for node in nodes:
        yield from _step(node, seat)


def _told_for_certain(nodes: Sequence[Node], seat: Player) -> int:
    """How many lines a player had been told when it moved last; what comes after may be under way at the end."""
    lines = certain = 1
    for node in nodes:
        if any(actor == seat for actor, _ in node.made) or any(no.player == seat for no in node.verdict.refused):
            certain = lines
        lines += len(_step(node, seat))
    return certain


def _step(node: Node, seat: Player) -> list[bytes]:
    assert node.parent is not None
    before = node.parent.position
    lines = [made_move(actor, before.seen(actor, move, seat)).line for actor, move in node.made]
    for refusal in node.verdict.refused:
        if refusal.player == seat:
            text = f"{refusal.move} {refusal.reason}".rstrip()
            lines.append(utterance(Command("illegal_move", (text,))).line)
    return lines


def _probe(audit: Audit, play: Play, nodes: Sequence[Node], rng: random.Random, probes: float, where: str) -> None:
    """Look at some positions of a game whether they keep their secrets."""
    chance = min(1.0, probes / max(1, len(nodes)))
    assert play.rules is not None
    ledger = Ledger()
    detector = LeakDetector(play.rules, play.players, dict(play.values), ledger, rng)
    heard: dict[Player, list[Observation]] = {player: [] for player in play.players}
    for node in nodes:
        assert node.parent is not None
        for player in play.players:
            heard[player] += observed(node.parent.position, node.verdict, player)
        if rng.random() < chance:
            audit.probes += 1
            detector.probe(node.position, heard)
    audit.leaks += [f"{where}: {finding.message}" for finding in ledger.findings]


def _lines(audit: Audit) -> Iterator[str]:
    yield f"{audit.games} games, {audit.seats} seats compared with what their players may know: {_words(audit)}."
    for text in audit.differ[:MOST_SHOWN]:
        yield f"DIFFERS  {text}"
    if audit.probes:
        found = f"{len(audit.leaks)} leaks" if audit.leaks else "no leak"
        yield f"{audit.probes} positions looked at for leaks: {found}."
    for text in audit.leaks[:MOST_SHOWN]:
        yield f"LEAK     {text}"
    for why, count in audit.skipped.most_common():
        yield f"{count} games not compared: {why}."


def _words(audit: Audit) -> str:
    if audit.differ:
        return f"{len(audit.differ)} differ"
    return "all the same" if audit.seats else "nothing to compare"


def _as_json(audit: Audit) -> str:
    return json.dumps(
        {
            "games": audit.games,
            "seats": audit.seats,
            "differ": audit.differ,
            "probes": audit.probes,
            "leaks": audit.leaks,
            "skipped": dict(audit.skipped),
        },
        ensure_ascii=False,
    )
