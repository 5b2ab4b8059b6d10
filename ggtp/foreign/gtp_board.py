"""Games of placing stones in the words of the Go Text Protocol: colours, vertices, sizes.

Whoever moves first is black. Columns are letters without I, as Go players write them; programs
for Hex have an I.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from ggtp.errors import OptionError
from ggtp.foreign.gtp import BLACK, PASS, WHITE, GtpError
from ggtp.game import Move, Player, Position, Rules, Standing
from ggtp.game.notation import format_score

GO, HEX, OTHELLO, GOMOKU = "Go", "Hex", "Othello", "Gomoku"
SPOKEN = (GO, OTHELLO, HEX, GOMOKU)
"""Rules that programs are known to speak of in this protocol."""

SWAP, SWAP_PIECES = "swap", "swap-pieces"
SIZE, KOMI, HANDICAP = "size", "komi", "handicap"

_GO_LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_POINTS = re.compile(r"\w+ (-?[0-9]+(?:\.5)?)(?: points| discs|$)")
_CELL = re.compile(r"([A-Za-z])([1-9][0-9]?)")


@dataclass(frozen=True, slots=True)
class GtpBoard:
    """How a rule of ours is spoken about."""

    rule: str
    players: tuple[Player, Player]
    """Black and white."""
    ours: str
    """The letters of our columns."""
    theirs: str
    """And of theirs."""
    size: int
    small: bool
    """Whether we write small letters."""

    def colour(self, player: Player) -> str:
        """What a player is called."""
        return BLACK if player == self.players[0] else WHITE

    def player(self, colour: str) -> Player:
        """Who that is."""
        return self.players[0 if colour == BLACK else 1]

    def vertex(self, move: Move) -> str:
        """A move of ours as a vertex."""
        found = _CELL.fullmatch(move)
        if found is None:
            return SWAP_PIECES if move == SWAP else move
        return self.theirs[self.ours.index(found[1].upper())] + found[2]

    def move(self, vertex: str) -> Move:
        """A vertex as a move of ours, which may or may not be legal.

        Raises:
            GtpError: it is none on this board.
        """
        if vertex.lower() == PASS:
            return PASS
        if vertex.lower() in (SWAP_PIECES, "swap-sides", SWAP):
            return SWAP
        found = _CELL.fullmatch(vertex)
        column = self.theirs.find(found[1].upper()) if found else -1
        if found is None or not 0 <= column < self.size or int(found[2]) > self.size:
            raise GtpError("invalid coordinate")
        letter = self.ours[column]
        return (letter.lower() if self.small else letter) + found[2]


def gtp_board(rules: Rules, values: Mapping[str, str]) -> GtpBoard | None:
    """How the rules, with these completed options, are spoken about; None where they are not."""
    players = rules.players(values)
    if len(players) != 2:
        return None
    traits = rules.traits
    if traits.chance or traits.hidden or traits.joint or traits.race:
        return None
    position = rules.begin(values)
    mover = next(iter(position.turn().players), "")
    moves = [found for move in position.moves(mover) if (found := _CELL.fullmatch(move))]
    if not moves:
        return None
    ours = _GO_LETTERS if rules.name == GO else _LETTERS
    theirs = _LETTERS if rules.name == HEX else _GO_LETTERS
    # Gomoku may begin with either; Go with a handicap begins with White, who is white all the same.
    first = values.get("starting_player", players[0])
    one, other = players if first == players[0] else (players[1], players[0])
    size = int(values[SIZE]) if values.get(SIZE, "").isdigit() else _reach(moves, ours)
    return GtpBoard(rules.name, (one, other), ours, theirs, size, moves[0][1].islower())


def _reach(moves: list[re.Match[str]], letters: str) -> int:
    return max(max(letters.index(cell[1].upper()) + 1, int(cell[2])) for cell in moves)


def handicap_stones(rules: Rules, values: Mapping[str, str]) -> tuple[Move, ...]:
    """Where Black has stones before the first move of a game of Go."""
    if rules.name != GO or values.get(HANDICAP, "0") == "0":
        return ()
    rows = rules.begin(values).view(None).split()[0].split("/")
    return tuple(
        f"{_GO_LETTERS[column]}{number}"
        for number, row in enumerate(rows, 1)
        for column, mark in enumerate(row)
        if mark == "X"
    )


def with_size(rules: Rules, values: Mapping[str, str], size: int) -> dict[str, str]:
    """The options with another size.

    Raises:
        GtpError: the rules have no board of that size.
    """
    try:
        return rules.complete({**values, SIZE: str(size)})
    except OptionError:
        board = gtp_board(rules, rules.complete(values))
        if board is not None and board.size == size and SIZE not in values:
            return rules.complete(values)
        raise GtpError("unacceptable size") from None


def score_text(position: Position, board: GtpBoard) -> str | None:
    """How the game stands, as in `W+2.5`, `0`; None where that can't be told before its end.

    In Go every stone on the board counts as alive, as our rules count.
    """
    for _ in range(2):
        turn = position.turn()
        if board.rule == GO and turn.players:
            position = position.play({turn.players[0]: PASS}).position
    result = position.result()
    if result is None:
        return None
    winner = next((player for player, standing in result.standings.items() if standing is Standing.WIN), None)
    if winner is None:
        return "0"
    return f"{'B' if winner == board.players[0] else 'W'}+{margin(result.reason) or '1'}"


def margin(reason: str) -> str:
    """By how many points a game was won whose rule says `Black 45 points, White 36.5`; nothing where it says none."""
    points = [Fraction(number) for number in _POINTS.findall(reason)]
    return format_score(abs(points[0] - points[1])) if len(points) == 2 else ""
