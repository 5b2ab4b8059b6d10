"""Commands that lay the table: options, the rule, who plays. A method is named like its command."""

from __future__ import annotations

from ggtp.errors import CommandError
from ggtp.game.remedies import cannot_play
from ggtp.play.play import HUMAN, SeatPlan, person_seat
from ggtp.protocol.introduction import forbid_reserved, no_option
from ggtp.protocol.messages import AnswerKind, Command
from ggtp.protocol.text import join_list
from ggtp.protocol.utterances import LIST_OPTIONS
from ggtp.protocol.waiting import Conversation
from ggtp.referee.commands.queries import DONE, NONE, Queries
from ggtp.referee.desk import Desk
from ggtp.referee.effects import (
    FindEngine,
    FindRules,
    ListEngines,
    ListRules,
)
from ggtp.referee.engines import option_of, set_own_option
from ggtp.referee.flow import Flow


class Setup:
    """What can be chosen before a play, and much of it during one."""

    def __init__(self, desk: Desk, flow: Flow, queries: Queries) -> None:
        self._desk = desk
        self._flow = flow
        self._queries = queries

    def set_option(self, option: str, value: str) -> str:
        desk = self._desk
        was = desk.settings.on("genmove"), desk.settings.on("chance")
        desk.set_option(option, value)
        desk.flush()
        if was != (desk.settings.on("genmove"), desk.settings.on("chance")):
            self._flow.go_on()  # what was switched on has something to do now
        return DONE

    # The rule.

    def list_rules(self) -> Conversation[str]:
        names = yield from self._desk.request(ListRules())
        return join_list(names)

    def set_rule(self, rule: str) -> Conversation[str]:
        found = yield from self._desk.request(FindRules(rule))
        found.rules.start()  # a rule whose defaults can't be played must not take the table
        self._desk.play.choose(found.rules, found.reference)
        self._flow.engines.clear()
        self._flow.stop_clocks()
        self._desk.flush()
        self._flow.visitors.arrange()
        return DONE

    def set_rule_option(self, option: str, value: str) -> str:
        play = self._desk.play
        before = play.players
        play.set_option(option, value)
        self._desk.flush()
        for player in before:
            if player not in play.players:
                self._flow.engines.unseat(player)
        self._flow.halt()
        self._flow.visitors.arrange()
        return DONE

    # The engines.

    def list_engines(self) -> Conversation[str]:
        able = yield from self._able()
        return join_list((HUMAN, *able))

    def _able(self) -> Conversation[list[str]]:
        """The engines that can play, as far as their descriptions say."""
        rules = self._desk.play.need_rules()
        values = self._desk.play.option_values()
        engines = yield from self._desk.request(ListEngines())
        return [engine.name for engine in engines if engine.can_play(rules, values)]

    def set_engine(self, player: str, engine: str) -> Conversation[str]:
        desk, flow = self._desk, self._flow
        play = desk.play
        player = play.find_player(player)
        seat = person_seat(engine) or SeatPlan()
        if engine.casefold() == HUMAN or seat.engine != HUMAN:
            flow.engines.unseat(player)
        else:
            found = yield from desk.request(FindEngine(engine))
            if not found.engine.can_play(play.need_rules(), play.option_values()):
                able = yield from self._able()
                raise CommandError(cannot_play(found.engine.name, play.need_rules(), able))
            seat = SeatPlan(found.engine.name, found.reference)
            link = yield from flow.engines.open(player, found.engine, play, seat)
            if play.record is not None:
                yield from flow.engines.replay(link, play.record.cursor)
            flow.engines.seat(link)
        flow.failures.forget(player)
        play.seats[player] = seat
        play.note(f"set_engine {player} {seat.reference}")
        desk.flush()
        flow.visitors.arrange()
        flow.go_on()
        return DONE

    def list_engine_options(self, player: str) -> Conversation[str]:
        answer = yield from self._queries.link(player).ask(LIST_OPTIONS)
        return answer.text or NONE

    def get_engine_option(self, player: str, option: str) -> Conversation[str]:
        return (yield from self._ask_option("get_option", player, option))

    def list_engine_option_choices(self, player: str, option: str) -> Conversation[str]:
        return (yield from self._ask_option("list_option_choices", player, option))

    def _ask_option(self, command: str, player: str, option: str) -> Conversation[str]:
        link = self._queries.link(player)
        answer = yield from link.ask(Command(command, (option_of(link, option),)))
        if answer.kind is AnswerKind.INVALID_OPTION_NAME:
            raise no_option(link, option)
        return answer.text

    def set_engine_option(self, player: str, option: str, value: str) -> Conversation[str]:
        link = self._queries.link(player)
        forbid_reserved(option)
        option = yield from set_own_option(link, option, value)
        play = self._desk.play
        play.seats[link.player].settings[option] = value
        play.note(f"set_engine_option {link.player} {option} {value}")
        self._desk.flush()
        return DONE
