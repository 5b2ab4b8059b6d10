"""JungleSpeed: turn cards, and grab the totem before the one whose card has the same shape."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from ggtp.errors import IllegalMove
from ggtp.game import (
    CHANCE,
    CHANCE_TURN,
    OVER,
    Announcement,
    Cell,
    Grid,
    Move,
    Note,
    Picture,
    Player,
    Position,
    Result,
    Rules,
    Traits,
    Turn,
    TurnKind,
    Verdict,
    duration,
    number,
    result_by_scores,
    switch,
)
from ggtp.game.picture import Tone

NAMES = ("Ann", "Bob", "Cid", "Dot", "Eve", "Fay", "Gus", "Hal")
COLOURS = ("red", "yellow", "green", "purple")
TONES: tuple[Tone, ...] = ("first", "fourth", "good", "third")
SHAPES = "ABCDEFGHIJKLMNOPQR"
SIGNS = "◰◱◲◳◴◵◶◷◐◑◒◓◧◨◩◪◈◉"
"""How the shapes are drawn: some are easily taken for others."""
SYMBOLS = tuple(f"{shape}-{colour}" for shape in SHAPES for colour in COLOURS)
ALL_GRAB, BY_COLOUR = "everybody", "colours"
SPECIALS = (ALL_GRAB, BY_COLOUR) * 3
GRAB, WAIT, FLIP = "grab", "wait", "flip"


@dataclass(frozen=True, slots=True)
class Pile:
    """A player's cards."""

    fresh: int
    """Cards face down that nobody has seen since the deal."""
    under: tuple[str, ...] = ()
    """Cards below them, shuffled, which everybody saw when they were taken; sorted."""
    shown: tuple[str, ...] = ()
    """Cards face up, the topmost last."""

    def face_down(self) -> int:
        return self.fresh + len(self.under)

    def count(self) -> int:
        return self.face_down() + len(self.shown)


@dataclass(frozen=True, slots=True)
class Jungle:
    """Everything on the table. What lies face down is known to nobody, so that there are no secrets but chance's."""

    piles: tuple[Pile, ...]
    unseen: tuple[str, ...]
    """The cards that nobody has seen since the deal, sorted; they are spread over the fresh parts of the piles."""
    limit: int
    milliseconds: int
    pot: tuple[str, ...] = ()
    to_flip: int = 0
    flipping: bool = False
    waiting: tuple[bool, ...] = ()
    """Who has let the last card go."""
    by_colour: bool = False
    """Whether colours count instead of shapes."""
    all_grab: bool = False
    events: int = 0


class JungleSpeedPosition(Position):
    """A race at any time: anybody may grab, and who is at turn may flip."""

    __slots__ = ("_players", "state")

    def __init__(self, players: tuple[Player, ...], state: Jungle) -> None:
        self._players = players
        self.state = state

    def _winner(self) -> int | None:
        return next((index for index, pile in enumerate(self.state.piles) if not pile.count()), None)

    def _over(self) -> bool:
        state = self.state
        if state.flipping:
            return False
        if state.events >= state.limit or self._winner() is not None:
            return True
        # Where nobody can flip, only a grab that somebody may still make goes on.
        going = any(pile.face_down() for pile in state.piles)
        return not going and (all(state.waiting) or not (self._duels() or state.all_grab))

    def _top(self, player: int) -> str:
        shown = self.state.piles[player].shown
        return shown[-1] if shown else ""

    def rivals(self, player: int) -> list[int]:
        """Whose topmost card is the same as the player's: in shape, or in colour while colours count."""
        shape, _, colour = self._top(player).partition("-")
        if not colour:
            return []
        found = []
        for other in range(len(self._players)):
            another, _, hue = self._top(other).partition("-")
            if other != player and hue and (hue == colour if self.state.by_colour else another == shape):
                found.append(other)
        return found

    def _duels(self) -> bool:
        return any(self.rivals(player) for player in range(len(self._players)))

    def turn(self) -> Turn:
        state = self.state
        if state.flipping:
            return CHANCE_TURN
        if self._over():
            return OVER
        racing = tuple(name for name, waiting in zip(self._players, state.waiting, strict=True) if not waiting)
        # When the time is over, who is at turn flips.
        first = self._players[state.to_flip]
        first = first if first in racing else racing[0]
        return Turn(TurnKind.RACE, racing, state.milliseconds / 1000, {first: self.moves(first)[0]})

    def moves(self, player: Player) -> Sequence[Move]:
        state = self.state
        if player == CHANCE:
            return tuple(move for move, _ in self.chance())
        if player not in self._players or self._over() or state.flipping:
            return ()
        me = self._players.index(player)
        if state.waiting[me]:
            return ()
        can_grab = (GRAB,) if any(pile.shown for pile in state.piles) else ()
        flips = me == state.to_flip and state.piles[me].face_down()
        return (FLIP if flips else WAIT, *can_grab)

    def chance(self) -> Sequence[tuple[Move, int]]:
        state = self.state
        if not state.flipping:
            return ()
        pile = state.piles[state.to_flip]
        cards = state.unseen if pile.fresh else pile.under
        return [(card, cards.count(card)) for card in dict.fromkeys(cards)]

    def play(self, moves: Mapping[Player, Move]) -> Verdict:
        if len(moves) != 1:
            raise IllegalMove("One player at a time.")
        ((player, move),) = moves.items()
        if move not in self.moves(player):
            raise IllegalMove(f"No move named {move[:40]} for player {player}.")
        made, state = ((player, move),), self.state
        if player == CHANCE:
            return Verdict(self._flipped(move), made)
        me = self._players.index(player)
        if move == FLIP:
            return Verdict(self._with(replace(state, flipping=True)), made)
        if move == WAIT:
            waiting = tuple(who == me or before for who, before in enumerate(state.waiting))
            return Verdict(self._with(replace(state, waiting=waiting)), made)
        after, words = self._grabbed(me)
        return Verdict(after, made, announcements=(Announcement(words),))

    def _with(self, state: Jungle) -> JungleSpeedPosition:
        return JungleSpeedPosition(self._players, state)

    def _nobody(self) -> tuple[bool, ...]:
        return (False,) * len(self._players)

    def _flipped(self, card: str) -> JungleSpeedPosition:
        state, me = self.state, self.state.to_flip
        pile, unseen = state.piles[me], state.unseen
        if pile.fresh:
            pile = replace(pile, fresh=pile.fresh - 1)
            unseen = _less(unseen, card)
        else:
            pile = replace(pile, under=_less(pile.under, card))
        special = card in (ALL_GRAB, BY_COLOUR)
        pot = (*state.pot, card) if special else state.pot
        if not special:
            pile = replace(pile, shown=(*pile.shown, card))
        piles = (*state.piles[:me], pile, *state.piles[me + 1 :])
        # Colours count until another card is turned.
        after = replace(
            state, piles=piles, unseen=unseen, pot=pot, flipping=False, waiting=self._nobody(),
            by_colour=card == BY_COLOUR, all_grab=card == ALL_GRAB, events=state.events + 1,
        )  # fmt: skip
        # Who turned a card for all turns another.
        return self._with(after if special and pile.face_down() else _passed_on(after, me + 1))

    def _grabbed(self, me: int) -> tuple[JungleSpeedPosition, str]:
        state, name = self.state, self._players[me]
        piles = list(state.piles)
        rivals, pot = self.rivals(me), state.pot
        if state.all_grab:
            # The first of all lays its cards under the totem.
            pot = (*pot, *piles[me].shown)
            piles[me] = replace(piles[me], shown=())
            following, words = me, f"{name} is the first and lays its cards under the totem"
        elif rivals:
            cards = [*piles[me].shown, *pot]
            piles[me] = replace(piles[me], shown=())
            for index, rival in enumerate(rivals):
                share = cards[index :: len(rivals)]
                piles[rival] = _taking(piles[rival], share)
            pot, following = (), rivals[0]
            words = f"{name} wins the duel; {' and '.join(self._players[rival] for rival in rivals)} takes the cards"
        else:
            cards = [card for who, pile in enumerate(piles) if who != me for card in pile.shown] + list(pot)
            piles = [pile if who == me else replace(pile, shown=()) for who, pile in enumerate(piles)]
            piles[me] = _taking(piles[me], cards)
            pot, following, words = (), me, f"{name} was wrong and takes all cards"
        after = replace(
            state, piles=tuple(piles), pot=pot, waiting=self._nobody(), by_colour=False, all_grab=False,
            events=state.events + 1,
        )  # fmt: skip
        return self._with(_passed_on(after, following)), words

    def result(self) -> Result | None:
        if not self._over():
            return None
        winner, counts = self._winner(), [pile.count() for pile in self.state.piles]
        leaders = [index for index, count in enumerate(counts) if count == min(counts)]
        scores = {
            name: Fraction(100, len(leaders)) if index in leaders else Fraction(0)
            for index, name in enumerate(self._players)
        }
        if winner is not None:
            return result_by_scores(scores, f"{self._players[winner]} has no cards left")
        cards = " ".join(f"{name} {count}" for name, count in zip(self._players, counts, strict=True))
        return result_by_scores(scores, f"the fewest cards win: {cards}")

    def view(self, player: Player | None) -> str:
        state = self.state
        parts = []
        for name, pile, waiting in zip(self._players, state.piles, state.waiting, strict=True):
            shown, under = " ".join(pile.shown) or "-", " ".join(pile.under) or "-"
            parts.append(f"{name} {pile.fresh} under {under} shown {shown}{' waits' * waiting}")
        parts.append(f"pot {' '.join(state.pot) or '-'}")
        parts.append(f"{state.events} of {state.limit}{' colours' * state.by_colour}{' everybody' * state.all_grab}")
        return "; ".join((*parts, self._state()))

    def _state(self) -> str:
        state = self.state
        if self._over():
            return "over"
        name = self._players[state.to_flip]
        return f"{name} turns a card" if state.flipping else f"{name} to flip"

    def key(self) -> Hashable:
        return (self._players, self.state)

    def picture(self, player: Player | None) -> Picture:
        state, rows = self.state, []
        for index, pile in enumerate(state.piles):
            cell = _cell(self._top(index)) if pile.shown else Cell("-", "empty")
            waits = "waits" if state.waiting[index] else "flips" if index == state.to_flip else ""
            rows.append((cell, Cell(f"{len(pile.shown)} up"), Cell(f"{pile.face_down()} down"), Cell(waits, "muted")))
        parts: list[Grid | Note] = [Grid(tuple(rows), row_labels=self._players)]
        if state.by_colour:
            parts.append(Note("colours count, not shapes", "bad"))
        if state.all_grab:
            parts.append(Note("everybody grabs", "bad"))
        if state.pot:
            parts.append(Note(f"{len(state.pot)} cards lie under the totem", "muted"))
        result = self.result()
        parts.append(Note(result.reason if result else f"card {state.events}: {self._state()}", "mark"))
        return Picture(tuple(parts))


def _less(cards: tuple[str, ...], card: str) -> tuple[str, ...]:
    at = cards.index(card)
    return cards[:at] + cards[at + 1 :]


def _taking(pile: Pile, cards: Sequence[str]) -> Pile:
    """The pile when these cards, and those that lie open before it, go under it."""
    return replace(pile, shown=(), under=tuple(sorted((*pile.under, *pile.shown, *cards))))


def _passed_on(state: Jungle, first: int) -> Jungle:
    """The state in which the first player from there on who can flip is to do so."""
    count = len(state.piles)
    for step in range(count):
        if state.piles[(first + step) % count].face_down():
            return replace(state, to_flip=(first + step) % count)
    return replace(state, to_flip=first % count)


def _cell(card: str) -> Cell:
    shape, _, colour = card.partition("-")
    return Cell(f"{SIGNS[SHAPES.index(shape)]} {card}", TONES[COLOURS.index(colour)], ascii=card)


class JungleSpeed(Rules):
    """Two to eight players, who race: `grab`, `wait`, and `flip` for who is at turn."""

    name = "JungleSpeed"
    title = "grab the totem first when two cards are alike"
    traits = Traits(min_players=2, max_players=8, chance=True, race=True)
    own_options = (
        number("players", 3, 2, 8, "how many play"),
        duration("reaction_ms", 5000, 50, 60000, "milliseconds after which who is at turn flips by itself"),
        number("max_events", 120, 10, 200, "after how many cards and grabs the fewest cards win"),
        switch("specials", True, "whether there are cards for everybody to grab and for colours"),
    )

    def players(self, options: Mapping[str, str]) -> tuple[Player, ...]:
        return NAMES[: int(options["players"])]

    def begin(self, options: Mapping[str, str]) -> Position:
        players = self.players(options)
        cards = tuple(sorted(SYMBOLS + (SPECIALS if options["specials"] == "on" else ())))
        each, over = divmod(len(cards), len(players))
        piles = tuple(Pile(each + (index < over)) for index in range(len(players)))
        state = Jungle(
            piles, cards, int(options["max_events"]), int(options["reaction_ms"]), waiting=(False,) * len(players)
        )
        return JungleSpeedPosition(players, state)


RULES = JungleSpeed()
