"""Any game in the Game Description Language as ordinary rules of the house.

In GDL every role moves in every step. Here only those are asked who have a choice: one of them
is a turn of one player, several a joint turn. A role that has just one legal move makes it
without being asked; where nobody has a choice, the first role whose move is not an idle one is
asked, so that a step is always somebody's.

The role `random` is chance. In a game with `sees` (GDL-II) nobody sees another's move; what
each role perceives is dealt out after the moves, as a draw of chance that has one outcome and
of which everybody is told only their own part.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypeVar

from ggtp.errors import IllegalMove, MalformedMove, RulesError
from ggtp.game import (
    CHANCE,
    CHANCE_TURN,
    HIDDEN,
    OVER,
    Move,
    Observation,
    Picture,
    Player,
    Position,
    Result,
    Rules,
    Standing,
    Traits,
    Turn,
    TurnKind,
    Verdict,
    result_by_scores,
    single,
)
from ggtp.game.advice import Determinizes, Imagines, ImaginesSoon
from ggtp.gdl.interpret.reasoner import Interpreter
from ggtp.gdl.language.parse import parse_strictly
from ggtp.gdl.language.syntax import Compound, Constant, Rulesheet, Term
from ggtp.gdl.network.network import RANDOM
from ggtp.gdl.play.picture import Board, draw, draw_log, find_boards, terms_in
from ggtp.gdl.play.traces import Machine

if TYPE_CHECKING:
    from ggtp.gdl.play.imagine import Imagination

IDLE = frozenset({"noop", "(noop)", "pass", "skip", "wait", "nothing"})
LOOKED_AT = 8
"""How many states of a random play are looked at to tell whether players ever move at the same time."""
MOVES_LOOKED_AT = 500
"""And at how many moves at most: where there are so many, the interpreter takes a second for a state."""
TOLD = "tell"
MOST_POINTS = 100
MOST_ROLES = 1000
"""Every role is asked for its moves in every step, and every player has a seat."""

Joint: TypeAlias = tuple[tuple[Term, Term], ...]

S = TypeVar("S")


class Perceiving(Machine[S], Protocol[S]):
    """A player of a rulesheet that also knows what each role perceives of a step."""

    def sees(self, state: S, moves: Mapping[Term, Term], role: Term) -> Sequence[Term]:
        """What the role perceives when these moves are made."""

    def state(self, facts: Collection[Term]) -> S:
        """The state in which these facts hold.

        Raises:
            KeyError: one of them can never hold.
        """


def move_text(term: Term) -> Move:
    """A move as people write it: without its outer parentheses, `mark 1 1`."""
    text = str(term)
    if isinstance(term, Compound) and term.args:
        return text[1:-1]
    return text


@dataclass(slots=True)
class Game:
    """What all positions of a game share."""

    machine: Perceiving[Any]
    roles: tuple[Term, ...]
    """All roles, `random` included."""
    players: tuple[Player, ...]
    chance: Term | None
    """The role `random`, if there is one."""
    percepts: bool
    """Whether the game has `sees`."""
    boards: tuple[Board, ...] = ()
    newer: Game | None = None
    """The same game with a faster machine, to which positions go over when a move is made; set at most once."""
    role_of: Mapping[Player, Term] = field(init=False)

    def __post_init__(self) -> None:
        self.role_of = {str(role): role for role in self.roles}

    def latest(self, state: Any) -> tuple[Game, Any]:
        """The game with the fastest machine that there is by now, and the state as that machine has it."""
        newer = self.newer
        if newer is None:
            return self, state
        try:
            return newer.latest(newer.machine.state(self.machine.facts(state)))
        except KeyError:
            return self, state  # whoever made that state may go on with it


class GdlPosition(Position, Determinizes):
    """A state, and what was chosen in this step already while chance, or the dealing of percepts, is due."""

    __slots__ = ("_legal", "_turn", "chosen", "game", "seen_so_far", "state")

    def __init__(
        self, game: Game, state: Any, chosen: Joint = (), seen_so_far: tuple[tuple[str, ...], ...] = ()
    ) -> None:
        self.game = game
        self.state = state
        self.chosen = chosen
        """The moves of this step, once all players have made theirs."""
        self.seen_so_far = seen_so_far
        """With percepts: for each role what it has done and perceived, step by step."""
        self._legal: dict[Term, dict[Move, Term]] | None = None
        self._turn: Turn | None = None

    # Whose turn it is.

    def legal(self, role: Term) -> dict[Move, Term]:
        """The moves of a role, by their texts."""
        if self._legal is None:
            self._legal = {}
        found = self._legal.get(role)
        if found is None:
            moves = self.game.machine.legal(self.state, role)
            found = self._legal[role] = {move_text(move): move for move in moves}
        return found

    def turn(self) -> Turn:
        if self._turn is None:
            self._turn = self._find_turn()
        return self._turn

    def _find_turn(self) -> Turn:
        game = self.game
        if self.chosen:
            return CHANCE_TURN
        if game.machine.terminal(self.state) or self._stuck():
            return OVER
        choosing = [role for role in game.roles if role != game.chance and len(self.legal(role)) > 1]
        if not choosing and game.chance is not None and len(self.legal(game.chance)) > 1:
            return CHANCE_TURN
        if not choosing:
            awake = (role for role in game.roles if role != game.chance and not IDLE.issuperset(self.legal(role)))
            choosing = [next(awake, next(role for role in game.roles if role != game.chance))]
        if len(choosing) == 1:
            return single(str(choosing[0]))
        return Turn(TurnKind.JOINT, tuple(str(role) for role in choosing))

    def _stuck(self) -> Term | None:
        """A role without a legal move, which the language forbids."""
        return next((role for role in self.game.roles if not self.legal(role)), None)

    def _role(self, player: Player) -> Term:
        return self.game.role_of[player]

    # Moving.

    def moves(self, player: Player) -> Sequence[Move]:
        turn = self.turn()
        if player not in turn.players:
            return ()
        if player == CHANCE:
            return [move for move, _ in self.chance()]
        return list(self.legal(self._role(player)))

    def parse(self, player: Player, text: str) -> Move:
        moves = self.moves(player)
        if text in moves:
            return text
        words = text.lower().replace("(", " ( ").replace(")", " ) ").split()
        plain = " ".join(words).replace("( ", "(").replace(" )", ")")
        if plain.startswith("(") and plain.endswith(")") and plain not in moves:
            plain = plain[1:-1]
        if plain in moves:
            return plain
        if not moves:
            raise IllegalMove(f"It is not {player}'s turn.")
        raise MalformedMove(f"No move named {text} for player {player}.")

    def play(self, moves: Mapping[Player, Move]) -> Verdict:
        turn = self.turn()
        if turn.kind is TurnKind.CHANCE:
            return self._play_chance(moves)
        if set(moves) != set(turn.players):
            raise IllegalMove(f"It is the turn of {', '.join(turn.players)}.")
        joint: dict[Term, Term] = {}
        for role in self.game.roles:
            legal = self.legal(role)
            move = moves.get(str(role))
            if move is not None and move not in legal:
                raise IllegalMove(f"No move named {move} for player {role}.")
            if role != self.game.chance:
                joint[role] = legal[move] if move is not None else next(iter(legal.values()))
        made = tuple((player, moves[player]) for player in turn.players)
        return Verdict(self._step(joint), made)

    def _play_chance(self, moves: Mapping[Player, Move]) -> Verdict:
        (move,) = moves.values()
        if set(moves) != {CHANCE} or move not in self.moves(CHANCE):
            raise IllegalMove(f"No move named {move} for player {CHANCE}.")
        game = self.game
        joint = dict(self.chosen)
        if move.startswith(TOLD) and game.percepts and (game.chance is None or game.chance in joint):
            return Verdict(self.told(), ((CHANCE, move),))
        assert game.chance is not None
        if not joint:
            joint = {role: next(iter(self.legal(role).values())) for role in game.roles if role != game.chance}
        joint[game.chance] = self.legal(game.chance)[move]
        return Verdict(self._step(joint), ((CHANCE, move),))

    def _step(self, joint: dict[Term, Term]) -> GdlPosition:
        """Where a joint move leads; first to chance, or to the dealing of percepts, where those are due."""
        game = self.game
        if game.chance is not None and game.chance not in joint:
            moves = self.legal(game.chance)
            if len(moves) > 1:
                return GdlPosition(game, self.state, tuple(joint.items()), self.seen_so_far)
            joint = {**joint, game.chance: next(iter(moves.values()))}
        if game.percepts:
            return GdlPosition(game, self.state, tuple(joint.items()), self.seen_so_far)
        return GdlPosition(*game.latest(game.machine.next(self.state, joint)))

    # Chance and percepts.

    def chance(self) -> Sequence[tuple[Move, int]]:
        game = self.game
        if self.turn().kind is not TurnKind.CHANCE:
            return ()
        joint = dict(self.chosen)
        if joint and (game.chance is None or game.chance in joint):
            return [(self._told_text(joint), 1)]
        assert game.chance is not None
        return [(move, 1) for move in self.legal(game.chance)]

    def _percepts(self, joint: Mapping[Term, Term], role: Term) -> str:
        return " ".join(str(percept) for percept in self.game.machine.sees(self.state, dict(joint), role))

    def _told_text(self, joint: Mapping[Term, Term]) -> Move:
        parts = [f"{role} [{self._percepts(joint, role)}]" for role in self.game.roles if role != self.game.chance]
        return " ".join((TOLD, *parts)).replace(",", " ")

    def told(self) -> GdlPosition:
        """The next state, everybody knowing what they have done and perceived, once every role has chosen."""
        game = self.game
        joint = dict(self.chosen)
        before = self.seen_so_far or tuple(() for _ in game.roles)
        after = tuple(
            (*log, f"{move_text(joint[role])} [{self._percepts(joint, role)}]")
            for role, log in zip(game.roles, before, strict=True)
        )
        return GdlPosition(*game.latest(game.machine.next(self.state, joint)), (), after)

    def seen(self, actor: Player, move: Move, observer: Player) -> Move:
        if not self.game.percepts or actor == observer:
            return move
        if actor == CHANCE and move.startswith(TOLD):
            return self.tell(dict(self.chosen), observer)
        return HIDDEN

    def spoken(self, actor: Player, move: Move, observer: Player) -> str:
        """Nothing of draws that nobody sees, and percepts without their brackets, if there are any."""
        seen = self.seen(actor, move, observer)
        if actor != CHANCE or not self.game.percepts:
            return seen
        percepts = ", ".join(terms_in(seen[len(TOLD) + 2 : -1])) if seen.startswith(TOLD) else ""
        return f"{TOLD} {percepts}" if percepts else ""

    def tell(self, joint: Mapping[Term, Term], observer: Player) -> Move:
        """What a player is told of a step in which these moves are made."""
        return f"{TOLD} [{self._percepts(joint, self._role(observer))}]"

    def determinize(self, player: Player, rng: random.Random) -> Position | None:
        return None if self.game.percepts else self

    # How it stands.

    def result(self) -> Result | None:
        if self.turn().kind is not TurnKind.OVER:
            return None
        game = self.game
        stuck = None if game.machine.terminal(self.state) else self._stuck()
        reason = f"{stuck} has no legal move, which the rules must not let happen" if stuck else ""
        scores = {player: self._score(self._role(player)) for player in game.players}
        if len(scores) > 1:
            return result_by_scores(scores, reason)
        ((player, score),) = scores.items()
        standing = Standing.WIN if score >= MOST_POINTS else Standing.DRAW if score > 0 else Standing.LOSS
        return Result({player: standing}, scores, reason)

    def _score(self, role: Term) -> int:
        """The best of the goals that the rules give; none where they give none."""
        values = [str(value) for value in self.game.machine.goal_values(self.state, role)]
        return max((int(value) for value in values if value.isascii() and value.isdigit()), default=0)

    def view(self, player: Player | None) -> str:
        game = self.game
        if player is not None and game.percepts:
            log = self.seen_so_far[game.roles.index(self._role(player))] if self.seen_so_far else ()
            own = [move_text(move) for role, move in self.chosen if str(role) == player]
            waiting = f" then {own[0]}" if own else ""
            mine = " to move" if player in self.turn().players else ""
            return f"{player}: {'; '.join(log) or 'nothing yet'}{waiting}{mine}"
        facts = " ".join(sorted(str(fact) for fact in game.machine.facts(self.state))) or "(nothing)"
        chosen = " ".join(f"{role}={move_text(move)}" for role, move in self.chosen)
        return f"{facts} chosen {chosen}" if chosen else facts

    def key(self) -> Hashable:
        return (self.state, self.chosen, self.seen_so_far)

    def latest(self) -> GdlPosition:
        """The same position, played by the fastest machine that there is by now."""
        if self.game.newer is None:
            return self
        return GdlPosition(*self.game.latest(self.state), self.chosen, self.seen_so_far)

    def picture(self, player: Player | None) -> Picture:
        if player is not None and self.game.percepts:
            log = self.seen_so_far[self.game.roles.index(self._role(player))] if self.seen_so_far else ()
            return draw_log(log, IDLE, self.moves(player), player)
        return draw(self.game.machine.facts(self.state), self.game.boards, self.game.players)


class GdlRules(Rules, Imagines, ImaginesSoon):
    """The rules of one rulesheet."""

    def __init__(
        self, name: str, sheet: Rulesheet, title: str = "", guard: AbstractContextManager[object] | None = None
    ) -> None:
        """Rules that the interpreter plays.

        Args:
            guard: a lock, where several threads have positions; it is held while the interpreter works.

        Raises:
            RulesError: they can't be played at all.
        """
        self.name = name  # type: ignore[misc]  # one class for all rulesheets, so these are an instance's
        self.title = title  # type: ignore[misc]
        self.sheet = sheet
        self._imagination: Imagination | None = None
        self.text = " ".join(str(rule) for rule in sheet.rules)
        machine = Interpreter(sheet, guard)
        roles = machine.roles
        if len(roles) > MOST_ROLES:
            raise RulesError(f"The rules name {len(roles)} roles; a game may have {MOST_ROLES}.")
        chance = next((role for role in roles if role == Constant(RANDOM)), None)
        players = tuple(str(role) for role in roles if role != chance)
        if not players:
            raise RulesError("The rules name no player: (role white) does.")
        percepts = bool(sheet.of("sees"))
        self.game = Game(machine, roles, players, chance, percepts)
        initial = machine.initial()
        declared = (row[0] for row in machine.holds(initial, "base"))
        self.game.boards = find_boards({*declared, *initial}, initial)
        self.traits = Traits(  # type: ignore[misc]
            min_players=len(players),
            max_players=len(players),
            chance=chance is not None or percepts,
            hidden=percepts,
            joint=self._moves_together(),
            zero_sum=len(players) == 2 and self._opposed(),
        )

    def _moves_together(self) -> bool:
        """Whether players were seen to have a choice at the same time, in a short look at a random play."""
        rng = random.Random(0)
        position: Position = GdlPosition(self.game, self.game.machine.initial())
        seen = 0
        for _ in range(LOOKED_AT):
            turn = position.turn()
            if turn.kind is TurnKind.JOINT:
                return True
            moves = position.moves(turn.players[0]) if turn.players else ()
            seen += len(moves)
            if not moves or seen > MOVES_LOOKED_AT:
                return False
            position = position.play({turn.players[0]: rng.choice(moves)}).position
        return False

    def _opposed(self) -> bool:
        """Whether the goals of two players are such that what one gains the other loses, as far as the text shows."""
        values: dict[Player, set[str]] = {player: set() for player in self.game.players}
        for rule in self.sheet.of("goal"):
            role, value = rule.head.args[:2]
            if not value.ground:
                return False
            for player in [str(role)] if role.ground else values:
                values.setdefault(player, set()).add(str(value))
        one, other = (values[player] for player in self.game.players)
        return {str(MOST_POINTS - int(value)) for value in one if value.isdigit()} == other

    def use(self, machine: Perceiving[Any]) -> None:
        """Lets another machine for the same game, a faster one, play all positions that are made from now on.

        That may happen in any thread: a position belongs to one machine, and those that follow it to the newer one.
        """
        old = self.game
        self.game = replace(old, machine=machine)
        old.newer = self.game

    @property
    def compiled(self) -> bool:
        """Whether another machine than the interpreter plays by now."""
        return not isinstance(self.game.machine, Interpreter)

    def players(self, options: Mapping[str, str]) -> tuple[Player, ...]:
        return self.game.players

    def begin(self, options: Mapping[str, str]) -> Position:
        game = self.game  # read once: it may be exchanged in another thread
        return GdlPosition(game, game.machine.initial())

    def imagine(
        self, player: Player, values: Mapping[str, str], seen: Sequence[Observation], rng: random.Random
    ) -> Position | None:
        return self.imagine_soon(player, values, seen, rng, lambda: False)

    def imagine_soon(
        self,
        player: Player,
        values: Mapping[str, str],
        seen: Sequence[Observation],
        rng: random.Random,
        should_stop: Callable[[], bool],
    ) -> Position | None:
        game = self.game
        if not game.percepts:
            return None
        from ggtp.gdl.play.imagine import Imagination  # which is made of these positions

        imagination = self._imagination
        if imagination is None or imagination.game is not game:
            imagination = self._imagination = Imagination(game)
        return imagination.position(player, seen, rng, should_stop)


def load_text(text: str, name: str, path: str = "", guard: AbstractContextManager[object] | None = None) -> GdlRules:
    """The rules in a text.

    Raises:
        RulesError: it can't be read or played; with its place.
    """
    return GdlRules(name, parse_strictly(text, path), guard=guard)
