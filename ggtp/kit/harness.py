"""For the tests of an engine's author: a `Game` at any place of any rule, made just as it is made for a referee.

    from ggtp.kit.harness import Harness

    def test_it_takes_the_win() -> None:
        harness = Harness(MyEngine(), "TicTacToe", player="Cross", settings={"Depth": "2"})
        harness.play("Cross A1", "Circle A2", "Cross B1", "Circle B2")
        assert harness.choose() == "C1"

Nothing is started, and there is no wire: the engine is called in this thread.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from functools import cache

from ggtp.catalogue import Catalogue
from ggtp.errors import CommandError, OptionError
from ggtp.game import Move, Player, Position, Rules, TurnKind
from ggtp.kit.engine import Budget, CannotChoose, Engine, Game
from ggtp.kit.session import Session
from ggtp.protocol.messages import Answer, AnswerKind, Command
from ggtp.protocol.text import join_map, split_words


@cache
def _catalogue() -> Catalogue:
    return Catalogue.from_environment(os.environ)


def _complain(text: str) -> None:
    sys.stderr.write(f"{text}\n")


class Harness:
    """An engine, and a game that it is told.

    Order of operations: `play`, `undo`, `redo` and `refuse` as often as wanted; `game` or `choose` when it is the
    engine's turn.
    """

    def __init__(
        self,
        engine: Engine,
        rule: str | Rules,
        *,
        player: Player = "",
        options: Mapping[str, str] | None = None,
        settings: Mapping[str, str] | None = None,
        seed: int = 0,
    ) -> None:
        """A game that has begun.

        Args:
            engine: the engine.
            rule: the name of a rule, the path of its file, or the rules themselves.
            player: for whom it plays; the rule's first player if it is left out.
            options: the rule's options.
            settings: the engine's options.
            seed: where its chance begins.

        Raises:
            GgtpError: there is no such rule, or one of the options is none.
            OptionError: the engine does not play this rule, or there is no such player.
        """
        rules = _catalogue().find_rules(rule) if isinstance(rule, str) else rule
        values = rules.complete(options or {})
        self.engine = engine
        self.player = player or rules.players(values)[0]
        self.position: Position = rules.begin(values)
        """The position of the game, with all its secrets."""
        self._session = Session(engine, lambda _name: rules, _complain)
        self._taken: list[tuple[Position, int]] = []
        self._back: list[tuple[Position, int]] = []
        self._pending: dict[Player, Move] = {}
        self._session.answer(Command("connect_engine"))
        told = {"rule": rules.name, "rule_options": join_map(values), "player": self.player, "seed": str(seed)}
        for name, value in {**told, **(settings or {})}.items():
            self._session.set_option(name, value)
        self._tell("start")

    def play(self, *moves: str) -> None:
        """Moves of the game, each `PLAYER MOVE`; the engine is told of each what its player may know.

        If several players move at the same time, their moves count when the last of them is there.

        Raises:
            MoveError: a move that its player may not make. Nothing has changed.
            CommandError: it is not that player's turn, or the game is over.
        """
        for text in moves:
            self._play(text)

    def _play(self, text: str) -> None:
        turn = self.position.turn()
        player = next((name for name in turn.players if text.startswith(f"{name} ")), "")
        if not player:
            waited = f"It is the turn of {' and '.join(turn.players)}." if turn.players else "The game is over."
            raise CommandError(f"{text} can't be played. {waited}")
        move = self.position.parse(player, text[len(player) + 1 :])
        chosen = {**self._pending, player: move}
        if turn.kind is TurnKind.JOINT and len(chosen) < len(turn.players):
            self._pending = chosen
            return
        before = self.position
        verdict = before.play(chosen)
        self._pending = {}
        for actor, made in verdict.made:
            self._tell("made_move", actor, before.seen(actor, made, self.player))
        for refusal in verdict.refused:
            if refusal.player == self.player:
                self._tell("illegal_move", f"{refusal.move} {refusal.reason}".rstrip())
        self.position = verdict.position
        if verdict.made:
            self._taken.append((before, len(verdict.made)))
            self._back.clear()

    def undo(self) -> None:
        """Take the last move back, or all those that were made at the same time."""
        if not self._taken:
            raise CommandError("There is no move to take back.")
        before, count = self._taken.pop()
        for _ in range(count):
            self._tell("undone_move")
        self._back.append((self.position, count))
        self.position, self._pending = before, {}

    def redo(self) -> None:
        """Make the move again that was taken back last."""
        if not self._back:
            raise CommandError("No move was taken back.")
        after, count = self._back.pop()
        for _ in range(count):
            self._tell("redone_move")
        self._taken.append((self.position, count))
        self.position = after

    def refuse(self, move: Move, reason: str = "") -> None:
        """Tell the engine that a move of its player is illegal."""
        self._tell("illegal_move", f"{move} {reason}".rstrip())

    def ask(self, line: str) -> str:
        """The engine's answer to a question of the protocol, as `get_option last_search` or `get_table 0`: its text.

        Raises:
            OptionError: it has no answer.
        """
        name, *rest = split_words(line, 2)
        answer = self._tell(name, *rest)
        if answer.kind is not AnswerKind.REPLY:
            raise OptionError(f"{line}: {answer.kind.value}.")
        return answer.text

    def game(self) -> Game:
        """Return what the engine's `choose` is handed now.

        Raises:
            CannotChoose: it is not the engine's turn.
        """
        return self._asked()[0]

    def choose(self, seconds: float | None = None) -> Move:
        """The move that the engine chooses, which is legal, but not played yet.

        Args:
            seconds: how long it may think; None for as long as its own options say.

        Raises:
            CannotChoose: it is not the engine's turn.
            MoveError: the move is not legal.
        """
        game, budget = self._asked(*(() if seconds is None else (str(round(1000 * seconds)),)))
        move = self.engine.choose(game, Budget() if seconds is None else budget)
        self._session.selected(move)
        return self.position.parse(self.player, move)

    def _asked(self, *delay: str) -> tuple[Game, Budget]:
        players = self.position.turn().players
        if self.player not in players:
            raise CannotChoose(f"It is not {self.player}'s turn, but {' and '.join(players) or 'nobody'}'s.")
        return self._session.asked(Command("have_to_play", delay))

    def _tell(self, name: str, *args: str) -> Answer:
        return self._session.answer(Command(name, args))
