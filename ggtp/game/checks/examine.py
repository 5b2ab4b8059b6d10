"""What one position promises, and whether it keeps it: turns, moves, names, views, refusals, chance.

`game.check` plays whole games with these; `game.leaks` asks what the players can learn.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

from ggtp.errors import IllegalMove, MoveError
from ggtp.game import advice
from ggtp.game.model import (
    CHANCE,
    HIDDEN,
    Move,
    OpenMoves,
    Player,
    Position,
    Result,
    Rules,
    Standing,
    Turn,
    TurnKind,
)

_Item = TypeVar("_Item")

MANY = 24
"""Of a position's moves, how many are looked at one by one."""
GARBAGE = ("", " ", HIDDEN, ",", "no such move", "-1", "é", "\x00", "play", "None", "(1, 2)", "9" * 40, "x" * 400)
"""Texts that are no moves in any game we know; what a rule takes for one is not held against it."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A promise that a rule does not keep."""

    check: str
    """Which promise: `names`, `turn`, `leak`, ..., or `crash` for an exception that nobody expects."""
    message: str
    moves: tuple[str, ...] = ()
    """What was played before it, as `Cross A1`."""


class OutOfTime(BaseException):
    """Raised between two promises: what was found stays, and no more is looked at."""


class Ledger:
    """The findings so far, each kept once, and what has been played when one is made."""

    def __init__(
        self, report: Callable[[str], None] | None = None, should_stop: Callable[[], bool] = lambda: False
    ) -> None:
        """No findings yet; `should_stop` is asked at each promise."""
        self._should_stop = should_stop
        self.findings: list[Finding] = []
        self.played: list[str] = []
        self.trying: list[str] = []
        """Moves beyond those that were played, after which something is being looked at."""
        self._known: set[tuple[str, str]] = set()
        self._report = report

    def note(self, check: str, what: str, detail: object = "") -> None:
        """Write a finding down, unless the same was found before with another detail."""
        if (check, what) in self._known:
            return
        self._known.add((check, what))
        message = f"{what}: {detail}" if str(detail) else what
        self.findings.append(Finding(check, message, tuple(self.played)))
        self.say(f"{check}: {message}")

    def expect(self, good: bool, check: str, what: str, detail: object = "") -> bool:
        """Write a finding down unless it is good; says whether it is.

        Raises:
            OutOfTime: it is time to stop.
        """
        if not good:
            self.note(check, what, detail)
        if self._should_stop():
            raise OutOfTime
        return good

    def say(self, text: str) -> None:
        """Tell whoever wants to follow."""
        if self._report:
            self._report(text)

    @contextmanager
    def guard(self, doing: str) -> Iterator[None]:
        """Makes a finding of any exception that a broken rule raises, and goes on."""
        try:
            yield
        except (Exception, SystemExit) as error:  # noqa: BLE001 - a rule may raise anything; that is what we look for
            text = (str(error).splitlines() or [""])[0]
            self.note("crash", f"{doing} raised {type(error).__name__}", text)


def fault_of_name(text: object) -> str:
    """What is wrong with a text as a name for a move, or nothing."""
    if not isinstance(text, str):
        return "is not a text"
    if not text:
        return "is empty"
    if any(char in text for char in ",\t\n\r"):
        return "has a comma, a tab or a newline in it"
    if not text.isprintable():
        return "has a character in it that cannot be printed"
    return "" if text == " ".join(text.split()) else "has blanks at an end, or two in a row"


def fault_of_word(text: object) -> str:
    """What is wrong with a text as a name that must be one word, or nothing."""
    return fault_of_name(text) or ("has a blank in it" if " " in str(text) else "")


def one_line(text: object) -> bool:
    """Whether it is a text that can stand on one line."""
    return isinstance(text, str) and len(text.splitlines()) <= 1


def snapshot(position: Position, players: Sequence[Player]) -> tuple[object, ...]:
    """What must not change while others play on from here."""
    return (position.key(), position.turn(), *(position.view(player) for player in (*players, None)))


def choose(position: Position, rng: random.Random) -> dict[Player, Move]:
    """Moves for this turn, at random."""
    turn = position.turn()
    if turn.kind is TurnKind.CHANCE:
        return {CHANCE: position.draw(rng)}
    return {player: rng.choice(position.moves(player)) for player in turn.movers(rng)}


class Examiner:
    """Examines positions of games with the same players, and remembers what it has seen there."""

    def __init__(self, rules: Rules, players: tuple[Player, ...], ledger: Ledger, rng: random.Random) -> None:
        self.rules = rules
        self.players = players
        self.ledger = ledger
        self.rng = rng
        self._met: dict[Player, dict[Move, None]] = {player: {} for player in (*players, CHANCE)}
        self._keys: dict[Hashable, tuple[object, ...]] = {}
        self._looks: dict[tuple[Player | None, str], tuple[list[Move], list[str]]] = {}

    def examine(self, position: Position) -> None:
        """Everything that can be told of a position by itself."""
        guard = self.ledger.guard
        with guard("turn"):
            self._turn(position, position.turn())
        with guard("result"):
            self._result(position, position.result())
        for player in self.players:
            with guard("moves and parse"):
                self._moves(position, player)
        with guard("chance"):
            self._chance(position)
        for observer in (*self.players, None):
            with guard("view and picture"):
                self._look(position, observer)
        with guard("key"):
            self._key(position)
        with guard("seen"):
            self._seen(position)
        with guard("play of a move that is not listed"):
            self._refusals(position)

    def _turn(self, position: Position, turn: Turn) -> None:
        expect, kind = self.ledger.expect, turn.kind
        wanted = {TurnKind.CHANCE: (CHANCE,), TurnKind.OVER: ()}.get(kind)
        if wanted is not None:
            expect(turn.players == wanted, "turn", f"a turn of kind {kind.value} names other players", turn.players)
        else:
            strangers = [player for player in turn.players if player not in self.players]
            expect(not strangers, "turn", "it is the turn of somebody who does not play", strangers)
            expect(len(set(turn.players)) == len(turn.players), "turn", "a turn names a player twice", turn.players)
            right = len(turn.players) == 1 if kind is TurnKind.SINGLE else len(turn.players) >= 1
            expect(right, "turn", f"a turn of kind {kind.value} has the wrong number of players", turn.players)
        for player in (*self.players, CHANCE):
            listed = position.moves(player)
            if player not in turn.players:
                expect(not listed, "turn", "moves are listed for a player who is not to move", player)
            elif player != CHANCE:
                expect(bool(listed), "turn", "a player who is to move has no moves", player)
        traits = self.rules.traits
        for trait, found in (("chance", TurnKind.CHANCE), ("joint", TurnKind.JOINT), ("race", TurnKind.RACE)):
            declared = kind is not found or getattr(traits, trait)
            expect(declared, "traits", f"there is a turn of kind {trait} but the traits do not say so")
        if kind is TurnKind.RACE:
            expect(turn.delay is not None and turn.delay > 0, "turn", "a race has no delay")
            whole = not turn.sealed or set(turn.default) == set(turn.players)
            expect(whole, "sealed", "the default of a sealed race does not name all its players", dict(turn.default))
        for player, move in turn.default.items():
            expect(move in position.moves(player), "turn", "the default of a turn is no move", f"{player} {move}")

    def _result(self, position: Position, result: Result | None) -> None:
        expect, over = self.ledger.expect, position.turn().kind is TurnKind.OVER
        if not over:
            expect(result is None, "result", "there is a result before the game is over")
            return
        if result is None:
            self.ledger.note("result", "the game is over but has no result")
            return
        expect(set(result.standings) == set(self.players), "result", "the standings are not those of all players")
        good = all(isinstance(standing, Standing) for standing in result.standings.values())
        expect(good, "result", "a standing is none", dict(result.standings))
        expect(set(result.scores) <= set(self.players), "result", "somebody scores who does not play")
        numbers = all(isinstance(score, int | Fraction) for score in result.scores.values())
        expect(numbers, "result", "a score is neither a whole number nor a fraction", dict(result.scores))
        expect(one_line(result.reason), "result", "the reason is not one line", repr(result.reason))

    def _moves(self, position: Position, player: Player) -> None:
        expect, listed = self.ledger.expect, position.moves(player)
        likely = advice.likely(position, player)
        some = bool(likely) == bool(listed) and set(likely) <= set(listed)
        expect(some, "moves", "likely moves are not some of the moves", player)
        casual = not likely or advice.casual(position, player, random.Random(0)) in listed
        expect(casual, "moves", "a move to play on with is none of the moves", player)
        expect(len(set(listed)) == len(listed), "names", "a move is listed twice", player)
        for move in self._some(listed):
            fault = fault_of_name(move)
            if not expect(not fault, "names", f"the name of a move {fault}", repr(move)):
                continue
            expect(move != HIDDEN, "names", "a move has the name that stands for a hidden one", player)
            named = move.casefold().split(" ")[0] == player.casefold()
            expect(not named, "names", "a move's name begins with its player's", move)
            self._met.setdefault(player, {})[move] = None
            self._parse(position, player, move, listed)
        for text in GARBAGE:
            self._parse_garbage(position, player, text, listed)

    def _parse(self, position: Position, player: Player, move: Move, listed: Sequence[Move]) -> None:
        folded = [other.casefold() for other in listed]
        alone = folded.count(move.casefold()) == 1
        for text in dict.fromkeys((move, move.upper(), move.lower())):
            if text != move and (not alone or text in listed or text.casefold() != move.casefold()):
                continue
            what = (
                "parse does not give a move for its own name"
                if text == move
                else "parse cares for small and capital letters"
            )
            try:
                parsed = position.parse(player, text)
            except MoveError as error:
                self.ledger.note("parse", what, f"{player} {text}: {error}")
            else:
                self.ledger.expect(parsed == move, "parse", what, f"{player} {text} gives {parsed}")

    def _parse_garbage(self, position: Position, player: Player, text: str, listed: Sequence[Move]) -> None:
        try:
            parsed = position.parse(player, text)
        except MoveError:
            return
        except (Exception, SystemExit) as error:  # noqa: BLE001 - any other exception is the finding
            what = f"parse raises {type(error).__name__} where the text is no move"
            self.ledger.note("parse", what, f"{player} {text[:40]!r}")
            return
        known = parsed in listed or isinstance(listed, OpenMoves)
        self.ledger.expect(known, "parse", "parse gives a move that is not listed", f"{player} {text[:40]!r}")

    def _chance(self, position: Position) -> None:
        expect, outcomes = self.ledger.expect, position.chance()
        if position.turn().kind is not TurnKind.CHANCE:
            expect(not outcomes, "chance", "outcomes are listed at a turn that is not chance's")
            return
        names = [move for move, _ in outcomes]
        expect(len(set(names)) == len(names), "chance", "an outcome is listed twice")
        expect(sorted(position.moves(CHANCE)) == sorted(names), "chance", "the moves of Chance are not the outcomes")
        for move, weight in self._some(outcomes):
            fault = fault_of_name(move)
            expect(not fault, "names", f"the name of an outcome {fault}", repr(move))
            good = isinstance(weight, int) and weight > 0
            expect(good, "chance", "the weight of an outcome is not a positive whole number", f"{move} {weight}")
            expect(position.parse(CHANCE, move) == move, "parse", "parse does not give an outcome for its name", move)
        drawn = position.draw(self.rng)
        expect(not names or drawn in names, "chance", "an outcome is drawn that is not listed", drawn)

    def _look(self, position: Position, observer: Player | None) -> None:
        expect, view = self.ledger.expect, position.view(observer)
        expect(one_line(view) and bool(view.strip()), "view", "a view is not one line of text", repr(view)[:80])
        lines = position.picture(observer).plain()
        expect(any(line.strip() for line in lines), "picture", "there is nothing in the picture")
        expect(all(one_line(line) for line in lines), "picture", "a line of the picture is more than one")
        position.picture(observer).plain(ascii_only=True)
        looks = (list(position.moves(observer)) if observer else [], lines)
        before = self._looks.setdefault((observer, view), looks)
        expect(before[0] == looks[0], "view", "positions with the same view list different moves", view)
        expect(before[1] == looks[1], "view", "positions with the same view have different pictures", view)

    def _key(self, position: Position) -> None:
        listed = tuple(tuple(position.moves(player)) for player in self.players)
        found = (position.turn(), listed, position.result())
        before = self._keys.setdefault(position.key(), found)
        self.ledger.expect(before == found, "key", "positions with the same key differ in turn, moves or result")

    def _seen(self, position: Position) -> None:
        expect = self.ledger.expect
        for actor in position.turn().players:
            for move in self._some(position.moves(actor)):
                for observer in self.players:
                    told = position.seen(actor, move, observer)
                    again = position.seen(actor, move, observer)
                    expect(told == again, "seen", "seen says different things of the same move", f"{actor} {move}")
                    fault = fault_of_name(told)
                    expect(not fault, "seen", f"what is seen of a move {fault}", repr(told))
                    if actor == observer:
                        # In a game with secrets the umpire's words may follow it.
                        whole = told == move or (self.rules.traits.hidden and told.startswith(f"{move} "))
                        expect(whole, "seen", "a player does not see what it plays itself", f"{actor} {move}")
                    elif not self.rules.traits.hidden:
                        what = "a move is masked but the traits say that nothing is hidden"
                        expect(told == move, "traits", what, f"{actor} {move}")

    def _refusals(self, position: Position) -> None:
        before = snapshot(position, self.players)
        turn = position.turn()
        movers = {} if turn.kind is TurnKind.OVER else choose(position, self.rng)
        for player in (*self.players, CHANCE):
            listed = position.moves(player)
            strange = [*self._some(list(self._met[player])), *GARBAGE]
            if turn.kind is not TurnKind.JOINT:
                # What another player may do now is the likeliest thing to slip through.
                strange += movers.values()
            for text in strange:
                if text in listed or (isinstance(listed, OpenMoves) and self._reads(position, player, text)):
                    continue
                if turn.kind is TurnKind.CHANCE and player == CHANCE and not listed:
                    continue  # outcomes that can't be listed: any text may be one
                moves = {**movers, player: text} if turn.kind is TurnKind.JOINT else {player: text}
                self._refused(position, player, moves)
        same = snapshot(position, self.players) == before
        self.ledger.expect(same, "refusal", "a move that was not allowed has changed the position")

    def _refused(self, position: Position, player: Player, moves: Mapping[Player, Move]) -> None:
        detail = f"{player} {moves[player][:40]!r}"
        try:
            position.play(moves)
        except IllegalMove:
            return
        except (Exception, SystemExit) as error:  # noqa: BLE001 - any other exception is the finding
            what = f"play raises {type(error).__name__}, not IllegalMove, for a move that is not listed"
            self.ledger.note("refusal", what, detail)
            return
        self.ledger.note("refusal", "play takes a move that is not listed", detail)

    def _reads(self, position: Position, player: Player, text: str) -> bool:
        try:
            position.parse(player, text)
        except MoveError:
            return False
        return True

    def _some(self, items: Sequence[_Item]) -> Sequence[_Item]:
        return items if len(items) <= MANY else self.rng.sample(items, MANY)
