"""The bridge `gtp:`: programs that speak the Go Text Protocol, as GNU Go or GTP GRhino do.

The program has a board of its own. Before each move it is told what it does not know yet, or
takes back what is not played any more. How a game is scored is the referee's affair.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping

from ggtp.errors import EngineError, EngineTimedOut
from ggtp.foreign.gtp import PASS, RESIGN, GtpAnswer, GtpError, begins_answer, read_answer
from ggtp.foreign.gtp_board import GO, KOMI, SPOKEN, GtpBoard, gtp_board, handicap_stones
from ggtp.game import Move, Option, Player, Rules, number, switch
from ggtp.kit import Budget, Game
from ggtp.kit.bridge.bridge import GREETING_SECONDS, Bridge, Clock, Setting, public_name, run_bridge

ANSWER_SECONDS = 10.0
"""How long a program may take for anything but a move."""
FOR_EVER = float("inf")
MOST_LINES = 10_000
"""Lines of an answer."""
LOOK_SECONDS = 0.02

ANALYZE = "gogui-analyze_commands"
CLEAN_UP, CLEAN_UP_COMMAND = "cleanup", "kgs-genmove_cleanup"
LOSE, PLAY_ON = "lose", "play_on"
LEVEL, SEED_COMMAND = "level", "set_random_seed"


class Gtp(Bridge):
    """A program with a board."""

    kind = "gtp"
    own_options = (
        switch(CLEAN_UP, True, "in Go: whether it captures dead stones before it passes, if it can"),
        Option(RESIGN, LOSE, "what follows when the program resigns", choices=(LOSE, PLAY_ON)),
    )

    def greet(self) -> list[Setting]:
        """Ask what it is and what it can do."""
        self._number = 0
        self._told: list[tuple[Player, Move]] | None = None
        """What was played on its board; None where nothing is set up."""
        self._board: GtpBoard | None = None
        answer = self._ask("list_commands", GREETING_SECONDS)
        if not answer.done:
            raise EngineError(f"{self.program.name} does not speak the Go Text Protocol: {answer.text}")
        self.commands = frozenset(answer.text.split())
        self.games = self._list("list_games")
        settings = list(self._parameters())
        if LEVEL in self.commands:
            settings.append(Setting(LEVEL, number(LEVEL, 10, 0, 100, "how hard it thinks")))
        return settings

    def _list(self, command: str) -> list[str]:
        if command not in self.commands:
            return []
        answer = self._ask(command)
        return answer.text.split() if answer.done else []

    def _parameters(self) -> list[Setting]:
        """What programs that GoGui knows let be set: a command lists `[type] name value`, and sets `name value`."""
        found: list[Setting] = []
        lines = self._ask(ANALYZE).text.splitlines() if ANALYZE in self.commands else []
        for line in lines:
            kind, _, command = (*line.split("/"), "", "")[:3]
            if kind.strip() != "param" or not command or " " in command.strip():
                continue
            answer = self._ask(command.strip())
            for row in answer.text.splitlines() if answer.done else ():
                setting = _parameter(command.strip(), row)
                if setting is not None:
                    found.append(setting)
        return found

    # The game.

    def plays(self, rules: Rules, values: Mapping[str, str]) -> str | None:
        """Games that are spoken of, on a board that the program has."""
        name = self.program.name
        board = gtp_board(rules, values) if rules.name in SPOKEN else None
        if board is None:
            return f"{rules.name} can't be spoken of in the Go Text Protocol."
        if self.games and rules.name.casefold() not in map(str.casefold, self.games):
            return f"{name} plays {', '.join(self.games)} only."
        self._told = None
        if not self._ask(f"boardsize {board.size}").done:
            return f"{name} has no board of size {board.size}."
        if rules.name == GO and float(values[KOMI]) and not self._ask(f"komi {values[KOMI]}").done:
            return f"{name} takes no komi of {values[KOMI]}."
        return None

    def new_game(self, game: Game, budget: Budget) -> None:
        """An empty board."""
        self._set_up(game)

    def choose(self, game: Game, budget: Budget) -> Move:
        """What the program plays."""
        board = self._catch_up(game)
        for name, value in self.unsent(game.settings):
            self._need(f"{name} {value}" if value is not None else name)
        colour = board.colour(game.player)
        self._tell_time(colour, self.clock(game.settings, budget), timed=budget.remaining() is not None)
        vertex = self._generate(f"genmove {colour}", colour)
        if (
            vertex == PASS
            and game.rules.name == GO
            and game.settings[CLEAN_UP] == "on"
            and {"undo", CLEAN_UP_COMMAND} <= self.commands
            and self._ask("undo").done
        ):
            # It thinks that the dead stones are agreed upon; nobody here agrees on anything.
            vertex = self._generate(f"{CLEAN_UP_COMMAND} {colour}", colour)
        moves = game.moves()
        if vertex == RESIGN:
            self._told = None  # it may think that the game is over
            if game.settings[RESIGN] == PLAY_ON:
                return PASS if PASS in moves else game.rng.choice(moves)
            return RESIGN
        try:
            move = board.move(vertex)
        except GtpError:
            move = vertex
        if self._told is not None:
            self._told.append((game.player, move))
        self.report(move=move)
        return move

    def _generate(self, command: str, colour: str) -> str:
        answer = self._ask(command, FOR_EVER)
        if not answer.done:
            raise EngineError(f"{self.program.name} finds no move for {colour}: {answer.text}")
        return answer.text.strip().split("\n")[0].lower()

    # Its board.

    def _set_up(self, game: Game) -> GtpBoard:
        values = game.rule_options
        board = gtp_board(game.rules, values)
        assert board is not None, "it was asked whether it plays this"
        self._board = board
        if self.games:
            self._ask(f"set_game {game.rules.name}")
        self._need(f"boardsize {board.size}")
        self._need("clear_board")
        if game.rules.name == GO:
            self._ask(f"komi {values[KOMI]}")
            self._place(handicap_stones(game.rules, values))
        if SEED_COMMAND in self.commands and game.settings["seed"].isdigit():
            self._ask(f"{SEED_COMMAND} {int(game.settings['seed']) % 2**31}")
        self._told = []
        return board

    def _place(self, stones: tuple[Move, ...]) -> None:
        if stones and not (
            "set_free_handicap" in self.commands and self._ask(f"set_free_handicap {' '.join(stones)}").done
        ):
            for stone in stones:
                self._need(f"play black {stone}")

    def _catch_up(self, game: Game) -> GtpBoard:
        """Bring its board to where the play stands."""
        history = game.history
        board = self._board
        told = self._told
        if board is None or told is None:
            board, told = self._set_up(game), []
        same = 0
        while same < min(len(told), len(history)) and told[same] == history[same]:
            same += 1
        while len(told) > same:
            if "undo" not in self.commands or not self._ask("undo").done:
                board, told, same = self._set_up(game), [], 0
                break
            told.pop()
        self._told = told
        for player, move in history[same:]:
            answer = self._ask(f"play {board.colour(player)} {board.vertex(move)}")
            if not answer.done and move != PASS:  # GTP GRhino passes by itself where it must
                self._told = None
                raise EngineError(f"{self.program.name} does not take {player} {move}: {answer.text}")
            told.append((player, move))
        self._told = told
        return board

    def _tell_time(self, colour: str, clock: Clock, *, timed: bool) -> None:
        if not timed or "time_settings" not in self.commands:
            return
        seconds = max(1, int(clock.seconds))
        # A limit for each move is an overtime of one stone; the protocol knows no increments, and whole seconds only.
        settings = f"{seconds} 0 0" if clock.bank else f"0 {seconds} 1"
        self._ask(f"time_settings {settings}")
        if "time_left" in self.commands:
            self._ask(f"time_left {colour} {seconds} {0 if clock.bank else 1}")

    # Talking.

    def _need(self, command: str) -> str:
        answer = self._ask(command)
        if not answer.done:
            raise EngineError(f"{self.program.name} refuses {command}: {answer.text}")
        return answer.text

    def _ask(self, command: str, seconds: float = ANSWER_SECONDS) -> GtpAnswer:
        """Say something and wait for the answer to it."""
        self._number += 1
        self.program.send(f"{self._number} {command}")
        deadline = time.monotonic() + seconds
        lines: list[str] = []
        while time.monotonic() < deadline:
            line = self.program.receive(LOOK_SECONDS)
            if line is None:
                continue
            if line and len(lines) < MOST_LINES and (lines or begins_answer(line)):
                lines.append(line)
            elif not line and lines:
                number, answer = read_answer(lines)
                lines = []
                if number in ("", str(self._number)):  # else it answers what nobody waits for any more
                    return answer
        raise EngineTimedOut(f"{self.program.name} has not answered {command.split()[0]} within {seconds:g} s.")


def _parameter(command: str, row: str) -> Setting | None:
    """A row of what can be set, as in `[bool] use_book 1`."""
    kind, closed, rest = row.strip().partition("]")
    name, _, value = rest.strip().partition(" ")
    if not kind.startswith("[") or not closed or not name:
        return None
    public, value = public_name(name), value.strip()
    words = f"{command} {name}"
    if kind == "[bool":
        default = "on" if value in ("1", "true") else "off"
        return Setting(words, Option(public, default, "", choices=("on", "off")), {"on": "1", "off": "0"})
    if kind.startswith("[list/"):
        choices = tuple(kind.removeprefix("[list/").split("/"))
        return Setting(words, Option(public, value, "", choices=choices)) if value in choices else None
    return Setting(words, Option(public, value, ""))


if __name__ == "__main__":
    sys.exit(run_bridge(Gtp))
