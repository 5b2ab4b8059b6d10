"""The engine that is looked at: one process after the other, each told its game as a referee would."""

from __future__ import annotations

from collections.abc import Mapping

from ggtp.arena.conformance.board import Board
from ggtp.arena.conformance.talk import Broken, Talk
from ggtp.catalogue import EngineSpec
from ggtp.game import Player, Rules
from ggtp.game.chance import Chance
from ggtp.game.names import match_name
from ggtp.protocol.introduction import REFUSAL, RESERVED, GameNews
from ggtp.protocol.messages import AnswerKind
from ggtp.protocol.text import split_list
from ggtp.referee.settings import Settings


class Subject:
    """An engine, its game, and the talk that is under way: the checks share it."""

    def __init__(
        self,
        spec: EngineSpec,
        rules: Rules,
        reference: str,
        values: Mapping[str, str],
        options: Mapping[str, str],
        player: Player,
        games: int,
        seed: int,
        settings: Settings,
    ) -> None:
        """An engine that has not been started; the values are the rule's options, the options the engine's own."""
        self.spec, self.rules, self.reference = spec, rules, reference
        self.values = rules.complete(values)
        self.options = {**spec.options, **options}
        self.player = player
        self.games = games
        self.rng = Chance(seed)
        self.settings = settings
        self.patience = 2 * settings.answer_time
        """Seconds beyond its time that a move is waited for, and a process that is to end."""
        self.listed: tuple[str, ...] = ()
        """The options that it has listed."""
        self.refused = ""
        """The reason why it can't play this game, once it has said so."""
        self.hidden = 0
        """The number of moves that it was told otherwise than they were made."""
        self._talk: Talk | None = None
        self._introduced = False

    async def connected(self) -> Talk:
        """A talk in which the engine is connected.

        Raises:
            EngineFailedToStart: it does not start.
            Broken: it does not greet, or can't list its options.
        """
        if self._talk is None:
            talk = Talk(self.spec, self.settings.bounds(), self.settings.answer_time, self.reference)
            await talk.open()
            self._talk = talk
            # Over pipes a program is connected before it has begun: its start-up time ends with this answer.
            await talk.ask("connect_engine", seconds=self.settings.seconds("connect_time"))
            self.listed = tuple(split_list((await talk.ask("list_options")).text))
        return self._talk

    async def talk(self) -> Talk:
        """A talk in which the engine knows its game.

        Raises:
            EngineFailedToStart, Broken: as `connected`, or it refuses its game.
        """
        talk = await self.connected()
        if not self._introduced:
            for name, value in self._news().options().items():
                if name in self.listed and value:
                    answer = await talk.ask("set_option", name, value)
                    if answer.kind is not AnswerKind.ACKNOWLEDGE and name in RESERVED:
                        self.refused = await self._why(talk)
                        raise Broken(f"set_option {name} {value}: {answer.kind.value}. {self.refused}".rstrip())
            for name, value in self.options.items():
                option = match_name(name, self.listed) or name
                answer = await talk.ask("set_option", option, value)
                if answer.kind is not AnswerKind.ACKNOWLEDGE:
                    raise Broken(f"set_option {option} {value}: {answer.kind.value}.")
            self._introduced = True
        return talk

    async def board(self) -> Board:
        """A game that has begun, in a talk that knows it.

        Raises:
            EngineFailedToStart, Broken: as `talk`.
        """
        talk = await self.talk()
        talk.drop()
        board = Board(talk, self.rules, self.values, self.player, self.rng)
        await board.begin(self.settings.answer_time + self.rules.start_clock(self.values))
        return board

    async def close(self) -> None:
        """End the talk; the next check begins another one."""
        talk, self._talk, self._introduced = self._talk, None, False
        if talk is not None:
            await talk.close()

    def _news(self) -> GameNews:
        return GameNews(
            name=self.rules.name,
            rule=self.reference,
            text=self.rules.text or "",
            rule_options=self.values,
            player=self.player,
            seed="1",
            threads=1,
            memory=256,
            start_clock=str(round(1000 * self.rules.start_clock(self.values))),
            time_control="move=0, bank=0, increment=0",
        )

    async def _why(self, talk: Talk) -> str:
        """Ask why it has refused its game."""
        if REFUSAL not in self.listed:
            return "It can't play this game."
        answer = await talk.ask("get_option", REFUSAL)
        return answer.text if answer.kind is AnswerKind.REPLY and answer.text != "none" else "It can't play this game."
