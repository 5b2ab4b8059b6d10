"""The SpriteSet: types of sprites, with what they inherit."""

from __future__ import annotations

from dataclasses import dataclass, field

from ggtp.vgdl.language.definition import AVATAR, WALL, SpriteType
from ggtp.vgdl.language.faults import Severity
from ggtp.vgdl.language.reader import Line, Setting, Word, settings
from ggtp.vgdl.language.values import Values, near
from ggtp.vgdl.language.vocabulary import CLASSES, Category

MOST_TYPES = 500


@dataclass(slots=True)
class _Entry:
    """What is known of a type while the text is read."""

    name: str
    word: Word
    number: int
    parent: _Entry | None = None
    class_word: Word | None = None
    settings: dict[str, Setting] = field(default_factory=dict)
    children: list[_Entry] = field(default_factory=list)
    singleton: bool = False
    last_place: int = 0

    def ancestry(self) -> list[_Entry]:
        return [] if self.parent is None else [*self.parent.ancestry(), self.parent]

    def descendants(self) -> list[_Entry]:
        found = []
        for child in self.children:
            found += [child, *child.descendants()]
        return found


class SpriteParser:
    """Reads the types of one game. `numbers` and `draw_order` are there after `parse`."""

    def __init__(self, values: Values) -> None:
        self._values = values
        self._place = 0
        nowhere = Word("", 0, 0)
        self._entries: dict[str, _Entry] = {
            "wall": _Entry("wall", nowhere, WALL, class_word=Word("Immovable", 0, 0)),
            "avatar": _Entry("avatar", nowhere, AVATAR, class_word=Word("MovingAvatar", 0, 0)),
        }

    @property
    def numbers(self) -> dict[str, int]:
        """Every type's number."""
        return {name: entry.number for name, entry in self._entries.items()}

    def parse(self, lines: list[Line]) -> tuple[SpriteType, ...]:
        """All types, in the order of their numbers."""
        for line in lines:
            self._line(line, None)
        if len(self._entries) > MOST_TYPES:
            last = list(self._entries.values())[MOST_TYPES]
            self._values.fault(f"there are more than {MOST_TYPES} sprites", last.word)
        return tuple(self._type(entry) for entry in self._entries.values())

    def draw_order(self) -> tuple[int, ...]:
        """The types without children: wall, those of the text by their last place there, avatar at the end."""
        leaves = [entry for entry in self._entries.values() if not entry.children]
        leaves.sort(key=lambda entry: entry.last_place)
        front = [entry.number for entry in leaves if entry.number != AVATAR]
        return (*front, AVATAR)

    def _line(self, line: Line, parent: _Entry | None) -> None:
        left, right = line.sides()
        if right is None:
            self._values.fault(
                f"a sprite's line is NAME > CLASS settings; there is no > after {line.first}", line.first
            )
            right = left[1:]
            left = left[:1]
        if not left:
            self._values.fault("a sprite needs a name before the >", line.first)
            return
        if len(left) > 1:
            self._values.fault(f"a sprite has one name; {left[1]} is another", left[1])
        entry = self._enter(left[0], parent)
        plain, found = settings(right)
        for word in plain[:1]:
            if word.text in CLASSES:
                entry.class_word = word
            else:
                self._values.fault(f"there is no class of sprites {word}{near(word.text, CLASSES)}", word)
        for word in plain[1:]:
            self._values.fault(f"a sprite has one class; {word} is another, or lacks its =", word)
        for setting in found:
            if setting.name == "singleton":
                entry.singleton = self._values.flag(setting)
            else:
                entry.settings[setting.name] = setting
        for child in line.children:
            self._line(child, entry)

    def _enter(self, word: Word, parent: _Entry | None) -> _Entry:
        name = word.text
        self._place += 1
        entry = self._entries.get(name)
        if entry is None:
            entry = self._entries[name] = _Entry(name, word, len(self._entries))
        elif not entry.word.line:  # wall and avatar lose what they had in the stead of a line
            entry.class_word = None
            entry.word = word
        if parent is not None and parent is not entry.parent:
            if parent is entry or entry in parent.ancestry():
                self._values.fault(f"{name} can't be a kind of itself", word)
            else:
                if entry.parent is not None:
                    entry.parent.children.remove(entry)
                entry.parent = parent
                parent.children.append(entry)
        entry.last_place = self._place
        return entry

    def _type(self, entry: _Entry) -> SpriteType:
        line_up = [*entry.ancestry(), entry]
        merged: dict[str, Setting] = {}
        for one in line_up:
            merged |= one.settings
        # The nearest ancestor with a class wins over the child's own.
        named = [one.class_word for one in line_up[:-1] if one.class_word is not None]
        own = [entry.class_word] if entry.class_word is not None else []
        chosen = named[-1] if named else own[0] if own else None
        kind = SpriteType(
            entry.number,
            entry.name,
            None if entry.parent is None else entry.parent.number,
            kin=tuple(one.number for one in [*line_up, *entry.descendants()]),
            ancestry=tuple(one.number for one in line_up),
            children=[child.number for child in entry.children],
            singleton=entry.singleton,
        )
        if chosen is None:
            if not entry.children:
                self._values.fault(
                    f"{entry.name} has no class, and inherits none: there can be no such sprite",
                    entry.word,
                    Severity.WARNING,
                )
            return kind
        word = CLASSES[chosen.text]
        kind.word, kind.class_name = word, chosen.text
        kind.speed, kind.orientation, kind.oriented = word.speed, word.orientation, word.oriented
        kind.static, kind.rotate, kind.category, kind.limit = word.static, word.rotate, word.category, word.limit
        for setting in merged.values():
            self._set(kind, setting)
        if len(kind.ammo) == 1:
            kind.ammo *= max(1, len(kind.targets))
        return kind

    def _set(self, kind: SpriteType, setting: Setting) -> None:  # one branch for each setting
        values, numbers = self._values, self.numbers
        match setting.name:
            case "speed":
                kind.speed = values.number(setting, kind.speed)
            case "cooldown":
                kind.cooldown = max(1, values.whole(setting, 1))
            case "orientation":
                kind.orientation = values.way(setting)
                kind.oriented = True
            case "rotateInPlace":
                kind.rotate = values.flag(setting)
            case "portal":
                if values.flag(setting) and kind.category not in (Category.AVATAR, Category.RESOURCE):
                    kind.category = Category.PORTAL
            case "hidden":
                kind.hidden = values.flag(setting)
            case "healthPoints":
                kind.health = values.whole(setting)
            case "limitHealthPoints":
                kind.most_health = values.whole(setting, 1000)
            case "stype":
                kind.targets = values.names(setting, numbers, "sprite")
            case "stype1":
                kind.chased = values.name(setting, numbers, "sprite")
            case "stype2":
                kind.feared = values.name(setting, numbers, "sprite")
            case "limit":
                kind.limit = values.whole(setting)
            case "value":
                kind.value = values.whole(setting, 1)
            case "prob":
                kind.chance = values.number(setting, 1.0)
            case "total":
                kind.total = values.whole(setting)
            case "cons":
                kind.keeps = values.whole(setting)
            case "spawnorientation":
                kind.spawn_orientation = values.way(setting)
            case "spreadprob":
                kind.spread = values.number(setting, 1.0)
            case "maxDistance":
                kind.reach = values.number(setting, -1.0)
            case "epsilon":
                kind.epsilon = values.number(setting, 0.0)
            case "ammo":
                kind.ammo = values.names(setting, numbers, "sprite")
            case "minAmmo":
                kind.ammo_least = values.wholes(setting)
            case "ammoCost":
                kind.ammo_cost = values.wholes(setting)
            case "color":
                kind.color = setting.value
            case _:  # pictures, tiling and what other frameworks know
                pass
