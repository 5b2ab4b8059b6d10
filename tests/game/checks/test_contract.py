"""Every check is shown to fail on a rule that breaks the promise, and to pass on rules that keep it."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest
from support.games import Hunt

from ggtp.errors import IllegalMove, MoveError, OptionError
from ggtp.game import (
    CHANCE,
    CHANCE_TURN,
    HIDDEN,
    OVER,
    Announcement,
    Move,
    Note,
    Observation,
    OpenMoves,
    Option,
    Picture,
    Player,
    Position,
    Refusal,
    Result,
    Rules,
    Searcher,
    Standing,
    Traits,
    Turn,
    TurnKind,
    Verdict,
    number,
    result_by_winner,
    single,
)
from ggtp.game.checks.contract import Finding, check_rules, perft

PLAYERS = ("Ann", "Bob")


class Count(Position):
    """Add one or two in turn; who comes to the limit wins. Nothing is hidden."""

    def __init__(self, total: int = 0, to_move: int = 0, limit: int = 5) -> None:
        self.total = total
        self.to_move = to_move
        self.limit = limit

    def turn(self) -> Turn:
        return OVER if self.total >= self.limit else single(PLAYERS[self.to_move])

    def moves(self, player: Player) -> Sequence[Move]:
        return ("One", "Two") if player in self.turn().players else ()

    def play(self, moves: Mapping[Player, Move]) -> Verdict:
        ((player, move),) = moves.items()
        if move not in self.moves(player):
            raise IllegalMove(move)
        return Verdict(self.after(move), ((player, move),))

    def after(self, move: Move) -> Count:
        step = 2 if move.casefold() == "two" else 1
        return type(self)(self.total + step, 1 - self.to_move, self.limit)

    def result(self) -> Result | None:
        return result_by_winner(PLAYERS, PLAYERS[1 - self.to_move]) if self.total >= self.limit else None

    def view(self, player: Player | None) -> str:
        return f"{self.total} {self.to_move}"

    def key(self) -> Hashable:
        return (self.total, self.to_move, self.limit)

    def searcher(self) -> Searcher | None:
        return CountSearcher(self.total, self.to_move, self.limit)


class CountSearcher:
    """The same game in place."""

    def __init__(self, total: int, to_move: int, limit: int) -> None:
        self.total, self.mover, self.limit = total, to_move, limit
        self.history: list[int] = []

    def to_move(self) -> int:
        return -1 if self.total >= self.limit else self.mover

    def legal(self) -> Sequence[int]:
        return () if self.total >= self.limit else (1, 2)

    def play(self, move: int) -> None:
        self.total += move
        self.mover = 1 - self.mover
        self.history.append(move)

    def undo(self) -> None:
        self.total -= self.history.pop()
        self.mover = 1 - self.mover

    def scores(self) -> Sequence[float]:
        return (0.0, 100.0) if self.mover == 0 else (100.0, 0.0)

    def key(self) -> Hashable:
        return (self.total, self.mover)

    def text(self, move: int) -> Move:
        return ("", "One", "Two")[move]

    def number(self, move: Move) -> int:
        return ("", "One", "Two").index(move)


class CountRules(Rules):
    name = "Count"
    title = "count to the limit"
    own_options = (number("limit", 5, 3, 7, "where to stop"),)
    first_player_open = True
    position: type[Count] = Count

    def players(self, options: Mapping[str, str]) -> tuple[Player, ...]:
        return PLAYERS

    def begin(self, options: Mapping[str, str]) -> Position:
        return self.position(0, PLAYERS.index(options.get("starting_player", "Ann")), int(options["limit"]))


class Untold(Position):
    """Ann writes down a number; Bob tries to name it, and is told after each try whether it was wrong."""

    def __init__(self, secret: Move | None = None, tried: tuple[Move, ...] = (), named: bool = False) -> None:
        self.secret = secret
        self.tried = tried
        self.named = named

    def turn(self) -> Turn:
        if self.named:
            return OVER
        return single("Ann") if self.secret is None else single("Bob", sealed=True)

    def moves(self, player: Player) -> Sequence[Move]:
        if player not in self.turn().players:
            return ()
        return [move for move in ("one", "two", "three") if move not in self.tried]

    def play(self, moves: Mapping[Player, Move]) -> Verdict:
        ((player, move),) = moves.items()
        if move not in self.moves(player):
            raise IllegalMove(move)
        if self.secret is None:
            return Verdict(type(self)(move), ((player, move),))
        if move == self.secret:
            return Verdict(type(self)(self.secret, self.tried, True), ((player, move),))
        refusal = Refusal(player, move, "wrong")
        return Verdict(type(self)(self.secret, (*self.tried, move)), refused=(refusal,))

    def result(self) -> Result | None:
        return result_by_winner(PLAYERS, "Bob" if not self.tried else "Ann") if self.named else None

    def seen(self, actor: Player, move: Move, observer: Player) -> Move:
        return HIDDEN if self.secret is None and observer != actor else move

    def view(self, player: Player | None) -> str:
        public = f"{'-' if self.secret is None else 'written'} {'named' if self.named else '-'}"
        if player == "Ann":
            return f"{public} {self.secret} {self.named and len(self.tried) > 0}"
        if player == "Bob":
            return f"{public} tried {' '.join(self.tried)} {self.secret if self.named else ''}"
        return f"{public} {self.secret} tried {' '.join(self.tried)}"

    def key(self) -> Hashable:
        return (self.secret, self.tried, self.named)


class Secret(Untold):
    """The same, with what each of them may think."""

    def determinize(self, player: Player, rng: random.Random) -> Position | None:
        if player == "Ann" and not self.named and self.secret is not None:
            wrong = [move for move in ("one", "two", "three") if move != self.secret]
            return type(self)(self.secret, tuple(rng.sample(wrong, rng.randrange(3))))
        if player == "Bob" and not self.named and self.secret is not None:
            return type(self)(rng.choice(self.moves("Bob")), self.tried)
        return self


class SecretRules(Rules):
    name = "Secret"
    traits = Traits(hidden=True)
    position: type[Untold] = Secret

    def players(self, options: Mapping[str, str]) -> tuple[Player, ...]:
        return PLAYERS

    def begin(self, options: Mapping[str, str]) -> Position:
        return self.position()


class Dice(Count):
    """As Count, but a coin says who counts on."""

    def __init__(self, total: int = 0, to_move: int = 0, limit: int = 5, toss: bool = True) -> None:
        super().__init__(total, to_move, limit)
        self.toss = toss

    def turn(self) -> Turn:
        return CHANCE_TURN if self.toss and self.total < self.limit else super().turn()

    def moves(self, player: Player) -> Sequence[Move]:
        if self.turn() is CHANCE_TURN:
            return ("heads", "tails") if player == CHANCE else ()
        return super().moves(player)

    def chance(self) -> Sequence[tuple[Move, int]]:
        return (("heads", 1), ("tails", 2)) if self.turn() is CHANCE_TURN else ()

    def after(self, move: Move) -> Count:
        if self.turn() is CHANCE_TURN:
            return type(self)(self.total, 0 if move == "heads" else 1, self.limit, False)
        return type(self)(self.total + (2 if move == "Two" else 1), 1 - self.to_move, self.limit, True)

    def view(self, player: Player | None) -> str:
        return f"{super().view(player)} {self.toss}"

    def key(self) -> Hashable:
        return (super().key(), self.toss)

    def searcher(self) -> Searcher | None:
        return None


class DiceRules(CountRules):
    name = "Dice"
    traits = Traits(chance=True)
    first_player_open = False
    position = Dice


class Both(Count):
    """As Count, but both players add at once."""

    kind = TurnKind.JOINT

    def turn(self) -> Turn:
        return OVER if self.total >= self.limit else Turn(self.kind, PLAYERS, delay=1.0)

    def play(self, moves: Mapping[Player, Move]) -> Verdict:
        for player, move in moves.items():
            if move not in self.moves(player):
                raise IllegalMove(move)
        position: Count = self
        for move in moves.values():
            position = position.after(move)
        return Verdict(position, tuple(moves.items()))

    def searcher(self) -> Searcher | None:
        return None


class Race(Both):
    """As Count, but whoever is faster adds."""

    kind = TurnKind.RACE


class BothRules(CountRules):
    name = "Both"
    traits = Traits(joint=True)
    first_player_open = False
    position = Both


class RaceRules(CountRules):
    name = "Race"
    traits = Traits(race=True)
    first_player_open = False
    position = Race


GOOD = (CountRules, SecretRules, DiceRules, BothRules, RaceRules, Hunt)


def checked(rules: Rules, **settings: Any) -> list[Finding]:
    return check_rules(rules, rng=random.Random(4), **{"games": 4, "max_turns": 60} | settings)


def broken(base: type[Rules], position: Mapping[str, Any] | None = None, **changes: Any) -> Rules:
    """Rules that differ from good ones in these parts of the position or of the rules."""
    if position:
        changes["position"] = type("Broken", (base.position,), dict(position))  # type: ignore[attr-defined]
    rules: Rules = type("BrokenRules", (base,), changes)()
    return rules


def raising(error: BaseException) -> Callable[..., Any]:
    def fail(*_: object) -> Any:
        raise error

    return fail


def always(value: object) -> Callable[..., Any]:
    return lambda *_: value


def named(*names: Move) -> dict[str, Any]:
    """Moves with these names instead."""
    return {"moves": lambda self, player: names if player in self.turn().players else (), "searcher": always(None)}


def searching(**changes: Any) -> dict[str, Any]:
    """A searcher that differs in these parts."""
    kind = type("BrokenSearcher", (CountSearcher,), changes)
    return {"searcher": lambda self: kind(self.total, self.to_move, self.limit)}


def mutating_play(self: Count, moves: Mapping[Player, Move]) -> Verdict:
    verdict = Count.play(self, moves)
    self.total += 1
    return verdict


def mutating_refusal(self: Count, moves: Mapping[Player, Move]) -> Verdict:
    try:
        return Count.play(self, moves)
    except IllegalMove:
        self.total += 1
        raise


def lenient_play(self: Count, moves: Mapping[Player, Move]) -> Verdict:
    return Verdict(self.after(next(iter(moves.values()))), tuple(moves.items()))


def key_errors(self: Count, moves: Mapping[Player, Move]) -> Verdict:
    ((player, move),) = moves.items()
    if self.turn().players == (player,):
        {"One": 1, "Two": 2}[move]
    return Count.play(self, moves)


def careful_parse(self: Count, player: Player, text: str) -> Move:
    if text not in self.moves(player):
        raise MoveError(text)
    return text


def wrong_parse(self: Count, player: Player, text: str) -> Move:
    return "Two" if text == "One" else Position.parse(self, player, text)


def unlisted_parse(self: Count, player: Player, text: str) -> Move:
    return "Nine" if text == "" else Position.parse(self, player, text)


def judged(**changes: Any) -> dict[str, Any]:
    """Verdicts that differ in these parts."""

    def play(self: Count, moves: Mapping[Player, Move]) -> Verdict:
        verdict = Count.play(self, moves)
        parts = {"made": verdict.made, "refused": (), "announcements": ()} | changes
        return Verdict(verdict.position, **parts)

    return {"play": play, "searcher": always(None)}


class Shared(Count):
    """A position that shares what its successors change."""

    def __init__(self, total: int = 0, to_move: int = 0, limit: int = 5, log: list[int] | None = None) -> None:
        super().__init__(total, to_move, limit)
        self.log = [] if log is None else log

    def after(self, move: Move) -> Count:
        following = super().after(move)
        return Shared(following.total, following.to_move, self.limit, self.log)

    def play(self, moves: Mapping[Player, Move]) -> Verdict:
        verdict = super().play(moves)
        # Two turns later the change shows in what was there before.
        if self.total >= 2:
            self.log.append(1)
        return verdict

    def key(self) -> Hashable:
        return (super().key(), len(self.log) if self.total < 2 else 0)

    def searcher(self) -> Searcher | None:
        return None


def winning(**changes: Any) -> dict[str, Any]:
    """Results that differ in these parts."""

    def result(self: Count) -> Result | None:
        good = Count.result(self)
        return good and Result(**{"standings": good.standings, "scores": good.scores, "reason": ""} | changes)

    return {"result": result, "searcher": always(None)}


def taking_turns(turn: Turn) -> dict[str, Any]:
    """Another turn while the game goes on."""
    return {"turn": lambda self: OVER if self.total >= self.limit else turn, "searcher": always(None)}


def uncounted_view(self: Secret, player: Player | None) -> str:
    return Secret.view(self, player) + f" {self.secret}"


def hasty_determinize(self: Secret, player: Player, rng: random.Random) -> Position:
    return type(self)("one", (), False)


def other_picture(self: Secret, player: Player | None) -> Picture:
    return Picture((Note(f"{self.secret}"),))


def telling_tries(self: Secret, player: Player | None) -> str:
    return Secret.view(self, player) + f" {len(self.tried)}"


def peeking_moves(self: Secret, player: Player) -> Sequence[Move]:
    return sorted(Secret.moves(self, player), key=lambda move: move != self.secret)


def picky_begin(self: CountRules, options: Mapping[str, str]) -> Position:
    if options["limit"] == "3":
        raise OptionError("not three")
    return CountRules.begin(self, options)


def uneven(self: Count) -> Result | None:
    scores = {"Ann": self.total + self.to_move}
    return Result(dict.fromkeys(PLAYERS, Standing.DRAW), scores) if self.total >= self.limit else None


def heads_parse(self: Dice, player: Player, text: str) -> Move:
    return "heads" if player == CHANCE else Position.parse(self, player, text)


def mover_view(self: Count, player: Player | None) -> str:
    return str(self.to_move)


def total_picture(self: Count, player: Player | None) -> Picture:
    return Picture((Note(str(self.total)),))


def tossing(*outcomes: tuple[Move, float]) -> dict[str, Any]:
    """Other outcomes of the toss."""
    return {"chance": lambda self: outcomes if self.turn() is CHANCE_TURN else ()}


def exhausted(self: CountSearcher) -> Sequence[int]:
    return () if getattr(self, "ended", False) or self.total >= self.limit else (1, 2)


def wearing(self: CountSearcher, move: int) -> None:
    CountSearcher.play(self, move)
    vars(self)["ended"] = self.total >= self.limit


def shared_searcher(self: Count) -> Searcher:
    searcher: Searcher = vars(self).setdefault("one", CountSearcher(self.total, self.to_move, self.limit))
    return searcher


COUNTER = itertools.count()


def unsealed_turn(self: Secret) -> Turn:
    return replace(Secret.turn(self), sealed=False)


def sealed_race(self: Race) -> Turn:
    return replace(Race.turn(self), sealed=True, default={"Ann": "One"})


BROKEN: list[tuple[str, str, Rules]] = [
    # names
    ("names", "the rule's name", broken(CountRules, name="Count to five")),
    ("names", "title", broken(CountRules, title="two\nlines")),
    ("names", "player has a blank", broken(CountRules, players=always(("Ann", "Big Bob")))),
    ("names", "player is empty", broken(CountRules, players=always(("Ann", "")))),
    ("names", "same name", broken(CountRules, players=always(("Ann", "ann")))),
    ("names", "name of chance", broken(CountRules, players=always(("Ann", "chance")))),
    ("names", "move is empty", broken(CountRules, named("", "Two"))),
    ("names", "move has a comma", broken(CountRules, named("1,1", "Two"))),
    ("names", "move has a comma, a tab", broken(CountRules, named("a\tb", "Two"))),
    ("names", "move has a comma, a tab or a newline", broken(CountRules, named("a\nb", "Two"))),
    ("names", "move has blanks", broken(CountRules, named(" One", "Two"))),
    ("names", "move has blanks", broken(CountRules, named("Two  steps"))),
    ("names", "cannot be printed", broken(CountRules, named("a\x00b"))),
    ("names", "move is not a text", broken(CountRules, named(1))),  # type: ignore[arg-type]
    ("names", "listed twice", broken(CountRules, named("One", "One"))),
    ("names", "begins with its player", broken(CountRules, named("ann One", "bob One"))),
    ("names", "stands for a hidden one", broken(CountRules, named(HIDDEN, "Two"))),
    ("names", "outcome has a comma", broken(DiceRules, tossing(("a,b", 1)))),
    # options
    ("options", "default", broken(CountRules, own_options=(number("limit", 9, 3, 7, ""),))),
    ("options", "option has a blank", broken(CountRules, own_options=(*CountRules.own_options, Option("a b", "")))),
    ("options", "same name", broken(CountRules, own_options=(*CountRules.own_options, Option("Limit", "")))),
    ("options", "summary", broken(CountRules, own_options=(number("limit", 5, 3, 7, "a\nb"),))),
    ("options", "starting_player is there", broken(CountRules, options=always(CountRules.own_options))),
    ("options", "not starting_player", broken(CountRules, begin=lambda self, options: Count(limit=5))),
    (
        "options",
        "there is not",
        broken(CountRules, complete=lambda self, _: {"limit": "5", "starting_player": "Ann"}),
    ),
    (
        "crash",
        "start with limit=",
        broken(CountRules, begin=lambda self, options: Count(limit={"5": 5}[options["limit"]])),
    ),
    ("options", "does not take a value", broken(CountRules, begin=picky_begin)),
    # parse
    (
        "parse",
        "raises KeyError",
        broken(CountRules, {"parse": lambda self, _, text: {"One": "One", "Two": "Two"}[text]}),
    ),
    ("parse", "its own name", broken(CountRules, {"parse": wrong_parse})),
    ("parse", "its own name", broken(CountRules, {"parse": raising(MoveError("no"))})),
    ("parse", "small and capital", broken(CountRules, {"parse": careful_parse})),
    ("parse", "not listed", broken(CountRules, {"parse": unlisted_parse})),
    # refusals and immutability
    ("refusal", "play takes a move", broken(CountRules, {"play": lenient_play})),
    ("refusal", "play raises KeyError", broken(CountRules, {"play": key_errors})),
    ("refusal", "has changed the position", broken(CountRules, {"play": mutating_refusal})),
    ("refusal", "play takes a move", broken(BothRules, {"play": lenient_play})),
    ("immutable", "played in", broken(CountRules, {"play": mutating_play})),
    ("immutable", "earlier position", broken(CountRules, begin=lambda self, _: Shared())),
    ("replay", "another position", broken(CountRules, begin=lambda self, _: Count(limit=5 + next(COUNTER) % 2))),
    # turns
    ("turn", "not to move", broken(CountRules, {"moves": always(("One", "Two"))})),
    ("turn", "has no moves", broken(CountRules, {"moves": always(())})),
    ("turn", "kind over names", broken(CountRules, {"turn": always(Turn(TurnKind.OVER, ("Ann",)))})),
    ("turn", "kind chance names", broken(DiceRules, taking_turns(Turn(TurnKind.CHANCE, ())))),
    ("turn", "does not play", broken(CountRules, taking_turns(single("Cid")))),
    ("turn", "wrong number", broken(CountRules, taking_turns(Turn(TurnKind.SINGLE, PLAYERS)))),
    ("turn", "wrong number", broken(BothRules, taking_turns(Turn(TurnKind.JOINT, ())))),
    ("turn", "a player twice", broken(BothRules, taking_turns(Turn(TurnKind.JOINT, ("Ann", "Ann"))))),
    ("turn", "no delay", broken(RaceRules, taking_turns(Turn(TurnKind.RACE, PLAYERS)))),
    ("turn", "default", broken(RaceRules, taking_turns(Turn(TurnKind.RACE, PLAYERS, 1.0, {"Ann": "Nine"})))),
    # verdicts
    ("verdict", "made that was not handed in", broken(CountRules, judged(made=(("Ann", "Nine"),)))),
    ("verdict", "refused that was not handed in", broken(CountRules, judged(refused=(Refusal("Bob", "Nine", ""),)))),
    ("verdict", "neither made nor refused", broken(CountRules, judged(made=()))),
    ("verdict", "not one line", broken(CountRules, judged(announcements=(Announcement("a\nb"),)))),
    (
        "verdict",
        "both made and refused",
        broken(CountRules, judged(refused=tuple(Refusal(p, m, "") for p in PLAYERS for m in ("One", "Two")))),
    ),
    # results
    ("result", "before the game is over", broken(CountRules, {"result": always(result_by_winner(PLAYERS, "Ann"))})),
    ("result", "has no result", broken(CountRules, {"result": always(None)})),
    ("result", "not those of all", broken(CountRules, winning(standings={"Ann": Standing.WIN}))),
    ("result", "standing is none", broken(CountRules, winning(standings=dict.fromkeys(PLAYERS, "win")))),
    ("result", "scores who does not play", broken(CountRules, winning(scores={"Cid": 1}))),
    ("result", "neither a whole number", broken(CountRules, winning(scores={"Ann": 0.5}))),
    ("result", "reason", broken(CountRules, winning(reason="a\nb"))),
    # views, pictures, keys
    ("view", "not one line", broken(CountRules, {"view": lambda self, _: f"{self.total}\n{self.to_move}"})),
    ("view", "not one line", broken(CountRules, {"view": always("")})),
    ("view", "different moves", broken(CountRules, {"view": always("same")})),
    ("view", "different pictures", broken(CountRules, {"view": mover_view, "picture": total_picture})),
    ("picture", "nothing in", broken(CountRules, {"picture": always(Picture(()))})),
    ("picture", "more than one", broken(CountRules, {"picture": always(Picture((Note("a\nb"),)))})),
    ("key", "same key", broken(CountRules, {"key": always(0)})),
    (
        "crash",
        "view and picture raised ZeroDivisionError",
        broken(CountRules, {"picture": raising(ZeroDivisionError())}),
    ),
    ("crash", "a game raised RecursionError", broken(CountRules, {"view": raising(RecursionError("deep"))})),
    ("crash", "raised SystemExit", broken(CountRules, {"result": raising(SystemExit(3))})),
    ("crash", "the rule's description raised", broken(CountRules, players=raising(OSError("no")))),
    (
        "end",
        "not over after 60 turns",
        broken(CountRules, {"after": lambda self, _: type(self)(0, 1 - self.to_move, self.limit)}),
    ),
    # chance
    ("chance", "positive whole number", broken(DiceRules, tossing(("heads", 0), ("tails", 1)))),
    ("chance", "positive whole number", broken(DiceRules, tossing(("heads", 0.5), ("tails", 1)))),
    ("chance", "listed twice", broken(DiceRules, tossing(("heads", 1), ("heads", 1)))),
    ("chance", "not the outcomes", broken(DiceRules, tossing(("heads", 1)))),
    ("chance", "not chance's", broken(DiceRules, {"chance": always([("heads", 1), ("tails", 1)])})),
    ("chance", "drawn that is not listed", broken(DiceRules, {"draw": always("edge")})),
    ("parse", "an outcome", broken(DiceRules, {"parse": heads_parse})),
    # traits
    ("traits", "kind chance", broken(DiceRules, traits=Traits())),
    ("traits", "kind joint", broken(BothRules, traits=Traits())),
    ("traits", "kind race", broken(RaceRules, traits=Traits())),
    ("traits", "more or fewer players", broken(CountRules, traits=Traits(min_players=3, max_players=4))),
    ("traits", "masked", broken(SecretRules, traits=Traits())),
    ("traits", "refused", broken(SecretRules, traits=Traits())),
    ("traits", "determinize changes", broken(SecretRules, traits=Traits())),
    # what is seen
    ("seen", "different things", broken(SecretRules, {"seen": lambda self, *_: str(next(COUNTER))})),
    ("seen", "plays itself", broken(SecretRules, {"seen": always(HIDDEN)})),
    ("seen", "plays itself", broken(SecretRules, {"seen": lambda self, actor, move, observer: f"check {move}"})),
    ("seen", "plays itself", broken(CountRules, {"seen": lambda self, actor, move, observer: f"{move} check"})),
    (
        "seen",
        "what is seen of a move is empty",
        broken(SecretRules, {"seen": lambda self, actor, move, observer: move if actor == observer else ""}),
    ),
    # secrets
    ("leak", "true position away", type("BrokenRules", (SecretRules,), {"position": Untold})()),
    ("leak", "determinized position has another view", broken(SecretRules, {"determinize": hasty_determinize})),
    ("leak", "determinized position has another view", broken(SecretRules, {"view": uncounted_view})),
    ("leak", "determinized position lists other moves", broken(SecretRules, {"moves": peeking_moves})),
    ("leak", "determinized position has another picture", broken(SecretRules, {"picture": other_picture})),
    ("sealed", "refused in a turn that is not sealed", broken(SecretRules, {"turn": unsealed_turn})),
    ("sealed", "does not name all its players", broken(RaceRules, {"turn": sealed_race})),
    ("leak", "determinized position is another turn", broken(SecretRules, {"determinize": hasty_determinize})),
    ("leak", "told alike has another view", broken(SecretRules, {"view": uncounted_view, "determinize": always(None)})),
    ("leak", "told alike has another view", broken(SecretRules, {"view": telling_tries, "determinize": always(None)})),
    (
        "leak",
        "told alike has another picture",
        broken(SecretRules, {"picture": other_picture, "determinize": always(None)}),
    ),
    (
        "leak",
        "told alike lists other moves",
        broken(SecretRules, {"moves": peeking_moves, "determinize": always(None)}),
    ),
    (
        "imagine",
        "imagined position has another view",
        broken(SecretRules, imagine=lambda self, *_: Secret("two", ("three", "one"), True)),
    ),
    (
        "imagine",
        "does not lead to the position",
        broken(DiceRules, {"seen": lambda self, actor, move, _: "heads" if actor == CHANCE else move}),
    ),
    # searchers
    (
        "searcher",
        "lists other moves",
        broken(CountRules, searching(legal=lambda self: (1,) if self.total < self.limit else ())),
    ),
    ("searcher", "see the end", broken(CountRules, searching(to_move=lambda self: self.mover))),
    ("searcher", "after the end", broken(CountRules, searching(legal=always((1, 2))))),
    (
        "searcher",
        "another player to move",
        broken(CountRules, searching(to_move=lambda self: -1 if self.total >= self.limit else 1 - self.mover)),
    ),
    ("searcher", "do not belong together", broken(CountRules, searching(number=always(1)))),
    ("searcher", "take a move back", broken(CountRules, searching(undo=always(None)))),
    ("searcher", "scores", broken(CountRules, searching(scores=always((50.0, 50.0))))),
    ("searcher", "key does not change", broken(CountRules, searching(key=always(0)))),
    ("searcher", "made anew", broken(CountRules, searching(key=lambda self: (self.total, len(self.history))))),
    ("searcher", "no moves after taking one back", broken(CountRules, searching(legal=exhausted, play=wearing))),
    (
        "searcher",
        "turns of other kinds",
        broken(DiceRules, {"searcher": lambda self: CountSearcher(self.total, self.to_move, self.limit)}),
    ),
    ("searcher", "changes its position", broken(CountRules, {"searcher": shared_searcher})),
    ("crash", "searcher raised", broken(CountRules, searching(play=raising(IndexError("no"))))),
]


@pytest.mark.parametrize("rules", GOOD, ids=lambda rules: rules.name)
def test_good_rules_have_no_findings(rules: type[Rules]) -> None:
    assert checked(rules(), games=12) == []


@pytest.mark.parametrize(("check", "fragment", "rules"), BROKEN, ids=[f"{row[0]}: {row[1]}" for row in BROKEN])
def test_broken_rules_are_found_out(check: str, fragment: str, rules: Rules) -> None:
    findings = checked(rules, games=8)
    assert [found for found in findings if found.check == check and fragment in found.message], findings


def test_scores_of_a_zero_sum_game_add_up_to_the_same() -> None:
    findings = checked(broken(CountRules, {"result": uneven, "searcher": always(None)}), games=30)
    assert [found.check for found in findings] == ["traits"]
    assert "zero_sum" in findings[0].message
    general = broken(CountRules, {"result": uneven, "searcher": always(None)}, traits=Traits(zero_sum=False))
    assert checked(general, games=30) == []


def test_a_finding_says_what_was_played_before() -> None:
    class Late(Count):
        def view(self, player: Player | None) -> str:
            return f"{self.total} {self.to_move}" + ("\n" if self.total >= 2 else "") + "."

    class LateRules(CountRules):
        position = Late

    (found,) = (found for found in checked(LateRules()) if found.check == "view")
    assert found.moves in {("Ann Two",), ("Ann One", "Bob One"), ("Ann One", "Bob Two")}


def test_a_finding_is_reported_once_and_as_it_happens() -> None:
    said: list[str] = []
    findings = checked(broken(CountRules, {"view": always("same")}), report=said.append)
    assert len({(found.check, found.message.split(":")[0]) for found in findings}) == len(findings)
    assert [line for line in said if line.startswith("view: ")]
    assert sum(line.startswith("game ") for line in said) == 4


def test_the_same_seed_makes_the_same_games() -> None:
    reports: list[list[str]] = [[], []]
    for said in reports:
        checked(DiceRules(), games=8, report=said.append)
    assert reports[0] == reports[1]


def test_a_rule_may_list_only_typical_moves() -> None:
    class Open(Count):
        def moves(self, player: Player) -> Sequence[Move]:
            return OpenMoves(("One", "Two"), ("Three",)) if player in self.turn().players else ()

        def play(self, moves: Mapping[Player, Move]) -> Verdict:
            ((player, move),) = moves.items()
            if not self.moves(player) or move not in ("One", "Two", "None"):
                raise IllegalMove(move)
            return Verdict(self.after(move), ((player, move),))

        def parse(self, player: Player, text: str) -> Move:
            return text if text == "None" and self.moves(player) else super().parse(player, text)

        def searcher(self) -> Searcher | None:
            return None

    class OpenRules(CountRules):
        position = Open

    assert checked(OpenRules()) == []


def test_outcomes_that_cannot_be_listed_may_be_drawn() -> None:
    class Unlisted(Dice):
        def moves(self, player: Player) -> Sequence[Move]:
            return () if self.turn() is CHANCE_TURN else super().moves(player)

        def chance(self) -> Sequence[tuple[Move, int]]:
            return ()

        def draw(self, rng: random.Random) -> Move:
            return rng.choice(("heads", "tails"))

        def play(self, moves: Mapping[Player, Move]) -> Verdict:
            if self.turn() is CHANCE_TURN and moves.keys() == {CHANCE}:
                return Verdict(self.after(moves[CHANCE]), tuple(moves.items()))
            return Count.play(self, moves)

    class UnlistedRules(DiceRules):
        position = Unlisted

    assert checked(UnlistedRules()) == []


def test_no_games_check_only_the_description() -> None:
    assert checked(broken(CountRules, {"view": raising(ValueError())}), games=0) == []


@pytest.mark.parametrize(
    ("position", "counts"),
    [
        (Count(limit=3), [1, 2, 4, 2, 0]),
        (Dice(limit=2), [1, 2, 4, 4, 8, 0]),
        (Both(limit=3), [1, 4, 4, 0]),
        (Race(limit=2), [1, 4, 8, 0]),
        (Secret(), [1, 3, 9, 12, 6, 0]),
    ],
    ids=["single", "chance", "joint", "race", "refused"],
)
def test_perft(position: Position, counts: list[int]) -> None:
    assert [perft(position, depth) for depth in range(len(counts))] == counts


def test_imagined_positions_of_the_good_secret_are_sampled() -> None:
    # The check leans on sampling where the rule imagines nothing: so it must get somewhere here.
    asked: list[Sequence[Observation]] = []

    class Asked(SecretRules):
        def imagine(self, player: Player, values: Mapping[str, str], seen: Sequence[Observation], _: object) -> None:
            asked.append(seen)

    assert checked(Asked()) == []
    assert max(map(len, asked)) >= 2


def test_a_check_stops_when_it_is_told_to() -> None:
    asked = 0

    def should_stop() -> bool:
        nonlocal asked
        asked += 1
        return asked > most

    counts: list[int] = []
    most = 10**9
    assert checked(CountRules(), should_stop=should_stop, played=counts.append) == []
    assert counts == [1, 2, 3, 4]
    most, asked = asked // 2, 0
    counts.clear()
    assert checked(CountRules(), should_stop=should_stop, played=counts.append) == []
    assert asked == most + 1  # it was not asked again
    assert counts in ([1], [1, 2], [1, 2, 3])
