"""Follows what a player was told of a game of OpenSpiel, by the library's own states and numbers.

Where the player knows what happened, that happens; where not, something is drawn that would have looked the same to it:
what it was told next is looked at before.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from ggtp.game import CHANCE, HIDDEN, Observation, Player, Refused
from ggtp.openspiel.child import viewer
from ggtp.openspiel.fleet import Fleet
from ggtp.openspiel.naming import clean, fresh, mark, unique
from ggtp.openspiel.spec import TELL, GameSpec, Parameter
from ggtp.openspiel.story import Story, Told, after_of, pairs_of

UNSEEN = 100
"""How many turns in a row may pass of which the player observes nothing, such as refused tries of others."""
DRAWS = 6
"""How many outcomes of chance are drawn before all are looked at."""
RISKED = 0.1
"""How often what is needed later is dealt to others all the same, where something points to it."""
AHEAD, SOON = 60, 20
"""How many observations ahead are looked at for what somebody plays, and for what is told."""

named = lru_cache(100_000)(clean)


class Follower:
    """Plays on, for one player of a game in which all move one after the other."""

    def __init__(
        self,
        first: Any,
        spec: GameSpec,
        players: Sequence[Player],
        player: Player,
        parameters: Mapping[str, Parameter],
    ) -> None:
        self._first = first
        self._spec = spec
        self._players = tuple(players)
        self._me = self._players.index(player)
        self._viewers = [viewer(first, number) for number in range(len(self._players))]
        self._view = self._viewers[self._me]
        self._observed: Sequence[Observation] = ()
        self._seen: list[Told] = []
        self._needed: dict[int, int] = {}
        """By the number of an observation: the one outcome of chance that looks like that, such as one's own card."""
        self._opened: set[int] = set()
        """The numbers of observations of chance that several outcomes look like."""
        self._deck: dict[int, int] = {}
        """By the number of an observation of chance: how many outcomes there were."""
        self._later: dict[int, frozenset[int]] = {}
        self._plural = False
        """Whether the same can be drawn twice, as with dice or with several cards of a kind."""
        self._fixed: dict[int, float] = {}
        """By the number of an observation: how often something was contradicted when the turn was another."""
        self._plays: dict[tuple[int, int], tuple[frozenset[str], frozenset[str]]] = {}
        self._floor = 0
        """How many observations must be explained for a story to be of interest."""
        self._getters: dict[int, frozenset[int]] = {}
        """By the number of an observation of chance: who else sees which outcome it was."""
        self._fleet = Fleet(parameters) if spec.game == "battleship" else None
        self._placed: list[str] = []
        self.rng = random.Random()

    def hear(self, observations: Sequence[Observation]) -> None:
        """All that was observed, from the start."""
        self._plays.clear()
        self._observed = observations
        self._seen = [self._told(item) for item in observations]
        self._place()

    def begin(self) -> Story:
        """A story as far as it goes at the first attempt."""
        return self.play_on(Story([], self._first.clone(), 0), {})

    def extend(self, story: Story) -> Story:
        """The story, as far as it also explains what was heard since."""
        if story.telling and story.done < len(self._seen):
            last = story.turns[-1]
            prefer = {len(story.turns) - 1: last.action}
            return self.play_on(Story(story.turns[:-1], last.state, last.done), prefer)
        return self.play_on(Story(list(story.turns), story.state, story.done, story.telling), {})

    def _place(self) -> None:
        """Where ships are hidden, all of them are placed at once: one shot tells too little to find them one by one."""
        if self._fleet is not None:
            self._placed = self._fleet.place(self._observed, self.rng)

    def play_on(self, story: Story, prefer: Mapping[int, int]) -> Story:
        """Plays on as far as what was observed can be explained, by the preferred actions where they are possible."""
        seen, unseen = self._seen, 0
        while story.done < len(seen) and unseen <= UNSEEN and not story.state.is_terminal():
            before = story.done
            wanted = prefer.get(len(story.turns))
            step = self._chance if story.state.is_chance_node() else self._move
            story.gap, story.missing = 1.0, frozenset()
            if not step(story, wanted):
                break
            unseen = 0 if story.done > before else unseen + 1
        return story

    def go_on(self, story: Story, most: int) -> list[int] | None:
        """The actions of a story that goes on although it is contradicted, up to the player's turn.

        What cannot have been is passed over: somebody did something at random there. None where the game ends before.
        """
        story, made = Story(list(story.turns), story.state, story.done, story.telling), 0
        while made <= most:
            self.play_on(story, {})
            state = story.state
            if state.is_terminal():
                return None
            if story.done >= len(self._seen):
                if state.current_player() == self._me:
                    return story.actions()
                made += 1
            action = self.rng.choice(state.legal_actions())
            # The move, and what was told of it.
            told = 1 + (story.done + 1 < len(self._seen) and self._seen[story.done + 1].actor == -2)
            story.add(action, after_of(state, action), told=told, free=True, chance=state.is_chance_node())
        return None

    def _chance(self, story: Story, wanted: int | None) -> bool:
        """An outcome of chance that looks like what was seen."""
        done, state = story.done, story.state
        told = self._seen[done]
        if told.actor != -1:
            return False
        before = self._view(state)
        actions = state.legal_actions()
        if self._deck.setdefault(done, len(actions)) != len(actions):
            self._deck[done] = len(actions)
            self._later.clear()
        known = self._needed.get(done)
        if known is not None:
            after = after_of(state, known) if known in actions else None
            if after is None or mark(before, self._view(after)) != told.mark:
                return False
            return story.add(known, after, told=1, free=False, chance=True)
        later = self._spared(done)
        if wanted is not None and wanted in actions and (wanted not in later or self.rng.random() < RISKED):
            after = after_of(state, wanted)
            if mark(before, self._view(after)) == told.mark:
                free = self._open(done, state, before, wanted, actions)
                return story.add(wanted, after, told=1, free=free, chance=True)
        outcomes = [(action, weight) for action, weight in state.chance_outcomes() if weight > 0]
        # What is needed later is not drawn before, unless there is nothing else: cards are there once.
        pool = [pair for pair in outcomes if pair[0] not in later] or outcomes
        tries = self.rng.choices([a for a, _ in pool], [w for _, w in pool], k=min(DRAWS, len(pool)))
        for action in dict.fromkeys(tries):
            after = after_of(state, action)
            if mark(before, self._view(after)) == told.mark:
                free = self._open(done, state, before, action, actions)
                return story.add(action, after, told=1, free=free, chance=True)
        fitting = [
            (action, after)
            for action, _ in outcomes
            if mark(before, self._view(after := after_of(state, action))) == told.mark
        ]
        if not fitting:
            for action in self.rng.sample(actions, min(DRAWS, len(actions))) if done >= self._floor else ():
                self._measure(story, told, before, self._view(after_of(state, action)))
            return False
        action, after = self.rng.choice([pair for pair in fitting if pair[0] not in later] or fitting)
        free = self._open(done, state, before, action, actions)
        return story.add(action, after, told=1, free=free, chance=True)

    def _open(self, done: int, state: Any, before: str, chosen: int, actions: Sequence[int]) -> bool:
        """Whether another outcome would have looked the same; if not, it is remembered which one it was."""
        if done in self._opened:
            return True
        wanted = self._seen[done].mark
        found = len(actions) == 1 or any(
            mark(before, self._view(after_of(state, action))) == wanted for action in actions if action != chosen
        )
        if found:
            self._opened.add(done)
        else:
            self._needed[done] = chosen
            self._later.clear()
            after = after_of(state, chosen)
            self._plural = self._plural or (after.is_chance_node() and chosen in after.legal_actions())
        return found

    def _spared(self, done: int) -> frozenset[int]:
        """What will be needed later, as long as no cards come back to the deck."""
        if self._plural:
            return frozenset()
        known = self._later.get(done)
        if known is None:
            found, deck = set(), self._deck.get(done, 0)
            for later in range(done + 1, len(self._seen)):
                count = self._deck.get(later)
                if count is None:
                    continue
                if count > deck:
                    break
                deck = count
                if later in self._needed:
                    found.add(self._needed[later])
            known = self._later[done] = frozenset(found)
        return known

    def _move(self, story: Story, wanted: int | None) -> bool:
        """A move that looks like what was seen, as does what is told of it."""
        told, state = self._seen[story.done], story.state
        mover = state.current_player()
        actions = state.legal_actions()
        if told.actor == mover == self._me:
            return self._try(story, self._meant(state, mover, actions, told.text), told, known=True)
        if told.actor != mover:
            return False
        if told.text != HIDDEN:
            return self._try(story, self._meant(state, mover, actions, told.text), told, known=True)
        order = self.rng.sample(actions, len(actions))
        upcoming, shown = self._upcoming(story.done, mover)
        if upcoming or shown:
            # What somebody plays later it has not given away before; what is shown to the player soon it may have.
            words = {action: set(self._named(state, mover, action).split()) for action in order}
            order.sort(key=lambda action: (bool(upcoming & words[action]), not shown & words[action]))
        if self._placed and (ship := story.done // 4) < len(self._placed):
            order.sort(key=lambda action: self._named(state, mover, action) != self._placed[ship])
        elif wanted is not None and wanted in actions:
            order.insert(0, wanted)
        return any(self._try(story, action, told, known=False) for action in order)

    def _upcoming(self, done: int, mover: int) -> tuple[frozenset[str], frozenset[str]]:
        """The cards that a player is seen to play soon, and words that are told even sooner."""
        known = self._plays.get((done, mover))
        if known is None:
            soon = self._seen[done + 1 : done + AHEAD]
            played = (told.text.rpartition(" ")[2] for told in soon if told.actor == mover and told.text != HIDDEN)
            shown = (word for told in soon[:SOON] if told.actor == -2 for word, other in told.pairs if not other)
            known = self._plays[done, mover] = frozenset(played), frozenset(shown)
        return known

    def _meant(self, state: Any, mover: int, actions: Sequence[int], text: str) -> int | None:
        """The action of that name."""
        names = [self._named(state, mover, action) for action in actions]
        if text in names and names.count(text) == 1:
            return actions[names.index(text)]
        listed = dict(zip(unique(names), actions, strict=True))
        return listed.get(text)

    def _try(self, story: Story, action: int | None, told: Told, *, known: bool) -> bool:
        """Makes a move if it is told like that."""
        if action is None:
            return False
        state, spec = story.state, self._spec
        mover = state.current_player()
        after = after_of(state, action)
        over = after.is_terminal()
        if spec.refusal and not over and after.current_player() == mover:
            if mover != self._me:
                return story.add(action, after, told=0, free=True, chance=False)
            return told.refused and story.add(action, after, told=1, free=False, chance=False)
        if told.refused or told.actor != mover:
            return False
        if spec.open_moves and not spec.tells_when:
            return story.add(action, after, told=1, free=False, chance=False)
        views = self._view(state), self._view(after)
        if mover != self._me and (told.text == HIDDEN) == spec.shows(views[1]):
            return False
        if spec.tells_of(*(self._views(state), self._views(after)) if spec.looks else ((), ())):
            if story.done + 1 == len(self._seen):
                return story.add(action, after, told=1, free=not known, chance=False, telling=True)
            news = self._seen[story.done + 1]
            if news.actor != -2 or news.mark != mark(*views) or news.following != self._following(after):
                if story.done >= self._floor:
                    self._measure(story, news, *views)
                return False
            return story.add(action, after, told=2, free=not known, chance=False)
        return story.add(action, after, told=1, free=not known, chance=False)

    def _views(self, state: Any) -> list[str]:
        return [view(state) for view in self._viewers]

    def _measure(self, story: Story, told: Told, before: str, after: str) -> None:
        """How far what would be told is from what was."""
        pairs = pairs_of(fresh(before, after))
        gap = len(pairs ^ told.pairs) / (len(pairs) + len(told.pairs) or 1)
        if gap < story.gap:
            story.gap = gap
            story.missing = frozenset(word for word, following in told.pairs - pairs if not following)

    def _following(self, state: Any) -> str:
        if state.is_terminal():
            return "nobody"
        return CHANCE if state.is_chance_node() else self._players[state.current_player()]

    def _told(self, item: Observation) -> Told:
        if isinstance(item, Refused):
            return Told(self._me, item.move, "", refused=True)
        if item.actor != CHANCE:
            return Told(self._players.index(item.actor), item.text, "")
        text, following = item.text, ""
        if text.startswith(f"{TELL} "):
            text, _, following = text.rpartition(" then ")
        if "~" not in text:
            return Told(-2 if following else -1, item.text, "", following)
        said, _, marked = text.removeprefix(f"{TELL} ").rpartition("~")
        return Told(-2 if following else -1, item.text, marked, following, pairs=pairs_of(said))

    def _named(self, state: Any, player: int, action: int) -> str:
        return named(state.action_to_string(player, action), self._spec.rewrites)
