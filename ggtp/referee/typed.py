"""What people at a prompt mean by what they type, where it is refused as a command: a move alone.

Some rules have moves that begin like commands: `play moon 5` is refused where nobody is called moon, and may be a move.
A refused command has changed nothing, so that the line can be read once more.
"""

from __future__ import annotations

from contextlib import suppress

from ggtp.errors import AmbiguousMove, CommandError, IllegalMove, MoveRefused, RuleFailed, UnknownCommand
from ggtp.game import CHANCE, Player
from ggtp.game.names import near_names
from ggtp.play.play import HUMAN
from ggtp.protocol.commands import SUPERVISOR
from ggtp.protocol.messages import Command
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


def _asked(desk: Desk) -> list[Player]:
    """The players who have a move to make now and whom people play at this prompt."""
    play = desk.play
    if play.record is None:
        return []
    return [player for player in play.turn().players if player != CHANCE and play.seats[player].engine == HUMAN]


def _move_alone(desk: Desk, text: str) -> Command | None:
    """The command for a move that was typed alone and that a person may make now; None where it is none."""
    for player in _asked(desk) if len(text) <= LONGEST_MOVE else ():
        with suppress(MoveRefused):
            return Command("play", (player, desk.play.parse(player, text)))
    return None


def with_hint(desk: Desk, line: str, refusal: UnknownCommand) -> UnknownCommand:
    """The refusal of a line that is no command, with the command for it if it is a move that can be made now."""
    meant = None
    with suppress(RuleFailed):  # no command, whatever the rule says of it
        meant = _move_alone(desk, line.strip())
    return refusal if meant is None else UnknownCommand(f"{refusal} Did you mean {meant}?")


def instead(desk: Desk, line: str, refusal: CommandError) -> Command:
    """What a person meant by a line that was refused as a command: `play` with a move that the rule has read, or
    `forfeit`.

    What is no command, and does not look like one, is taken for a move: the rule says best what is wrong with it.

    Raises:
        CommandError: it is no move that can be made now, in the words of the rule or of the refusal.
    """
    text = line.strip()
    if not isinstance(refusal, UnknownCommand):
        meant = _move_alone(desk, text)
        if meant is None:
            raise refusal
        return meant
    persons = _asked(desk)
    refused: list[MoveRefused] = []
    for player in persons:
        try:
            return Command("play", (player, desk.play.parse(player, text)))
        except MoveRefused as error:
            refused.append(error)
    if len(persons) == 1 and text.casefold() == RESIGN:
        return Command("forfeit", (persons[0], "resigned"))
    for one in refused:
        if isinstance(one.__cause__, IllegalMove | AmbiguousMove):
            raise one  # the rule knows the move
    word = split_words(line, 2)[0]
    # No command is as short as the names of most moves.
    if len(word) >= SHORTEST and near_names(word, SUPERVISOR, most=1):
        raise refusal
    if not persons and desk.play.record is not None:
        for player, seat in desk.play.seats.items():
            if seat.engine == HUMAN:
                desk.play.parse(player, text)  # it is not this player's turn, and the error says why
    raise refused[0] if len(refused) == 1 else refusal
