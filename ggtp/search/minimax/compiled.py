"""Minimax over compiled games: the root as for any other game, everything below it in machine code.

A state is the bytes of `gdl.kernel_single`. The roles of a game are its players, but for the
role `random`; where a seat is meant, that one is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from typing import Any

from ggtp.game import Move
from ggtp.gdl.kernel.single import Look, StateKernel, pack, rows
from ggtp.gdl.language.parse import parse_term
from ggtp.gdl.network.network import RANDOM
from ggtp.gdl.play.compiled import CompiledGame
from ggtp.gdl.play.rules import IDLE, move_text
from ggtp.native.machine import Library
from ggtp.search.cache import Cache
from ggtp.search.evaluation.evaluator import CheckedLeaves, Evaluator, RowGame, Rows, row_leaves
from ggtp.search.evaluation.learning import Lesson, Lessons
from ggtp.search.minimax import layout
from ggtp.search.minimax.arena import Arena, load_code
from ggtp.search.minimax.leaves import LeafJudge, Scale
from ggtp.search.minimax.plan import POINT, Finding, NotOpposed, OutOfTime, Plan, View, from_node, value_of_points
from ggtp.search.minimax.root import USUAL, Minimax
from ggtp.search.minimax.search import Searching, Values
from ggtp.search.minimax.walk import DRAWN, MOST_POINTS, OVER


class SearchCode:
    """The machine code for searching one game. Making it may take seconds, unless it was kept."""

    def __init__(self, game: CompiledGame, seed: int = 0) -> None:
        self.game = game
        self.states: StateKernel = game.state_kernel()
        self.search: Library = load_code(game.kept)
        self.texts = game_texts(game)
        """The names of each role's moves."""
        self.numbers = [{text: number for number, text in enumerate(texts)} for texts in self.texts]
        """And the other way round."""
        self.lessons = Lessons(self.states, seed)
        """What is learned about the game, for all plays of it."""
        self._seed = seed
        self._leaves: dict[Evaluator, CheckedLeaves[Rows] | None] = {}

    def leaves(self, evaluator: Evaluator) -> CheckedLeaves[Rows] | None:
        """What gives the values of leaves, for all plays of the game; None where heuristics do.

        Raises:
            EvaluatorFailed: the evaluator does not serve compiled games.
        """
        if evaluator not in self._leaves:
            self._leaves[evaluator] = row_leaves(evaluator, RowGame(self.game, self._seed))
        return self._leaves[evaluator]


class CompiledWalk:
    """A compiled game as a walk, state by state."""

    def __init__(self, code: SearchCode, state: bytes, me: int, opposed: bool) -> None:
        """A walk from a state; `me` is the role that decides first where several do."""
        network, states = code.game.network, code.states
        self.roles = len(network.roles)
        self.chance = network.roles.index(RANDOM) if RANDOM in network.roles else -1
        self.players = [role for role in range(self.roles) if role != self.chance]
        """The role of each seat."""
        self._seats = {role: seat for seat, role in enumerate(self.players)}
        self._order = [me, *(role for role in self.players if role != me)]
        self._kernel = states
        self._texts, self._numbers = code.texts, code.numbers
        self._opposed = opposed
        self._goals = network.goals
        self._stack: list[tuple[bytes, tuple[int, ...], Look]] = [
            (state, (-1,) * self.roles, states.look(state)),
        ]

    @property
    def state(self) -> bytes:
        """Where the walk stands."""
        return self._stack[-1][0]

    @property
    def pending(self) -> tuple[int, ...]:
        """What each role has decided already, or -1."""
        return self._stack[-1][1]

    @property
    def look(self) -> Look:
        """What holds there."""
        return self._stack[-1][2]

    def decider(self) -> int:
        """The role that decides now; -1 at the end."""
        look = self.look
        if look.terminal or not all(look.legal):
            return -1
        choosing = [role for role in self._order if len(look.legal[role]) > 1 and self.pending[role] < 0]
        if choosing:
            return choosing[0]
        if self.chance >= 0 and len(look.legal[self.chance]) > 1 and self.pending[self.chance] < 0:
            return self.chance
        # Nobody has a choice: it is the step of the first who does something.
        awake = (role for role in self.players if not IDLE.issuperset(self._texts[role][look.legal[role][0]].split()))
        return next(awake, self.players[0])

    def mover(self) -> int:
        role = self.decider()
        return OVER if role < 0 else DRAWN if role == self.chance else self._seats[role]

    def moves(self) -> Sequence[int]:
        role = self.decider()
        return () if role < 0 else self.look.legal[role]

    def weights(self) -> Sequence[int]:
        return [1] * len(self.moves())

    def play(self, move: int) -> None:
        role, look = self.decider(), self.look
        pending = tuple(move if other == role else chosen for other, chosen in enumerate(self.pending))
        if any(chosen < 0 and len(look.legal[other]) > 1 for other, chosen in enumerate(pending)):
            self._stack.append((self.state, pending, look))
            return
        joint = [chosen if chosen >= 0 else look.legal[other][0] for other, chosen in enumerate(pending)]
        after = self._kernel.next(self.state, joint)
        self._stack.append((after, (-1,) * self.roles, self._kernel.look(after)))

    def undo(self) -> None:
        self._stack.pop()

    def scores(self) -> Sequence[float]:
        points = [float(self.look.goals[role]) for role in self.players]
        if self._opposed and sum(points) != MOST_POINTS:
            raise NotOpposed
        return points

    def partial(self) -> Sequence[float] | None:
        if not all(self._goals[role] for role in self.players):
            return None
        return [float(self.look.goals[role]) for role in self.players]

    def key(self) -> Hashable:
        return (self.state, self.pending)

    def text(self, move: int) -> Move:
        return self._texts[self.decider()][move]

    def number(self, move: Move) -> int:
        return self._numbers[self.decider()][move]


def game_texts(game: CompiledGame) -> list[list[Move]]:
    """The names of each role's moves, as positions have them."""
    return [[move_text(parse_term(text)) for text in moves] for moves in game.network.moves]


def state_of(walk: CompiledWalk) -> bytes:
    """Where a walk over states stands."""
    return walk.state


class CompiledSearching(Searching):
    """A search whose every step below the root is one call of machine code."""

    walk: CompiledWalk

    def __init__(
        self, walk: CompiledWalk, plan: Plan, me: int, arena: Arena, usual: float, most_nodes: int = 0
    ) -> None:
        super().__init__(walk, plan, me, len(walk.players), Cache(0), (), usual, lambda: False)
        self._arena = arena
        choices = [len(moves) if len(moves) > 1 else round(usual) for moves in walk.look.legal]
        arena.prepare(plan, walk.players[me], choices, usual, most_nodes)

    def worth(self, values: Values, seat: int) -> int:
        if self.plan.view is View.SELFISH:
            return values[self.walk.players[seat]]
        return values[0] if seat == self.me else -values[0]

    def final(self, ply: int) -> Values:
        scores = self.walk.scores()
        if self.plan.view is View.SELFISH:
            points = dict(zip(self.walk.players, scores, strict=True))
            return tuple(from_node(value_of_points(points.get(role, 0.0)), ply) for role in range(self.walk.roles))
        own = scores[self.me]
        gained = own - scores[1 - self.me] if self.plan.view is View.OPPOSED else 2 * own - 100
        return (from_node(round(gained * POINT), ply),)

    def child(self, depth: int, extra: int, alpha: int, beta: int, ply: int) -> Values:
        walk, arena = self.walk, self._arena
        arena.fields[layout.NODES] += 1
        if walk.mover() == OVER:
            self.nodes = arena.count(layout.NODES)
            return self.final(ply)
        arena.enter(walk.state, walk.pending, ply, None if self.judge is None else self.judge.values(walk))
        found = arena.descend(depth, extra, alpha, beta, ply)
        self.nodes = arena.count(layout.NODES)
        if arena.count(layout.ODD):
            raise NotOpposed
        if found == layout.STOPPED:
            raise OutOfTime
        self.uncertain |= found == layout.UNCERTAIN
        return arena.values(ply)

    def heuristic(self, mover: int) -> Values:
        uncertain = self.uncertain
        values = self.child(0, 0, 0, 0, 0)
        # Looking at a move is no search of it.
        self.uncertain = uncertain
        return values

    def _looked_at(self, move: int, mover: int) -> int:
        self.walk.play(move)
        looks = self.worth(self.heuristic(mover), mover)
        self.walk.undo()
        return looks

    def hint(self) -> int | None:
        moves = self.walk.moves()
        if len(moves) == 1:
            return moves[0]
        self._arena.enter(self.walk.state, self.walk.pending, 0)
        return self._arena.best_known(0)


class CompiledMinimax(Minimax[bytes]):
    """Searches states of a compiled game. Not for two threads at once, but any thread may stop it."""

    def __init__(self, code: SearchCode, me: int, plan: Plan, ceiling: int) -> None:
        """A search for a play of the game.

        Args:
            code: the machine code, which no other search may use at the same time.
            me: the seat for which to search.
            plan: what to use.
            ceiling: how many bytes all that it keeps may take.

        Raises:
            EvaluatorFailed: the evaluator of the plan does not serve compiled games.
        """
        super().__init__(plan)
        self._code = code
        self._game = code.game
        self.me = me
        self._states = code.states
        self._ceiling = ceiling
        self.first = pack(code.game.network, code.game.network.initial)
        """The state in which the game begins."""
        walk = self.walk(self.first)
        self._usual = float(len(walk.moves()) if walk.mover() >= 0 else USUAL) or 1.0
        self._first_goals = walk.partial() if plan.proximity else None
        self.seconds: float | None = None
        """How long a search may take, counted from its beginning; None for as long as it is not stopped."""
        self.most_nodes = 0
        """How many positions a search makes at most; 0 for as many as it can."""
        self._lesson: Lesson | None = code.lessons.lesson if plan.learning else None
        self._leaves = code.leaves(plan.evaluation)
        self.arena = self._make_arena()

    def _make_arena(self) -> Arena:
        arena = Arena(self._states, self._code.search, self.plan.view, self.plan.caching, self._ceiling)
        if self._lesson is not None:
            arena.teach(self._lesson, self._role)
        if self._leaves is not None:
            leaves, scale = self._leaves, self._scale(self.plan.view)
            arena.judge_by(lambda rows: scale.inner(leaves.values(rows)))
        return arena

    def _scale(self, view: View) -> Scale:
        game = RowGame(self._game)
        return Scale(view, self.me, game.roles, len(self._game.roles))

    @property
    def _role(self) -> int:
        return [role for role, name in enumerate(self._game.roles) if name != RANDOM][self.me]

    @property
    def trust(self) -> float:
        """From 0 to 1: how much heuristic values are made of what was learned."""
        return 0.0 if self._lesson is None or self._near or self._leaves is not None else self._lesson.trust

    def learn(self, should_stop: Callable[[], bool], seconds: float | None = None) -> None:
        """Play at random, and learn from it what to think of positions, until it is enough.

        Goals that tell positions apart are better than any lesson: then there is none. An evaluator learns instead.
        """
        if self._leaves is not None:
            if self._leaves.study(should_stop, seconds):
                self.forget()
            return
        lessons = self._code.lessons
        if not self.plan.learning or self._near or (lessons.over and lessons.lesson is self._lesson):
            return
        lesson = lessons.learn(should_stop, seconds)
        if lesson is not self._lesson:
            self._lesson = lesson
            self.forget()  # heuristic values of before are not to be compared with those to come

    def stop(self) -> None:
        """End the search that is under way, from any thread."""
        self.arena.stop()

    def walk(self, position: bytes) -> CompiledWalk:
        return CompiledWalk(self._code, position, self._role, self.plan.view is View.OPPOSED)

    def searching(self, walk: Any, plan: Plan, should_stop: Callable[[], bool]) -> Searching:
        search = CompiledSearching(walk, plan, self.me, self.arena, self._usual, self.most_nodes)
        if self._leaves is not None:
            search.judge = LeafJudge(self._leaves, self._scale(plan.view), state_of, rows)
        return search

    def search(
        self,
        position: bytes,
        moves: Sequence[Move],
        should_stop: Callable[[], bool],
        publish: Callable[[Finding], None],
    ) -> Finding:
        """As for other positions, but that `should_stop` is asked only between levels.

        Meanwhile, `seconds` count, and anybody may call `stop`.
        """
        self.arena.go_on(self.seconds)

        def told(finding: Finding) -> None:
            publish(finding)
            if should_stop():
                self.stop()

        if should_stop():
            self.stop()
        return super().search(position, moves, should_stop, told)

    def forget(self) -> None:
        before = self.arena.fields
        self.arena = self._make_arena()
        for place in (layout.DEADLINE, layout.STOP):
            self.arena.fields[place] = before[place]

    def with_cache(self, finding: Finding) -> Finding:
        arena = self.arena
        entries = arena.count(layout.COUNT)
        hits, purges = arena.count(layout.HITS), arena.count(layout.PURGES)
        used = entries * arena.entry_bytes
        return replace(finding, entries=entries, used=used, hits=hits, purges=purges, trust=self.trust)
