"""Minimax: looks ahead with alpha-beta search, a level deeper each time, as far as time allows.

For games of two players without chance, secrets or moves at the same time.
"""

from __future__ import annotations

import sys
from collections.abc import Hashable, Mapping, Sequence
from typing import TypeAlias

from ggtp.game import Move, Position, Rules, Searcher, Standing, number
from ggtp.kit import Budget, Engine, Game, run

DEEPEST = 64
BOTTOM = 200
"""How deep it looks where nothing limits it; Python's stack ends not far below."""
POINT = 1000
"""The inner value of a point of score. One unit is one move sooner or later."""
WIN = 100 * POINT
UNSURE = 500
"""What is guessed at the horizon stays below this; whatever is known to be no draw is above it."""
ENDLESS = 10 * WIN
SLOT_BYTES = 512
"""What a remembered position takes, roughly, its key included."""
LINE_SHOWN = 12

EXACT, AT_LEAST, AT_MOST = 0, 1, 2


class MoveNames:
    """Numbers for the names of moves, the same for a whole play."""

    def __init__(self) -> None:
        self.texts: list[Move] = []
        self.numbers: dict[Move, int] = {}

    def number(self, move: Move) -> int:
        """The number of a name."""
        found = self.numbers.get(move)
        if found is None:
            found = self.numbers[move] = len(self.texts)
            self.texts.append(move)
        return found


class PositionSearcher:
    """Any position as a `Searcher`, for rules that have none of their own."""

    def __init__(self, position: Position, players: Sequence[str], names: MoveNames) -> None:
        self._players = players
        self._seats = {player: index for index, player in enumerate(players)}
        self._stack = [position]
        self._names = names

    def to_move(self) -> int:
        players = self._stack[-1].turn().players
        return self._seats[players[0]] if players else -1

    def legal(self) -> Sequence[int]:
        position = self._stack[-1]
        players = position.turn().players
        return [self._names.number(move) for move in position.moves(players[0])] if players else ()

    def play(self, move: int) -> None:
        position = self._stack[-1]
        self._stack.append(position.play({position.turn().players[0]: self._names.texts[move]}).position)

    def undo(self) -> None:
        self._stack.pop()

    def scores(self) -> Sequence[float]:
        result = self._stack[-1].result()
        if result is None:
            return (50.0, 50.0)
        points = [float(score) for player in self._players if (score := result.scores.get(player)) is not None]
        if len(points) == 2 and sum(points) == 100 and min(points) >= 0:
            return points
        # Other points, such as stones on the board, are no measure of who has won.
        worth = {Standing.WIN: 100.0, Standing.DRAW: 50.0, Standing.LOSS: 0.0}
        return [worth[result.standings[player]] for player in self._players]

    def key(self) -> Hashable:
        return self._stack[-1].key()

    def text(self, move: int) -> Move:
        return self._names.texts[move]

    def number(self, move: Move) -> int:
        return self._names.number(move)


Entry: TypeAlias = tuple[Hashable, int, int, int, int, bool]
"""What is known of a position, as a plain tuple, which the garbage collector need not look at again and again:

its key; how many moves ahead was looked; whether the value is exact or a bound to one side; the
value for the player to move, with the moves to the end counted from this position on; the best
move; and whether it is sure, since no guess has gone into it and looking deeper would change nothing.
"""


class Memory:
    """Positions that were searched, in a table of fixed size: a new one takes the place of an old one."""

    def __init__(self, slots: int) -> None:
        self._slots: list[Entry | None] = [None] * slots

    def find(self, key: Hashable) -> Entry | None:
        """What is known of a position."""
        entry = self._slots[hash(key) % len(self._slots)]
        return entry if entry is not None and entry[0] == key else None

    def keep(self, entry: Entry) -> None:
        """Remember a position."""
        self._slots[hash(entry[0]) % len(self._slots)] = entry


class OutOfTime(Exception):
    """The search must end now."""


class Search:
    """One search, from one position. Values are of the player to move; a win in fewer moves is worth more."""

    def __init__(self, searcher: Searcher, memory: Memory, budget: Budget) -> None:
        self._searcher = searcher
        self._memory = memory
        self._should_stop = budget.should_stop
        self._cuts: dict[tuple[int, int], int] = {}
        """How good a player's move was elsewhere: such are tried early."""
        self._guessed = False
        """Whether a guess at the horizon has gone into what is being searched."""
        self.nodes = 0

    def root(self, depth: int, moves: list[int]) -> tuple[int, bool]:
        """Search all moves, put the best one first, and say what it is worth and whether that is sure.

        Raises:
            OutOfTime: `moves` still has the best one that was found first.
        """
        searcher = self._searcher
        player = searcher.to_move()
        best_value = -ENDLESS
        self._guessed = False
        for move in list(moves):
            searcher.play(move)
            value = self._child(depth - 1, best_value, ENDLESS, 1, player, len(moves))
            searcher.undo()
            if value > best_value:
                best_value = value
                moves.remove(move)
                moves.insert(0, move)
        self._memory.keep((searcher.key(), depth, EXACT, best_value, moves[0], not self._guessed))
        return best_value, not self._guessed

    def line(self, move: int, most: int) -> list[Move]:
        """The moves that are expected to follow, as far as they are remembered. The searcher is left changed."""
        searcher = self._searcher
        texts: list[Move] = []
        while len(texts) < most and move in searcher.legal():
            texts.append(searcher.text(move))
            searcher.play(move)
            entry = self._memory.find(searcher.key())
            if entry is None or searcher.to_move() < 0:
                break
            move = entry[4]
        return texts

    def _child(self, depth: int, alpha: int, beta: int, ply: int, mover: int, choices: int) -> int:
        """What the position is worth to `mover`, who has just moved in it and had so many choices."""
        if self._should_stop():
            raise OutOfTime
        self.nodes += 1
        searcher = self._searcher
        player = searcher.to_move()
        if player < 0:
            scores = searcher.scores()
            value = round((scores[mover] - scores[1 - mover]) * POINT)
            return value - ply if value > 0 else value + ply if value < 0 else 0
        if player == mover:
            return self._value(depth, alpha, beta, ply, player, choices)
        return -self._value(depth, -beta, -alpha, ply, player, choices)

    def _value(self, depth: int, alpha: int, beta: int, ply: int, player: int, choices: int) -> int:
        searcher, cuts = self._searcher, self._cuts
        key = searcher.key()
        known = self._memory.find(key)
        hint = None
        if known is not None:
            _, known_depth, bound, value, hint, sure = known
            if sure or known_depth >= depth:
                value = _from_node(value, ply)
                if bound == EXACT or (value >= beta if bound == AT_LEAST else value <= alpha):
                    self._guessed |= not sure
                    return value
        moves = searcher.legal()
        if depth <= 0:
            self._guessed = True
            # Who can do more stands better, for want of anything that holds in all games.
            return max(1 - UNSURE, min(UNSURE - 1, len(moves) - choices))
        if len(moves) > 1 and cuts:
            moves = sorted(moves, key=lambda move: cuts.get((player, move), 0), reverse=True)
        if hint is not None and hint in moves:
            moves = [hint, *(move for move in moves if move != hint)]
        guessed_before, self._guessed = self._guessed, False
        best, best_value, floor = moves[0], -ENDLESS, alpha
        for move in moves:
            searcher.play(move)
            value = self._child(depth - 1, floor, beta, ply + 1, player, len(moves))
            searcher.undo()
            if value > best_value:
                best, best_value = move, value
                if value >= beta:
                    cuts[player, move] = cuts.get((player, move), 0) + depth * depth
                    break
                floor = max(floor, value)
        bound = AT_LEAST if best_value >= beta else EXACT if best_value > alpha else AT_MOST
        self._memory.keep((key, depth, bound, _to_node(best_value, ply), best, not self._guessed))
        self._guessed |= guessed_before
        return best_value


def _to_node(value: int, ply: int) -> int:
    """A value that counts moves from the root, counted from a position so many moves below it."""
    return value + ply if value > UNSURE else value - ply if value < -UNSURE else value


def _from_node(value: int, ply: int) -> int:
    return value - ply if value > UNSURE else value + ply if value < -UNSURE else value


def percent(value: int) -> str:
    """A value on the scale from 0, lost, to 100, won."""
    points = round(value / POINT) if abs(value) > UNSURE else value / POINT
    return f"{50 + points / 2:.4g}"


class Minimax(Engine):
    """Sees all that can happen within so many moves, and prefers to win soon and to lose late."""

    name = "Minimax"
    options = (
        number("Depth", 8, 0, DEEPEST, "how many moves ahead to look; 0 for as many as time allows"),
        number("Time", 2000, 0, 1 << 31, "how many milliseconds to think at most; 0 for as long as the referee allows"),
    )

    def __init__(self) -> None:
        self._memory: Memory | None = None
        self._names = MoveNames()

    def plays(self, rules: Rules, values: Mapping[str, str]) -> str | None:
        """Two players, nothing hidden, nothing drawn, one mover at a time."""
        traits = rules.traits
        if traits.chance or traits.hidden or traits.joint or traits.race:
            return "Minimax plays only games without chance, without secrets, and with one mover at a time."
        if len(rules.players(values)) != 2:
            return "Minimax plays only games of two players."
        return None

    def new_game(self, game: Game, budget: Budget) -> None:
        """Forget the positions of the play before."""
        self._memory = None
        self._names = MoveNames()

    def choose(self, game: Game, budget: Budget) -> Move:
        """The best move of the deepest search that was done in time."""
        settings = game.settings
        if settings["Time"] != "0":
            budget.limit(int(settings["Time"]) / 1000)
        if self._memory is None:
            self._memory = Memory((int(settings["memory"]) << 20) // SLOT_BYTES)
        search = Search(self._searcher(game), self._memory, budget)
        searcher = self._searcher(game)
        moves = [searcher.number(move) for move in game.moves()]
        game.rng.shuffle(moves)  # the first one found stands among equals
        value, done, sure = 0, 0, False
        try:
            for depth in range(1, 1 + (int(settings["Depth"]) or BOTTOM)):
                value, sure = search.root(depth, moves)
                done = depth
                # A win that is no farther than was looked is the quickest one, and a loss the latest.
                if sure or abs(value) >= WIN - depth:
                    break
        except OutOfTime:
            pass
        chosen = searcher.text(moves[0])
        line = Search(searcher, self._memory, budget).line(moves[0], min(done, LINE_SHOWN))
        solved = "yes" if sure or abs(value) > WIN - POINT else "no"
        self.report(value=percent(value), depth=done, nodes=search.nodes, line=" ".join(line), solved=solved)
        return chosen

    def _searcher(self, game: Game) -> Searcher:
        players = game.rules.players(game.rule_options)
        return game.position.searcher() or PositionSearcher(game.position, players, self._names)


if __name__ == "__main__":
    sys.exit(run(Minimax()))
