"""Help, made from the tables: it can't name what there is not."""

from __future__ import annotations

from collections.abc import Callable

from ggtp.errors import CommandError
from ggtp.faults import AT_PROMPTS, POLICIES, fault_words
from ggtp.game.names import match_name, near_names
from ggtp.protocol.commands import SUPERVISOR, SUPERVISOR_COMMANDS
from ggtp.referee.settings import OPTIONS

TOPICS: dict[str, str] = {
    "commands": "all commands, a line each",
    "options": "the referee's options",
    "playing": "how a play goes",
    "secrets": "games in which players do not see everything, and the tables of engines",
    "files": "play files",
    "time": "clocks, and what late means",
    "faults": "what engines do wrong, and what follows",
    "programs": "how programs that speak other protocols play",
}

_PLAYING = (
    "set_rule TicTacToe            choose a game; list_rules names them",
    "set_engine Circle Minimax     let an engine play; list_engines names them",
    "start                         begin",
    "play Cross A1                 make a move; list_possible_moves names them",
    "A1                            at the prompt a move may be typed alone; resign gives up",
    "play Cross undo               make a move that is called like a command, which comes first otherwise",
    "undo, redo                    step back and forward; the play is held meanwhile",
    "genmove                       let the engines go on",
    "save_file game.ggtp           keep the play in a file, from its start to its end",
)
_SECRETS = (
    "Who plays alone at the prompt is shown what its player knows; of several people, whoever is to move.",
    "set_option view all           show everything; view Cross shows what Cross knows, view auto is as above",
    "show_table Cross              draw the table as a player knows it",
    "get_table                     what the Rules know, in one line; list_possible_moves and get_result, too",
    "get_table Circle              what Circle can know of it",
    "get_table Circle 0            what Circle's engine imagines: its table 0, a whole position that explains what",
    "                              it has seen; those that have the option Tables keep as many as it says",
    "list_played_moves             everything that was played, whoever may know it",
    "What is typed as a move and may not be made is refused: another can be tried, and the others hear nothing.",
)
_FILES = (
    "A play file is a list of commands. save_file writes the play so far and goes on writing it;",
    "load_file runs a file, all of it or nothing. Lines that begin with # are comments.",
    "Moves are written as force_play lines, draws of chance too, so a file replays exactly.",
    "After an undo another move begins a branch; no branch is ever lost.",
)
_TIME = (
    "An engine is charged from the request for its move to the arrival of its answer.",
    "time_move limits every move, time_bank all moves of a player, time_increment refills the bank;",
    "time_start is what an engine may take to acknowledge start; time_margin is forgiven.",
    "Without a limit an engine that has not moved when patience is over counts as silent.",
)
_PROGRAMS = (
    "set_engine White uci:stockfish             a program that speaks another protocol, behind its kind and a colon",
    'set_engine White uci:"gnuchess --uci"      with arguments; the quotes may be left out',
    "list_engine_options White                  its own options are among them",
    "set_engine_option White Skill_Level 3      blanks in their names are underlines",
    "It is looked up in PATH, /usr/games and /usr/local/games. Tab behind set_engine White offers what is known.",
    "ggtp match takes the same, with options behind another colon: uci:stockfish:Hash=64,Skill_Level=3.",
)


def help_lines(topic: str) -> list[str]:
    """Help on a command or a topic; on everything where none is given.

    Raises:
        CommandError: there is no such command or topic.
    """
    if not topic:
        return [*_commands(), "", "help COMMAND or help TOPIC tells more. Topics: " + ", ".join(TOPICS) + "."]
    found = match_name(topic, (*SUPERVISOR, *TOPICS))
    if found is None:
        near = near_names(topic, (*SUPERVISOR, *TOPICS), most=1)
        hint = f" Did you mean {near[0]}?" if near else " Use help to see what there is."
        raise CommandError(f"No help on {topic}.{hint}")
    if found in SUPERVISOR:
        return _command(found)
    pages: dict[str, Callable[[], list[str]]] = {
        "commands": _commands,
        "options": _options,
        "playing": lambda: list(_PLAYING),
        "secrets": lambda: list(_SECRETS),
        "files": lambda: list(_FILES),
        "time": lambda: list(_TIME) + _options("time_", "patience", "answer_time"),
        "faults": _faults,
        "programs": lambda: list(_PROGRAMS),
    }
    return pages[found]()


def _commands() -> list[str]:
    width = max(len(command.usage) for command in SUPERVISOR_COMMANDS)
    return [f"{command.usage:<{width}}  {command.summary}" for command in SUPERVISOR_COMMANDS]


def _command(name: str) -> list[str]:
    command = SUPERVISOR[name]
    lines = [command.usage, f"    {command.summary}"]
    if any(parameter.kind == "table" for parameter in command.parameters):
        lines.append("    Alone it tells what the Rules know; with a player, what that player can know; with a player")
        lines.append("    and a number, what stands on that table of the player's engine. See help secrets.")
    if command.number is None:
        lines.append("    An addition of this program; the protocol does not have it.")
    if command.recorded:
        lines.append("    It is written into a play file.")
    if command.settled:
        lines.append("    With option wait on, it waits for the engines' pending moves.")
    return lines


def _options(*prefixes: str) -> list[str]:
    chosen = [option for option in OPTIONS if not prefixes or option.name.startswith(prefixes)]
    width = max(len(option.name) for option in chosen)
    return [f"{option.name:<{width}}  {option.summary} ({', '.join(option.describe_choices())})" for option in chosen]


def _faults() -> list[str]:
    width = max(len(name) for name in AT_PROMPTS)
    return [
        *(f"fault_{name:<{width}}  {fault_words(name)}" for name in AT_PROMPTS),
        f"Each of these options is one of {', '.join(POLICIES)}: hold the play and ask the supervisor;",
        "restart the engine and tell it the play; make a random legal move for it; end the play as its loss.",
        "fault_illegal may be again:N:POLICY, too: ask the engine again up to N times in a row, then the policy.",
    ]
