"""A tournament's games as the statistics take them (`ggtp.stats.results`)."""

from __future__ import annotations

from hashlib import blake2b

from ggtp.stats.results import GameResult, level_scores
from ggtp.tournament.plan.plan import Plan
from ggtp.tournament.results import Block, Game, Results


def evidence(results: Results) -> list[GameResult]:
    """A value for each game that counts.

    Where a rule is for one player, all who played the same block alone are compared as if they had met.
    """
    labels = rule_labels(results.plan)
    found: list[GameResult] = []
    for block in results.blocks:
        label = labels[block.rule]
        if len(results.plan.rules[block.rule].seats) == 1:
            found += _compared(block, label)
        else:
            found += [_result(game, label, block.size, results.plan) for game in block.games if game.scores]
    return found


def rule_labels(plan: Plan) -> tuple[str, ...]:
    """A name for each rule of the plan: its own, with its options where that alone would not tell them apart."""
    names = [_label(rule.rule) for rule in plan.rules]
    labels: list[str] = []
    for name, rule in zip(names, plan.rules, strict=True):
        options = " ".join(f"{option}={value}" for option, value in rule.options.items())
        label = f"{name} ({options})" if names.count(name) > 1 and options else name
        while label in labels:
            label += "'"
        labels.append(label)
    return tuple(labels)


def _label(reference: str) -> str:
    """A rule's name, or of a path the file's."""
    return reference.rpartition("/")[2] if reference.startswith(("/", ".", "~")) else reference


def _result(game: Game, label: str, size: int, plan: Plan) -> GameResult:
    seats = [seat for seat in game.plan.seats if seat in game.scores]
    return GameResult(
        players=tuple(game.plan.seats[seat] for seat in seats),
        scores=tuple(game.scores[seat] for seat in seats),
        rule=label,
        block=game.plan.block,
        block_size=size,
        at_fault=_at_fault(game),
        fingerprint=fingerprint(game, label, plan),
    )


def _compared(block: Block, label: str) -> list[GameResult]:
    """The solo games of a block as one game between all; nothing where one of them is missing or alone."""
    scores: dict[str, float] = {}
    for game in block.games:
        scores |= game.player_scores()
    if len(scores) < 2 or not block.complete:
        return []
    players = tuple(scores)
    at_fault = tuple(dict.fromkeys(player for game in block.games for player in _at_fault(game)))
    own = tuple(scores[player] for player in players)
    return [GameResult(players, level_scores(own), label, block.number, 1, at_fault, seated=False, shown=own)]


def _at_fault(game: Game) -> tuple[str, ...]:
    return tuple(dict.fromkeys(fault.player for fault in game.faults if fault.player))


def fingerprint(game: Game, label: str, plan: Plan) -> str:
    """Of the moves and who made them; empty where nobody had anything to decide."""
    if len(game.moves) <= game.opening(plan):
        return ""
    # The same moves from another position are another game.
    start = (f"{name}={value}" for name, value in game.plan.opening(plan).options.items())
    seats = (f"{seat}={player}" for seat, player in game.plan.seats.items())
    moves = (game.pattern,) if game.pattern else game.moves
    text = "\n".join((label, *start, *seats, *moves))
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()
