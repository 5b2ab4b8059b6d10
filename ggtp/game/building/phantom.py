"""Phantom games: two players put stones on a board, and neither sees the other's.

An umpire knows the whole board. Who tries a cell where no stone may go is told why and tries
another; nobody else hears of it. When stones are taken, or turned over, both are told which.

Any `TurnGame` of stones can be played so: a `Veil` tells the umpire what stands where, why a try
is refused, and how to guess the rest of a board from what one player knows. What a player knows
is a `Knowledge`, made of nothing but what the umpire has told that player.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Generic, TypeVar

from ggtp.errors import IllegalMove, MalformedMove, MoveError
from ggtp.game.advice import Determinizes, Imagines, LikelyMoves
from ggtp.game.building.turns import TurnGame, try_of
from ggtp.game.model import (
    HIDDEN,
    OVER,
    Announcement,
    Move,
    Observation,
    Player,
    Position,
    Refusal,
    Result,
    Rules,
    Seen,
    Traits,
    Turn,
    Verdict,
)
from ggtp.game.picture import Cell, Grid, Note, Picture

State = TypeVar("State")

PASS = "pass"
UNSEEN, PASSED = -1, -2
"""In place of a cell: a stone that the listener was not shown, and a pass."""
TAKEN = "taken"
"""The reason of a refusal where the opponent's stone is on the cell."""
STUCK = "has to pass"
FOUND = 0.3
"""How likely a stone of ours is known to the opponent, when that is guessed."""
UNKNOWN, CLOSED = Cell("·", "muted", ascii="."), Cell("x", "bad")


@dataclass(frozen=True, slots=True)
class Event:
    """What the umpire says of a move: who, where as far as the listener may know, and what came of it."""

    mover: int
    cell: int
    lost: int = 0
    """The stones of the other player that were taken or turned, as bits."""
    stuck: bool = False
    """Whether the next player has to pass."""


@dataclass(frozen=True, slots=True)
class Knowledge:
    """All that one player knows."""

    me: int
    to_move: int
    own: int
    found: int
    """The opponent's stones that the player knows of."""
    others: int
    """How many stones the opponent has on the board."""
    tried: tuple[int, ...] = ()
    """The cells of this turn's tries that were refused though they are empty."""
    ply: int = 0
    passes: int = 0
    taken: tuple[int, int] = (0, 0)
    """How many stones each player has taken."""
    last: int = UNSEEN
    """Where the player has put its last stone."""
    latest: Event | None = None

    def key(self) -> Hashable:
        """Equal for equal knowledge of what may be tried."""
        return (self.own, self.found, self.tried)


class Veil(ABC, Generic[State]):
    """A game of stones, seen by its umpire. A move's number is that of its cell; the next number is a pass."""

    game: TurnGame[State]
    names: tuple[str, ...]
    """The cells' names."""
    bits: tuple[int, ...]
    """The cells' bits in what `stones` gives."""
    cells: tuple[Cell, Cell]
    latest: Cell
    """How the player's own last stone is drawn."""
    turns = False
    """Whether stones that are taken become the taker's."""
    passing = False
    """Whether a player may pass at any time."""
    about = ""
    """What everybody knows of the options, for the view."""
    goals = ("", "")
    """What each player is after, in a few words for the picture, where the board does not tell."""

    @abstractmethod
    def first(self) -> State:
        """The state at the start."""

    @abstractmethod
    def stones(self, state: State) -> tuple[int, int]:
        """The stones of both players."""

    @abstractmethod
    def guess(self, known: Knowledge, rng: random.Random) -> State:
        """A state that agrees with what a player knows: the same own stones, as many of the other, and no end in sight.

        However little fits, there is one.
        """

    @abstractmethod
    def grid(self, cells: Sequence[Cell]) -> Grid:
        """The cells as a board."""

    def refusal(self, state: State, cell: int) -> str:
        """Why no stone may go to an empty cell."""
        return "not possible"

    def idle(self, known: Knowledge) -> int:
        """Cells that a player has no reason to fill, by what it knows, as bits."""
        return 0

    def after_loss(self, own: int, lost: int) -> int:
        """Stones of the opponent that a player can tell from having lost these, `own` being what is left."""
        return lost if self.turns else 0

    def after_refusal(self, own: int, cell: int, reason: str) -> int:
        """Stones of the opponent that a player can tell from a refusal."""
        return self.bits[cell] if reason == TAKEN else 0

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The cells' numbers by their names."""
        return {name: number for number, name in enumerate(self.names)}

    def cells_of(self, stones: int) -> list[str]:
        """The names of the cells with these stones."""
        return [name for name, bit in zip(self.names, self.bits, strict=True) if bit & stones]

    # What the umpire says, as text and back.

    def tell(self, event: Event) -> str:
        """`D4`, `?`, `pass`, with what came of it behind: `? takes C3 C4`, `d3 turns d4; White has to pass`."""
        text = PASS if event.cell == PASSED else HIDDEN if event.cell == UNSEEN else self.names[event.cell]
        if event.lost:
            text += f" {'turns' if self.turns else 'takes'} {' '.join(self.cells_of(event.lost))}"
        return f"{text}; {self.game.players[1 - event.mover]} {STUCK}" if event.stuck else text

    def hear(self, mover: int, text: str) -> Event:
        """The event that was told so.

        Raises:
            LookupError: it is not of this game.
        """
        said, _, stuck = text.partition("; ")
        where, *rest = said.split()
        at = self.numbers
        cell = {PASS: PASSED, HIDDEN: UNSEEN}.get(where, UNSEEN)
        if cell == UNSEEN and where != HIDDEN:
            cell = at[where]
        return Event(mover, cell, sum(self.bits[at[name]] for name in rest[1:]), bool(stuck))

    # What a player knows.

    def start(self, me: int) -> Knowledge:
        """What a player knows at the start: everything."""
        state = self.first()
        stones = self.stones(state)
        other = stones[1 - me]
        return Knowledge(me, self.game.to_move(state), stones[me], other, other.bit_count())

    def told(self, known: Knowledge, event: Event) -> Knowledge:
        """What a player knows when it has heard of a move."""
        own, found, others, last = known.own, known.found, known.others, known.last
        passed, count = event.cell == PASSED, event.lost.bit_count()
        if event.mover == known.me:
            if not passed:
                own |= self.bits[event.cell] | (event.lost if self.turns else 0)
                last = event.cell
            found &= ~event.lost
            others -= count
        else:
            own &= ~event.lost
            others += (0 if passed else 1) + (count if self.turns else 0)
            if event.lost:
                found |= self.after_loss(own, event.lost)
        taken = (
            (known.taken[0] + count, known.taken[1]) if event.mover == 0 else (known.taken[0], known.taken[1] + count)
        )
        passes = known.passes + 1 if passed else 0
        return Knowledge(known.me, 1 - event.mover, own, found, others, (), known.ply + 1, passes, taken, last, event)

    def refused(self, known: Knowledge, cell: int, reason: str) -> Knowledge:
        """What a player knows when a try of its own was refused."""
        found = known.found | self.after_refusal(known.own, cell, reason)
        return replace(known, found=found, tried=known.tried if reason == TAKEN else (*known.tried, cell))

    def open_cells(self, known: Knowledge) -> list[int]:
        """The cells that a player may try."""
        closed = known.own | known.found
        return [cell for cell, bit in enumerate(self.bits) if not bit & closed and cell not in known.tried]

    # What the other one may know, and the whole.

    def imagine(self, known: Knowledge, rng: random.Random) -> PhantomPosition[State]:
        """A full position that is the same to the player."""
        state = self.guess(known, rng)
        me, other = known.me, 1 - known.me
        theirs, event = self.stones(state)[other], known.latest
        seen = sum(bit for bit in self.bits if bit & known.own and rng.random() < FOUND)
        last, mine = UNSEEN, UNSEEN
        unseen = [cell for cell, bit in enumerate(self.bits) if bit & theirs & ~known.found]
        if unseen:
            last = rng.choice(unseen)
        if event is not None and event.cell != PASSED:
            mine = event.cell if event.mover == me else last
            event = replace(event, cell=UNSEEN if event.mover == me else mine)
        belief = Knowledge(
            other, known.to_move, theirs, seen, known.own.bit_count(), (), known.ply, known.passes, known.taken, last,
            event,
        )  # fmt: skip
        return PhantomPosition(self, state, (known, belief) if me == 0 else (belief, known))


class PhantomPosition(Position, Determinizes, LikelyMoves, Generic[State]):
    """The whole board, and what each player knows of it."""

    __slots__ = ("_moves", "_to_move", "known", "state", "veil")

    def __init__(self, veil: Veil[State], state: State, known: tuple[Knowledge, Knowledge]) -> None:
        self.veil = veil
        self.state = state
        self.known = known
        self._to_move = veil.game.to_move(state)
        self._moves: tuple[Move, ...] | None = None

    def turn(self) -> Turn:
        return OVER if self._to_move < 0 else try_of(self.veil.game.players[self._to_move])

    def moves(self, player: Player) -> Sequence[Move]:
        if self._to_move < 0 or player != self.veil.game.players[self._to_move]:
            return ()
        if self._moves is None:
            veil, known = self.veil, self.known[self._to_move]
            if known.latest is not None and known.latest.stuck:
                self._moves = (PASS,)
            else:
                cells = tuple(veil.names[cell] for cell in veil.open_cells(known))
                self._moves = (*cells, PASS) if veil.passing else cells
        return self._moves

    def likely(self, player: Player) -> Sequence[Move]:
        moves = self.moves(player)
        idle = self.veil.idle(self.known[self._to_move]) if moves else 0
        if not idle:
            return moves
        bits, numbers = self.veil.bits, self.veil.numbers
        return [move for move in moves if move == PASS or not bits[numbers[move]] & idle] or moves

    def parse(self, player: Player, text: str) -> Move:
        try:
            return super().parse(player, text)
        except MalformedMove as error:
            raise self._why_not(player, text.strip(), error) from None

    def _why_not(self, player: Player, text: str, error: MalformedMove) -> MoveError:
        """What is wrong with a text, by what the player knows."""
        veil, known = self.veil, self.known[self._to_move]
        cell = next((cell for cell, name in enumerate(veil.names) if name.casefold() == text.casefold()), None)
        moves = self.moves(player)
        if moves == (PASS,):
            return IllegalMove(f"{player} {STUCK}: write pass.")
        if cell is None:
            also = f", or {PASS}" if PASS in moves else ""
            return MalformedMove(f"{str(error).rstrip('.')}: write a cell, as {moves[0]}{also}.")
        name, bit = veil.names[cell], veil.bits[cell]
        if bit & known.own:
            return IllegalMove(f"{name} has a stone of {player}.")
        if bit & known.found:
            return IllegalMove(f"{name} is known to have a stone of {veil.game.players[1 - known.me]}.")
        return IllegalMove(f"{name} was refused already.")

    def _number(self, move: Move) -> int:
        names = self.veil.names
        return len(names) if move == PASS else self.veil.numbers[move]

    def _event(self, move: Move) -> tuple[Event, State] | None:
        """What a move of the player at turn does; None where it is refused."""
        veil, number = self.veil, self._number(move)
        if number not in veil.game.legal(self.state):
            return None
        mover, after = self._to_move, veil.game.after(self.state, number)
        lost = veil.stones(self.state)[1 - mover] & ~veil.stones(after)[1 - mover]
        stuck = not veil.passing and list(veil.game.legal(after)) == [len(veil.names)]
        return Event(mover, PASSED if move == PASS else number, lost, stuck), after

    def play(self, moves: Mapping[Player, Move]) -> Verdict:
        ((player, move),) = moves.items()
        if move not in self.moves(player):
            raise IllegalMove(f"No move named {move} for player {player}.")
        veil, mover = self.veil, self._to_move
        made = self._event(move)
        known = list(self.known)
        if made is None:
            cell = self._number(move)
            there = veil.bits[cell] & veil.stones(self.state)[1 - mover]
            reason = TAKEN if there else veil.refusal(self.state, cell)
            known[mover] = veil.refused(known[mover], cell, reason)
            after = PhantomPosition(veil, self.state, (known[0], known[1]))
            return Verdict(after, refused=(Refusal(player, move, reason),))
        event, state = made
        known[mover] = veil.told(known[mover], event)
        public = event if event.cell == PASSED else replace(event, cell=UNSEEN)
        known[1 - mover] = veil.told(known[1 - mover], public)
        after = PhantomPosition(veil, state, (known[0], known[1]))
        return Verdict(after, ((player, move),), announcements=tuple(self._words(public, after)))

    def _words(self, event: Event, after: PhantomPosition[State]) -> list[Announcement]:
        """What the umpire says aloud."""
        veil = self.veil
        words = [Announcement(_sentence(veil, event))] if event.lost or event.stuck or event.cell == PASSED else []
        if after.turn() is OVER:
            words.append(Announcement(f"The board was {veil.game.view(after.state)}"))
        return words

    def result(self) -> Result | None:
        return self.veil.game.result(self.state)

    def seen(self, actor: Player, move: Move, observer: Player) -> Move:
        own = actor == observer
        made = self._event(move) if move in self.moves(actor) else None
        if made is None:
            return move if own else HIDDEN
        event = made[0]
        return self.veil.tell(event if own or event.cell == PASSED else replace(event, cell=UNSEEN))

    def view(self, player: Player | None) -> str:
        veil = self.veil
        if self._to_move < 0 or player not in veil.game.players:
            text = veil.game.view(self.state)
            if self._to_move < 0:
                return f"{text}; over"
            for known in self.known:
                finds = " ".join(veil.cells_of(known.found)) or "-"
                tried = " ".join(veil.names[cell] for cell in known.tried) or "-"
                text += f"; {veil.game.players[known.me]} knows {finds} has tried {tried}"
            return text
        known = self.known[veil.game.players.index(player)]
        marks = "XO" if known.me == 0 else "OX"
        board = "".join(marks[0] if bit & known.own else marks[1] if bit & known.found else "?" for bit in veil.bits)
        tried = " ".join(veil.names[cell] for cell in known.tried) or "-"
        last = "-" if known.last < 0 else veil.names[known.last]
        return f"{board} tried {tried}; own last {last}; {'; '.join(self._notes(known))}; {veil.about}".rstrip("; ")

    def _notes(self, known: Knowledge) -> list[str]:
        """What there is to say beside the board of a player."""
        players, me = self.veil.game.players, known.me
        hidden = known.others - known.found.bit_count()
        unseen = f" ({hidden} hidden)" if hidden else ""
        notes = [f"stones: {players[me]} {known.own.bit_count()}, {players[1 - me]} {known.others}{unseen}"]
        if any(known.taken):
            verb = "turned" if self.veil.turns else "taken"
            notes.append(f"{verb} by {players[0]} {known.taken[0]}, by {players[1]} {known.taken[1]}")
        if known.latest is not None:
            notes.append(_sentence(self.veil, known.latest))
        notes.append(f"{players[self._to_move]} to move")
        return notes

    def key(self) -> Hashable:
        return (self.veil.game.key(self.state), self.known[0].key(), self.known[1].key())

    def picture(self, player: Player | None) -> Picture:
        veil = self.veil
        if self._to_move < 0:
            return veil.game.picture(self.state)
        if player not in veil.game.players:
            knows = (Note(text, "muted") for text in self.view(None).split("; ")[1:])
            return Picture((*veil.game.picture(self.state).parts, *knows))
        known = self.known[veil.game.players.index(player)]
        tried, cells = set(known.tried), []
        for cell, bit in enumerate(veil.bits):
            if bit & known.own:
                cells.append(veil.latest if cell == known.last else veil.cells[known.me])
            elif bit & known.found:
                cells.append(veil.cells[1 - known.me])
            else:
                cells.append(CLOSED if cell in tried else UNKNOWN)
        notes, goal = self._notes(known), veil.goals[known.me]
        if goal:
            notes.append(f"{player}: {goal}")
        return Picture((veil.grid(cells), *(Note(text, "muted") for text in notes)))

    def determinize(self, player: Player, rng: random.Random) -> Position | None:
        players = self.veil.game.players
        if self._to_move < 0 or player not in players:
            return self
        return self.veil.imagine(self.known[players.index(player)], rng)


def _sentence(veil: Veil[State], event: Event) -> str:
    """An event for people."""
    players = veil.game.players
    text = f"{players[event.mover]} has passed" if event.cell == PASSED else f"{players[event.mover]} has moved"
    if event.lost:
        verb = "turned" if veil.turns else "taken"
        text += f" and {verb} {' '.join(veil.cells_of(event.lost))}"
    return f"{text}: {players[1 - event.mover]} {STUCK}" if event.stuck else text


class PhantomRules(Rules, Imagines):
    """Rules of a phantom game: an author writes `veil`, which makes it for completed options."""

    traits = Traits(hidden=True)

    @abstractmethod
    def veil(self, options: Mapping[str, str]) -> Veil[Any]:  # Any: of its states only the veil itself knows the type
        """The game under its veil."""

    def begin(self, options: Mapping[str, str]) -> Position:
        veil = self.veil(options)
        return PhantomPosition(veil, veil.first(), (veil.start(0), veil.start(1)))

    def imagine(
        self, player: Player, values: Mapping[str, str], seen: Sequence[Observation], rng: random.Random
    ) -> Position | None:
        """A full position, made from what the player knows after all that; None where it is not of this game."""
        veil = self.veil(self.complete(values))
        known = veil.start(veil.game.players.index(player))
        for observation in seen:
            if isinstance(observation, Seen):
                known = veil.told(known, veil.hear(veil.game.players.index(observation.actor), observation.text))
            else:
                known = veil.refused(known, veil.names.index(observation.move), observation.reason)
        return veil.imagine(known, rng)
