"""Commands that ask and change nothing. A method is named like its command."""

from __future__ import annotations

from collections.abc import Sequence

from ggtp.errors import CommandError
from ggtp.game import OpenMoves, Player
from ggtp.game.names import match_name
from ggtp.game.notation import format_result
from ggtp.game.options import find_option
from ggtp.play.tree import step_seen, tree_lines
from ggtp.protocol.commands import SUPERVISOR
from ggtp.protocol.messages import AnswerKind, Command
from ggtp.protocol.text import join_list, join_lists, join_map
from ggtp.protocol.waiting import Conversation
from ggtp.referee.desk import Desk
from ggtp.referee.engines import Link
from ggtp.referee.flow import Flow
from ggtp.referee.helptext import help_lines
from ggtp.referee.settings import OPTIONS

DONE = "Done"
NONE = "none"


class Queries:
    """What the supervisor can ask."""

    def __init__(self, desk: Desk, flow: Flow, version: str) -> None:
        self._desk = desk
        self._flow = flow
        self._version = version

    # The program and its options.

    def get_version(self) -> str:
        return self._version

    def list_commands(self) -> str:
        return join_list(SUPERVISOR)

    def known_command(self, command: str) -> str:
        return "true" if command in SUPERVISOR else "false"

    def help(self, topic: str = "") -> str:
        for line in help_lines(topic):
            self._desk.inform(line)
        return DONE

    def list_options(self) -> str:
        return join_list(option.name for option in OPTIONS)

    def get_option(self, option: str) -> str:
        return self._desk.settings.get(option)

    def list_option_choices(self, option: str) -> str:
        found = find_option(OPTIONS, option)
        if found.name == "view":
            return join_list(("auto", "all", *self._desk.play.players))
        return join_list(found.describe_choices())

    # The rule.

    def get_rule(self) -> str:
        rules = self._desk.play.rules
        return NONE if rules is None else rules.name

    def list_rule_options(self) -> str:
        play = self._desk.play
        return join_list(option.name for option in play.need_rules().options(play.values)) or NONE

    def get_rule_option(self, option: str) -> str:
        play = self._desk.play
        found = find_option(play.need_rules().options(play.values), option)
        return play.option_values()[found.name]

    def list_rule_option_choices(self, option: str) -> str:
        play = self._desk.play
        return join_list(find_option(play.need_rules().options(play.values), option).describe_choices())

    # The players.

    def list_players(self) -> str:
        self._desk.play.need_rules()
        return join_map({player: seat.engine for player, seat in self._desk.play.seats.items()})

    def get_engine(self, player: str) -> str:
        return self._desk.play.seats[self._desk.play.find_player(player)].engine

    def get_clock(self, player: str) -> str:
        player = self._desk.play.find_player(player)
        if not self._desk.settings.time_control(player).bank:
            return NONE
        return str(round(self._flow.bank(player) * 1000))

    def list_faults(self) -> str:
        viewer = self._desk.viewer()
        for fault in self._desk.faults:
            self._desk.inform(fault.seen_by(viewer).sentence())
        return str(len(self._desk.faults))

    # The play, as the Rules know it, as a player knows it, or as it stands on an engine's table.

    def list_possible_moves(self, *args: str) -> str | Conversation[str]:
        player, table = self._point_of_view("list_possible_moves", args)
        if player is not None and table is not None:
            return self._ask_table("list_possible_moves", player, table)
        play = self._desk.play
        play.need_record()
        waited_for = [p for p in play.turn().players if p not in play.pending]
        players = waited_for if player is None else [player]
        lists = {p: _listed(play.position.moves(p)) for p in players}
        return join_lists({p: moves for p, moves in lists.items() if moves}) or NONE

    def get_result(self, *args: str) -> str | Conversation[str]:
        player, table = self._point_of_view("get_result", args)
        if player is not None and table is not None:
            return self._ask_table("get_result", player, table)
        return format_result(self._desk.play.result())

    def get_table(self, *args: str) -> str | Conversation[str]:
        player, table = self._point_of_view("get_table", args)
        if player is not None and table is not None:
            return self._ask_table("get_table", player, table)
        self._desk.play.need_record()
        return self._desk.play.position.view(player)

    def show_table(self, player: str = "") -> str:
        self._desk.play.need_record()
        viewer = self._desk.play.find_player(player) if player else self._desk.side()
        self._desk.draw(self._desk.play.position.picture(viewer))
        return DONE

    def _point_of_view(self, command: str, args: tuple[str, ...]) -> tuple[Player | None, int | None]:
        """`[[player] table]`: a single argument is a player's name, or else a table of the Rules."""
        play = self._desk.play
        play.need_rules()
        if not args:
            return None, None
        if len(args) == 1 and match_name(args[0], play.players) is not None:
            return play.find_player(args[0]), None
        text = args[-1]
        if not (text.isascii() and text.isdigit() and len(text) < 10):
            if len(args) == 1:
                raise play.no_player(text)
            raise CommandError(f"Usage: {SUPERVISOR[command].usage}")
        table = int(text)
        if len(args) == 1:
            # The Rules have one table, the real one.
            if table:
                raise CommandError(f"No table {table}.")
            return None, None
        player = play.find_player(args[0])
        if not play.seats[player].is_engine:
            if table:
                raise CommandError(f"No table {table} for player {player}.")
            return player, None
        return player, table

    def _ask_table(self, command: str, player: Player, table: int) -> Conversation[str]:
        answer = yield from self.link(player).ask(Command(command, (str(table),)))
        if answer.kind is AnswerKind.INVALID_TABLE_NUMBER:
            raise CommandError(f"No table {table} for player {player}.")
        return answer.text

    def link(self, player: str) -> Link:
        """The engine of a player.

        Raises:
            CommandError: it has none, or none that lives.
        """
        player = self._desk.play.find_player(player)
        seat = self._desk.play.seats[player]
        if not seat.is_engine:
            raise CommandError(f"{player} is played by a human.")
        link = self._flow.engines.seated.get(player)
        if link is None:
            raise CommandError(f"Engine {seat.engine} of {player} is gone. Use set_engine to start it again.")
        return link

    def get_last_move(self) -> str:
        played = self._desk.play.need_record().line()
        return " ".join(played[-1]) if played else NONE

    def list_messages(self) -> str:
        record = self._desk.play.need_record()
        viewer = self._desk.viewer()
        talk = self._desk.play.talk()
        count = 0
        for node in (record.nodes[0], *record.cursor.path()):
            for message in node.messages:
                if viewer is None or talk is None or talk.hears(viewer, message.sender, message.receiver):
                    self._desk.inform(f"{message.sender} tells {message.receiver}: {message.text}")
                    count += 1
        return str(count)

    def list_played_moves(self) -> str:
        played = self._desk.play.need_record().line()
        return join_list(f"{player} {move}" for player, move in played) or NONE

    # The tree.

    def list_branches(self) -> str:
        children = self._desk.play.need_record().cursor.children.values()
        return join_map({str(child.number): step_seen(child, self._desk.viewer()) for child in children}) or NONE

    def show_tree(self) -> str:
        for line in tree_lines(self._desk.play.need_record(), self._desk.viewer()):
            self._desk.inform(line)
        return DONE

    def get_node(self) -> str:
        cursor = self._desk.play.need_record().cursor
        return f"{cursor.number} {cursor.name}".rstrip()

    def get_comment(self) -> str:
        return self._desk.play.need_record().cursor.comment or NONE


def _listed(moves: Sequence[str]) -> Sequence[str]:
    return (*moves, *moves.patterns) if isinstance(moves, OpenMoves) else moves
