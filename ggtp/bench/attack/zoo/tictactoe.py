"""A good engine's view of TicTacToe, with answers to all that a referee may say."""

from __future__ import annotations

SQUARES = [column + row for row in "123" for column in "ABC"]
THREES = ["A1 B1 C1", "A2 B2 C2", "A3 B3 C3", "A1 A2 A3", "B1 B2 B3", "C1 C2 C3", "A1 B2 C3", "A3 B2 C1"]


class Game:
    """The moves that were played, and the engine's options."""

    def __init__(self) -> None:
        self.moves: list[tuple[str, str]] = []
        self.played = 0
        """How many of the moves stand; those after them were undone."""
        self.options = {"Depth": "3", "Style": "calm", "rule": "TicTacToe", "player": "Cross"}
        self.choices = {"Depth": "1..64", "Style": "calm, wild", "rule": "TicTacToe", "player": "Cross, Circle"}

    def taken(self) -> list[str]:
        """The squares that are taken, in the order of the moves."""
        return [square for _, square in self.moves[: self.played]]

    def free(self) -> list[str]:
        """The squares that can be played, in the order A1, B1, C1, A2, ... C3."""
        return [] if self.winner() else [square for square in SQUARES if square not in self.taken()]

    def winner(self) -> str:
        """The player with three in a row; nothing if there is none."""
        owner = {square: player for player, square in self.moves[: self.played]}
        for three in THREES:
            owners = {owner.get(square, "") for square in three.split()}
            if len(owners) == 1 and owners != {""}:
                return owners.pop()
        return ""

    def table(self) -> str:
        """The board in one line."""
        mark = {square: "X" if player == "Cross" else "O" for player, square in self.moves[: self.played]}
        return "/".join("".join(mark.get(column + row, ".") for column in "ABC") for row in "321")

    def result(self) -> str:
        """The result, or `none`."""
        if winner := self.winner():
            return ", ".join(
                f"{player}={'win 100' if player == winner else 'loss 0'}" for player in ("Cross", "Circle")
            )
        return "none" if self.free() else "Cross=draw 50, Circle=draw 50"

    def answer(self, line: str) -> str:
        """The right answer to a line of the referee."""
        command, _, rest = line.partition(" ")
        if command == "have_to_play":
            return f"select_move {self.free()[0]}" if self.free() else "select_move none"
        if command in ("list_possible_moves", "get_result", "get_table"):
            return self._told(command, rest)
        if command in ("list_options", "get_option", "list_option_choices", "set_option"):
            return self._option(command, rest)
        self._happened(command, rest.split(" ", 1))
        return "acknowledge"

    def _told(self, command: str, rest: str) -> str:
        if rest != "0":
            return "invalid_table_number"
        texts = {"list_possible_moves": ", ".join(self.free()), "get_result": self.result()}
        return f"reply {texts.get(command, self.table())}"

    def _option(self, command: str, rest: str) -> str:
        name, _, value = rest.partition(" ")
        if command == "list_options":
            return "reply " + ", ".join(self.options)
        if name not in self.options:
            return "invalid_option_name"
        if command == "get_option":
            return f"reply {self.options[name]}"
        if command == "list_option_choices":
            return f"reply {self.choices[name]}"
        if not value:
            return "invalid_option_value"
        self.options[name] = value
        return "acknowledge"

    def _happened(self, command: str, words: list[str]) -> None:
        if command == "start":
            self.moves, self.played = [], 0
        elif command == "made_move":
            self.moves = [*self.moves[: self.played], (words[0], words[-1])]
            self.played += 1
        elif command == "undone_move":
            self.played = max(0, self.played - 1)
        elif command == "redone_move":
            self.played = min(len(self.moves), self.played + 1)
