"""RockPaperScissors: both players choose at once, for one round or for many."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

from ggtp.errors import IllegalMove
from ggtp.game import (
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
    number,
    result_by_scores,
)

LEFT, RIGHT = "Left", "Right"
PLAYERS = (LEFT, RIGHT)
BOTH = Turn(TurnKind.JOINT, PLAYERS)
ROCK, PAPER, SCISSORS = "Rock", "Paper", "Scissors"
MOVES = (ROCK, PAPER, SCISSORS)
BEATS = {(ROCK, SCISSORS): "blunts", (PAPER, ROCK): "wraps", (SCISSORS, PAPER): "cut"}
"""What the first of two does to the second, where it wins."""


class RockPaperScissorsPosition(Position):
    """How many rounds are played, and by how many Left is ahead."""

    __slots__ = ("_lead", "_played", "_rounds")

    def __init__(self, rounds: int, played: int = 0, lead: int = 0) -> None:
        self._rounds = rounds
        self._played = played
        self._lead = lead

    def turn(self) -> Turn:
        return BOTH if self._played < self._rounds else OVER

    def moves(self, player: Player) -> Sequence[Move]:
        return MOVES if player in PLAYERS and self._played < self._rounds else ()

    def play(self, moves: Mapping[Player, Move]) -> Verdict:
        for player, move in moves.items():
            if move not in self.moves(player):
                raise IllegalMove(f"No move named {move} for player {player}.")
        if len(moves) < len(PLAYERS):
            raise IllegalMove("Both players choose at once.")
        left, right = moves[LEFT], moves[RIGHT]
        lead = self._lead
        if (left, right) in BEATS:
            lead += 1
            text = f"{left} {BEATS[left, right]} {right}: the round is {LEFT}'s."
        elif (right, left) in BEATS:
            lead -= 1
            text = f"{right} {BEATS[right, left]} {left}: the round is {RIGHT}'s."
        else:
            text = f"{left} against {right}: nobody has the round."
        after = RockPaperScissorsPosition(self._rounds, self._played + 1, lead)
        return Verdict(after, ((LEFT, left), (RIGHT, right)), announcements=(Announcement(text),))

    def result(self) -> Result | None:
        if self._played < self._rounds:
            return None
        rounds = "a round" if self._rounds == 1 else f"{self._rounds} rounds"
        return result_by_scores({LEFT: self._lead, RIGHT: -self._lead}, f"{rounds} played")

    def view(self, player: Player | None) -> str:
        return f"{self._played} of {self._rounds} played {LEFT} {self._lead:+d} {RIGHT} {-self._lead:+d}"

    def key(self) -> Hashable:
        return (self._rounds, self._played, self._lead)

    def picture(self, player: Player | None) -> Picture:
        rounds = f"round {self._played + 1} of {self._rounds}" if self._played < self._rounds else "all rounds played"
        scores = ((Cell(f"{self._lead:+d}", "first"),), (Cell(f"{-self._lead:+d}", "second"),))
        return Picture((Grid(scores, row_labels=PLAYERS), Note(rounds, "muted")))


class RockPaperScissors(Rules):
    """Players Left and Right; each round that is won takes a point from the other player."""

    name = "RockPaperScissors"
    title = "both choose at once; rock blunts scissors cut paper wraps rock"
    traits = Traits(joint=True)
    own_options = (number("rounds", 1, 1, 1000, "how many rounds make a game"),)

    def players(self, options: Mapping[str, str]) -> tuple[Player, ...]:
        return PLAYERS

    def begin(self, options: Mapping[str, str]) -> Position:
        return RockPaperScissorsPosition(int(options["rounds"]))


RULES = RockPaperScissors()
