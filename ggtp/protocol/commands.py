"""THE command tables. Parser, help, completion and the manual's check are made from them.

Numbers are those of the protocol's own tables; commands without a number are ours.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from ggtp.protocol.messages import AnswerKind

Kind: TypeAlias = Literal[
    "command", "engine", "engine_option", "engine_value", "filename", "move", "node", "option", "player",
    "rule", "rule_option", "rule_value", "table", "text", "topic", "value",
]  # fmt: skip
"""What an argument is: completion offers what fits it now."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """An argument of a command."""

    name: str
    kind: Kind
    optional: bool = False


@dataclass(frozen=True, slots=True)
class SupervisorCommand:
    """A command that a supervisor may say."""

    name: str
    number: int | None
    """The protocol's own number; None for ours."""
    parameters: tuple[Parameter, ...]
    summary: str
    recorded: bool = False
    """Whether it is written into a play file."""
    settled: bool = False
    """Whether a batch waits for the engines' pending moves before it."""
    live: bool = False
    """Whether it needs living engines, other files, other machines or a tournament: no play file may hold it."""
    form: str = ""
    """The parameters as usage shows them, where their plain row would be wrong."""

    @property
    def usage(self) -> str:
        """`set_engine player engine`."""
        shown = self.form or " ".join(f"[{p.name}]" if p.optional else p.name for p in self.parameters)
        return f"{self.name} {shown}".rstrip()

    @property
    def fewest(self) -> int:
        """How many arguments there must be at least."""
        return sum(not parameter.optional for parameter in self.parameters)


def _p(name: str, kind: Kind | None = None, *, optional: bool = False) -> Parameter:
    return Parameter(name, kind or name, optional)  # type: ignore[arg-type]  # a name that is a kind is its own kind


_FILE = _p("filename")
_OPTION = _p("option")
_VALUE = _p("value")
_PLAYER = _p("player")
_RULE_OPTION = _p("option", "rule_option")
_ENGINE_OPTION = _p("option", "engine_option")
_MOVE = _p("move")
_TEXT = _p("text")
_REASON = _p("reason", "text", optional=True)
_GAME = _p("game", "text")
_POINT_OF_VIEW = (_p("player", optional=True), _p("table", optional=True))
_POINT_OF_VIEW_FORM = "[[player] table]"

SUPERVISOR_COMMANDS: tuple[SupervisorCommand, ...] = (
    SupervisorCommand("get_version", 1, (), "say which program this is, and its version"),
    SupervisorCommand("quit", 2, (), "leave, with every engine gone", settled=True, live=True),
    SupervisorCommand("load_file", 3, (_FILE,), "run a play file, all of it or nothing", settled=True, live=True),
    SupervisorCommand("save_file", 4, (_FILE,), "write the play so far, and go on writing it as it is played", settled=True, live=True),
    SupervisorCommand("close_file", 5, (), "stop writing the play file", settled=True, live=True),
    SupervisorCommand("list_commands", 6, (), "name all commands"),
    SupervisorCommand("known_command", 7, (_p("command"),), "say whether there is such a command"),
    SupervisorCommand("list_options", 8, (), "name the referee's options"),
    SupervisorCommand("get_option", 9, (_OPTION,), "say what an option is set to"),
    SupervisorCommand("list_option_choices", 10, (_OPTION,), "say what an option can be set to"),
    SupervisorCommand("set_option", 11, (_OPTION, _VALUE), "set an option of the referee", recorded=True),
    SupervisorCommand("list_rules", 12, (), "name all rules", live=True),
    SupervisorCommand("set_rule", 13, (_p("rule"),), "choose the game, by name or by the path of a rule file", recorded=True, settled=True),
    SupervisorCommand("get_rule", 14, (), "say which game is chosen"),
    SupervisorCommand("list_rule_options", 15, (), "name the options of the rule"),
    SupervisorCommand("get_rule_option", 16, (_RULE_OPTION,), "say what an option of the rule is set to"),
    SupervisorCommand("list_rule_option_choices", 17, (_RULE_OPTION,), "say what an option of the rule can be set to"),
    SupervisorCommand("set_rule_option", 18, (_RULE_OPTION, _p("value", "rule_value")), "set an option of the rule; the play begins again with start", recorded=True, settled=True),
    SupervisorCommand("list_players", 19, (), "name the players and who plays them"),
    SupervisorCommand("list_engines", 20, (), "name the engines that can play this rule", live=True),
    SupervisorCommand("set_engine", 21, (_PLAYER, _p("engine")), "let an engine, or a human, play for a player", recorded=True, settled=True),
    SupervisorCommand("get_engine", 22, (_PLAYER,), "say who plays for a player"),
    SupervisorCommand("list_engine_options", 23, (_PLAYER,), "name the options of a player's engine", live=True),
    SupervisorCommand("get_engine_option", 24, (_PLAYER, _ENGINE_OPTION), "say what an option of a player's engine is set to", live=True),
    SupervisorCommand("list_engine_option_choices", 25, (_PLAYER, _ENGINE_OPTION), "say what an option of a player's engine can be set to", live=True),
    SupervisorCommand("set_engine_option", 26, (_PLAYER, _ENGINE_OPTION, _p("value", "engine_value")), "set an option of a player's engine", recorded=True),
    SupervisorCommand("start", 27, (), "begin the play, or begin it again", recorded=True, settled=True),
    SupervisorCommand("list_possible_moves", 28, _POINT_OF_VIEW, "list the moves that can be played now", settled=True, form=_POINT_OF_VIEW_FORM),
    SupervisorCommand("get_result", 29, _POINT_OF_VIEW, "say who has won, or none while the play goes on", settled=True, form=_POINT_OF_VIEW_FORM),
    SupervisorCommand("get_table", 30, _POINT_OF_VIEW, "describe the table in one line", settled=True, form=_POINT_OF_VIEW_FORM),
    SupervisorCommand("get_last_move", 31, (), "say which move was played last", settled=True),
    SupervisorCommand("list_played_moves", 32, (), "list the moves from the start to here", settled=True),
    SupervisorCommand("play", 33, (_PLAYER, _MOVE), "make a human player's move", settled=True),
    SupervisorCommand("force_play", 34, (_PLAYER, _MOVE), "make a move for any player, an engine's included", settled=True),
    SupervisorCommand("genmove", 35, (), "ask the engines to move, or go on after undo and redo", settled=True, live=True),
    SupervisorCommand("undo", 36, (), "take one move back", recorded=True, settled=True),
    SupervisorCommand("redo", 37, (), "go forward again, along the line last left", recorded=True, settled=True),
    SupervisorCommand("help", None, (_p("command", "topic", optional=True),), "explain the commands, or one of them"),
    SupervisorCommand("show_table", None, (_p("player", optional=True),), "draw the table, as it is or as a player knows it", settled=True),
    SupervisorCommand("get_clock", None, (_PLAYER,), "say how much time a player has left", settled=True),
    SupervisorCommand("list_branches", None, (), "list the lines of play that go on from here", settled=True),
    SupervisorCommand("show_tree", None, (), "draw the tree of all lines of play", settled=True),
    SupervisorCommand("get_node", None, (), "say at which node of the play tree we are", settled=True),
    SupervisorCommand("goto_node", None, (_p("node"),), "go to a node of the play tree, by number or name", recorded=True, settled=True),
    SupervisorCommand("name_node", None, (_TEXT,), "give this node of the play tree a name", recorded=True, settled=True),
    SupervisorCommand("comment_node", None, (_TEXT,), "write a comment at this node of the play tree", recorded=True, settled=True),
    SupervisorCommand("get_comment", None, (), "read the comment at this node of the play tree", settled=True),
    SupervisorCommand("forfeit", None, (_PLAYER, _REASON), "end the play as a loss of a player", recorded=True, settled=True),
    SupervisorCommand("withdraw", None, (), "take back the request for a move that engines are thinking about", live=True),
    SupervisorCommand("start_tournament", None, (_FILE,), "play a tournament beside the table, by its plan or from its journal", live=True),
    SupervisorCommand("show_tournament", None, (), "show how the tournament stands", live=True),
    SupervisorCommand("pause_tournament", None, (_REASON,), "begin no more games of the tournament for now", live=True),
    SupervisorCommand("resume_tournament", None, (_REASON,), "go on with the tournament after a pause", live=True),
    SupervisorCommand("stop_tournament", None, (_REASON,), "stop the tournament now; it can be gone on with", live=True),
    SupervisorCommand("set_concurrency", None, (_p("number", "text"), _REASON), "play so many games of the tournament at once", live=True),
    SupervisorCommand("at_game", None, (_GAME, _p("line", "text")), "say a command to a running game of the tournament: look at it, take a seat, play", live=True),
    SupervisorCommand("adjudicate_game", None, (_GAME, _p("scores", "text")), "decide a game of the tournament, running or over", live=True),
    SupervisorCommand("replay_game", None, (_GAME, _REASON), "have a game of the tournament played again", live=True),
    SupervisorCommand("quarantine_player", None, (_p("name", "text"),), "have no more games of a player of the tournament", live=True),
    SupervisorCommand("admit_player", None, (_p("name", "text"),), "let a player of the tournament play again, its faults forgiven", live=True),
    SupervisorCommand("list_rulings", None, (), "list what was decided about the tournament", live=True),
    SupervisorCommand("undo_ruling", None, (_p("number", "text", optional=True), _REASON), "take back a decision about the tournament, by default the last", live=True),
    SupervisorCommand("listen", None, (_p("address", "text"), _p("who", "text", optional=True)), "let engines and people on other machines connect", live=True),
    SupervisorCommand("stop_listening", None, (), "close the door to other machines, with everybody who came through it", live=True),
    SupervisorCommand("list_connections", None, (), "name who is connected from other machines", live=True),
    SupervisorCommand("tell", None, (_PLAYER, _p("partner", "player"), _TEXT), "send a message of a player to a partner", recorded=True, settled=True),
    SupervisorCommand("list_messages", None, (), "list what partners have said to each other, from the start to here", settled=True),
    SupervisorCommand("list_faults", None, (), "list what engines did wrong, the latest last", settled=True),
)  # fmt: skip

SUPERVISOR: dict[str, SupervisorCommand] = {command.name: command for command in SUPERVISOR_COMMANDS}

PLAY_FILE: dict[str, SupervisorCommand] = {name: command for name, command in SUPERVISOR.items() if not command.live}
"""What a play file may hold: the recorded commands, `play` and `force_play`, and commands that ask."""


SEAT_COMMANDS: tuple[SupervisorCommand, ...] = (
    SupervisorCommand("show_table", 30, (), "draw the table, as you know it"),
    SupervisorCommand("list_possible_moves", 28, (), "list the moves that you may try now"),
    SupervisorCommand("play", 33, (_MOVE,), "make your move"),
    SupervisorCommand("get_result", 29, (), "say who has won, or none while the play goes on"),
    SupervisorCommand("list_played_moves", 32, (), "list the moves from the start to here, as far as you know them"),
    SupervisorCommand("list_players", 19, (), "name the players and who plays them"),
    SupervisorCommand("tell", None, (_PLAYER, _TEXT), "send a message to a partner, where the rule lets you"),
    SupervisorCommand("resign", None, (_p("reason", "text", optional=True),), "end the play as your loss"),
    SupervisorCommand("help", None, (_p("command", optional=True),), "explain what you can say, or one of it"),
    SupervisorCommand("leave", 2, (), "leave; the seat stays yours"),
)  # fmt: skip
"""What a person on another machine may say, at a seat."""

SEAT: dict[str, SupervisorCommand] = {command.name: command for command in SEAT_COMMANDS}


@dataclass(frozen=True, slots=True)
class EngineCommand:
    """A command that the referee says to an engine: Table 2."""

    name: str
    number: int | None
    """The protocol's own number; None for ours."""
    parameters: tuple[Parameter, ...]
    answers: frozenset[AnswerKind]
    """What may answer it; `have_to_play` is answered later, by `select_move`."""
    changes: bool = False
    """Whether a `select_move` that the engine sent before acknowledging it is stale."""


_ACKNOWLEDGED = frozenset({AnswerKind.ACKNOWLEDGE})
_REPLIED = frozenset({AnswerKind.REPLY})
_NAMED = frozenset({AnswerKind.REPLY, AnswerKind.INVALID_OPTION_NAME})
_SET = frozenset({AnswerKind.ACKNOWLEDGE, AnswerKind.INVALID_OPTION_NAME, AnswerKind.INVALID_OPTION_VALUE})
_TABLED = frozenset({AnswerKind.REPLY, AnswerKind.INVALID_TABLE_NUMBER})
_TABLE = (_p("table"),)

ENGINE_COMMANDS: tuple[EngineCommand, ...] = (
    EngineCommand("connect_engine", 38, (), _ACKNOWLEDGED),
    EngineCommand("disconnect_engine", 39, (), _ACKNOWLEDGED),
    EngineCommand("list_options", 40, (), _REPLIED),
    EngineCommand("get_option", 41, (_OPTION,), _NAMED),
    EngineCommand("list_option_choices", 42, (_OPTION,), _NAMED),
    EngineCommand("set_option", 43, (_OPTION, _VALUE), _SET),
    EngineCommand("start", 44, (), _ACKNOWLEDGED, changes=True),
    EngineCommand("list_possible_moves", 45, _TABLE, _TABLED),
    EngineCommand("get_result", 46, _TABLE, _TABLED),
    EngineCommand("get_table", 47, _TABLE, _TABLED),
    EngineCommand("have_to_play", 48, (_p("delay", "text", optional=True),), frozenset()),
    EngineCommand("made_move", 49, (_PLAYER, _MOVE), _ACKNOWLEDGED, changes=True),
    # A move may hold blanks, so the words behind it can only be told apart by who sent the move.
    EngineCommand("illegal_move", 50, (_p("move and reason", "text"),), _ACKNOWLEDGED, changes=True),
    EngineCommand("undone_move", 51, (), _ACKNOWLEDGED, changes=True),
    EngineCommand("redone_move", 52, (), _ACKNOWLEDGED, changes=True),
    # Only to engines that list the option `messages`, where the rule lets partners talk.
    EngineCommand("told_message", None, (_PLAYER, _TEXT), _ACKNOWLEDGED),
)

ENGINE: dict[str, EngineCommand] = {command.name: command for command in ENGINE_COMMANDS}

ANSWER_NUMBERS: dict[AnswerKind, int | None] = {
    kind: None if kind is AnswerKind.TELL_MESSAGE else 53 + index for index, kind in enumerate(AnswerKind)
}
