"""Audits of tournaments: whether every engine was told what its player may know, and nothing else.

A journal keeps a seal of what each engine was told. Here every game is played once more, by the rules
alone, and what its players may know of each step is put into the protocol's words; the seals must be
the same. Where chance draws, it is checked whether engines could know what (see `predictions`). In games with
secrets it is checked, besides, whether positions that a player can't tell
apart look the same to it, along the very games that were played.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from ggtp.arena.predictions import SMALL_BITS, Predictions
from ggtp.errors import GgtpError
from ggtp.game.checks.examine import Ledger
from ggtp.game.checks.leaks import LeakDetector
from ggtp.game.hidden.sampling import observed
from ggtp.game.model import Observation, Player, Rules
from ggtp.game.record import Node
from ggtp.play.play import Play
from ggtp.play.replay import begun, make_all
from ggtp.protocol.messages import Command
from ggtp.protocol.utterances import made_move, utterance
from ggtp.tournament.journal.told import seals
from ggtp.tournament.plan.plan import Plan
from ggtp.tournament.results import Game, Results
from ggtp.tournament.standings.guards import repeated_deals

SHORTENED = frozenset(("agreed", "drawn", "solved"))
"""Ends after which engines may have been told moves that do not count."""


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
    predicted: list[str] = field(default_factory=list)
    """Seeds from which an engine could know what chance draws."""
    repeated: list[str] = field(default_factory=list)
    """Games of one deal in which a player's engines had no protection from remembering it."""
    small_seed: int | None = None
    """The plan's seed, where chance draws and an engine can find the seed by trying."""

    @property
    def clean(self) -> bool:
        """Whether nobody was told what it may not know."""
        return not self.differ and not self.leaks and not self.predicted

    def data(self) -> dict[str, object]:
        """For programs."""
        return {
            "games": self.games,
            "seats": self.seats,
            "differ": self.differ,
            "probes": self.probes,
            "leaks": self.leaks,
            "predicted": self.predicted,
            "repeated": self.repeated,
            "small_seed": self.small_seed,
            "skipped": dict(self.skipped),
        }


def audit(
    results: Results,
    find: Callable[[str], Rules],
    *,
    probes: int = 200,
    seed: int = 0,
    say: Callable[[str], None] = lambda text: None,
) -> Audit:
    """Play every game of a tournament again and compare.

    Args:
        results: what the journal says.
        find: finds rules by the name or path that the plan has.
        probes: at how many positions leaks are looked for.
        seed: decides which positions these are.
        say: is called with a line about how far it is.
    """
    found = Audit()
    rng = random.Random(seed)
    predictions: defaultdict[int, Predictions] = defaultdict(Predictions)
    for number, game in enumerate(results.games):
        say(f"game {number + 1} of {len(results.games)}")
        share = (probes - found.probes) / (len(results.games) - number)
        _audit_game(found, results.plan, game, find, rng, share, predictions[game.plan.rule])
    for rule, prediction in sorted(predictions.items()):
        found.predicted += [f"{results.plan.rules[rule].rule}: {text}" for text in prediction.found()]
    found.repeated = repeated_deals(results.plan, (*results.games, *results.void))
    key = results.plan.seed
    if key is not None and key.bit_length() <= SMALL_BITS and any(one.games for one in predictions.values()):
        found.small_seed = key
    return found


def _audit_game(
    audit: Audit,
    plan: Plan,
    game: Game,
    find: Callable[[str], Rules],
    rng: random.Random,
    probes: float,
    predictions: Predictions,
) -> None:
    """One game; `probes` positions of it, on the average, are looked at for leaks."""
    audit.games += 1
    why = _not_comparable(game)
    if why:
        audit.skipped[why] += 1
        return
    rule = plan.rules[game.plan.rule]
    try:
        play = begun(find(rule.rule), rule.rule, game.plan.options(plan))
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
    predictions.look(plan, game, nodes)
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
