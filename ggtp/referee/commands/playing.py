"""Commands that play: start, moves, undo and redo, and the tree. A method is named like its command."""

from __future__ import annotations

from ggtp.errors import CommandError
from ggtp.game import TurnKind
from ggtp.game.names import match_name
from ggtp.protocol.introduction import inform
from ggtp.protocol.messages import Command
from ggtp.protocol.text import join_map
from ggtp.protocol.waiting import Conversation
from ggtp.referee.commands.queries import DONE
from ggtp.referee.desk import Desk
from ggtp.referee.engines import Link
from ggtp.referee.flow import Flow


class Playing:
    """What moves the play."""

    def __init__(self, desk: Desk, flow: Flow) -> None:
        self._desk = desk
        self._flow = flow

    def start(self) -> Conversation[str]:
        desk, flow = self._desk, self._flow
        play = desk.play
        rules = play.need_rules()
        options = {"rule_options": join_map(play.option_values())}
        for link in list(flow.engines.seated.values()):
            yield from inform(link, rules.name, options)
            yield from flow.engines.set_talk(link, play)
            if link.seeded != desk.settings.values["seed"]:
                yield from self._seed(link)
            yield from inform(link, rules.name, flow.engines.clocks(link.player))
        play.begin(keep=desk.settings.on("keep_plays"))
        desk.flush()
        flow.begun()
        promises = [flow.engines.start(link) for link in list(flow.engines.seated.values())]
        if desk.start_clock:
            # Nobody is asked to move before all have had their start clock. Without one there is
            # nothing to wait for: what they are told next can be on its way already.
            for promise in promises:
                try:
                    yield from promise
                except CommandError:
                    continue  # that engine's fault has been dealt with; the play has begun all the same
        flow.showing.table(play.need_record().cursor)
        flow.visitors.look("The play begins")
        flow.go_on()
        return DONE

    def _seed(self, link: Link) -> Conversation[None]:
        """Tell an engine its seed again, since the referee's was set after it had taken its seat.

        The same play with the same seed is to be the same, in whatever order things were set.
        """
        own = {*link.engine.options, *self._desk.play.seats[link.player].settings}
        if "seed" in link.listed and match_name("seed", own) is None:
            yield from link.ask(Command("set_option", ("seed", self._flow.engines.seed(link.player))))
        link.seeded = self._desk.settings.values["seed"]

    def play(self, player: str, move: str) -> str:
        play = self._desk.play
        player = play.find_human(player)
        self._flow.play(player, play.parse(player, move))
        return DONE

    def force_play(self, player: str, move: str) -> str:
        play = self._desk.play
        player = play.find_player(player, chance=True)
        self._flow.force(player, play.parse(player, move))
        return DONE

    def genmove(self) -> str:
        play, flow = self._desk.play, self._flow
        play.need_record()
        turn = play.turn()
        if turn.kind is TurnKind.OVER:
            raise CommandError("The play is over.")
        if turn.kind is not TurnKind.CHANCE:
            engines = [p for p in turn.players if play.seats[p].is_engine and p not in play.pending]
            if not engines and turn.default and play.held:
                play.held = False  # nobody to ask, but the clock of the turn goes on
                flow.go_on()
                return DONE
            if not engines:
                raise CommandError(f"It is a human's turn: {', '.join(turn.players)}.")
            seated = flow.engines.seated
            thinking = [p for p in engines if p in seated and seated[p].thinking]
            if thinking == engines:
                raise CommandError(f"{', '.join(thinking)}: thinking already.")
        play.held = False
        flow.go_on(ask=True)
        return DONE

    def withdraw(self) -> str:
        flow = self._flow
        if not any(link.thinking for link in flow.engines.seated.values()):
            raise CommandError("No engine is thinking.")
        self._desk.play.held = True
        flow.halt()
        return DONE

    def tell(self, player: str, partner: str, text: str) -> str:
        self._flow.message(self._desk.play.find_player(player), partner, text)
        return DONE

    def undo(self) -> str:
        desk = self._desk
        left = desk.play.undo()
        desk.flush()
        desk.inform("Undoing a move")
        self._flow.moved([left] if left else [], [])
        return DONE

    def redo(self) -> str:
        node = self._desk.play.redo()
        self._desk.flush()
        self._desk.inform("Redoing a move")
        self._flow.moved([], [node])
        return DONE

    def forfeit(self, player: str, reason: str = "") -> str:
        player = self._desk.play.find_player(player)
        self._flow.end(self._desk.play.forfeit(player, reason))
        return DONE

    # The tree.

    def goto_node(self, node: str) -> str:
        left, entered = self._desk.play.goto(node)
        self._flow.moved(left, entered)
        return DONE

    def name_node(self, text: str) -> str:
        self._desk.play.name_node(text)
        self._desk.flush()
        return DONE

    def comment_node(self, text: str) -> str:
        self._desk.play.comment_node(text)
        self._desk.flush()
        return DONE
