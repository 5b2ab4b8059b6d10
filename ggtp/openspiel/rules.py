"""A game of OpenSpiel as rules of the house."""

from __future__ import annotations

import random
from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Protocol, TypeAlias

from ggtp.errors import AmbiguousMove, IllegalMove, MalformedMove
from ggtp.game import (
    CHANCE,
    CHANCE_TURN,
    HIDDEN,
    OVER,
    Move,
    Observation,
    Picture,
    Player,
    Position,
    Refusal,
    Result,
    Rules,
    Seen,
    Standing,
    Turn,
    TurnKind,
    Verdict,
    result_by_scores,
    single,
)
from ggtp.game.advice import Determinizes, Imagines, NearlyImagines
from ggtp.openspiel.link import LINK, Link
from ggtp.openspiel.naming import clean, news, plain, unique
from ggtp.openspiel.picture import draw
from ggtp.openspiel.spec import TELL, GameSpec, Parameter

Step: TypeAlias = int | tuple[int, ...]


class Asked(Protocol):
    """Whoever can be asked about a game."""

    def ask(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """The answer."""


class Table:
    """A game with its options chosen: what all positions of a play share."""

    def __init__(
        self, spec: GameSpec, parameters: Mapping[str, Parameter], players: tuple[Player, ...], link: Asked
    ) -> None:
        self.spec = spec
        self.parameters = dict(parameters)
        self.players = players
        self.link = link
        self.identity = (spec.game, tuple(sorted(self.parameters.items())))

    def ask(self, want: str, history: tuple[Step, ...], **more: object) -> dict[str, Any]:
        """The child's answer about the state after these actions."""
        request = {"want": want, "game": self.spec.game, "parameters": self.parameters, "history": history, **more}
        return self.link.ask(request)


class OpenSpielPosition(Position, Determinizes):
    """The actions since the start, and what the child has told of the state after them."""

    __slots__ = (
        "_chance",
        "_history",
        "_kind",
        "_movers",
        "_moves",
        "_shown",
        "_table",
        "_texts",
        "_told",
        "_views",
        "_worth",
    )

    def __init__(self, table: Table, history: tuple[Step, ...] = ()) -> None:
        self._table = table
        self._history = history
        about = table.ask("state", history)
        names, rewrites = table.players, table.spec.rewrites
        self._kind: str = about["kind"]
        self._movers = tuple(names[index] for index in about.get("players", ()))
        self._views = tuple(about["views"])
        self._texts: str = about["table"]
        self._worth = tuple(Fraction(value) for value in about.get("returns", ()))
        self._moves: dict[Player, dict[Move, int]] = {}
        for index, listed in about.get("moves", {}).items():
            cleaned = unique(clean(name, rewrites) for _, name in listed)
            self._moves[names[int(index)]] = dict(zip(cleaned, (action for action, _ in listed), strict=True))
        outcomes = about.get("chance", ())
        self._chance: tuple[tuple[Move, int], ...] = ()
        if outcomes:
            cleaned = unique(clean(name, rewrites) for _, name, _ in outcomes)
            self._moves[CHANCE] = dict(zip(cleaned, (action for action, _, _ in outcomes), strict=True))
            self._chance = tuple(zip(cleaned, (weight for _, _, weight in outcomes), strict=True))
        self._told: dict[Player, dict[str, str]] = {}
        self._shown: dict[str, list[bool]] | None = None

    def turn(self) -> Turn:
        if self._kind == "over":
            return OVER
        if self._kind == "chance":
            return CHANCE_TURN
        if self._kind == "single":
            return single(self._movers[0], sealed=bool(self._table.spec.refusal))
        return Turn(TurnKind.JOINT, self._movers)

    def moves(self, player: Player) -> Sequence[Move]:
        return tuple(self._moves.get(player, ()))

    def chance(self) -> Sequence[tuple[Move, int]]:
        return self._chance

    def play(self, moves: Mapping[Player, Move]) -> Verdict:
        for player, move in moves.items():
            if move not in self._moves.get(player, ()):
                raise IllegalMove(f"No move named {move} for player {player}.")
        if self._kind == "joint":
            if set(moves) != set(self._movers):
                raise IllegalMove("All of them move at the same time.")
            chosen = {player: self._moves[player][move] for player, move in moves.items()}
            # Who has no choice does what the library calls 0.
            step: Step = tuple(chosen.get(player, 0) for player in self._table.players)
        else:
            ((player, move),) = moves.items()
            step = self._moves[player][move]
        after = self._after(step)
        made, spec = tuple(moves.items()), self._table.spec
        if CHANCE in moves:
            return Verdict(after, made)
        if spec.refusal and after._movers == self._movers:
            return Verdict(after, refused=tuple(Refusal(player, move, spec.refusal) for player, move in made))
        return Verdict(Telling(self, after) if spec.tells_of(self._views, after._views) else after, made)

    @property
    def history(self) -> tuple[Step, ...]:
        """The library's actions since the start."""
        return self._history

    def _after(self, step: Step) -> OpenSpielPosition:
        return OpenSpielPosition(self._table, (*self._history, step))

    def parse(self, player: Player, text: str) -> Move:
        """Names without regard to case, blanks and brackets; suits may be letters."""
        listed = self.moves(player)
        if text in listed:
            return text
        if not listed:
            raise IllegalMove(f"It is not {player}'s turn.")
        folded = " ".join(text.split()).casefold()
        typed = plain(text)
        found = [move for move in listed if move.casefold() == folded]
        found = found or [move for move in listed if typed and plain(move) == typed]
        if len(found) == 1:
            return found[0]
        if found:
            raise AmbiguousMove(f"{text} may be {' or '.join(found)}.")
        raise MalformedMove(f"No move named {text[:40]} for player {player}: write it as in {listed[0]}.")

    def seen(self, actor: Player, move: Move, observer: Player) -> Move:
        spec = self._table.spec
        if actor == observer or not spec.traits.hidden:
            return move
        if actor != CHANCE:
            return move if spec.open_moves or self._shows(actor, move, observer) else HIDDEN
        text = self._told_of(move, self._table.players.index(observer))
        return clean(text) if text else HIDDEN

    def spoken(self, actor: Player, move: Move, observer: Player) -> str:
        """Nothing of what is dealt in secret: it is on the table as the library writes it, and that is drawn."""
        return "" if actor == CHANCE and self._table.spec.traits.hidden else self.seen(actor, move, observer)

    def _shows(self, actor: Player, move: Move, observer: Player) -> bool:
        """Whether an observer sees a move, where some are secret."""
        pattern = self._table.spec.open_when
        if not pattern or move not in self._moves.get(actor, ()):
            return False
        if self._shown is None:
            found: dict[str, list[bool]] = self._table.ask("shown", self._history, pattern=pattern)["shown"]
            self._shown = found
        return self._shown[str(self._moves[actor][move])][self._table.players.index(observer)]

    def _told_of(self, outcome: Move, number: int) -> str:
        """What is new to a player after an outcome of chance; empty if nothing is."""
        observer = self._table.players[number]
        if observer not in self._told:
            self._told[observer] = self._table.ask("told", self._history, observer=number)["told"]
        return self._told[observer].get(str(self._moves.get(CHANCE, {}).get(outcome)), "")

    def news(self, before: OpenSpielPosition, player: Player) -> str:
        """What is new to a player since then; empty if nothing is."""
        number = self._table.players.index(player)
        return news(before.seen_by(number), self.seen_by(number))

    def seen_by(self, number: int) -> str:
        """What a player knows, as the library tells it."""
        text: str = self._views[number]
        return text

    def result(self) -> Result | None:
        if self._kind != "over":
            return None
        scores = dict(zip(self._table.players, self._worth, strict=True))
        if len(scores) == 1:
            ((player, score),) = scores.items()
            return Result({player: Standing.WIN if score > 0 else Standing.LOSS}, scores)
        return result_by_scores(scores)

    def view(self, player: Player | None) -> str:
        """One line; who plays a game without secrets sees what the referee sees."""
        if player is None:
            return _one_line(f"{self._texts} after {' '.join(map(str, self._history)) or 'nothing'}")
        mover = " ".join(self.turn().players) or "over"
        moves = " ".join(self.moves(player))
        return _one_line(f"{self._seen_table(player)} {mover} {moves}")

    def _seen_table(self, player: Player) -> str:
        if not self._table.spec.traits.hidden:
            return self._texts
        return self.seen_by(self._table.players.index(player))

    def key(self) -> Hashable:
        return (self._table.identity, self._history)

    def picture(self, player: Player | None) -> Picture:
        text = self._texts if player is None else self._seen_table(player)
        mover = " and ".join(self.turn().players)
        return draw(text, f"{mover} to move" if mover else "the game is over", self._table.spec.count_from)

    def determinize(self, player: Player, rng: random.Random) -> Position | None:
        """None where something is hidden: histories are sampled then."""
        return None if self._table.spec.traits.hidden else self


class Telling(Position, Determinizes):
    """After a secret move: chance tells everybody what is new to them, and then the game goes on."""

    __slots__ = ("_after", "_before")

    def __init__(self, before: OpenSpielPosition, after: OpenSpielPosition) -> None:
        self._before = before
        self._after = after

    @property
    def following(self) -> OpenSpielPosition:
        """What comes after."""
        return self._after

    def turn(self) -> Turn:
        return CHANCE_TURN

    def moves(self, player: Player) -> Sequence[Move]:
        return (TELL,) if player == CHANCE else ()

    def chance(self) -> Sequence[tuple[Move, int]]:
        return ((TELL, 1),)

    def play(self, moves: Mapping[Player, Move]) -> Verdict:
        if dict(moves) != {CHANCE: TELL}:
            raise IllegalMove("It is not time to move: players are told what is new.")
        return Verdict(self._after, ((CHANCE, TELL),))

    def result(self) -> Result | None:
        return None

    def seen(self, actor: Player, move: Move, observer: Player) -> Move:
        # Whose turn it is everybody sees, whatever the library says of it.
        following = " and ".join(self._after.turn().players) or "nobody"
        return f"{TELL} {clean(self._after.news(self._before, observer) or 'nothing')} then {following}"

    def spoken(self, actor: Player, move: Move, observer: Player) -> str:
        """Nothing: what is new is on the table that is drawn after it."""
        return ""

    def view(self, player: Player | None) -> str:
        return f"{(self._after if player is None else self._before).view(player)} telling"

    def key(self) -> Hashable:
        return ("telling", self._after.key())

    def picture(self, player: Player | None) -> Picture:
        return (self._after if player is None else self._before).picture(player)

    def determinize(self, player: Player, rng: random.Random) -> Position | None:
        return None


class OpenSpielRules(Rules, Imagines, NearlyImagines):
    """The rules of a game of OpenSpiel, as a file describes it."""

    def __init__(self, name: str, spec: GameSpec, link: Link = LINK) -> None:
        # Instances differ in what is a class variable of rules in Python.
        self.name = name  # type: ignore[misc]
        self.title = spec.title  # type: ignore[misc]
        self.traits = spec.traits  # type: ignore[misc]
        self.own_options = spec.options  # type: ignore[misc]
        self._spec = spec
        self._link = link
        self._nearest: tuple[Table, tuple[Step, ...]] | None = None

    def players(self, options: Mapping[str, str]) -> tuple[Player, ...]:
        return self._spec.players(options)

    def begin(self, options: Mapping[str, str]) -> Position:
        """The first position; raises `CommandError` where the library is missing or fails."""
        return OpenSpielPosition(self._table(options))

    def _table(self, options: Mapping[str, str]) -> Table:
        return Table(self._spec, self._spec.parameters(options), self.players(options), self._link)

    def imagine(
        self, player: Player, values: Mapping[str, str], seen: Sequence[Observation], rng: random.Random
    ) -> Position | None:
        """A position that explains what was seen: the child looks for one, since it plays much faster.

        It remembers the last one of each player, so that a play is followed.
        """
        if not self._spec.traits.hidden:
            return None
        spec, table = self._spec, self._table(self.complete(values))
        about = {
            "spec": {
                **{"open_moves": spec.open_moves, "open_when": spec.open_when, "tells_when": spec.tells_when},
                **{"refusal": spec.refusal, "rewrites": spec.rewrites},
            },
            "players": table.players,
            "player": player,
            "seen": [
                [item.actor, item.text] if isinstance(item, Seen) else [item.move, item.reason, 0] for item in seen
            ],
            "seed": rng.random(),
        }
        found = table.ask("imagine", (), **about)
        nearly = found.get("nearly")
        self._nearest = None if nearly is None else (table, tuple(nearly))
        if found["history"] is None:
            return None
        history = tuple(tuple(step) if isinstance(step, list) else step for step in found["history"])
        position = OpenSpielPosition(table, history)
        if not found["telling"]:
            return position
        return Telling(OpenSpielPosition(table, history[:-1]), position)

    def nearly(
        self, player: Player, values: Mapping[str, str], seen: Sequence[Observation], rng: random.Random
    ) -> Position | None:
        """What the child has come to when it last looked in vain."""
        found = self.imagine(player, values, seen, rng)
        nearest = self._nearest
        return found if found is not None or nearest is None else OpenSpielPosition(*nearest)


def _one_line(text: str) -> str:
    return " ".join("".join(char if char.isprintable() else " " for char in text).split())
