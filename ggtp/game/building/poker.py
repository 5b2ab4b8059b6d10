"""Poker as positions of the house: a `PokerGame` says which, from Kuhn's three cards to no-limit Texas hold'em.

Chance deals the private cards in one outcome, of which everybody sees his own; then come rounds of
betting, with cards on the board between them. What is left at the end is shown to all in a chance
turn of one outcome, so that engines hear of it as people do.
"""

from __future__ import annotations

import random
from abc import abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from itertools import islice, permutations
from math import perm
from typing import Any

from ggtp.errors import IllegalMove, MalformedMove, MoveError
from ggtp.game.advice import Determinizes, Imagines
from ggtp.game.building.betting import ALL_IN, BET, CALL, CHECK, FOLD, RAISE, Betting, open_betting, read_action
from ggtp.game.building.cards import BACK, rows
from ggtp.game.building.poker_variant import LISTED, NOBODY, Cards, PokerGame, dealable
from ggtp.game.building.replies import unknown_move
from ggtp.game.building.turns import turn_of
from ggtp.game.model import (
    CHANCE,
    CHANCE_TURN,
    HIDDEN,
    OVER,
    Announcement,
    Move,
    Observation,
    OpenMoves,
    Player,
    Position,
    Result,
    Rules,
    Score,
    Seen,
    Standing,
    Turn,
    Verdict,
)
from ggtp.game.picture import Cell, Note, Part, Picture

STREETS = ("hand", "flop", "turn", "river")
"""What is dealt before each round, where there are four."""


class PokerPosition(Position, Determinizes):
    """Where a game of poker stands."""

    __slots__ = ("_betting", "_board", "_button", "_game", "_hand", "_log", "_over", "_private", "_shown", "_stacks")

    def __init__(self, game: PokerGame, hand: int, button: int, stacks: tuple[Any, ...]) -> None:
        """The position before a hand is dealt."""
        self._game = game
        self._hand = hand
        self._button = button
        self._stacks = stacks
        """What everybody had when the hand began; when all is over, what everybody has."""
        self._betting: Betting | None = None
        self._private: tuple[Cards, ...] = ()
        self._board: Cards = ()
        self._log: tuple[str, ...] = ()
        self._shown = False
        self._over = False

    # Whose turn it is.

    def turn(self) -> Turn:
        if self._over:
            return OVER
        if self._betting is None or self._betting.to_act < 0:
            return CHANCE_TURN
        return turn_of(self._game.players[self._betting.to_act])

    def _showdown(self) -> bool:
        betting = self._betting
        return betting is not None and betting.to_act < 0 and betting.round == len(self._game.board) - 1

    def _mine(self, player: Player) -> Betting | None:
        betting = self._betting
        if betting is None or self._over or betting.to_act < 0 or self._game.players[betting.to_act] != player:
            return None
        return betting

    def moves(self, player: Player) -> Sequence[Move]:
        if player == CHANCE:
            return tuple(move for move, _ in self.chance())
        betting = self._mine(player)
        if betting is None:
            return ()
        moves = [FOLD, CALL] if betting.to_call() else [CHECK]
        allowed = betting.raise_range()
        if allowed is None:
            return moves
        word = RAISE if betting.level else BET
        low, high = allowed
        if betting.stakes.kind == "limit":
            return [*moves, word]
        pot = sum(betting.paid) + betting.to_call()
        typical = {
            low,
            high,
            *(betting.level + part for part in (pot // 2, pot) if low <= betting.level + part <= high),
        }
        moves += [f"{word} {amount}" for amount in sorted(typical)]
        return moves if high - low < len(typical) else OpenMoves(moves, [f"{word} {low}..{high}"])

    def parse(self, player: Player, text: str) -> Move:
        if player == CHANCE:
            return self._parse_chance(text)
        betting = self._mine(player)
        if betting is None:
            raise IllegalMove(f"It is not {player}'s turn.")
        word, amount = read_action(text)
        allowed = betting.raise_range()
        if word == FOLD and betting.to_call():
            return FOLD
        if word in (CHECK, CALL) and (word == CALL or not betting.to_call()) and amount is None:
            return CALL if betting.to_call() else CHECK
        if word == ALL_IN:
            if allowed and (betting.stakes.kind != "limit" or not betting.stacks[betting.to_act] - allowed[1]):
                amount, word = allowed[1], RAISE
            elif betting.to_call() == betting.stacks[betting.to_act]:
                return CALL
        if word in (BET, RAISE) and allowed is not None:
            canonical = RAISE if betting.level else BET
            low, high = allowed
            if betting.stakes.kind == "limit" and amount in (None, low):
                return canonical
            if amount is not None and low <= amount <= high:
                return f"{canonical} {amount}"
            if betting.stakes.kind != "limit":
                raise IllegalMove(f"{player} may {canonical} to {low}..{high}: write it as {canonical} {low}.")
        listed = self.moves(player)
        raise unknown_move(player, text, listed, len(listed))

    # Chance.

    def chance(self) -> Sequence[tuple[Move, int]]:
        if self.turn() is not CHANCE_TURN:
            return ()
        deck, size = self._game.deck, self._game.private
        if self._showdown():
            return ((self._show_text(), 1),)
        if self._betting is None:
            holders = [stack > 0 for stack in self._stacks]
            count = sum(holders)
            if size > 1 or perm(deck.size, count) > LISTED:
                return ()
            deals = permutations(deck.cards, count)
            return tuple((self._game.deal_text(tuple((card,) for card in deal), self._stacks), 1) for deal in deals)
        if self._due() > 1:
            return ()
        return tuple((deck.names[card], 1) for card in self._left())

    def draw(self, rng: random.Random) -> Move:
        if self._showdown():
            return self._show_text()
        game = self._game
        if self._betting is None:
            count = sum(stack > 0 for stack in self._stacks)
            drawn = rng.sample(game.deck.cards, count * game.private)
            hands = [drawn[start : start + game.private] for start in range(0, len(drawn), game.private)]
            return self._game.deal_text(tuple(self._game.sorted(hand) for hand in hands), self._stacks)
        return game.deck.text(self._game.sorted(rng.sample(self._left(), self._due())))

    def _due(self) -> int:
        """How many cards the board gets next."""
        assert self._betting is not None
        return self._game.board[self._betting.round + 1]

    def _left(self) -> list[int]:
        used = {card for hand in self._private for card in hand} | set(self._board)
        return [card for card in self._game.deck.cards if card not in used]

    def _show_text(self) -> Move:
        assert self._betting is not None
        players, deck = self._game.players, self._game.deck
        return " ".join(f"{players[one]} {deck.text(self._private[one], '')}" for one in self._betting.live())

    def _parse_chance(self, text: str) -> Move:
        if self.turn() is not CHANCE_TURN:
            raise IllegalMove("Nothing is dealt now.")
        plain = " ".join(text.split())
        if self._showdown():
            if plain.casefold() == self._show_text().casefold():
                return self._show_text()
        elif self._betting is None:
            hands = self._game.read_deal(plain, self._stacks)
            if hands is not None:
                return self._game.deal_text([hand for hand in hands if hand], self._stacks)
        else:
            cards = self._game.deck.read_all(plain)
            if cards is not None and dealable(cards, self._due(), self._left()):
                return self._game.deck.text(self._game.sorted(cards))
        raise MalformedMove(f"Chance cannot deal {text[:60]}.")

    # What is done.

    def play(self, moves: Mapping[Player, Move]) -> Verdict:
        ((player, move),) = moves.items()
        made = ((player, move),)
        if player == CHANCE:
            return self._dealt(move, made)
        betting = self._mine(player)
        words = move.split(" ")
        if betting is not None and (words[0] in (BET, RAISE) or move in (FOLD, CHECK, CALL)):
            after = self._acted(betting, words)
            if after is not None:
                return self._after(after, move, made)
        raise IllegalMove(f"No move named {move} for player {player}.")

    def _acted(self, betting: Betting, words: Sequence[str]) -> Betting | None:
        """The betting after an action; None where it is not allowed."""
        word = words[0]
        if len(words) == 1 and word in (FOLD, CHECK, CALL):
            if (word == CHECK) == bool(betting.to_call()):
                return None
            return betting.fold() if word == FOLD else betting.call()
        allowed = betting.raise_range()
        if allowed is None or word != (RAISE if betting.level else BET):
            return None
        if betting.stakes.kind == "limit":
            return betting.raise_to(allowed[0]) if len(words) == 1 else None
        if len(words) != 2 or not (words[1].isascii() and words[1].isdigit()) or len(words[1]) > 12:
            return None
        amount = int(words[1])
        if str(amount) != words[1] or not allowed[0] <= amount <= allowed[1]:
            return None
        return betting.raise_to(amount)

    def _dealt(self, move: Move, made: tuple[tuple[Player, Move], ...]) -> Verdict:
        game = self._game
        try:
            known = self._parse_chance(move) == move
        except MalformedMove:
            known = False
        if not known:
            raise IllegalMove(f"Chance cannot deal {move[:60]}.")
        if self._showdown():
            return self._settle(self._with(shown=True), made)
        if self._betting is None:
            hands = game.read_deal(move, self._stacks)
            assert hands is not None
            return self._go_on(self._with(private=tuple(hands), betting=self._open()), made)
        cards = game.deck.read_all(move)
        assert cards is not None
        betting = self._betting.next_round(self._button)
        return self._go_on(self._with(board=(*self._board, *cards), betting=betting, log=(*self._log, "/")), made)

    def _open(self) -> Betting:
        """Antes and blinds are paid."""
        game = self._game
        small, big = game.blinds
        if not big:
            return open_betting(game.stakes, self._stacks, antes=game.ante, blinds={}, last=self._button)
        players = [player for player in self._from_left() if self._stacks[player] > 0]
        # Of two, the button has the small blind and acts first, but last in later rounds.
        first, second = (players[-1], players[0]) if len(players) == 2 else (players[0], players[1])
        blinds = {first: small, second: big}
        return open_betting(game.stakes, self._stacks, antes=game.ante, blinds=blinds, last=second)

    def _from_left(self) -> list[int]:
        """All players, beginning at the left of the button."""
        count = len(self._stacks)
        return [(self._button + offset) % count for offset in range(1, count + 1)]

    def _after(self, betting: Betting, move: Move, made: tuple[tuple[Player, Move], ...]) -> Verdict:
        return self._go_on(self._with(betting=betting, log=(*self._log, move)), made)

    def _go_on(self, after: PokerPosition, made: tuple[tuple[Player, Move], ...]) -> Verdict:
        assert after._betting is not None
        if len(after._betting.live()) == 1:
            return self._settle(after, made)
        return Verdict(after, made)

    def _settle(self, after: PokerPosition, made: tuple[tuple[Player, Move], ...]) -> Verdict:
        """The pots are paid out, and the next hand begins or the game is over."""
        game, betting = self._game, after._betting
        assert betting is not None
        won = betting.winnings(after._strength, self._from_left(), whole=game.whole)
        stacks = tuple(_plain(stack + won[one]) for one, stack in enumerate(betting.stacks))
        words = after._words(won)
        rich = [one for one, stack in enumerate(stacks) if stack > 0]
        if self._hand + 1 == game.hands or len(rich) < 2:
            return Verdict(after._with(stacks=stacks, over=True), made, announcements=words)
        button = next(one for one in self._from_left() if stacks[one] > 0)
        return Verdict(PokerPosition(game, self._hand + 1, button, stacks), made, announcements=words)

    def _strength(self, player: int) -> Any:
        return self._game.strength(self._private[player], self._board)

    def _words(self, won: Mapping[int, Score]) -> tuple[Announcement, ...]:
        """Who takes how much out of the pots, and with what."""
        game, betting = self._game, self._betting
        assert betting is not None
        said = []
        most, next_most = sorted(betting.paid)[-1], sorted(betting.paid)[-2]
        for player, total in won.items():
            # What nobody could call was no part of a pot.
            back = most - next_most if self._shown and betting.paid[player] == most else 0
            if back:
                said.append(Announcement(f"{game.players[player]} takes back {back}, which nobody has called."))
            amount = total - back
            if amount:
                text = f"{game.players[player]} takes {amount}"
                if self._shown:
                    text += f" with {game.describe(self._private[player], self._board)}"
                said.append(Announcement(f"{text}."))
        return tuple(said)

    def _with(self, **changes: Any) -> PokerPosition:
        """The same position, except for the fields that are named, without their underscores."""
        after = PokerPosition.__new__(PokerPosition)
        for name in PokerPosition.__slots__:
            setattr(after, name, getattr(self, name))
        for name, value in changes.items():
            setattr(after, f"_{name}", value)
        return after

    # How it ended.

    def result(self) -> Result | None:
        if not self._over:
            return None
        game = self._game
        scores = {player: _plain(stack - game.stack) for player, stack in zip(game.players, self._stacks, strict=True)}
        standings = {
            player: Standing.WIN if score > 0 else Standing.LOSS if score < 0 else Standing.DRAW
            for player, score in scores.items()
        }
        return Result(standings, scores, "the cards are shown" if self._shown else "all others have folded")

    # Who knows what.

    def seen(self, actor: Player, move: Move, observer: Player) -> Move:
        if actor != CHANCE or self._betting is not None:
            return move
        # The dealer's outcome has a word for everybody, in seating order.
        words = move.split(" ")
        players = self._game.players
        return " ".join(
            word if word == NOBODY or player == observer else HIDDEN
            for word, player in zip(words, players, strict=True)
        )

    def spoken(self, actor: Player, move: Move, observer: Player) -> str:
        """What is dealt, by its name: the own hand, the flop, the turn and the river, and the showdown."""
        if actor != CHANCE:
            return move
        game, betting = self._game, self._betting
        if betting is None:
            word = move.split(" ")[game.players.index(observer)] if observer in game.players else NOBODY
            return "" if word == NOBODY else f"hand {game.deck.text(game.deck.read_all(word) or ())}"
        if self._showdown():
            return f"showdown {move}"
        streets = STREETS if len(game.board) == len(STREETS) else ("board",) * len(game.board)
        return f"{streets[betting.round + 1]} {move}"

    def _face_up(self, player: int, observer: Player | None) -> bool:
        """Whether the observer sees that player's cards."""
        if observer is None or self._game.players[player] == observer:
            return True
        return self._shown and self._betting is not None and not self._betting.out[player]

    def view(self, player: Player | None) -> str:
        game, betting = self._game, self._betting
        parts = []
        if game.hands > 1:
            parts.append(f"hand {self._hand + 1} of {game.hands}")
        if any(game.blinds):
            parts.append(f"button {game.players[self._button]}")
        for one, name in enumerate(game.players):
            if betting is None:
                parts.append(f"{name} {self._stacks[one]}")
                continue
            cards = self._private[one]
            face = "" if not cards else game.deck.text(cards, "") if self._face_up(one, player) else "??" * len(cards)
            words = [name, str(self._stacks[one] if self._over else betting.stacks[one]), f"paid {betting.paid[one]}"]
            parts.append(
                " ".join([*words, *([face] if face else []), *(["folded"] if cards and betting.out[one] else [])])
            )
        if self._board:
            parts.append(f"board {game.deck.text(self._board)}")
        if self._log:
            parts.append(" ".join(self._log))
        return "; ".join([*parts, self._state()])

    def _state(self) -> str:
        betting = self._betting
        if self._over:
            return "over"
        if betting is None:
            return "the cards are to be dealt"
        if betting.to_act < 0:
            return "the cards are to be shown" if self._showdown() else "the board is to be dealt"
        name, call = self._game.players[betting.to_act], betting.to_call()
        return f"{name} to act, {call} to call" if call else f"{name} to act"

    def key(self) -> Hashable:
        return (self._hand, self._button, self._stacks, self._private, self._board, self._log, self._shown, self._over)

    def picture(self, player: Player | None) -> Picture:
        game, betting = self._game, self._betting
        shown = []
        for one, name in enumerate(game.players):
            label = f"{name} (D)" if any(game.blinds) and one == self._button else name
            cards = self._private[one] if self._private else ()
            back = [game.deck.cells[card] if self._face_up(one, player) else BACK for card in cards]
            cells = back or [Cell("-", "muted")] * game.private
            stack = self._stacks[one] if betting is None or self._over else betting.stacks[one]
            put = betting.bets[one] if betting is not None else 0
            cells += [Cell(str(stack)), Cell(str(put) if put else "", "mark")]
            if betting is not None and cards and (betting.out[one] or not (betting.stacks[one] or self._over)):
                cells.append(Cell("fold", "muted") if betting.out[one] else Cell(ALL_IN, "mark"))
            shown.append((label, cells))
        columns = ["cards", *[""] * (game.private - 1), "chips", "bet"]
        parts: list[Part] = [rows(shown, columns)]
        if sum(game.board):
            empty = [Cell("--", "empty")] * (sum(game.board) - len(self._board))
            parts.append(rows([("board", [*(game.deck.cells[card] for card in self._board), *empty])]))
        if betting is not None and not self._over:
            parts.append(Note(f"Pot {sum(betting.paid)}."))
        if player in game.players and self._private and self._private[game.players.index(player)]:
            mine = self._private[game.players.index(player)]
            parts.append(Note(f"You hold {game.describe(mine, self._board)}."))
        parts.append(Note(_sentence(self._state()), "mark"))
        if game.hands > 1:
            parts.append(Note(f"Hand {self._hand + 1} of {game.hands}.", "muted"))
        return Picture(tuple(parts))

    def determinize(self, player: Player, rng: random.Random) -> Position | None:
        game = self._game
        if not self._private or player not in game.players:
            return self
        fixed = [self._face_up(one, player) for one in range(len(game.players))]
        used = set(self._board).union(*(self._private[one] for one, known in enumerate(fixed) if known))
        left = [card for card in game.deck.cards if card not in used]
        hidden = [one for one, known in enumerate(fixed) if not known]
        drawn = iter(rng.sample(left, sum(len(self._private[one]) for one in hidden)))
        private = tuple(
            hand if known else game.sorted(tuple(islice(drawn, len(hand))))
            for hand, known in zip(self._private, fixed, strict=True)
        )
        return self._with(private=private)

    def follow(self, told: Sequence[tuple[Player, Move]]) -> PokerPosition:
        """The position after what a player was told, with any cards for the others that do not contradict it."""
        position = self
        for index, (actor, text) in enumerate(told):
            if actor == CHANCE and position._betting is None and not position._over:
                text = position._game.fill(text, [later for who, later in told[index + 1 :] if who == CHANCE])
            elif actor == CHANCE and position._showdown():
                text = position._show_text()
            after = position.play({actor: text}).position
            assert isinstance(after, PokerPosition)
            position = after
        return position


def _plain(amount: Score) -> Score:
    """A whole number where it is one."""
    return int(amount) if isinstance(amount, Fraction) and amount.denominator == 1 else amount


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


class PokerRules(Rules, Imagines):
    """Rules of which every position is one of a `PokerGame`."""

    @abstractmethod
    def game(self, options: Mapping[str, str]) -> PokerGame:
        """The game with these completed options."""

    def begin(self, options: Mapping[str, str]) -> Position:
        return self._first(options)

    def _first(self, options: Mapping[str, str]) -> PokerPosition:
        game = self.game(options)
        count = len(game.players)
        # The button has the last word; only two players with blinds are the other way round.
        return PokerPosition(game, 0, 0 if any(game.blinds) else count - 1, (game.stack,) * count)

    def imagine(
        self, player: Player, values: Mapping[str, str], seen: Sequence[Observation], rng: random.Random
    ) -> Position | None:
        """Any deal that explains what the player has seen, each as likely as any other."""
        told = [(one.actor, one.text) for one in seen if isinstance(one, Seen)]
        first = self._first(self.complete(values))
        try:
            return first.follow(told).determinize(player, rng)
        except MoveError:
            return None
