"""GNU Backgammon as an engine: `gnubg:gnubg`. It is asked for hints through its command line.

Its position is set anew before each question, always from the side of who is on roll, and the turn that it suggests is
taken for the one of ours that leads to the same men. It can't be told to hurry, so there is a quick answer first and
then a considered one; what is there when time is over counts.
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from ggtp.errors import EngineError, EngineTimedOut, MoveError
from ggtp.game import Move, Position, Rules, number
from ggtp.kit import Budget, Game
from ggtp.kit.bridge.bridge import GREETING_SECONDS, Bridge, Setting, run_bridge

RULE = "Backgammon"
ARGUMENTS = ("--tty", "--quiet", "--no-rc")
SETTINGS = (
    "set lang C",
    "set output rawboard on",
    *(f"set automatic {what} off" for what in ("roll", "game", "move", "bearoff", "crawford")),
    "set automatic doubles 0",
    "set player 0 human",
    "set player 1 human",
    "set beavers 0",
    "set jacoby off",
    "new session",
)
MARK = "show pipcount"
MARKED = "The pip counts are:"
"""A question whose answer shows that all before it is answered."""
QUICK_SECONDS = 5.0
THREADS = 48
ROLL, DOUBLE, TAKE, DROP = "roll", "double", "take", "drop"

_VIEW = re.compile(
    r"White (?P<white>[\d ]+); Black (?P<black>[\d ]+)(?:; cube (?P<cube>\d+) (?P<owner>White|Black|-))?"
    r"; (?P<mover>White|Black) (?P<stage>\w+)(?: (?P<dice>\d-\d))?.*"
)
_HINT = re.compile(r"1\. +Cube(?:ful|less) +(\d)-ply +(\S.*?) +Eq\.: *([+-]?\d+\.\d+)(?: .*)?")
_CHANCES = re.compile(r"(\d\.\d+) \d\.\d+ \d\.\d+ - \d\.\d+ \d\.\d+ \d\.\d+.*")
_ACTION = re.compile(r"Proper cube action: *(.+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Board:
    """What a position of Backgammon is to the program: whoever is on roll is its player 1."""

    numbers: tuple[int, ...]
    """The own men on the bar, the points 1 to 24 with the other's men as negative numbers, and the other's bar."""
    stage: str
    dice: str
    cube: int
    """0 where it is not used."""
    owner: str
    """Who may double next in the program's words."""

    @classmethod
    def of(cls, position: Position) -> Board:
        """The board of a position, by what it shows of itself.

        Raises:
            EngineError: it shows something else.
        """
        found = _VIEW.fullmatch(position.view(None))
        if found is None:
            raise EngineError(f"No board of Backgammon can be seen in {position.view(None)[:80]}.")
        men = {name: [int(count) for count in found[name.lower()].split()] for name in ("White", "Black")}
        mover = found["mover"]
        own, other = men[mover], men["Black" if mover == "White" else "White"]
        points = (own[point] - other[25 - point] for point in range(1, 25))
        owner = {None: "center", "-": "center", mover: "owner 1"}.get(found["owner"], "owner 0")
        return cls((own[25], *points, -other[25]), found["stage"], found["dice"] or "", int(found["cube"] or 0), owner)

    def lines(self) -> list[str]:
        """How the program is told."""
        cube = ["set cube use on", f"set cube value {self.cube}", f"set cube {self.owner}"]
        return [
            "set turn 1",
            *(cube if self.cube else ["set cube use off"]),
            f"set board simple {' '.join(map(str, self.numbers))}",
            *([f"set dice {self.dice.replace('-', ' ')}"] if self.dice else []),
        ]


@dataclass(slots=True)
class Hint:
    """What the program suggests, as far as it was heard."""

    turn: str = ""
    action: str = ""
    chance: float | None = None
    """Of whoever is on roll, to win."""
    plies: str = ""
    equity: str = ""

    def hear(self, line: str) -> None:
        """Take in a line."""
        if found := _HINT.fullmatch(line):
            self.plies, self.turn, self.equity = found.groups()
        elif (found := _CHANCES.fullmatch(line)) and self.chance is None:
            self.chance = float(found[1])
        elif found := _ACTION.fullmatch(line):
            self.action = found[1].casefold()


class Gnubg(Bridge):
    """Plays Backgammon, with and without the cube."""

    kind = "gnubg"
    farewell = ("exit", "y")
    own_options = (
        number("plies", 2, 0, 4, "how many turns to look ahead"),
        number("noise", 0, 0, 1000, "thousandths of a point by which it may be mistaken; more is weaker"),
    )

    def __init__(self, command: Sequence[str]) -> None:
        super().__init__((*command, *(word for word in ARGUMENTS if word not in command)))
        self._home = tempfile.TemporaryDirectory(prefix="ggtp-gnubg-", ignore_cleanup_errors=True)
        # It writes files into the home folder; and it should speak English.
        self.variables = {"HOME": self._home.name, "LC_ALL": "C", "LANGUAGE": "C"}
        self._busy = False
        """Whether it still thinks about what nobody wants to know."""

    def greet(self) -> list[Setting]:
        """Lay the table."""
        self._busy = False
        self.program.send(*SETTINGS, MARK)
        self.program.expect(_marks, GREETING_SECONDS)
        return []

    def close(self) -> None:
        """Send the program away, and remove what it has written."""
        super().close()
        self._home.cleanup()

    def plays(self, rules: Rules, values: Mapping[str, str]) -> str | None:
        """Backgammon only."""
        return None if rules.name == RULE else f"{self.program.name} plays {RULE} only, not {rules.name}."

    def choose(self, game: Game, budget: Budget) -> Move:
        """What it suggests."""
        moves = game.moves()
        if self._busy:
            self._come_back()
        board = Board.of(game.position)
        lines = board.lines()
        quick = Budget(QUICK_SECONDS)
        question = [*lines, *self._thinking(game, 0), "hint 1"]
        hint = self._ask(question, lambda: quick.should_stop() or budget.withdrawn)
        if hint is None and budget.withdrawn:
            return moves[0]  # it goes nowhere
        if hint is None:
            raise EngineTimedOut(f"{self.program.name} gives no hint within {QUICK_SECONDS:g} s.")
        plies = int(game.settings["plies"])
        if plies and len(moves) > 1 and not budget.should_stop():
            hint = self._ask([*self._thinking(game, plies), "hint 1"], budget.should_stop) or hint
        self._tell(hint, board)
        return self._move(game, board, hint)

    def _thinking(self, game: Game, plies: int) -> list[str]:
        noise = int(game.settings["noise"]) / 1000
        kinds = ("chequerplay", "cubedecision")
        return [
            *(f"set evaluation {kind} evaluation plies {plies}" for kind in kinds),
            *(f"set evaluation {kind} evaluation noise {noise:.3f}" for kind in kinds),
            f"set threads {min(THREADS, int(game.settings['threads']))}",
        ]

    def _ask(self, lines: Sequence[str], given_up: Callable[[], bool]) -> Hint | None:
        """What it answers; None where that takes too long."""
        hint = Hint()
        self.program.forget()
        self.program.send(*lines, MARK)
        if self.program.expect(_marks, float("inf"), heard=hint.hear, given_up=given_up):
            return hint
        self._busy = True
        return None

    def _come_back(self) -> None:
        """Have the program ready again; one that is still thinking is started anew."""
        with suppress(EngineTimedOut):
            self.program.expect(_marks, 0.05)
            self._busy = False
            return
        self.reopen()

    def _tell(self, hint: Hint, board: Board) -> None:
        facts: dict[str, object] = {}
        if hint.chance is not None:
            chance = 1 - hint.chance if board.stage == "answering" else hint.chance
            facts["value"] = f"{100 * chance:.1f}"
        if hint.plies:
            facts |= {"depth": hint.plies, "equity": hint.equity, "line": hint.turn}
        if hint.action:
            facts["action"] = hint.action
        self.report(**facts)

    def _move(self, game: Game, board: Board, hint: Hint) -> Move:
        said = hint.turn if board.stage == "playing" else hint.action
        if not said:
            raise EngineError(f"{self.program.name} gives no hint for {game.position.view(None)}.")
        if board.stage == "answering":
            return TAKE if re.search(r"\btake\b", said) else DROP
        if board.stage == "offering":
            # `double, take`, `redouble, pass`; but not `no double, take` or `too good to redouble, pass`.
            return DOUBLE if re.match(r"(?:re)?double\b", said) else ROLL
        try:
            return game.position.parse(game.player, said)
        except MoveError:
            return said


def _marks(line: str) -> bool:
    return line.startswith(MARKED)


if __name__ == "__main__":
    sys.exit(run_bridge(Gnubg))
