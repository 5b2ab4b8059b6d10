"""Monte Carlo tree search in compiled games: threads that search one tree in machine code.

The interpreter's lock is free while they do, so that they really run at the same time, and questions are answered
meanwhile. Whoever waits for the search never waits for a thread: when time is over, the tree is read as it stands,
and a thread that is still in the middle of a batch ends by itself.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ggtp.gdl.kernel.playouts import PlayoutKernel
from ggtp.gdl.kernel.single import StateKernel, rows
from ggtp.gdl.network.network import RANDOM
from ggtp.gdl.play.compiled import CompiledGame
from ggtp.native.machine import Library
from ggtp.search.evaluation.evaluator import CheckedLeaves, RowGame, Rows, row_leaves
from ggtp.search.evaluation.learning import Lesson, Lessons
from ggtp.search.evaluation.store import load_lesson, save_lesson
from ggtp.search.mcts.compiled import layout
from ggtp.search.mcts.compiled.iterative_deepening import MEMORY, NEAR, DeepeningResult, MinimaxWeight, follow, serves
from ggtp.search.mcts.compiled.reading import choices_in, line_from, move_text
from ggtp.search.mcts.compiled.solo import Plans
from ggtp.search.mcts.compiled.threads import Crew
from ggtp.search.mcts.compiled.tree import FlatTree, load_code, opposed
from ggtp.search.mcts.compiled.worker import Worker
from ggtp.search.mcts.options import DECOUPLED, Settings, foreseen
from ggtp.search.mcts.report import Choice, Decision

if TYPE_CHECKING:
    from ggtp.search.mcts.compiled.scout import Scouts

SHORT = 0.25
"""Seconds below which one thread searches where it was asked: on a busy machine, another one begins late and ends late,
and whoever waits for it is woken late."""
GRACE = 0.003
"""Seconds to wait for threads when time is over."""
LEARNING_FIRST, LEARNING_LATER, LEARNING_MOST = 0.4, 0.25, 0.5
"""The shares of a move's time in which it is learned what facts are worth, until something is known and until it is
enough, and how many seconds at most."""
FADES = 4
"""What the moves before have shown about heuristic values counts so much less with each move."""
SAMPLES, SAMPLING = 8, 0.05
"""Nodes from which it is known how well heuristic values tell moves apart, and the share of a scout's time for that."""
A_MOVE = 0.0003
"""Seconds for each move of the root below which there is no time for a scout: it would see a part of them."""
LEARNING_FROM = 0.01
"""Seconds of a move below which nothing is learned. What is to be learned takes a second or less of all moves together,
and without it mobility is all that heuristic values are made of: in Checkers, pieces are given away for that."""
PACE, HASTE = 1e-6, 2.0
"""Seconds for each node that making room is expected to take, and how many times as long there must be left for it."""
FILLED, MOVES, LEAST = 120, 20, 64
"""A thread fills about so many megabytes in a second; a tree is to last for so many moves; and its least size. Memory
that was never touched is slow, and in the table of a large tree every new node touches some."""


def suitable(megabytes: int, threads: int, seconds: float | None) -> int:
    """How large a tree is made, where it may have so many megabytes and a move has so many seconds."""
    return megabytes if seconds is None else min(megabytes, max(LEAST, int(FILLED * MOVES * threads * seconds)))


class CompiledSearch(Crew):
    """A tree that is kept from move to move.

    Order of operations: `begin` at a state, `run`, `decision`; any number of times.
    """

    def __init__(
        self, game: CompiledGame, settings: Settings, rng: random.Random, kernel: PlayoutKernel | None = None
    ) -> None:
        """An empty tree for a game.

        Args:
            game: the game.
            settings: how to search.
            rng: the one source of chance.
            kernel: what plays; where there is none, the best there is, which may take seconds to make.
        """
        super().__init__(settings)
        self.game = game
        self.network = game.network
        self.players = [role for role in game.roles if role != RANDOM]
        self._rng = rng
        self.kernel = kernel or game.best()
        self._next_kernel = self.kernel
        self._states = game.state_kernel()
        self._code: Library = load_code(settings.threads > 1, game.kept)
        self.tree: FlatTree | None = None
        """The search tree; None before the first search and after it was forgotten."""
        self._plans = Plans(self._states)
        self._state = b""
        self.root = -1
        """The node of the position that is searched, or -1."""
        wanted = settings.learning and settings.heuristic > 0 and settings.evaluation.fused and opposed(self.network)
        self._lessons = self._begin_lessons() if wanted else None
        self._leaves: CheckedLeaves[Rows] | None = None
        self._lesson: Lesson | None = None
        self._pace = PACE
        """Seconds for each node that making room took the last time."""
        self._scouted = serves(game)
        self._scouts: Scouts | None = None
        self._deepening: DeepeningResult | None = None
        self._alone = False
        """Whether minimax chooses, as far as nothing is proven."""

    def _have_leaves(self) -> CheckedLeaves[Rows] | None:
        """What gives the values of leaves; None where playouts do.

        Raises:
            EvaluatorFailed: the evaluator of the settings does not serve compiled games.
        """
        evaluator = self.settings.evaluation
        if self._leaves is None and not evaluator.fused:
            self._leaves = row_leaves(evaluator, RowGame(self.game, self._rng.getrandbits(32)))
        return self._leaves

    def _begin_lessons(self) -> Lessons:
        kernel = self.kernel.twin()
        kernel.seed(self._rng.getrandbits(62))
        return Lessons(self.game.state_kernel(), self._rng.getrandbits(32), kernel, load_lesson(self.game))

    @property
    def playouts(self) -> int:
        """In this search, since `begin`."""
        return self.tree.get("PLAYOUTS") if self.tree is not None else 0

    @property
    def games(self) -> int:
        """Playouts, and games that ended within the tree."""
        return self.playouts + (self.tree.get("ENDED") if self.tree is not None else 0)

    @property
    def nodes(self) -> int:
        """How many states the tree has."""
        return self.tree.get("NODE_COUNT") if self.tree is not None else 0

    def use(self, kernel: PlayoutKernel) -> None:
        """Play with another kernel from the next search on."""
        self._next_kernel = kernel
        if not self._threads:
            self._change_kernel()

    def _change_kernel(self) -> None:
        """Nobody may be searching."""
        before, self.kernel = self.kernel, self._next_kernel
        if self.kernel is before:
            return
        self.workers = []
        if self.kernel.program.foresight != before.program.foresight:
            self.tree = None  # what other random games have shown would count for long

    def forget(self) -> None:
        """Begin with an empty tree the next time."""
        self._quiet(None)
        self.tree, self.workers, self.root = None, [], -1
        self._plans = Plans(self._states)

    # One search.

    def begin(self, state: bytes, settings: Settings | None = None, deadline: float | None = None) -> bool:
        """Go on from here, with what is known of the state from before.

        Args:
            state: where the play stands.
            settings: how to search from now on.
            deadline: when, on the clock `time.monotonic`, to give up waiting for the threads of the search before.

        Returns:
            Whether there is something to search.

        Raises:
            EvaluatorFailed: the evaluator of the settings does not serve compiled games.
        """
        if not self._quiet(deadline):
            return False
        self._change_kernel()
        if settings is not None:
            self._settle(settings)
        settings = self.settings
        look = self._states.look(state)
        new = self.tree is None or not settings.reuse
        if new:
            branching = max(len(moves) for moves in look.legal)
            left = None if deadline is None else max(0.0, deadline - time.monotonic())
            room = settings.megabytes
            if self._scouted and settings.minimax:
                room -= room // MEMORY
            size = suitable(room, settings.threads, left)
            self.tree = FlatTree(self.game, replace(self._tuned(), megabytes=size), min(64, branching))
            self.tree.teach(self._lesson)
            self.workers = []
        tree = self.tree
        assert tree is not None
        if not self.workers:
            self.workers = [self._worker(tree, 0)]
        first = self.workers[0]
        for name in ("SPREAD", "SPREADS"):
            tree.set(name, tree.get(name) // FADES)
        self._state = state
        self.root = first.plant(state)
        if self.root < 0 or tree.get("FULL"):
            # The old root holds the tree together no longer: begin a new one, if there is room for the root in one.
            self.tree, self.workers, self.root = None, [], -1
            return not new and self.begin(state, settings, deadline)
        tree.set("ROOT", self.root)
        tree.doubt(self.root)
        self._deepening = None
        for name in ("STOP", "PLAYOUTS", "VISITS", "ENDED", "DEPTH", "ANCHORED"):
            tree.set(name, 0)
        tree.set("BEST", self._plans.goal(state))
        return tree.node(self.root, layout.COUNT) > 0

    def to_learn(self, deadline: float | None) -> float:
        """How many seconds of a move are for learning, as long as there is something to learn.

        Args:
            deadline: when, on the clock `time.monotonic`, the move must be made; a part of the time is taken, unless
                it is short, or nobody knows it.
        """
        left = 0.0 if deadline is None else deadline - time.monotonic()
        if self._lessons is None or self._lessons.over or left < LEARNING_FROM:
            return 0.0
        return min(LEARNING_MOST, (LEARNING_FIRST if self._lesson is None else LEARNING_LATER) * left)

    def learn(self, deadline: float | None, seconds: float | None = None) -> None:
        """Between searches: learn from random games what facts are worth, and go by what is known.

        Args:
            deadline: when, on the clock `time.monotonic`, the move must be made. None where nobody knows it: then what
                was learned is not used, either, so that searches of so many playouts do not depend on what was before.
            seconds: how long to learn; None for what `to_learn` says.
        """
        lessons = self._lessons
        if lessons is None or deadline is None or not self._quiet(deadline):
            return
        seconds = self.to_learn(deadline) if seconds is None else seconds
        if seconds > 0:
            self._study(lessons, lambda: False, seconds)
        if lessons.lesson is not self._lesson:
            # Heuristic values of before are not to be compared with those to come.
            self._lesson, self.tree, self.workers = lessons.lesson, None, []

    def study_leaves(
        self, should_stop: Callable[[], bool], deadline: float | None, seconds: float | None = None
    ) -> None:
        """Between searches: let the evaluator learn; what was found with other values is forgotten.

        Args:
            should_stop: is asked again and again.
            deadline: when, on the clock `time.monotonic`, to give up waiting for the threads of the search before.
            seconds: how long to learn; None for as long as it takes.

        Raises:
            EvaluatorFailed: the evaluator has failed.
        """
        leaves = self._have_leaves()
        if leaves is not None and self._quiet(deadline) and leaves.study(should_stop, seconds):
            self.tree, self.workers = None, []

    def study(self, should_stop: Callable[[], bool]) -> None:
        """Learn all that there is to learn, for the searches to come; from any thread, also while another searches."""
        if self._lessons is not None:
            self._study(self._lessons, should_stop)

    def _study(self, lessons: Lessons, should_stop: Callable[[], bool], seconds: float | None = None) -> None:
        known = lessons.over
        lesson = lessons.learn(should_stop, seconds)
        if lessons.over and not known and lesson is not None:
            save_lesson(self.game, lesson)

    def load_scouts(self) -> None:
        """Make it possible to `deepen`, where that serves; it may take seconds."""
        if self._scouted and self._scouts is None:
            from ggtp.search.mcts.compiled.scout import Scouts  # whoever waits for the search need not wait for it

            self._scouts = Scouts(self.game, self._lessons)

    def deepen(
        self, player: str, seconds: float | None, told: Callable[[str], object] | None = None, most_nodes: int = 0
    ) -> None:
        """After `begin`: let minimax look ahead; the search goes on from what it has found.

        Args:
            player: whose turn it is.
            seconds: how long at most, and how long where heuristic values tell moves apart; None for so many positions.
            told: is told the best move, whenever another level was searched.
            most_nodes: how many positions there may be; 0 for as many as there is time for.
        """
        tree, role = self.tree, self.game.roles.index(player)
        if self._scouts is None or tree is None or tree.node(self.root, layout.KIND) != role or self.settled:
            return
        if seconds is not None:
            enough = time.monotonic() + SAMPLING * seconds
            while tree.get("SPREADS") < SAMPLES and time.monotonic() < enough and self.workers[0].search(1):
                pass
        # Beside an evaluator it only looks for proofs.
        weight = MinimaxWeight.of(tree, self._lesson if self.settings.evaluation.fused else None)
        self._alone = weight.alone
        if seconds is not None:
            seconds *= weight.share
            if seconds < A_MOVE * tree.node(self.root, layout.COUNT):
                return
        scout = self._scouts.scout(role, self.settings.megabytes)
        scout.most_nodes = most_nodes

        def note(found: DeepeningResult) -> None:
            self._deepening = found
            if told is not None:
                told(self._text(role, found.best))

        near = 0 if weight.alone else NEAR
        found = scout.deepen(self._state, seconds, note, reducing=weight.learned, near=near)
        if found is not None:
            self._deepening = found
            follow(found, tree, self.workers[0], self._state, role, weight, solver=self.settings.solver)

    def stop_deepening(self) -> None:
        """End a look ahead that is under way, from any thread."""
        if self._scouts is not None:
            self._scouts.stop()

    def winning(self, player: str) -> str | None:
        """A move that wins at once with the most that there is to win, whatever others do at the same time."""
        role = self.game.roles.index(player)
        legal = self._states.look(self._state).legal
        if any(len(moves) != 1 for other, moves in enumerate(legal) if other != role):
            return None
        joint = np.array(
            [[move if other == role else moves[0] for other, moves in enumerate(legal)] for move in legal[role]]
        )
        after = self._states.next_many(np.repeat(rows([self._state]), len(joint), axis=0), joint.astype(np.int32))
        looks = self._states.look_many(after)
        most = max((value for value, _ in self.network.goals[role]), default=0)
        won = np.flatnonzero(looks.terminal & (looks.goals[:, role] == most) & (most > 0))
        return self._text(role, legal[role][int(won[0])]) if len(won) else None

    def run(self, should_stop: Callable[[], bool], deadline: float | None = None) -> None:
        """Search until it is told to stop, the playouts are used up, or nothing is left to find out.

        Args:
            should_stop: asked many times a second.
            deadline: when, on the clock `time.monotonic`, it will say so at the latest.

        Raises:
            EvaluatorFailed: the evaluator has failed; the tree is empty then.
        """
        tree = self.tree
        if tree is None or self.root < 0:
            return
        while True:
            if deadline is not None and self._quick and deadline - time.monotonic() < SHORT:
                tree.set("STOP", 0)
                self._search(tree, self.workers[0], deadline)
                told = time.monotonic() >= deadline or should_stop()
            else:
                self._start_threads(tree)
                told = self._wait(tree, should_stop, deadline)
            if self._failed is not None:
                failed, self._failed = self._failed, None
                self.forget()
                raise failed
            if told or not self._quiet(deadline):
                tree.set("STOP", 1)
                self._quiet(time.monotonic() + GRACE)
                return
            self._plans.collect(tree, self.workers, self.kernel, self._state)
            if tree.get("FULL"):
                if deadline is not None and time.monotonic() + HASTE * self._pace * self.nodes > deadline:
                    return  # next time there will be a new tree, which takes no time
                self._make_room(tree)
            elif self.settled or self._used_up(tree):
                return

    @property
    def settled(self) -> bool:
        """Whether more playouts would change nothing."""
        tree = self.tree
        if tree is None or self.root < 0:
            return True
        if tree.proven(self.root) is not None or tree.node(self.root, layout.COUNT) == 0:
            return True
        best = self._plans.get(self._state)
        return len(self.network.roles) == 1 and best is not None and best[0] >= self._most(0)

    def decision(self, player: str, seconds: float = 0.0) -> Decision:
        """What is known of the moves of a player now; may be asked while threads search."""
        role = self.game.roles.index(player)
        tree, root = self.tree, self.root
        if tree is None or root < 0:
            legal = self._states.look(self._state).legal[role] if self._state else []
            return Decision([Choice(self._text(role, move), 0, 0.0) for move in legal])
        together = tree.node(root, layout.KIND) == layout.TOGETHER
        decoupled = self.settings.simultaneous == DECOUPLED or tree.chance_in(root)
        choices = choices_in(tree, root, role, decoupled=decoupled)
        planned = self._plans.get(self._state) if len(self.network.roles) == 1 else None
        sounded = self._deepening
        advised = self._advised(tree, role, choices)
        best = planned[0] / layout.FULL_GOAL if planned is not None else None
        values = tree.values(root)
        if sounded is not None and tree.node(root, layout.DONE) == 0 and tree.proven(root) is None:
            values = [sounded.expected if other == role else 1 - sounded.expected for other in range(len(values))]
        decision = Decision(
            choices=choices,
            values={name: value for name, value in zip(self.game.roles, values, strict=True) if name != RANDOM},
            playouts=tree.get("PLAYOUTS"),
            nodes=tree.get("NODE_COUNT"),
            depth=tree.get("DEPTH"),
            seconds=seconds,
            solved=tree.proven(root) is not None or (planned is not None and planned[0] >= self._most(0)),
            by_value=together and not decoupled,
            planned=self._text(role, planned[1]) if planned is not None else advised,
            best=best,
            sounded=sounded.depth if sounded is not None else 0,
            heuristic=tree.follows_heuristics,
        )
        made = decision.chosen(self.settings.final).move if choices else None
        foreseen = sounded.line if sounded is not None else ()
        # Of moves that are equally good, or bad, minimax may foresee what follows another one.
        return replace(decision, line=foreseen if foreseen[:1] == (made,) else line_from(tree, root, made))

    # Reading the tree.

    def _advised(self, tree: FlatTree, role: int, choices: Sequence[Choice]) -> str | None:
        """The move that minimax chooses, if that counts more than what the tree says."""
        found, visits = self._deepening, tree.node(self.root, layout.DONE)
        if found is None or not found.decides(visits, self.settings.solver, self._alone):
            return None
        best = self._text(role, found.best)
        # The tree may have proven more since.
        won = any(choice.proven and choice.value >= 1 for choice in choices)
        lost = any(choice.proven and choice.value <= 0 and choice.move == best for choice in choices)
        return None if (won or lost) and not found.solved else best

    def _text(self, role: int, move: int) -> str:
        return move_text(self.network.moves[role][move])

    def _most(self, role: int) -> int:
        return max((value for value, _ in self.network.goals[role]), default=0)

    # Settings and room.

    def _settle(self, settings: Settings) -> None:
        same_code = (settings.threads > 1) == (self.settings.threads > 1)
        if settings == self.settings:
            return
        fixed = ("rave", "megabytes", "batch", "leaf", "threads")
        if any(getattr(settings, name) != getattr(self.settings, name) for name in fixed):
            self.workers = []
            if (settings.rave, settings.megabytes) != (self.settings.rave, self.settings.megabytes):
                self.tree = None
        evaluator, self.settings = self.settings.evaluation, settings
        if settings.evaluation != evaluator:
            self._leaves = self.tree = None
            self.workers = []
        if not same_code:
            self._code = load_code(settings.threads > 1, self.game.kept)
        if self.tree is not None:
            self.tree.settle(self._tuned())

    def _tuned(self) -> Settings:
        """The settings of the tree, which depend on who evaluates leaves, and on what random games are like."""
        settings = self.settings
        if not settings.evaluation.fused:
            return replace(settings, heuristic=0.0)
        ahead = self.kernel.program.foresight
        return replace(settings, exploration=foreseen(settings.exploration)) if ahead else settings

    def _worker(self, tree: FlatTree, number: int) -> Worker:
        kernel = self.kernel.twin()
        states: StateKernel = self._states if number == 0 else self.game.state_kernel()
        worker = Worker(number, tree, states, kernel, self._code, self.settings)
        worker.seed(self._rng.getrandbits(62))
        leaves = self._have_leaves()
        if leaves is not None:
            worker.judge_by(leaves, RowGame(self.game).roles)
        return worker

    def _used_up(self, tree: FlatTree) -> bool:
        limit = tree.get("LIMIT")
        return 0 < limit <= max(tree.get("PLAYOUTS"), tree.get("VISITS"))

    def _make_room(self, tree: FlatTree) -> None:
        began, nodes = time.monotonic(), self.nodes
        self.workers[0].make_room()
        self._pace = max(PACE, (time.monotonic() - began) / max(1, nodes))
        for worker in self.workers:
            worker.forget_free()
        self.root = tree.get("ROOT")
