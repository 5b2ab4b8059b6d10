"""Learns a game's features in the background, and finds out whether they help: for an engine that is to play it.

First it learns, for a part of the time there is; then it makes kernels that follow the features, less often or fewer of
them if they would slow the random games down too much; then it lets a search with them play against one without, which
has as many random games as it would have in the same time. Where that does not show that they help, features are not
followed.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from math import ceil
from typing import TYPE_CHECKING, NamedTuple

from ggtp.search.features.options import SLOWEST, FeatureSettings
from ggtp.search.mcts.options import Settings
from ggtp.search.watch import wait_for

if TYPE_CHECKING:
    from ggtp.gdl.kernel.playouts import PlayoutKernel
    from ggtp.gdl.play.compiled import CompiledGame
    from ggtp.search.features.features import FeatureSet
    from ggtp.search.features.guide import Use
    from ggtp.search.features.learn import Learner
    from ggtp.search.features.store import Trial

LEARNING, TRYING = 0.4, 0.4
"""How much of a start clock is for learning, and for the trial."""
MEASURING = 0.1
"""How much of the time for learning it may take, besides, to see what was learned is worth."""
MARGIN = 0.1
"""What is left of that for measurements as short as ours being wrong."""
LONGEST_PERIOD = 8
"""How seldom they are looked for at most: in one turn of so many."""
FEWER = 0.6
"""What is left of the features where they take too long."""
SAMPLE = 0.15
"""Seconds in which it is measured how fast random games are."""
TRIAL_GAMES = 20
"""What a trial is to have time for. Features that win 65 % of games show it in eight of ten trials of that many, and
those that lose three games of five are followed after one of fourteen. More games would tell more about shorter
searches, and those are another matter: in Knightthrough, features won 85 % of games with 58,000 random games a move,
and half of those with 240,000."""
TRIAL_PLAYOUTS = 1024
"""Random games for a move in a trial, at least."""
TRIAL_MEGABYTES = 32
UNDER_WAY = ("learning", "trial")
"""What a tutor is about while nobody knows what comes of it."""


class Fitting(NamedTuple):
    """Kernels that are fast enough."""

    kernels: dict[int, PlayoutKernel]
    """For a search for each role."""
    ratio: float
    """How many random games a search comes to with them, beside one without features."""
    features: FeatureSet
    """What they follow."""
    before: float = 0.0
    """Random games in a second of a search without features."""
    period: int = 1
    """They are looked for in one turn of so many."""


class Tutor:
    """Works in a thread of its own, beginning now."""

    def __init__(
        self,
        find: Callable[[Callable[[], bool]], CompiledGame | None],
        features: FeatureSettings,
        settings: Settings,
        rng: random.Random,
        seconds: float | None = None,
    ) -> None:
        """Begin.

        Args:
            find: waits for the compiled game, unless what it is handed says stop; None where there will be none.
            features: what to do about features.
            settings: how the engine searches.
            rng: the one source of chance.
            seconds: the start clock; None where there is none.
        """
        self._find, self.wanted, self._settings = find, features, settings
        self._rng = random.Random(rng.getrandbits(62))
        self._seconds = seconds
        self._kernels: dict[int, PlayoutKernel] = {}
        self._stopped = False
        self.state = "learning"
        """What becomes of it, in a word or two, for people."""
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._work, daemon=True, name="tutor")
        self._thread.start()

    def stop(self) -> None:
        """Nobody wants it any more."""
        self._stopped = True

    def wait(self, seconds: float | None, should_stop: Callable[[], bool] = lambda: False) -> bool:
        """Wait until all is done, or somebody says stop; whether it is done."""
        if not wait_for(self._over, seconds, should_stop):
            return False
        self._thread.join()  # it has nothing left to do but to end
        return True

    def kernel(self, role: int) -> PlayoutKernel | None:
        """Random games in which features are followed, for a search for a role; None where they are not."""
        return self._kernels.get(role)

    def _work(self) -> None:
        try:
            game = self._find(lambda: self._stopped)
            if game is not None and not self._stopped:
                self._teach(game)
        except MemoryError:
            pass  # nothing was promised; what else goes wrong is told where a thread's troubles are
        finally:
            if self.state in UNDER_WAY:
                self.state = "none"
            self._over.set()

    def _teach(self, game: CompiledGame) -> None:
        from ggtp.gdl.kernel.playouts import Cancelled
        from ggtp.gdl.program.foresight import foresight_for
        from ggtp.search.features.experiments import NotSuitable
        from ggtp.search.features.guide import Use
        from ggtp.search.features.learn import Learner
        from ggtp.search.features.store import Trial, load_features, load_trial, save_trial

        wanted = self.wanted
        limit = wanted.seconds if self._seconds is None else min(wanted.seconds, LEARNING * self._seconds)
        seconds = wanted.seconds if self._seconds is None else TRYING * self._seconds
        known = load_features(game)
        stopped = lambda: self._stopped  # noqa: E731
        try:
            learner = Learner(game.state_kernel(), self._rng.getrandbits(31), known)
            foreseeing = game.foreseeing(stopped) if self._settings.foresight else None
            plain = foreseeing or game.best(stopped)
        except (NotSuitable, Cancelled):
            return
        foresight = foresight_for(game.step) if foreseeing is not None else 0
        trial, way, playouts = Trial(), "", 0
        if wanted.trial:
            playouts = _playouts(speed(game, plain, self._settings), plain, seconds, self._settings.seconds)
            way = wanted.way(playouts, foresight=foresight > 0)
            trial = load_trial(game, way)
            if trial.lost(len(known or ())):
                self.state = "off"  # and no time is spent on learning
                return
        features = self._learned(game, learner, limit)
        if not len(features):
            return
        if trial.certain and not trial.passed:
            trial = Trial()
        try:
            period = wanted.period or 1
            use = Use(wanted.tau, wanted.own, wanted.opponent, wanted.most, wanted.scale, period, foresight)
            longest = LONGEST_PERIOD if wanted.period is None else wanted.period
            made = fitting(game, features, plain, use, self._settings, stopped, longest, wanted.slowest)
        except Cancelled:
            return
        if wanted.trial and not trial.certain:
            self.state = "trial"
            end = time.monotonic() + seconds
            over = lambda: self._stopped or time.monotonic() >= end  # noqa: E731
            trial = try_out(game, made, plain, self._settings, self._rng, trial, over, playouts)
            if trial.games and not self._stopped:
                save_trial(game, replace(trial, features=len(learner.features)), way)
        follow = trial.passed or not wanted.trial
        self._kernels = made.kernels if follow else {}
        self.state = str(len(made.features)) if follow else "off"

    def _learned(self, game: CompiledGame, learner: Learner, seconds: float) -> FeatureSet:
        """Those that are worth following, of all that are known after so many seconds."""
        from ggtp.search.features.store import save_features
        from ggtp.search.features.worth import worthwhile

        before = len(learner.features)
        learner.learn(lambda: self._stopped, seconds)
        if len(learner.features) > before and not self._stopped:
            save_features(game, learner.features)
        if not self.wanted.worth:
            met = learner.met(learner.features) or None
            return learner.features.pruned(self.wanted.most, met, game.step.operations)
        end = time.monotonic() + MEASURING * seconds
        return worthwhile(game, learner, self.wanted.most, lambda: self._stopped or time.monotonic() >= end)


def fitting(
    game: CompiledGame,
    features: FeatureSet,
    plain: PlayoutKernel,
    use: Use,
    settings: Settings,
    should_stop: Callable[[], bool],
    longest: int = 1,
    slowest: float = SLOWEST,
) -> Fitting:
    """Kernels that follow features as often, and as many of them, as they can without making random games too slow,
    in a search or alone.

    Args:
        longest: the period up to which features are looked for less often, before there are fewer of them.
        slowest: how many times fewer random games there may be.

    Raises:
        Cancelled: `should_stop` said so.
    """
    from ggtp.search.features.guide import guided_kernels

    most = min(use.most, len(features))
    while True:
        few = features.first(most)
        kernels = guided_kernels(game, few, use, should_stop)
        # One after the other: the machine may be faster now than a moment ago.
        before, alone = speed(game, plain, settings), pace(plain)
        ratio = sum(speed(game, kernel, settings) for kernel in kernels.values()) / 2 / before
        least = min(ratio, sum(pace(kernel) for kernel in kernels.values()) / 2 / alone)
        if least * (slowest - MARGIN) >= 1.0 or (len(few) < 2 and use.period >= longest):
            return Fitting(kernels, ratio, few, before, use.period)
        if use.period < longest:
            # What moves without features save is spread over those with them.
            enough = ceil(use.period * (1 / least - 1) / (slowest - MARGIN - 1))
            use = replace(use, period=min(longest, max(use.period + 1, enough)))
        else:
            most = int(FEWER * len(few))


def try_out(
    game: CompiledGame, made: Fitting, plain: PlayoutKernel, settings: Settings, rng: random.Random,
    trial: Trial, over: Callable[[], bool], playouts: int,
) -> Trial:  # fmt: skip
    """Games of a search with features against one without, until it is certain or over; those before count, too.

    They are played in pairs, once in each role, and a pair that is not finished does not count: the first role would
    have more games than the other. The one without has so many random games for a move, the other as many as it comes
    to in the same time.
    """
    from ggtp.search.features.match import Fighter, fight

    plainly = replace(settings, threads=1, megabytes=TRIAL_MEGABYTES, seconds=None, playouts=playouts)
    equal = replace(plainly, playouts=max(1, int(playouts * made.ratio)))
    taught = Fighter(game, equal, rng, made.kernels.__getitem__)
    other = Fighter(game, plainly, rng, lambda role: plain)
    while not over() and not trial.certain:
        pair = []
        for role in (0, 1):
            played = fight(game, (taught, other) if role == 0 else (other, taught), should_stop=over)
            if played is None:
                return trial
            mine, theirs = played.goals[role], played.goals[1 - role]
            pair.append((mine > theirs) + (mine == theirs) / 2)
        for points in pair:
            trial = trial.added(points)
    return trial


def trial_playouts(made: Fitting, plain: PlayoutKernel, seconds: float, move: float | None) -> int:
    """Random games for a move in a trial: as many as in the play to come, unless a trial would have too few games.

    What helps a search of a thousand random games may harm one of a million.

    Args:
        seconds: how long the trial may take.
        move: how long a move in the play may take; None where nobody knows.
    """
    return _playouts(made.before, plain, seconds, move)


def _playouts(before: float, plain: PlayoutKernel, seconds: float, move: float | None) -> int:
    """The same, with so many random games in a second of a search without features."""
    stats = plain.twin().playouts(plain.lanes)
    each = seconds * max(1, stats.games) / (TRIAL_GAMES * max(1, stats.steps))
    return max(TRIAL_PLAYOUTS, int(before * (each if move is None else min(each, move))))


def pace(kernel: PlayoutKernel, seconds: float = SAMPLE) -> float:
    """Random games in a second of this thread's processor time, from the start and without a search."""
    own = kernel.twin()
    own.playouts(own.lanes)
    began = time.thread_time()
    games = own.playouts(should_stop=lambda: time.thread_time() - began >= seconds).games
    return games / max(1e-9, time.thread_time() - began)


def speed(game: CompiledGame, kernel: PlayoutKernel, settings: Settings, seconds: float = SAMPLE) -> float:
    """Random games in a second of processor time, in a search from the start: as the paper counts them."""
    from ggtp.gdl.kernel.single import pack
    from ggtp.search.mcts.compiled.search import CompiledSearch

    alone = replace(settings, threads=1, megabytes=TRIAL_MEGABYTES, seconds=None, playouts=None)
    search = CompiledSearch(game, alone, random.Random(1), kernel)
    state, games, watch = pack(game.network, game.network.initial), 0, _Watch()
    search.between = watch.look
    while watch.taken < seconds:  # where all is found out before, it begins anew
        search.forget()
        search.begin(state)
        search.run(lambda: watch.taken >= seconds)
        games += max(1, search.playouts)
    return games / watch.taken


class _Watch:
    """The processor time of threads that search, one at a time, and of no others: the engine may be busy meanwhile."""

    def __init__(self) -> None:
        self.taken = 0.0
        self._thread, self._last = threading.get_ident(), time.thread_time()

    def look(self) -> None:
        """Called by whichever of them searches; the clock of each begins at 0."""
        thread, now = threading.get_ident(), time.thread_time()
        same = thread == self._thread and now >= self._last
        self.taken += now - self._last if same else now
        self._thread, self._last = thread, now
