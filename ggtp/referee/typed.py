"""What people at a prompt mean by what they type: a command, or a move alone.

A line whose first word is a command's is that command, if it can be carried out as one as far as can be told before.
Some rules have moves that begin so: `play moon 5` is no command where nobody is called moon, and may be a move.
"""

from __future__ import annotations

from contextlib import suppress

from ggtp.errors import AmbiguousMove, CommandError, IllegalMove
from ggtp.game import CHANCE, Player
from ggtp.game.names import match_name, near_names
from ggtp.play.play import HUMAN
from ggtp.protocol.codec import parse_supervisor
from ggtp.protocol.commands import SUPERVISOR
from ggtp.protocol.text import split_words
from ggtp.referee.desk import Desk

LONGEST_MOVE = 60
"""What is longer and no command is not looked at as a move."""
RESIGN = "resign"
"""What people say who give up, at most games."""
SHORTEST = 3
"""How many letters a word has at least that may be meant for a command."""
MOVING = frozenset({"play", "force_play"})
"""The commands that name a player and a move."""


def people(desk: Desk) -> list[Player]:
    """The people who play at this prompt."""
    return [player for player, seat in desk.play.seats.items() if seat.engine == HUMAN]


def asked(desk: Desk) -> list[Player]:
    """Those of them who have a move to make now."""
    play = desk.play
    if play.record is None:
        return []
    return [player for player in play.turn().players if player in people(desk)]


def move_alone(desk: Desk, line: str) -> str:
    """The command that makes the move that was typed, where it is one that a person may make now; or nothing."""
    text = line.strip()
    if len(text) > LONGEST_MOVE:
        return ""
    for player in asked(desk):
        with suppress(CommandError):
            return f"play {player} {desk.play.parse(player, text)}"
    return ""


def meant(desk: Desk, line: str) -> str:
    """The line, or the command for it where a person has typed nothing but a move.

    What is neither, nor looks like a command, is taken for a move, too: the rule says best what is wrong with it.
    """
    words = split_words(line, 2)
    if not words:
        return line
    if words[0] in SUPERVISOR:
        return line if _can_be_carried_out(desk, line) else move_alone(desk, line) or line
    move, persons = move_alone(desk, line), asked(desk)
    if move:
        return move
    if len(persons) == 1 and line.strip().casefold() == RESIGN:
        return f"forfeit {persons[0]} resigned"
    for player in persons:
        if _known(desk, player, line):
            return f"play {player} {line}"
    # No command is as short as the names of most moves.
    if len(words[0]) >= SHORTEST and near_names(words[0], SUPERVISOR, most=1):
        return line
    # Where nobody here is to move, whoever plays here is told why.
    speakers = persons if persons or desk.play.record is None else people(desk)[:1]
    return f"play {speakers[0]} {line}" if len(speakers) == 1 else line


def _known(desk: Desk, player: Player, line: str) -> bool:
    """Whether the rule knows a text as a move, though it can't be made now or may be one of several."""
    try:
        desk.play.parse(player, line.strip())
    except CommandError as error:
        return isinstance(error.__cause__, IllegalMove | AmbiguousMove)
    return True


def _can_be_carried_out(desk: Desk, line: str) -> bool:
    """Whether a line that begins with a command's name has its arguments and, where it makes a move, makes one."""
    play = desk.play
    try:
        command = parse_supervisor(line)
        if command is None or command.name not in MOVING or play.record is None:
            return True
        player = match_name(command.args[0], (*play.players, CHANCE))
        if player is not None:
            play.parse(player, command.args[1])
    except CommandError:
        return False
    return player is not None
