"""The knowledge base of the hybrid player: all that it has learned of a game by watching it.

Nothing of the rules is asked: what it knows comes from rows of collisions (`sight`), from the
movements between states (`movement`), and from what every player may see.
"""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from ggtp.vgdl.kernel import layout as k
from ggtp.vgdl.kernel.model import Model, State
from ggtp.vgdl.kernel.sprites import is_step, step_of
from ggtp.vgdl.language.vocabulary import Action, Category
from ggtp.vgdl.player import foresight as f
from ggtp.vgdl.player import sight
from ggtp.vgdl.player.classifier import WIDE, Classifier
from ggtp.vgdl.player.movement import Movements
from ggtp.vgdl.player.options import Learning

NO_CONTROL = -20
"""The count of surprises at which the avatar is taken to be out of control."""
CERTAIN = 20
NEAR_DANGER = f.LOSE | f.HARM
ALL, OBVIOUS = -1, f.WIN | f.LOSE | f.GAIN | f.COST | f.BLOCKED
"""The effects by which collisions are told apart: all, or those that every player sees."""


def effects_of(row: list[int]) -> int:
    """Return the effects of a collision, of those that count; it is a block only if it has no other effect."""
    found = 0
    if row[sight.R_END] != sight.GOES_ON:
        found |= f.WIN if row[sight.R_END] == sight.HAS_WON else f.LOSE
    if row[sight.R_SCORE]:
        found |= f.GAIN if row[sight.R_SCORE] > 0 else f.COST
    if row[sight.R_INVENTORY] & sight.MORE:
        found |= f.INVENTORY
    if row[sight.R_INVENTORY] & sight.LESS:
        found |= f.HARM
    if row[sight.R_SHOT] == 0 and row[sight.R_KIND_AFTER] != row[sight.R_ACTIVE]:
        found |= f.BECOME
    if row[sight.R_TELEPORTED]:
        found |= f.PORTAL
    if _bit(row, sight.R_GONE, row[sight.R_PASSIVE]):
        found |= f.GONE
    if row[sight.R_PUSHED] and row[sight.R_SHOT] == 0:
        found |= f.PUSHED
    if found == 0 and row[sight.R_BLOCKED]:
        found = f.BLOCKED
    return found


def _bit(row: list[int], column: int, kind: int) -> bool:
    """Return whether a kind's bit is set in two words of a row; kinds beyond have none."""
    word, bit = divmod(kind, sight.KINDS_A_WORD)
    return word < 2 and bool(row[column + word] >> bit & 1)


class Knowledge:
    """What is known of one game and level."""

    def __init__(self, model: Model, learning: Learning | None = None) -> None:
        self.model = model
        self._learning = learning or Learning()
        types, things = len(model.game.types), len(model.tables.resources)
        self.kinds, self.items = types, things + 1
        self.width = sight.FEATURES + things + 1
        self.collisions = sight.Collisions(
            memo=np.zeros(sight.MEMO + self.items + types, np.int32),
            row=np.zeros(self.width, np.int32),
            rows=np.zeros(sight.MOST_ROWS * self.width, np.int32),
            index=np.zeros(sight.INDEX, np.int32),
        )
        self.forecast = f.Forecast(
            book=np.zeros(types * types * (f.BOOK_HEAD + f.BOOK_BOUNDS * self.items), np.int32),
            sheet=np.zeros(types * f.SHEET, np.int32),
            hints=np.zeros(f.HINTS, np.int32),
        )
        self.hints = self.forecast.hints
        self.hints[f.H_STEP] = model.level.block
        self.hints[f.H_PRUNE] = 1
        self.categories = [int(kind.category) for kind in model.game.types]
        """What every player sees of a kind."""
        self.movements = Movements(model.level.block, self._looks_like_a_portal, self._learning)
        self.pairs: dict[tuple[int, int], Classifier] = {}
        """For each kind of avatar and each kind of thing."""
        self.shots: dict[tuple[int, int], Classifier] = {}
        """The same for what the avatar has shot."""
        self.scores: defaultdict[int, int] = defaultdict(int)
        """The most points that a collision with a kind has brought."""
        self.teleports: defaultdict[int, set[int]] = defaultdict(set)
        """Kinds that are entries, and the kinds at their exits."""
        self.control = 0
        """How often the avatar has lately gone where it should, less how often not."""
        self._known = 0

    @property
    def rows_seen(self) -> int:
        """The number of different collisions that were met."""
        return int(self.collisions.rows[sight.ROWS_SEEN])

    def learn(self) -> bool:
        """Make rules of the collisions that are new since the last time; return whether there were any."""
        count = self.rows_seen
        if count == self._known:
            return False
        table = self.collisions.rows[: (count + 1) * self.width].reshape(count + 1, self.width)
        for row in table[self._known + 1 :].tolist():
            effects = effects_of(row) & (ALL if self._learning.effects else OBVIOUS)
            where = self.shots if row[sight.R_SHOT] else self.pairs
            pair = (row[sight.R_ACTIVE], row[sight.R_PASSIVE])
            if pair not in where:
                where[pair] = Classifier(self.items)
            sure = not row[sight.R_SEVERAL]
            where[pair].add(self._told_apart(row[sight.FEATURES :]), effects, row[sight.R_COUNT], sure)
            if sure:
                self.scores[pair[1]] = max(self.scores[pair[1]], row[sight.R_SCORE])
        self._known = count
        self._write()
        return True

    def expect(self, avatar: int, kind: int, inventory: tuple[int, ...]) -> int:
        """Return the expected effects if such an avatar meets a kind."""
        known = self.pairs.get((avatar, kind))
        return f.UNKNOWN if known is None else known.predict(inventory)

    def inventory(self, state: State) -> tuple[int, ...]:
        """What the avatar has, and its health."""
        at = int(state.numbers[k.AVATAR])
        row = state.numbers[at : at + self.model.tables.record].tolist()
        return self._told_apart([*row[k.RECORD :], row[k.HEALTH]])

    def _told_apart(self, amounts: list[int]) -> tuple[int, ...]:
        """What an avatar has, as far as it makes a difference."""
        return tuple(amounts) if self._learning.inventory else (0,) * len(amounts)

    def _looks_like_a_portal(self, kind: int) -> bool:
        return self.categories[kind] == Category.PORTAL

    def watch(self, before: State, after: State, action: Action | int) -> None:
        """A tick of the game, or of a look ahead, as a whole."""
        self.movements.observe(before, after, int(action) == Action.NIL)
        self._watch_avatar(before, after, int(action))

    def _watch_avatar(self, before: State, after: State, action: int) -> None:
        old, new, block = before.avatar(), after.avatar(), self.model.level.block
        if old is None or new is None or not new.alive:
            return
        dx, dy = new.x - old.x, new.y - old.y
        far = abs(dx) + abs(dy)
        if far > 2 * block:
            self._find_portal(before, old.x, old.y, new.x, new.y, action)
            return
        expected = (0, 0)
        if is_step(action):
            way = step_of(action)
            if old.orientation != new.orientation and far == 0:
                self.hints[f.H_TURNS] = 1
            turns = bool(self.hints[f.H_TURNS]) and old.orientation != way
            if not turns:
                expected = way
        if expected != (0, 0):
            if far and (dx, dy) == (expected[0] * far, expected[1] * far):
                self.hints[f.H_STEP] = far
                self.control = min(CERTAIN, self.control + 1)
            elif not far:
                pass  # it may have been blocked: that is for the collisions to tell
            else:
                self.control = max(NO_CONTROL, self.control - 1)
        elif far:
            self.control = max(NO_CONTROL, self.control - 1)
        else:
            self.control = min(CERTAIN, self.control + 1)
        self.hints[f.H_HELPLESS] = int(self._learning.control and self.control <= NO_CONTROL)

    def _find_portal(self, before: State, x: int, y: int, to_x: int, to_y: int, action: int) -> None:
        """The avatar has jumped: from what it ran into, to what is there."""
        if not self._learning.portals:
            return
        step, block = int(self.hints[f.H_STEP]), self.model.level.block
        dx, dy = step_of(action) if is_step(action) else (0, 0)
        entered = self._kinds_at(before, x + dx * step, y + dy * step, block) or self._kinds_at(before, x, y, block)
        left = self._kinds_at(before, to_x, to_y, block)
        for entry in entered:
            if self.categories[entry] == Category.PORTAL or len(entered) == 1:
                self.teleports[entry].update(left)

    def _kinds_at(self, state: State, x: int, y: int, block: int) -> set[int]:
        return {
            one.kind for one in state.observations()
            if abs(one.x - x) < block and abs(one.y - y) < block and one.category != Category.AVATAR
        }  # fmt: skip

    def feared(self, avatar: int, inventory: tuple[int, ...]) -> list[int]:
        """The kinds that kill or hurt such an avatar."""
        return [kind for kind in range(self.kinds) if self.expect(avatar, kind, inventory) & NEAR_DANGER]

    def deadly_spawners(self, feared: list[int]) -> list[int]:
        """Kinds on which something that is feared may appear."""
        return [kind for kind, made in self.movements.spawners.items() if made.intersection(feared)]

    def refresh(self, state: State, cautious: bool) -> None:
        """Update the forecast: what is to be feared now, and how it moves."""
        self.learn()
        at = int(state.numbers[k.AVATAR])
        feared = self.feared(int(state.numbers[at + k.KIND]), self.inventory(state))
        sheet = self.forecast.sheet.reshape(self.kinds, f.SHEET)
        sheet[:] = 0
        for kind in feared:
            habit = self.movements.habits.get(kind)
            if habit is not None and kind in self.movements.stochastic:
                sheet[kind] = 1, habit.step_x, habit.step_y
        self.hints[f.H_CAUTION] = int(cautious)

    def blocks_others(self, avatar: int, kind: int) -> bool:
        """Return whether a kind that such an avatar has not met yet has blocked every other avatar."""
        others = [rules for (one, passive), rules in self.pairs.items() if passive == kind and one != avatar]
        return bool(others) and all(rules.first == f.UNKNOWN for rules in others)

    def _write(self) -> None:
        """Write the rules into the book of the forecast."""
        book = self.forecast.book.reshape(self.kinds * self.kinds, -1)
        for (active, passive), rules in self.pairs.items():
            row = book[active * self.kinds + passive]
            row[f.B_KNOWN] = rules.certain
            row[f.B_BLOCKS] = rules.blocks is not None
            row[f.B_FIRST], row[f.B_SECOND] = rules.first, rules.second
            for item in range(self.items):
                at = f.BOOK_HEAD + item * f.BOOK_BOUNDS
                blocks, first = (-WIDE, WIDE), (-WIDE, WIDE)
                if self._learning.inventory:
                    blocks, first = rules.blocks_within[item], rules.first_within[item]
                row[at + f.BLOCKS_LOW], row[at + f.BLOCKS_HIGH] = blocks
                row[at + f.FIRST_LOW], row[at + f.FIRST_HIGH] = first
