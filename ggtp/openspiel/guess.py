"""Finds histories that explain what a player of a game of OpenSpiel has seen, by mending those that do not.

When playing on leads nowhere, what may be to blame is changed and the game is played again from there: cards change
hands so that somebody can have played what was seen, or cannot have followed suit; what was shown is drawn by somebody;
otherwise hidden choices are made anew, late ones first. What explains more than before is kept, or what would have
been told more like what was.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ggtp.game import HIDDEN
from ggtp.openspiel.follow import Follower
from ggtp.openspiel.story import Story, Turn, after_of, alike, card_of

RELEASED = 0.5
"""How many hidden outcomes are drawn anew where one is missing."""
SWAPPED = 0.7
"""How often two outcomes of chance are exchanged, where nothing points at any."""
MORE = 0.3
"""How often another one is drawn anew besides, and so on."""
LENIENT, SLACK = 0.1, 0.03
"""How often what would have been told may be farther from what was than before, and by how much."""
UNPLAYED = 0.9
"""How often a card that somebody was seen to play stays where it is."""
NEAR = 0.35
"""How likely the last hidden choice is to blame, the one before it, and so on; less so after every failure."""
PATIENCE = 12
"""After how many failures it is looked for twice as far back."""


class Teller(Follower):
    """Finds stories for one player."""

    def mend(self, story: Story, should_stop: Callable[[], bool]) -> Story:
        """A story that explains more than this one, and all that was heard if there is time enough."""
        failures = 0
        while not story.explains(len(self._seen)) and not should_stop():
            self._floor = story.done
            trial = self._changed(story, failures)
            if trial is None:
                break
            better = (trial.done, -trial.gap) > (story.done, -story.gap)
            failures = 0 if better else failures + 1
            slack = SLACK if self.rng.random() < LENIENT else 0.0
            if better or (trial.done == story.done and trial.gap <= story.gap + slack):
                story = trial
        return story

    def shuffle(self, story: Story, times: int, should_stop: Callable[[], bool]) -> Story:
        """Another story that explains as much: a walk of so many attempts at changing something."""
        # Fleets are drawn as a whole: the next one is as good as any.
        for attempt in range(times if self._fleet is None else 1):
            if should_stop():
                break
            trial = self._changed(story, attempt)
            if trial is not None and trial.explains(len(self._seen)):
                story = trial
        return story

    # Finding what is to blame.

    def _changed(self, story: Story, failures: int) -> Story | None:
        """The story with a choice changed, or two exchanged; None where nothing could have been otherwise."""
        turns = story.turns
        free = [index for index, turn in enumerate(turns) if turn.free]
        if not free:
            return None
        if self._fleet is not None:
            self._place()
            begun = turns[free[0]]
            return self.play_on(Story(turns[: free[0]], begun.state, begun.done), {})
        prefer = {index: turn.action for index, turn in enumerate(turns)}
        hands = [index for index in free if turns[index].chance]
        changed = None
        if hands and self.rng.random() > min(0.5, failures / (4 * PATIENCE)):
            ways = (self._released, self._blamed, self._pointed)
            changed = next((found for way in ways if (found := way(story, hands, prefer))), None)
        if changed is None:
            if len(hands) > 1 and (len(hands) == len(free) or self.rng.random() < SWAPPED):
                changed = self._swap(turns, self._likely(turns, hands), self._likely(turns, hands), prefer)
                while self.rng.random() < MORE:
                    one = self._likely(turns, hands)
                    prefer.pop(one, None)
                    changed.append(one)
            else:
                changed = self._redrawn(free, failures, prefer)
        first = min(changed)
        trial = self.play_on(Story(turns[:first], turns[first].state, turns[first].done), prefer)
        for index in changed:
            done = turns[index].done
            self._fixed[done] = 0.5 * self._fixed.get(done, 0.0) + (0.5 if trial.done < story.done else 0.0)
        return trial

    def _likely(self, turns: Sequence[Turn], indices: Sequence[int]) -> int:
        """One of some turns: those more often that could be changed before."""
        weights = [1.02 - self._fixed.get(turns[index].done, 0.0) for index in indices]
        return self.rng.choices(indices, weights)[0]

    def _released(self, story: Story, hands: Sequence[int], prefer: dict[int, int]) -> list[int] | None:
        """Where what chance drew was drawn before, unseen: draws something else there that is still in the deck."""
        turns, state = story.turns, story.state
        if story.explains(len(self._seen)) or not state.is_chance_node():
            return None
        spared = self._spared(story.done)
        deck = [action for action in state.legal_actions() if action not in spared]
        self.rng.shuffle(deck)
        needed = self._needed.get(story.done)
        changed = [index for index in hands if turns[index].action == needed]
        if not changed:
            unplayed = self._unplayed(story, hands)
            changed = [index for index in unplayed if self.rng.random() < RELEASED] or [self.rng.choice(hands)]
        if len(deck) < len(changed):
            changed = self.rng.sample(changed, len(deck))
        for index, action in zip(changed, deck, strict=False):
            prefer[index] = action
        return changed or None

    def _redrawn(self, free: Sequence[int], failures: int, prefer: dict[int, int]) -> list[int]:
        """Makes a hidden choice anew, and perhaps all after it."""
        back, near = 0, NEAR / (1 + failures / PATIENCE)
        while back < len(free) - 1 and self.rng.random() > near:
            back += 1
        one = free[-1 - back]
        if self.rng.random() < 0.5:
            del prefer[one]
        else:
            for index in [index for index in prefer if index >= one]:
                del prefer[index]
        return [one]

    def _swap(self, turns: Sequence[Turn], one: int, other: int, prefer: dict[int, int]) -> list[int]:
        """Prefers at each of two turns what was drawn at the other."""
        if one == other or turns[one].action == turns[other].action:
            del prefer[one]
            return [one]
        prefer[one], prefer[other] = turns[other].action, turns[one].action
        return [one, other]

    def _blamed(self, story: Story, hands: Sequence[int], prefer: dict[int, int]) -> list[int] | None:
        """Gives somebody the card that it was seen to play, or takes those that it would have had to play instead."""
        state, turns = story.state, story.turns
        if story.done >= len(self._seen) or not hands or state.is_terminal() or state.is_chance_node():
            return None
        told, mover = self._seen[story.done], state.current_player()
        if told.actor != mover or mover == self._me or told.text == HIDDEN:
            return None
        theirs = [index for index in hands if mover in self._seen_by(turns[index])]
        if not theirs:
            return None
        others = [index for index in hands if index not in theirs]
        held = [index for index in theirs if alike(told.text, self._outcome(turns[index]))]
        if not held or self.rng.random() < 0.3:
            source = [index for index in others if alike(told.text, self._outcome(turns[index]))]
            into = self.rng.choice(self._unplayed(story, theirs))
            if source:
                return self._swap(turns, into, self.rng.choice(source), prefer)
            state = turns[into].state
            outcomes = [(action, self._named(state, -1, action)) for action in state.legal_actions()]
            fitting = [action for action, name in outcomes if alike(told.text, name)]
            if not fitting:
                return None
            prefer[into] = self.rng.choice(fitting)
            return [into]
        names = [self._named(state, mover, action) for action in state.legal_actions()]
        offending = [index for index in theirs if any(alike(name, self._outcome(turns[index])) for name in names)]
        if not offending or not others:
            return None
        return self._swap(turns, self.rng.choice(offending), self.rng.choice(self._unplayed(story, others)), prefer)

    def _pointed(self, story: Story, hands: Sequence[int], prefer: dict[int, int]) -> list[int] | None:
        """Where a card was shown that is somewhere else: has it drawn by somebody."""
        if not story.missing:
            return None
        into = self._likely(story.turns, hands)
        state = story.turns[into].state
        shown = [action for action in state.legal_actions() if card_of(self._named(state, -1, action)) in story.missing]
        if not shown:
            return None
        prefer[into] = self.rng.choice(shown)
        for index in hands:
            if index != into and story.turns[index].action == prefer[into]:
                prefer[index] = story.turns[into].action
                return [into, index]
        return [into]

    def _unplayed(self, story: Story, indices: Sequence[int]) -> Sequence[int]:
        """Those of some turns, mostly, whose outcome nobody was seen to play."""
        if self.rng.random() > UNPLAYED:
            return indices
        played = {told.text.rpartition(" ")[2] for told in self._seen[: story.done] if told.actor >= 0}
        return [index for index in indices if card_of(self._outcome(story.turns[index])) not in played] or indices

    def _outcome(self, turn: Turn) -> str:
        return self._named(turn.state, -1, turn.action)

    def _seen_by(self, turn: Turn) -> frozenset[int]:
        """Who else sees which outcome of chance it was."""
        known = self._getters.get(turn.done)
        if known is None:
            outcomes = [action for action, weight in turn.state.chance_outcomes() if weight > 0]
            one = after_of(turn.state, outcomes[0])
            two = after_of(turn.state, outcomes[-1])
            known = self._getters[turn.done] = frozenset(
                number for number, view in enumerate(self._viewers) if view(one) != view(two)
            )
        return known
