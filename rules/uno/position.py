"""Positions of Uno: the round, as moves, words and pictures."""

from __future__ import annotations

import random
from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import chain, islice

from ggtp.errors import IllegalMove, MalformedMove
from ggtp.game import (
    CHANCE,
    CHANCE_TURN,
    HIDDEN,
    OVER,
    Announcement,
    Cell,
    Move,
    Note,
    Picture,
    Player,
    Position,
    Result,
    Standing,
    Turn,
    TurnKind,
    Verdict,
)
from ggtp.game.advice import Determinizes
from ggtp.game.building.cards import BACK, rows
from ggtp.game.building.replies import unknown_move
from ggtp.game.building.turns import turn_of

from .cards import CODES, COLOURS, DECK, FOUR, NAMES, POINTS, TONES, WILD, card_cell, codes, spellings
from .hands import draw_hands
from .round import (
    ACCEPT,
    CHALLENGE,
    CHANCES,
    DRAW,
    HAND_SIZE,
    KEEP,
    PASS,
    Phase,
    Round,
    deal_text,
    read_deal,
)


class UnoPosition(Position, Determinizes):
    """A round as its players see it."""

    __slots__ = ("_players", "_round")

    def __init__(self, round_: Round) -> None:
        self._round = round_
        self._players = round_.house.players

    # Whose turn it is.

    def turn(self) -> Turn:
        table = self._round
        if table.phase is Phase.OVER:
            return OVER
        if table.phase in CHANCES:
            return CHANCE_TURN
        if table.phase is Phase.WINDOW:
            waiting = tuple(self._players[index] for index in self._round.waiting())
            window = float(self._round.house.window)
            return Turn(TurnKind.RACE, waiting, window, dict.fromkeys(waiting, PASS), sealed=True)
        return turn_of(self._players[table.at])

    def moves(self, player: Player) -> Sequence[Move]:
        table = self._round
        if player == CHANCE:
            return tuple(move for move, _ in self.chance())
        if player not in self.turn().players:
            return ()
        me = self._players.index(player)
        hand = table.hands[me]
        match table.phase:
            case Phase.WINDOW:
                top = table.discards[-1]
                return [NAMES[top], PASS] if top in hand else [PASS]
            case Phase.COLOUR:
                return COLOURS
            case Phase.CHALLENGE:
                return ACCEPT, CHALLENGE
            case Phase.DRAWN:
                # The drawn card lies apart: it is the only one that may be played.
                return [*self._playable((table.drawn,)), KEEP]
        playable = self._playable(hand)
        return [*playable, DRAW] if self._round.house.may_draw or not playable else playable

    def _playable(self, cards: Sequence[int]) -> list[Move]:
        found = []
        for card in dict.fromkeys(cards):
            if self._round.fits(card):
                found += [NAMES[card]] if card < WILD else [f"{NAMES[card]} {colour}" for colour in COLOURS]
        return found

    def parse(self, player: Player, text: str) -> Move:
        plain = " ".join(text.split())
        if player == CHANCE and self._round.phase is Phase.DEAL:
            return deal_text(read_deal(plain, len(self._players)), len(self._players))
        listed = self.moves(player)
        if plain in listed:
            return plain
        if not listed:
            raise IllegalMove(f"It is not {player}'s turn.")
        folded = plain.casefold().replace(" ", "")
        found = [move for move in listed if folded in spellings(move)]
        if len(found) == 1:
            return found[0]
        raise unknown_move(player, plain, listed)

    # Chance.

    def chance(self) -> Sequence[tuple[Move, int]]:
        match self._round.phase:
            case Phase.DRAW:
                return [(NAMES[card], count) for card, count in sorted(self._round.pile().items())]
            case Phase.SHOW:
                return [(self._show_text(), 1)]
        return ()

    def draw(self, rng: random.Random) -> Move:
        if self._round.phase is not Phase.DEAL:
            return super().draw(rng)
        while True:
            cards = rng.sample(list(DECK.elements()), HAND_SIZE * len(self._players) + 1)
            if cards[-1] != FOUR:  # a wild +4 is put back
                return deal_text(cards, len(self._players))

    def _show_text(self) -> Move:
        left = [(player, hand) for player, hand in zip(self._players, self._round.hands, strict=True) if hand]
        return " ".join(f"{player} {codes(hand)}" for player, hand in left)

    # What is done.

    def play(self, moves: Mapping[Player, Move]) -> Verdict:
        ((player, move),) = moves.items()
        table = self._round
        if player == CHANCE and table.phase is Phase.DEAL:
            try:
                known = deal_text(read_deal(move, len(self._players)), len(self._players)) == move
            except MalformedMove:
                known = False
        else:
            known = move in self.moves(player)
        if not known:
            raise IllegalMove(f"No move named {move[:60]} for player {player}.")
        after = UnoPosition(self._round.after(player, move))
        said = []
        if table.phase is Phase.WINDOW and move != PASS:
            said.append(f"{player} jumps in.")
        if table.phase is Phase.CHALLENGE and move == CHALLENGE:
            said.append(f"{self._players[self._round.bluffer()]} is {self._round.verdict()}.")
        for index, (was, now) in enumerate(zip(table.hands, after._round.hands, strict=False)):
            if len(now) == 1 and len(was) == 2:
                said.append(f"{self._players[index]}: Uno!")
        return Verdict(after, ((player, move),), announcements=tuple(Announcement(text) for text in said))

    # How it ended.

    def result(self) -> Result | None:
        table = self._round
        if table.phase is not Phase.OVER:
            return None
        held = [sum(POINTS[card] for card in hand) for hand in table.hands]
        least = min((len(hand) > 0, points) for hand, points in zip(table.hands, held, strict=True))
        best = [index for index, hand in enumerate(table.hands) if (len(hand) > 0, held[index]) == least]
        top = Standing.WIN if len(best) == 1 else Standing.DRAW
        standings = {player: top if index in best else Standing.LOSS for index, player in enumerate(self._players)}
        scores = {
            player: sum(held) - len(held) * held[index] if index in best else 0
            for index, player in enumerate(self._players)
        }
        names = " and ".join(self._players[index] for index in best)
        reason = f"no card is left to draw: {names} with the fewest points" if least[0] else f"{names} is out"
        return Result(standings, scores, reason)

    # Who knows what.

    def seen(self, actor: Player, move: Move, observer: Player) -> Move:
        table = self._round
        if table.phase is Phase.DEAL:
            words = move.split(" ")
            mine = [word if player == observer else HIDDEN for player, word in zip(self._players, words, strict=False)]
            return " ".join([*mine, words[-1]])
        if table.phase is Phase.DRAW:
            return move if self._players[table.drawer] == observer else HIDDEN
        if table.phase is Phase.CHALLENGE and move == CHALLENGE:
            return f"{move} {self._round.verdict()}"
        return move

    def spoken(self, actor: Player, move: Move, observer: Player) -> str:
        """Nothing of who does not jump in, nor of others' cards: whose turn it is and how many they have tells that."""
        seen = self.seen(actor, move, observer)
        if actor == CHANCE and self._round.phase is Phase.DEAL:
            *hands, top = seen.split(" ")
            return " ".join([*(f"hand {hand}" for hand in hands if hand != HIDDEN), f"top {top}"])
        return "" if seen in (PASS, HIDDEN) else seen

    def _open(self, player: int, observer: Player | None) -> bool:
        return observer is None or self._players[player] == observer or self._round.phase is Phase.OVER

    def view(self, player: Player | None) -> str:
        table = self._round
        if table.phase is Phase.DEAL:
            return str(table.phase.value)
        parts = []
        for index, (name, hand) in enumerate(zip(self._players, table.hands, strict=True)):
            parts.append(f"{name} {(codes(hand) or '-') if self._open(index, player) else len(hand)}")
        colour = COLOURS[table.colour] if table.colour < len(COLOURS) else "any"
        parts.append(f"pile {table.left()} shuffled {table.shuffles} colour {colour} to the {self._side()}")
        parts.append(f"discards {codes(table.discards)}")
        if table.phase is Phase.DRAWN and self._open(table.at, player):
            parts.append(f"drawn {CODES[table.drawn]}")
        if table.phase is Phase.CHALLENGE:
            parts.append(f"before {COLOURS[table.before] if table.before < len(COLOURS) else 'any'}")
        return "; ".join([*parts, self._state()])

    def _state(self) -> str:
        table = self._round
        match table.phase:
            case Phase.DEAL | Phase.SHOW | Phase.OVER:
                return str(table.phase.value)
            case Phase.WINDOW:
                return f"{' and '.join(self._players[index] for index in self._round.waiting())} may jump in"
            case Phase.DRAW:
                return f"{self._players[table.drawer]} draws {table.due} before {self._players[table.resume]}"
        return f"{self._players[table.at]} {table.phase.value}"

    def key(self) -> Hashable:
        return self._round

    def picture(self, player: Player | None) -> Picture:
        table = self._round
        if table.phase is Phase.DEAL:
            return Picture(
                (rows([(name, [BACK] * HAND_SIZE) for name in self._players]), Note("The cards are to be dealt."))
            )
        colour = Cell(COLOURS[table.colour], TONES[table.colour]) if table.colour < len(COLOURS) else Cell("any")
        shown = [("top", [card_cell(table.discards[-1]), *([colour] if table.discards[-1] >= WILD else [])])]
        closed = []
        for index, (name, hand) in enumerate(zip(self._players, table.hands, strict=True)):
            if self._open(index, player):
                shown.append((name, [card_cell(card) for card in hand]))
            else:
                closed.append(f"{name} {len(hand)}")
        notes = [f"Cards of the others: {', '.join(closed)}."] if closed else []
        notes.append(f"Play goes to the {self._side()}: {self._order()}.")
        if table.phase is Phase.DRAWN and self._open(table.at, player):
            notes.append(f"{self._players[table.at]} has drawn {NAMES[table.drawn]}.")
        state = self._state()
        return Picture((rows(shown), *(Note(text) for text in notes), Note(f"{state[0].upper()}{state[1:]}.", "mark")))

    def _side(self) -> str:
        return "left" if self._round.direction > 0 else "right"

    def _order(self) -> str:
        return ", ".join(self._players[:: self._round.direction])

    # What may be.

    def determinize(self, player: Player, rng: random.Random) -> Position | None:
        table = self._round
        if table.phase in (Phase.DEAL, Phase.OVER) or player not in self._players:
            return self
        me = self._players.index(player)
        pool = DECK.copy()
        pool.subtract(table.hands[me])
        pool.subtract(table.discards)
        cards = list((+pool).elements())
        others = {index: events for index, events in enumerate(table.known) if index != me}
        drawn_hands = draw_hands(cards, others, rng) or _any_hands(cards, table.hands, others, rng)
        hands = tuple(
            tuple(sorted(chain.from_iterable(drawn_hands[index]))) if index != me else hand
            for index, hand in enumerate(table.hands)
        )
        drawn = table.drawn
        if table.phase is Phase.DRAWN and table.at != me:
            drawn = drawn_hands[table.at][-1][-1]  # what came in last
        return UnoPosition(self._round.to(hands=hands, drawn=drawn))


def _any_hands(
    cards: Sequence[int], hands: Sequence[Sequence[int]], players: Iterable[int], rng: random.Random
) -> dict[int, list[list[int]]]:
    """Hands of the right size, whatever was shown: where no other were found."""
    mixed = iter(rng.sample(cards, len(cards)))
    return {player: [list(islice(mixed, len(hands[player])))] for player in players}
