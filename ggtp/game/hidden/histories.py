"""Histories that explain what one player has observed, found by mending one that does not.

A game is played again from the start. Where the player knows what happened, that happens; where not, something is
drawn that would have looked the same. When that runs into a contradiction, a choice is changed that may be to blame:
two hidden outcomes of chance are exchanged, as cards between hands, or a hidden choice shortly before is made anew.
All others stay as they are as far as they can. What explains more than before is kept, until everything is explained.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from ggtp.errors import IllegalMove
from ggtp.game.hidden.observing import actors_of, agrees, ahead_of, candidates, fits, observed
from ggtp.game.model import CHANCE, HIDDEN, Move, Observation, Player, Position, Seen, Turn, TurnKind

UNSEEN = 100
"""How many turns in a row may pass of which the player observes nothing, such as refused tries of others."""
LOCAL = 0.3
"""How often what happened shortly before a contradiction is changed, rather than anything."""
NEAR = 0.4
"""How likely the last hidden choice is to blame then, the one before it, and so on."""
POINTED = 0.8
"""How often it becomes what the words of the contradiction point to."""
EXCHANGED = 0.8
"""How often two outcomes of chance are exchanged, rather than one drawn anew."""
REDRAWN = 0.5
"""How many outcomes are drawn anew where one is missing."""
FEW = 6
"""How many outcomes are drawn before all are looked at."""
AHEAD = 80
"""How many observations ahead are looked at for outcomes that will be needed."""


class Step(NamedTuple):
    """A turn of a history."""

    position: Position
    """Before it."""
    moves: Mapping[Player, Move]
    done: int
    """How many observations were explained before it."""
    free: bool
    """Whether something else might have looked the same."""


class History(NamedTuple):
    """One way in which it may have been, as far as it explains what was observed."""

    steps: tuple[Step, ...]
    position: Position
    done: int

    def explains(self, observations: Sequence[Observation]) -> bool:
        """Whether it explains all of them, and the game still goes on."""
        return self.done == len(observations) and self.position.turn().kind is not TurnKind.OVER

    def moves(self) -> list[Mapping[Player, Move]]:
        """The moves of each turn."""
        return [step.moves for step in self.steps]


class Historian:
    """Finds histories for one player."""

    def __init__(self, player: Player, rng: random.Random) -> None:
        self._player = player
        self._rng = rng
        self._needed: dict[int, Move] = {}
        """By the number of an observation: the one outcome of chance that looks like that, such as one's own card."""
        self._sparing = False
        """Whether what will be needed later is not to be drawn before: where it was, nothing was left."""

    def begin(self, first: Position, observations: Sequence[Observation], known: History | None = None) -> History:
        """A history from the first position on, as far as it goes; like one that explained less, where one is known."""
        steps = known.steps if known is not None else ()
        return self._replay(History((), first, 0), observations, dict(enumerate(steps)))

    def mend(
        self, history: History, observations: Sequence[Observation], tries: int, should_stop: Callable[[], bool]
    ) -> History:
        """A history that explains more than this one, and all observations if there are tries and time enough."""
        for _ in range(tries):
            if history.explains(observations) or should_stop():
                break
            trial = self._changed(history, observations)
            if trial is None:
                break
            if trial.done >= history.done:
                history = trial
        return history

    def shuffle(
        self, history: History, observations: Sequence[Observation], times: int, should_stop: Callable[[], bool]
    ) -> History:
        """Another history that explains as much: a walk of so many attempts at changing something."""
        for _ in range(times):
            if should_stop():
                break
            trial = self._changed(history, observations)
            if trial is not None and trial.explains(observations):
                history = trial
        return history

    def go_on(self, history: History, observations: Sequence[Observation], most: int) -> Position | None:
        """A position on the player's turn after what a history explains, and after something else for the rest.

        What cannot have been is passed over: somebody did something at random there. None where the game is over
        before the player's turn comes.
        """
        position, done = history.position, history.done
        for _ in range(len(observations) - done + most):
            turn = position.turn()
            if turn.kind is TurnKind.OVER:
                return None
            if done >= len(observations) and self._player in turn.players:
                return position
            following = observations[done] if done < len(observations) else None
            drawn = self._draw(position, observations, done, None) if following is not None else None
            moves = drawn[0] if drawn is not None else self.anything(position, turn, following)
            try:
                position = position.play(moves).position
            except IllegalMove:
                position = position.play(self.anything(position, turn, following)).position
            done += len(moves)
        return None

    # How it is done.

    def anything(self, position: Position, turn: Turn, following: Observation | None) -> dict[Player, Move]:
        """Moves at random, or those of which other words were said than were to be expected."""
        if turn.kind is TurnKind.CHANCE:
            return {CHANCE: position.draw(self._rng)}
        actors = (self._rng.choice(turn.players),) if turn.kind is TurnKind.RACE else turn.players
        moves = {}
        for actor in actors:
            listed = position.moves(actor)
            said = following.text if isinstance(following, Seen) and following.actor == actor else ""
            moves[actor] = self._rng.choice([move for move in listed if f"{said} ".startswith(f"{move} ")] or listed)
        return moves

    def _changed(self, history: History, observations: Sequence[Observation]) -> History | None:
        """The history with a choice changed, or two exchanged; None where nothing could have been otherwise."""
        rng, steps = self._rng, history.steps
        free = [index for index, step in enumerate(steps) if step.free]
        if not free:
            return None
        prefer = dict(enumerate(steps))
        following = observations[history.done] if history.done < len(observations) else None
        if following is not None and _drawn_already(history, following):
            self._sparing = True
            changed = [i for i in free if CHANCE in steps[i].moves and rng.random() < REDRAWN] or [rng.choice(free)]
            for index in changed:
                del prefer[index]
        else:
            changed = self._exchange(steps, free, following, prefer)
        step = steps[min(changed)]
        return self._replay(History(steps[: min(changed)], step.position, step.done), observations, prefer)

    def _exchange(
        self, steps: Sequence[Step], free: Sequence[int], following: Observation | None, prefer: dict[int, Step]
    ) -> list[int]:
        """Prefer something else at a step, and what was there at the step where that was; which steps it concerns."""
        rng = self._rng
        one = rng.choice(free)
        if following is not None and rng.random() < LOCAL:
            back = 0
            while back < len(free) - 1 and rng.random() > NEAR:
                back += 1
            one = free[-1 - back]
        step = steps[one]
        actor = rng.choice(list(step.moves))
        old, new = step.moves[actor], None
        if following is not None and rng.random() < POINTED:
            words = _words(following)
            listed = step.position.moves(actor)
            named = [move for move in listed if move != old and words & set(move.split())]
            if named and 2 * len(named) <= len(listed):
                new = rng.choice(named)
        elif actor == CHANCE and rng.random() < EXCHANGED:
            new = steps[rng.choice(free)].moves.get(CHANCE)
        if new is None:
            del prefer[one]
            return [one]
        prefer[one] = step._replace(moves={**step.moves, actor: new})
        for other in free:
            if other != one and steps[other].moves.get(actor) == new:
                prefer[other] = steps[other]._replace(moves={**steps[other].moves, actor: old})
                return [one, other]
        return [one]

    def _replay(self, begun: History, observations: Sequence[Observation], prefer: Mapping[int, Step]) -> History:
        """Plays on as far as what was observed can be explained, by the preferred moves where they are possible."""
        steps, position, done = list(begun.steps), begun.position, begun.done
        unseen = 0
        while done < len(observations) and unseen <= UNSEEN:
            drawn = self._draw(position, observations, done, prefer.get(len(steps)))
            if drawn is None:
                break
            moves, free = drawn
            try:
                verdict = position.play(moves)
            except IllegalMove:
                break
            told = observed(position, verdict, self._player)
            if not agrees(told, observations[done : done + len(told)]):
                # Kept all the same: what is to blame may be this very choice.
                if free:
                    steps.append(Step(position, moves, done, free))
                break
            steps.append(Step(position, moves, done, free))
            unseen = 0 if told else unseen + 1
            done += len(told)
            position = verdict.position
        return History(tuple(steps), position, done)

    def _draw(
        self, position: Position, observations: Sequence[Observation], done: int, prefer: Step | None
    ) -> tuple[dict[Player, Move], bool] | None:
        """Moves for this turn that agree with the next observations, and whether there are others."""
        turn = position.turn()
        if turn.kind is TurnKind.OVER:
            return None
        ahead = ahead_of(turn, observations, done)
        moves: dict[Player, Move] = {}
        free = False
        for actor in actors_of(turn, self._player, ahead[0]):
            chosen, open_ = self._choose(position, actor, ahead, done, prefer)
            if chosen is None:
                return None
            moves[actor] = chosen
            free = free or open_
        return moves, free

    def _choose(
        self, position: Position, actor: Player, ahead: Sequence[Observation], done: int, prefer: Step | None
    ) -> tuple[Move | None, bool]:
        """A move that agrees with the next observations, None where there is none; and whether there may be others."""
        rng, player = self._rng, self._player
        wanted = prefer.moves.get(actor) if prefer is not None else None
        spared = self._spared(done) if actor == CHANCE and self._sparing else ()
        usable = wanted is not None and actor != player and wanted not in spared
        if prefer is not None and wanted and usable and fits(position, actor, wanted, player, ahead):
            return wanted, prefer.free
        outcomes = position.chance() if actor == CHANCE else ()
        if len(outcomes) > FEW:
            # To ask what every outcome would have looked like takes long.
            needed = self._needed.get(done)
            if needed is not None and fits(position, actor, needed, player, ahead):
                return needed, False
            for move, _ in rng.choices(outcomes, [weight for _, weight in outcomes], k=FEW) if _hidden(ahead) else ():
                if move not in spared and fits(position, actor, move, player, ahead):
                    return move, True
        listed = candidates(position, actor, player, ahead, rng)
        if not listed:
            return None, False
        hidden = _hidden(ahead) and actor != player
        if actor == CHANCE and len(listed) == 1 and not hidden:
            self._needed[done] = listed[0][0]
        # The last card of a deck could not have been another here, but could have been dealt before.
        free = len(listed) > 1 or hidden or (actor == CHANCE and not outcomes)
        listed = [one for one in listed if one[0] not in spared] or listed
        return rng.choices([move for move, _ in listed], [weight for _, weight in listed])[0], free

    def _spared(self, done: int) -> set[Move]:
        return {self._needed[later] for later in range(done + 1, done + AHEAD) if later in self._needed}


def _drawn_already(history: History, following: Observation) -> bool:
    """Whether it is an outcome of chance that is missing, and so was drawn where the player could not see it."""
    position = history.position
    return isinstance(following, Seen) and following.actor == CHANCE and len(position.chance()) > 1


def _hidden(ahead: Sequence[Observation]) -> bool:
    """Whether nothing was seen of what comes next."""
    return isinstance(ahead[0], Seen) and ahead[0].text == HIDDEN


def _words(item: Observation) -> set[str]:
    return set((item.text if isinstance(item, Seen) else item.move).split())
