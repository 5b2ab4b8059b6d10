"""Sokoban: push every box onto a mark; boxes can't be pulled."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import cache
from typing import TypeAlias

from ggtp.game import (
    Cell,
    Move,
    Note,
    Option,
    Picture,
    Position,
    Result,
    number,
)
from ggtp.game.building.boards import SquareBoard
from ggtp.game.building.puzzles import SOLO, SOLVED, LevelRules, solo_result
from ggtp.game.building.turns import TurnGame, TurnPosition
from ggtp.game.building.twin import counter, ends_without_moves, facts, worth

WAYS = {"left": (-1, 0), "up": (0, -1), "right": (1, 0), "down": (0, 1)}
NAMES = tuple(WAYS)
SIGNS = {"l": "left", "u": "up", "r": "right", "d": "down", "<": "left", "^": "up", ">": "right", "v": "down"}
LARGEST = 40
LEVELS = (
    "#######/#@---.#/#--####/##-$-##/#-----#/#######",
    "########/#@#-#--#/#-$----#/##--#--#/#------#/#--.--##/########",
    "######/#@---#/#---.#/#-.#-#/#-$--#/#-$#-#/#---##/######",
    "########/#---#--#/#--$---#/#-$@---#/#--#--.#/#--#-.##/########",
    "########/##--#-##/#@-.---#/#------#/###--$$#/#---#-.#/#-##---#/########",
    "########/#@-.---#/##$#-#-#/#-$----#/#----#-#/##--#--#/#-----.#/########",
    "#########/#@----###/#-$-$--.#/#-##----#/#-$---.-#/#---.---#/#########",
    "########/#-.----#/#.-----#/#--.-$-#/#--#---#/####$$##/##@----#/########",
    "#########/##--#---#/#+.$#-$-#/#--$-.--#/#---#---#/#########",
    "#######/##.-#.#/##-$@-#/#--$-.#/#.-$$-#/#----##/#######",
    "########/##-----#/#+----.#/#---.#-#/#--#-$-#/#.--$$$#/#------#/########",
    "#######/#@----#/#$-$-##/#-#$#-#/#-$--.#/#.---.#/#.###-#/#######",
)
"""The signs are those that players use, with - for the floor and / between the rows."""
PICTURES = {
    "#": Cell("█", "muted", ascii="#"),
    "-": Cell(" "),
    ".": Cell("·", "empty", ascii="."),
    "$": Cell("□", "second", ascii="$"),
    "*": Cell("■", "good", ascii="*"),
    "@": Cell("☺", "first", ascii="@"),
    "+": Cell("☺", "first", ascii="+"),
}

State: TypeAlias = tuple[int, frozenset[int], int]
"""Where the man and the boxes are, and how many moves were made."""


class SokobanGame(TurnGame[State]):
    """A move is a square times four plus a direction: where a box is pushed, or where the man steps from."""

    players = (SOLO,)

    def __init__(self, level: str, pushes: bool, limit: int) -> None:
        rows = level.split("/")
        self.pushes = pushes
        self.limit = limit
        width = max(map(len, rows))
        self.board = SquareBoard(width, len(rows), lower=True)
        self.marks = "".join(row.ljust(width, "-") for row in rows)
        self.walls = frozenset(at for at, mark in enumerate(self.marks) if mark == "#")
        self.goals = frozenset(at for at, mark in enumerate(self.marks) if mark in ".+*")
        self.names = self.board.names
        self.steps = tuple(y * width + x for x, y in WAYS.values())

    def start(self) -> State:
        """As the level says."""
        man = next(at for at, mark in enumerate(self.marks) if mark in "@+")
        return (man, frozenset(at for at, mark in enumerate(self.marks) if mark in "$*"), 0)

    def reach(self, state: State) -> set[int]:
        """Where the man can walk without pushing."""
        man, boxes, _ = state
        found, todo = {man}, [man]
        while todo:
            here = todo.pop()
            for step in self.steps:
                there = here + step
                if there not in found and there not in self.walls and there not in boxes:
                    found.add(there)
                    todo.append(there)
        return found

    def _free(self, square: int, boxes: frozenset[int]) -> bool:
        return square not in self.walls and square not in boxes

    def _over(self, state: State) -> bool:
        return state[1] == self.goals or state[2] >= self.limit

    def legal(self, state: State) -> Sequence[int]:
        return () if self._over(state) else list(self._pushes(state) if self.pushes else self._steps(state))

    def _pushes(self, state: State) -> Iterator[int]:
        reach = self.reach(state)
        for box in sorted(state[1]):
            for way, step in enumerate(self.steps):
                if box - step in reach and self._free(box + step, state[1]):
                    yield box * 4 + way

    def _steps(self, state: State) -> Iterator[int]:
        man, boxes, _ = state
        for way, step in enumerate(self.steps):
            there = man + step
            if self._free(there, boxes) or (there in boxes and self._free(there + step, boxes)):
                yield man * 4 + way

    def to_move(self, state: State) -> int:
        return 0 if self.legal(state) else -1

    def after(self, state: State, move: int) -> State:
        _, boxes, count = state
        square, way = divmod(move, 4)
        step = self.steps[way]
        box = square if self.pushes else square + step
        if box in boxes:
            boxes = boxes - {box} | {box + step}
        return (box, boxes, count + 1)

    def name(self, state: State, move: int) -> Move:
        square, way = divmod(move, 4)
        if self.pushes:
            return f"{self.names[square]} {NAMES[way]}"
        letter = NAMES[way][0]
        return letter.upper() if square + self.steps[way] in state[1] else letter

    def read(self, state: State, text: str, moves: Mapping[Move, int]) -> Sequence[Move]:
        typed = text.casefold()
        if not self.pushes:
            letter = SIGNS.get(typed, typed)[:1] if typed in (*SIGNS, *NAMES) else ""
            return [name for name in moves if name.casefold() == letter]
        if re.fullmatch(r"[lurd]+", typed):
            return self._walk(state, typed, moves)
        parts = re.fullmatch(r"([a-z]{1,2}\d{1,2})\s*-?\s*(left|up|right|down|[lurd<^>v]|[a-z]{1,2}\d{1,2})", typed)
        if not parts:
            return ()
        box, where = parts.groups()
        if where in self.names and box in self.names:
            # A square to push to, instead of a direction.
            step = self.names.index(where) - self.names.index(box)
            where = NAMES[self.steps.index(step)] if step in self.steps else ""
        name = f"{box} {SIGNS.get(where, where)}"
        return [name] if name in moves else ()

    def _walk(self, state: State, letters: str, moves: Mapping[Move, int]) -> Sequence[Move]:
        """The push that a walk ends with, as solutions of this game are written: `rdL`."""
        man, boxes, _ = state
        for count, letter in enumerate(letters, 1):
            way = NAMES.index(SIGNS[letter])
            man += self.steps[way]
            if man in boxes:
                name = f"{self.names[man]} {NAMES[way]}"
                return [name] if count == len(letters) and name in moves else ()
            if man in self.walls:
                return ()
        return ()

    def hint(self, state: State, moves: Mapping[Move, int]) -> str:
        if self.pushes:
            return f"write a box and where it is pushed, as in {next(iter(moves))}, or a walk up to a push, as in rdL"
        return f"write l, u, r or d, as in {next(iter(moves))}"

    def result(self, state: State) -> Result | None:
        if self.legal(state):
            return None
        done = len(state[1] & self.goals)
        if state[1] == self.goals:
            return solo_result(SOLVED, f"every box is on a mark after {state[2]} moves")
        why = f"{state[2]} moves were made" if state[2] >= self.limit else "no box can be pushed"
        return solo_result(99 * done // len(self.goals), why)

    def key(self, state: State) -> Hashable:
        return (self.marks, self.board.columns, self.pushes, self.limit, state)

    def search_key(self, state: State) -> Hashable:
        return (min(self.reach(state)), state[1], state[2]) if self.pushes else state

    def _marks(self, state: State) -> list[str]:
        found = []
        for at in range(len(self.marks)):
            goal = at in self.goals
            if at in self.walls:
                found.append("#")
            elif at in state[1]:
                found.append("*" if goal else "$")
            elif at == state[0]:
                found.append("+" if goal else "@")
            else:
                found.append("." if goal else "-")
        return found

    def view(self, state: State) -> str:
        return f"{self.board.text(self._marks(state))} {state[2]} of {self.limit}"

    def picture(self, state: State) -> Picture:
        cells = [PICTURES[mark] for mark in self._marks(state)]
        done = len(state[1] & self.goals)
        what = "pushes" if self.pushes else "steps"
        note = Note(f"{done} of {len(self.goals)} boxes on marks; {state[2]} {what}", "muted")
        return Picture((self.board.grid(cells, downwards=True), note))


def read_level(text: str) -> str:
    """A level as we write it.

    Raises:
        ValueError: why it is none.
    """
    level = re.sub(r"[|\n]", "/", text).replace("_", "-").replace(" ", "-").strip("/")
    rows = level.split("/")
    if not re.fullmatch(r"[-#.$*@+/]+", level) or max(map(len, rows)) > LARGEST or len(rows) > LARGEST:
        raise ValueError("a level is made of # @ $ . * + and -, with / between its rows")
    if level.count("@") + level.count("+") != 1:
        raise ValueError("a level has one man, @, or + on a mark")
    boxes, goals = level.count("$") + level.count("*"), sum(map(level.count, ".+*"))
    if not boxes or boxes != goals:
        raise ValueError("a level has as many boxes as marks, and at least one")
    if "$" not in level:
        raise ValueError("every box is on a mark already")
    game = SokobanGame(level, False, 1)
    reached, todo = {game.start()[0]}, [game.start()[0]]
    while todo:
        here = todo.pop()
        row, column = divmod(here, game.board.columns)
        if not (0 < row < game.board.rows - 1 and 0 < column < game.board.columns - 1):
            raise ValueError("the man could walk out: walls have to be all around")
        fresh = {here + step for step in game.steps} - reached - game.walls
        reached |= fresh
        todo += fresh
    return level


@cache
def sokoban_of(level: str, pushes: bool, limit: int) -> SokobanGame:
    """The game of a level, made once."""
    return SokobanGame(level, pushes, limit)


Beside: TypeAlias = tuple[int, str, int]
"""A square, the name of a direction, and the square there."""

STEPS = (
    *facts("way", ((way[0], way) for way in NAMES)),
    "(<= (legal solo ?l) (way ?l ?w) (true (man ?s)) (beside ?s ?w ?t) (not (true (box ?t))))",
    "(<= (legal solo ?l) (way ?l ?w) (true (man ?s)) (beside ?s ?w ?t) (true (box ?t))"
    " (beside ?t ?w ?u) (not (true (box ?u))))",
    "(<= (pushed ?t ?u) (does solo ?l) (way ?l ?w) (true (man ?s)) (beside ?s ?w ?t) (true (box ?t))"
    " (beside ?t ?w ?u))",
    "(<= (next (man ?t)) (does solo ?l) (way ?l ?w) (true (man ?s)) (beside ?s ?w ?t))",
)
"""What a move does that is a step, in GDL."""


def _pushes(game: SokobanGame, ways: Sequence[Beside]) -> list[str]:
    """What a move does that is a push, in GDL."""
    after = {(square, way): there for square, way, there in ways}
    names = game.names
    pushes = [
        (f"({names[box]} {way})", names[here], names[box], names[after[box, way]])
        for here, way, box in ways
        if (box, way) in after
    ]
    return [
        *facts("push", pushes),
        "(<= (reach ?s) (true (man ?s)))",
        "(<= (reach ?t) (reach ?s) (beside ?s ?w ?t) (not (true (box ?t))))",
        "(<= (legal solo ?m) (push ?m ?f ?b ?t) (true (box ?b)) (reach ?f) (not (true (box ?t))))",
        "(<= (pushed ?b ?t) (does solo ?m) (push ?m ?f ?b ?t))",
        "(<= (next (man ?b)) (pushed ?b ?t))",
    ]


class Sokoban(LevelRules):
    """One player, Solo; a move pushes a box, `c3 right`, or is a step, `l`, `u`, `r` or `d`."""

    name = "Sokoban"
    title = "push every box onto a mark"
    levels = LEVELS
    own_options = (
        Option(
            "level", "1", f"the number of a level, 1 to {len(LEVELS)}, or its rows in the usual signs with / between"
        ),
        Option("moves", "pushes", "what a move is: a push with the way to it, or a step", choices=("pushes", "steps")),
        number("max_moves", 500, 10, 2000, "after how many moves the game is lost"),
    )

    def read_level(self, text: str) -> str:
        return read_level(text)

    def begin(self, options: Mapping[str, str]) -> Position:
        game = self._game(options)
        return TurnPosition(game, game.start())

    def _game(self, options: Mapping[str, str]) -> SokobanGame:
        return sokoban_of(self.level(options), options["moves"] == "pushes", int(options["max_moves"]))

    def twin(self, options: Mapping[str, str]) -> str | None:
        game = self._game(options)
        man, boxes, _ = game.start()
        floor = sorted(game.reach((man, frozenset(), 0)))
        ways = [
            (square, way, square + step)
            for square in floor
            for way, step in zip(NAMES, game.steps, strict=True)
            if square + step in floor
        ]
        names = game.names
        lines = [
            "(role solo)",
            *facts("beside", ((names[one], way, names[other]) for one, way, other in ways)),
            f"(init (man {names[man]}))",
            *(f"(init (box {names[box]}))" for box in sorted(boxes)),
            *counter("made", game.limit),
        ]
        lines += _pushes(game, ways) if game.pushes else STEPS
        goals = sorted(game.goals)
        total = len(goals)
        points = {done: 100 if done == total else 99 * done // total for done in range(total + 1)}
        lines += [
            "(<= (left ?b) (pushed ?b ?t))",
            "(<= (next (box ?t)) (pushed ?b ?t))",
            "(<= (next (box ?b)) (true (box ?b)) (not (left ?b)))",
            # How many of the first marks have a box on them.
            *facts("mark", ((number, names[goal]) for number, goal in enumerate(goals))),
            "(on 0 0)",
            "(<= (on ?j ?l) (mark ?i ?s) (then ?i ?j) (on ?i ?k) (then ?k ?l) (true (box ?s)))",
            "(<= (on ?j ?k) (mark ?i ?s) (then ?i ?j) (on ?i ?k) (not (true (box ?s))))",
            f"(<= (done ?k) (on {total} ?k))",
            *worth(SOLO, "done", points),
            f"(<= terminal (done {total}))",
            f"(<= terminal (true (made {game.limit})))",
            *ends_without_moves(SOLO),
        ]
        return "\n".join(lines)


RULES = Sokoban()
