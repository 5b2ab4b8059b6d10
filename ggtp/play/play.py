"""The play: the chosen rules, the record of what was played, and commitments not yet resolved.

Everything here changes the play and nothing else: no engine is told, nothing is shown. So the
same code serves the live play and a play file that is tried out before it counts.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from ggtp.errors import CommandError, MoveError, MoveRefused
from ggtp.game import CHANCE, Move, Player, Position, Result, Rules, Standing, Talk, Turn, TurnKind
from ggtp.game.guard import guarded
from ggtp.game.names import match_name
from ggtp.game.options import find_option
from ggtp.game.record import Forfeit, GameRecord, Message, Node
from ggtp.protocol.text import one_line

HUMAN = "human"
REMOTE = "remote:"
"""What stands before the name of an engine on another machine."""
PERSON = "person:"
"""What stands before the name of a person on another machine; `*` for whoever comes."""
OVER = Turn(TurnKind.OVER)
MOVE = "force_play "
"""How the line of a move begins, whoever made it."""


_PERSON_NAME = re.compile(r"\w[\w.+-]{0,63}|\*")


@dataclass(slots=True)
class SeatPlan:
    """Who is to play for a player: `human` or an engine's name, and the options it was given."""

    engine: str = HUMAN
    reference: str = HUMAN
    """What finds the engine again: its name, or the path of its description."""
    settings: dict[str, str] = field(default_factory=dict)

    @property
    def is_engine(self) -> bool:
        """Whether an engine is asked for its moves: no person, here or elsewhere, is."""
        return self.engine != HUMAN and not self.engine.startswith(PERSON)


def person_seat(text: str) -> SeatPlan | None:
    """The seat of a person on another machine, where the text means one.

    Raises:
        CommandError: it should be one, and names nobody.
    """
    if not text.casefold().startswith(PERSON):
        return None
    name = text[len(PERSON) :]
    if not _PERSON_NAME.fullmatch(name):
        raise CommandError(f"{text} names nobody: the name of a known key, or *, is needed behind {PERSON}")
    return SeatPlan(f"{PERSON}{name}", f"{PERSON}{name}")


class Play:
    """A game being played, or about to be."""

    def __init__(self) -> None:
        self.rules: Rules | None = None
        self.reference = ""
        """What finds the rules again: their name, or the path of their file."""
        self.values: dict[str, str] = {}
        """The rule's options that were set; the others are at their defaults."""
        self.players: tuple[Player, ...] = ()
        self.seats: dict[Player, SeatPlan] = {}
        self.record: GameRecord | None = None
        """None until the play is started."""
        self.pending: dict[Player, Move] = {}
        """What players have committed themselves to in a joint turn that is not complete."""
        self.held = False
        """Whether engines and chance wait for the supervisor to go on, as after an undo."""
        self.lines: list[str] = []
        """The recorded commands since the rule was chosen, the rule's own line included."""
        self.fresh: list[str] = []
        """What was recorded and not yet handed to the play file."""

    def note(self, line: str) -> None:
        """Record a command that was carried out."""
        self.lines.append(line)
        self.fresh.append(line)

    @property
    def moves(self) -> list[str]:
        """Every choice that was recorded, as `PLAYER MOVE`."""
        return [line[len(MOVE) :] for line in self.lines if line.startswith(MOVE)]

    # What is chosen.

    def choose(self, rules: Rules, reference: str) -> None:
        """Take up a rule, with a guard around it; everything about the play before is forgotten.

        Raises:
            RuleFailed: the rule can't even name its players. Nothing has changed.
        """
        rules = guarded(rules)
        players = rules.players(rules.complete({}))
        fresh = self.fresh
        self.__init__()  # type: ignore[misc]  # a new play in the old one's place, for all who hold it
        self.fresh = fresh
        self.rules = rules
        self.reference = reference
        self.note(f"set_rule {reference}")
        self._seat(players)

    def need_rules(self) -> Rules:
        """The rules.

        Raises:
            CommandError: none were chosen.
        """
        if self.rules is None:
            raise CommandError("No rule is set. Use set_rule.")
        return self.rules

    def need_record(self) -> GameRecord:
        """The record.

        Raises:
            CommandError: the play was not started.
        """
        self.need_rules()
        if self.record is None:
            raise CommandError("The play is not started. Use start.")
        return self.record

    def option_values(self) -> dict[str, str]:
        """Every option of the rule with its value."""
        return self.need_rules().complete(self.values)

    def set_option(self, name: str, value: str) -> tuple[str, str]:
        """Set an option of the rule; the play is over and must be started again. Answers both canonically.

        Raises:
            OptionError: no such option, or no such value.
        """
        rules = self.need_rules()
        option = find_option(rules.options(self.values), name)
        canonical = option.canonical(value)
        changed = {**self.values, option.name: canonical}
        known = {option.name for option in rules.options(changed)}
        kept = {key: text for key, text in changed.items() if key in known}
        starting = next((o for o in rules.options(kept) if o.name == "starting_player"), None)
        if starting and kept.get("starting_player", starting.default) not in starting.choices:
            del kept["starting_player"]  # the players have changed, and the chosen one is gone
        rules.start(kept)  # a rule may refuse a combination of values
        players = rules.players(rules.complete(kept))
        self.values = kept
        self.record = None
        self.pending = {}
        self._seat(players)
        self.note(f"set_rule_option {option.name} {canonical}")
        return option.name, canonical

    def _seat(self, players: tuple[Player, ...]) -> None:
        self.players = players
        self.seats = {player: self.seats.get(player, SeatPlan()) for player in self.players}

    def find_player(self, name: str, *, chance: bool = False) -> Player:
        """The canonical name of a player; of Chance too where that makes sense.

        Raises:
            CommandError: there is no such player.
        """
        self.need_rules()
        found = match_name(name, (*self.players, CHANCE) if chance else self.players)
        if found is None:
            raise self.no_player(name)
        return found

    def find_human(self, name: str) -> Player:
        """The canonical name of a player that a person plays here.

        Raises:
            CommandError: there is no such player, or somebody else plays it.
        """
        player = self.find_player(name)
        engine = self.seats[player].engine
        if engine != HUMAN:
            raise CommandError(f"{player} is played by {engine}. Use force_play to move for it.")
        return player

    def no_player(self, name: str) -> CommandError:
        """What to say of a name that no player has."""
        return CommandError(f"No player named {name}. There are: {', '.join(self.players)}.")

    # Playing.

    def begin(self, *, keep: bool) -> None:
        """Begin, or begin again. With `keep`, lines played before from the same start stay in the tree."""
        position = self.need_rules().start(self.values)
        if keep and self.record is not None:
            self.record.goto(self.record.nodes[0])
            self.record.nodes[0].messages = ()  # what was said before another play began is not said in this one
        else:
            if self.record is not None:
                self.record.let_go()
            self.record = GameRecord(position)
            first = next((i for i, line in enumerate(self.lines) if line == "start"), len(self.lines))
            later = [line for line in self.lines[first:] if line.startswith(("set_engine", "set_rule_option"))]
            self.lines[first:] = later
        self.pending = {}
        self.held = False
        self.note("start")

    @property
    def position(self) -> Position:
        """The position at the cursor; only while there is a record."""
        return (self.record or self.need_record()).cursor.verdict.position

    def turn(self) -> Turn:
        """Whose turn it is, forfeits taken into account."""
        cursor = (self.record or self.need_record()).cursor
        return OVER if cursor.forfeit else cursor.verdict.position.turn()

    def result(self) -> Result | None:
        """How the play ended, or None."""
        return self.need_record().cursor.result()

    def parse(self, player: Player, text: str) -> Move:
        """The canonical move that a text means now.

        Raises:
            MoveRefused: the play is over, it is not this player's turn, or there is no such move.
        """
        turn = self.turn()
        if turn.kind is TurnKind.OVER:
            raise MoveRefused("The play is over.")
        if player not in turn.players:
            held = " The play is held; genmove lets it go on." if self.held else ""
            raise MoveRefused(f"It is not {player}'s turn.{held}")
        if player in self.pending:
            raise MoveRefused(f"{player} has chosen already.")
        try:
            return self.position.parse(player, text)
        except MoveError as error:
            raise MoveRefused(str(error)) from error

    def commit(self, player: Player, move: Move) -> Node | None:
        """Make a canonical move. Answers the new node, or None while a joint turn waits for others.

        Raises:
            MoveRefused: the rules refuse it altogether. Nothing has changed.
        """
        turn = self.turn()
        record = self.record or self.need_record()
        moves: Mapping[Player, Move] = {player: move}
        if turn.kind is TurnKind.JOINT:
            moves = {**self.pending, player: move}
            if len(moves) < len(turn.players):
                self.pending[player] = move
                self.held = False
                self.note(f"{MOVE}{player} {move}")
                return None
        try:
            node = record.play(moves)
        except MoveError as error:
            raise MoveRefused(str(error)) from error
        self.pending = {}
        self.held = False
        self.note(f"{MOVE}{player} {move}")
        return node

    def talk(self) -> Talk | None:
        """Which messages partners may send each other, with the options as they are."""
        return self.need_rules().talk(self.option_values())

    def tell(self, sender: Player, receiver: str, text: str) -> tuple[Talk, Message]:
        """Let one partner say something to another; answers it, and who hears of it.

        Raises:
            CommandError: the rule does not let them, or it is too long, or one too many.
        """
        talk = self.talk()
        cursor = self.need_record().cursor
        if talk is None:
            raise CommandError(f"Nobody may send messages in {self.need_rules().name}.")
        to = match_name(receiver, self.players)
        if to is None or to not in talk.partners(sender):
            raise CommandError(f"{receiver} is no partner of {sender}.")
        if self.turn().kind is TurnKind.OVER:
            raise CommandError("The play is over.")
        if len(text) > talk.length:
            raise CommandError(f"A message may have {talk.length} characters.")
        if sum(message.sender == sender for message in cursor.messages) >= talk.most:
            raise CommandError(f"{sender} may send {talk.most} messages between two moves.")
        message = Message(sender, to, one_line(text))
        cursor.messages = (*cursor.messages, message)
        self.note(f"tell {sender} {to} {message.text}")
        return talk, message

    def forfeit(self, player: Player, reason: str) -> Node:
        """End the play as a loss of `player`; everybody else has won."""
        if self.turn().kind is TurnKind.OVER:
            raise CommandError("The play is over.")
        standings = {p: Standing.LOSS if p == player else Standing.WIN for p in self.players}
        why = f"{player} forfeits: {reason}" if reason else f"{player} forfeits"
        node = self.need_record().forfeit(Forfeit(player, reason, Result(standings, {}, why)))
        self.pending = {}
        self.note(f"forfeit {player} {reason}".rstrip())
        return node

    def undo(self) -> Node | None:
        """One step back; answers the node left, or None when only commitments were withdrawn."""
        record = self.need_record()
        if self.pending:
            self.pending = {}
            left = None
        else:
            left = record.undo()
        self.held = True
        self.note("undo")
        return left

    def redo(self) -> Node:
        """One step forward, along the line last left."""
        if self.pending:
            raise CommandError("There is no move to redo: players have chosen already.")
        node = self.need_record().redo()
        self.held = True
        self.note("redo")
        return node

    def goto(self, text: str) -> tuple[list[Node], list[Node]]:
        """Go to a node; answers the nodes left and those entered."""
        record = self.need_record()
        node = record.find(text)
        self.pending = {}
        self.held = True
        self.note(f"goto_node {node.number}")
        return record.goto(node)

    def name_node(self, text: str) -> None:
        """Give the node where we are a name.

        Raises:
            CommandError: it is a number, or another node's name.
        """
        record = self.need_record()
        if text.isdigit() or any(node.name == text for node in record.nodes):
            raise CommandError(f"{text} can't be a name: it is a number, or taken.")
        record.cursor.name = text
        self.note(f"name_node {text}")

    def comment_node(self, text: str) -> None:
        """Write a comment at the node where we are."""
        self.need_record().cursor.comment = text
        self.note(f"comment_node {text}")
