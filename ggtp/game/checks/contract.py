"""The contract of `game.model` as checks that any rules must pass, and perft counting.

A rule that is broken makes findings, never exceptions: whoever writes one wants to read all
that is wrong with it.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Hashable, Mapping, Sequence
from itertools import product
from math import prod

from ggtp.errors import OptionError
from ggtp.game import advice
from ggtp.game.advice import Searcher
from ggtp.game.checks.examine import Examiner, Finding, Ledger, OutOfTime, choose, fault_of_word, one_line, snapshot
from ggtp.game.checks.leaks import LeakDetector
from ggtp.game.guard import RuleInterrupted
from ggtp.game.hidden.sampling import observed
from ggtp.game.model import (
    CHANCE,
    Move,
    Observation,
    Player,
    Position,
    Rules,
    Standing,
    TurnKind,
    Verdict,
)
from ggtp.game.options import Option

__all__ = ["Finding", "check_rules", "perft"]

RULE_NAME = re.compile(r"[A-Za-z0-9_/-]+")
FEW = 12
"""Of an option's values, how many are tried; of longer ranges the ends and some between."""
CLOSE = 12
"""How many positions of a game are examined closely; the others only in passing."""
KEPT = 50
"""How many positions of a game are kept to see whether later play changes them."""
PLIES = 200
"""How far a searcher is followed."""


def check_rules(
    rules: Rules,
    *,
    rng: random.Random,
    games: int = 20,
    max_turns: int = 2000,
    report: Callable[[str], None] | None = None,
    should_stop: Callable[[], bool] = lambda: False,
    played: Callable[[int], object] = lambda count: None,
) -> list[Finding]:
    """Every promise of the contract that these rules were seen to break; none means that none was.

    Args:
        rng: where all chance comes from: the same state makes the same games.
        games: how many games are played at random, the first with the default options.
        max_turns: a game that is longer than that is a finding.
        report: told in a line what is done and what is found, as it happens.
        should_stop: asked many times in a game; once it is true, no more is checked.
        played: told after each game how many have been played.

    A `RuleInterrupted` that a signal's handler raises in the middle of a method ends the check, and is a finding.
    """
    ledger = Ledger(report, should_stop)
    audit = _Audit(rules, ledger, rng, max_turns)
    try:
        with ledger.guard("the rule's description"):
            audit.names()
        with ledger.guard("the options"):
            audit.options()
        for index in range(games):
            ledger.played.clear()
            ledger.trying.clear()
            with ledger.guard("a game"):
                turns = audit.game({} if index == 0 else audit.some_values())
                ledger.say(f"game {index + 1} of {games}: {turns} turns")
            played(index + 1)
    except OutOfTime:
        ledger.say("the time is over")
    except RuleInterrupted as error:
        ledger.played += ledger.trying
        ledger.note("endless", str(error))
    return ledger.findings


class _Audit:
    """The checks of one rule."""

    def __init__(self, rules: Rules, ledger: Ledger, rng: random.Random, max_turns: int) -> None:
        self.rules = rules
        self.ledger = ledger
        self.rng = rng
        self.max_turns = max_turns
        self._totals: dict[tuple[tuple[str, str], ...], object] = {}

    def names(self) -> None:
        """The rule's and the players' names."""
        expect, rules = self.ledger.expect, self.rules
        expect(RULE_NAME.fullmatch(rules.name) is not None, "names", "the rule's name has odd characters", rules.name)
        expect(one_line(rules.title), "names", "the title is not one line", repr(rules.title))
        self._players(rules.players(rules.complete({})))

    def _players(self, players: Sequence[Player]) -> None:
        expect, traits = self.ledger.expect, self.rules.traits
        for player in players:
            fault = fault_of_word(player)
            expect(not fault, "names", f"the name of a player {fault}", repr(player))
        folded = [player.casefold() for player in players]
        expect(len(set(folded)) == len(folded), "names", "two players have the same name", players)
        expect(CHANCE.casefold() not in folded, "names", "a player has the name of chance", players)
        fits = traits.min_players <= len(players) <= traits.max_players
        expect(fits, "traits", "there are more or fewer players than the traits say", len(players))

    def options(self) -> None:
        """That options are well made, and that every value they offer can be played."""
        expect, rules = self.ledger.expect, self.rules
        options = rules.options({})
        names = [option.name.casefold() for option in options]
        expect(len(set(names)) == len(names), "options", "two options have the same name", names)
        expect(
            rules.first_player_open == ("starting_player" in names),
            "options",
            "starting_player is there but not open, or open but not there",
        )
        for option in options:
            fault = fault_of_word(option.name)
            expect(not fault, "options", f"the name of an option {fault}", repr(option.name))
            expect(one_line(option.summary), "options", "the summary of an option is not one line", option.name)
            try:
                same = option.canonical(option.default) == option.default
            except OptionError:
                same = False
            expect(same, "options", "the default of an option is not one of its values", option.name)
            for value in self._values(option):
                with self.ledger.guard(f"start with {option.name}={value}"):
                    self._accepted(option, value)
        self._unknown({"no such option": "on"})
        for option in options:
            if option.choices or option.low is not None:
                self._unknown({option.name: "no such value"})

    def _values(self, option: Option) -> list[str]:
        if option.choices:
            return list(option.choices[:FEW])
        if option.low is None or option.high is None:
            return [option.default]
        if option.high - option.low < FEW:
            return [str(value) for value in range(option.low, option.high + 1)]
        between = self.rng.sample(range(option.low, option.high + 1), 2)
        return list(dict.fromkeys(str(value) for value in (option.low, option.high, *between)))

    def _accepted(self, option: Option, value: str) -> None:
        values = {option.name: value}
        try:
            position = self.rules.start(values)
        except OptionError as error:
            self.ledger.note(
                "options", "an option does not take a value that it offers", f"{option.name}={value}: {error}"
            )
            return
        self._players(self.rules.players(self.rules.complete(values)))
        if option.name == "starting_player" and self.rules.first_player_open:
            for _ in range(self.max_turns):
                if position.turn().kind is TurnKind.CHANCE:
                    position = position.play(choose(position, self.rng)).position
            turn = position.turn()
            right = turn.kind is TurnKind.SINGLE and turn.players == (value,)
            self.ledger.expect(
                right, "options", "the first to move is not starting_player", f"{turn.players} for {value}"
            )

    def _unknown(self, values: Mapping[str, str]) -> None:
        text = ", ".join(f"{name}={value}" for name, value in values.items())
        try:
            self.rules.start(values)
        except OptionError:
            return
        self.ledger.note("options", "start takes an option or a value that there is not", text)

    def some_values(self) -> dict[str, str]:
        """Options for another game: each is left alone or set to something."""
        values: dict[str, str] = {}
        for name in [option.name for option in self.rules.options({})]:
            # What an option offers may depend on the others: who can begin, on how many play.
            option = next((option for option in self.rules.options(values) if option.name == name), None)
            if option and self.rng.random() < 0.5:
                values[name] = self.rng.choice(self._values(option))
        return values

    def game(self, values: Mapping[str, str]) -> int:
        """Plays a game at random and examines it; says how many turns it took."""
        players = self.rules.players(self.rules.complete(values))
        examiner = Examiner(self.rules, players, self.ledger, self.rng)
        detector = LeakDetector(self.rules, players, values, self.ledger, self.rng)
        observations: dict[Player, list[Observation]] = {player: [] for player in players}
        position = self.rules.start(values)
        history: list[dict[Player, Move]] = []
        states = [snapshot(position, players)]
        kept: list[tuple[Position, int]] = []
        # At first every position is looked at closely, then ever fewer.
        next_close, closes = 0, 0
        for turns in range(self.max_turns + 1):
            over = position.turn().kind is TurnKind.OVER
            if turns >= next_close or over:
                closes += 1
                next_close = turns + 1 + closes * closes // CLOSE
                examiner.examine(position)
                detector.probe(position, observations)
                self._searcher(position, players)
            if len(kept) < KEPT:
                kept.append((position, turns))
            if over:
                self._total(position, values)
                break
            moves = choose(position, self.rng)
            self.ledger.trying = [f"{player} {move}" for player, move in moves.items()]
            verdict = position.play(moves)
            self._verdict(position, moves, verdict)
            unchanged = snapshot(position, players) == states[-1]
            self.ledger.expect(unchanged, "immutable", "a move has changed the position that it was played in")
            for player in players:
                observations[player] += observed(position, verdict, player)
            position = verdict.position
            history.append(moves)
            states.append(snapshot(position, players))
            self.ledger.played += self.ledger.trying
            self.ledger.trying = []
        else:
            self.ledger.note("end", f"a game at random is not over after {self.max_turns} turns")
        for earlier, index in kept:
            same = snapshot(earlier, players) == states[index]
            self.ledger.expect(same, "immutable", "later play has changed an earlier position")
        self._replay(values, players, history, states)
        return len(history)

    def _verdict(self, position: Position, moves: Mapping[Player, Move], verdict: Verdict) -> None:
        expect, kind = self.ledger.expect, position.turn().kind
        handed = set(moves.items())
        refused = {(refusal.player, refusal.move) for refusal in verdict.refused}
        expect(set(verdict.made) <= handed, "verdict", "a move is made that was not handed in", verdict.made)
        expect(refused <= handed, "verdict", "a move is refused that was not handed in", verdict.refused)
        expect(not refused & set(verdict.made), "verdict", "a move is both made and refused", verdict.refused)
        expect(handed == refused | set(verdict.made), "verdict", "a move is neither made nor refused", moves)
        lines = all(
            one_line(text) for text in (*(r.reason for r in verdict.refused), *(a.text for a in verdict.announcements))
        )
        expect(lines, "verdict", "what the umpire says is not one line")
        allowed = self.rules.traits.hidden or kind in (TurnKind.JOINT, TurnKind.RACE)
        expect(not refused or allowed, "traits", "a listed move is refused but the traits say nothing is hidden")
        in_vain = bool(refused) and not verdict.made and kind is TurnKind.SINGLE
        expect(
            not in_vain or position.turn().sealed,
            "sealed",
            "a try is refused in a turn that is not sealed, so that time tells the others of it",
        )

    def _total(self, position: Position, values: Mapping[str, str]) -> None:
        """What one gains the others lose: so the points of a game with the same options are always as many."""
        result = position.result()
        if result is None or not result.scores or not self.rules.traits.zero_sum:
            return
        total = sum(result.scores.values())
        first = self._totals.setdefault(tuple(sorted(self.rules.complete(values).items())), total)
        self.ledger.expect(
            total == first, "traits", "the sum of the scores differs but the traits say zero_sum", f"{first} {total}"
        )

    def _replay(
        self,
        values: Mapping[str, str],
        players: tuple[Player, ...],
        history: Sequence[Mapping[Player, Move]],
        states: Sequence[tuple[object, ...]],
    ) -> None:
        with self.ledger.guard("playing the same game again"):
            position = self.rules.start(values)
            for index, state in enumerate(states):
                same = snapshot(position, players) == state
                if not self.ledger.expect(same, "replay", "the same moves lead to another position or view"):
                    return
                if index < len(history):
                    position = position.play(history[index]).position

    def _searcher(self, position: Position, players: tuple[Player, ...]) -> None:
        with self.ledger.guard("searcher"):
            searcher, other = advice.searcher(position), advice.searcher(position)
            if searcher is None or other is None:
                return
            before = (snapshot(position, players), other.key(), list(other.legal()))
            if searcher.legal():
                searcher.play(searcher.legal()[0])
                after = (snapshot(position, players), other.key(), list(other.legal()))
                self.ledger.expect(before == after, "searcher", "a searcher changes its position, or another searcher")
                searcher.undo()
            follow_searcher(position, searcher, players, self.ledger, self.rng)


def follow_searcher(
    position: Position, searcher: Searcher, players: Sequence[Player], ledger: Ledger, rng: random.Random
) -> None:
    """Plays at random in both, compares them at each step, and takes everything back."""
    expect = ledger.expect
    keys: list[Hashable] = [searcher.key()]
    for _ in range(PLIES):
        turn = position.turn()
        if turn.kind is TurnKind.OVER:
            expect(searcher.to_move() == -1, "searcher", "the searcher does not see the end")
            expect(not searcher.legal(), "searcher", "the searcher lists moves after the end")
            _compare_scores(position, searcher, players, ledger)
            break
        if not expect(turn.kind is TurnKind.SINGLE, "searcher", "a searcher is offered for turns of other kinds"):
            return
        mover = turn.players[0]
        expect(searcher.to_move() == players.index(mover), "searcher", "the searcher has another player to move")
        numbers = list(searcher.legal())
        texts = [searcher.text(number) for number in numbers]
        if not expect(sorted(texts) == sorted(position.moves(mover)), "searcher", "the searcher lists other moves"):
            return
        back = [searcher.number(text) for text in texts]
        expect(back == numbers, "searcher", "the searcher's numbers and texts do not belong together")
        move = rng.choice(texts)
        ledger.trying.append(f"{mover} {move}")
        searcher.play(searcher.number(move))
        before, position = position, position.play({mover: move}).position
        alike = (searcher.key() == keys[-1]) == (position.key() == before.key())
        expect(alike, "searcher", "the searcher's key does not change when the position's does, or the other way")
        fresh = advice.searcher(position)
        if fresh is not None:
            expect(fresh.key() == searcher.key(), "searcher", "the searcher has another key than one made anew")
        keys.append(searcher.key())
    ledger.trying.clear()
    for key in reversed(keys[:-1]):
        searcher.undo()
        expect(searcher.key() == key, "searcher", "the searcher does not take a move back")
        expect(bool(searcher.legal()), "searcher", "the searcher has no moves after taking one back")


def _compare_scores(position: Position, searcher: Searcher, players: Sequence[Player], ledger: Ledger) -> None:
    result = position.result()
    if result is None:
        return
    scores = dict(zip(players, searcher.scores(), strict=True))
    if result.scores and all(0 <= score <= 100 for score in result.scores.values()):
        same = all(abs(scores[player] - score) < 1e-9 for player, score in result.scores.items())
    else:
        best = max(scores.values())
        same = all((scores[player] == best) == (result.standings[player] is not Standing.LOSS) for player in players)
    ledger.expect(same, "searcher", "the searcher's scores are not the result's", scores)


def perft(position: Position, depth: int) -> int:
    """How many ways there are to play `depth` turns from here.

    The counts of many games are known, so they show whether a rule lists the right moves.
    Refused tries count as turns. Positions with equal keys are counted once and multiplied.
    """
    return _perft(position, depth, {})


def _perft(position: Position, depth: int, known: dict[tuple[Hashable, int], int]) -> int:
    if depth == 0:
        return 1
    turn = position.turn()
    listed = [[(player, move) for move in position.moves(player)] for player in turn.players]
    if turn.kind is TurnKind.OVER:
        return 0
    if depth == 1:
        return sum(map(len, listed)) if turn.kind is TurnKind.RACE else prod(map(len, listed))
    key = (position.key(), depth)
    if key not in known:
        ways = ((one,) for moves in listed for one in moves) if turn.kind is TurnKind.RACE else product(*listed)
        known[key] = sum(_perft(position.play(dict(way)).position, depth - 1, known) for way in ways)
    return known[key]
