"""LevelMapping, InteractionSet and TerminationSet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ggtp.vgdl.language.definition import AVATAR, WALL, EdgeRule, EffectLine, EndRule, PairRule, SpriteType, TimeRule
from ggtp.vgdl.language.reader import Line, Setting, Word, settings
from ggtp.vgdl.language.values import Values, near
from ggtp.vgdl.language.vocabulary import ANY_EFFECT, EFFECTS, ENDS, TIMED, Effect, Kind

EDGE, TIME = "EOS", "TIME"

FIELDS: Mapping[str, str] = {
    "stypeTo": "stype_to",
    "stype_other": "stype_to",
    "heldResource": "resource",
    "prob": "chance",
    "killSecond": "kill_second",
    "killResource": "kill_resource",
    "pixelPerfect": "pixel_perfect",
    "takeOrientation": "take_orientation",
    "forceOrientation": "take_orientation",
    "notStype": "not_stype",
}
"""Where a setting's value goes in an `EffectLine`, if not to the field of its own name."""

OTHER_DEFAULTS: Mapping[Effect, Mapping[str, Any]] = {
    Effect.COLLECT_RESOURCE: {"kill_resource": True},
    Effect.COLLECT_RESOURCE_IF_HELD: {"kill_resource": True},
}


class RuleParser:
    """Reads what refers to types by their names."""

    def __init__(self, values: Values, numbers: Mapping[str, int]) -> None:
        self._values = values
        self._numbers = numbers

    def mapping(self, lines: list[Line], types: Sequence[SpriteType]) -> dict[str, tuple[int, ...]]:
        """What each letter of a level stands for."""
        found: dict[str, tuple[int, ...]] = {"w": (WALL,), "A": (AVATAR,)}
        for line in lines:
            left, right = line.sides()
            if right is None or len(left) != 1 or len(left[0].text) != 1:
                self._values.fault("a line of the LevelMapping is LETTER > SPRITE ...", line.first)
                continue
            stands = []
            for word in right:
                number = self._sprite(word)
                if number is not None and types[number].word is None:
                    self._values.fault(f"{word} has no class: there can be no such sprite in a level", word)
                elif number is not None:
                    stands.append(number)
            found[left[0].text] = tuple(stands)
            self._no_children(line)
        return found

    def interactions(
        self, lines: list[Line]
    ) -> tuple[tuple[PairRule, ...], tuple[EdgeRule, ...], tuple[TimeRule, ...]]:
        """What happens to pairs, at the edge, and in time."""
        pairs: dict[tuple[int, int], list[EffectLine]] = {}
        edges: dict[int, list[EffectLine]] = {}
        edge_order: list[int] = []
        times: list[TimeRule] = []
        for line in lines:
            self._no_children(line)
            left, right = line.sides()
            if right is None or len(left) < 2 or not right:
                self._values.fault("a line of the InteractionSet is SPRITE SPRITE ... > EFFECT settings", line.first)
                continue
            timed = any(word.text.upper() == TIME for word in left)
            effect = self._effect(right, timed)
            if effect is None:
                continue
            for one, other in ((left[0], word) for word in left[1:]):
                self._meet(one, other, effect, pairs, edges, edge_order, times)
        return (
            tuple(PairRule(first, second, tuple(effects)) for (first, second), effects in pairs.items()),
            tuple(EdgeRule(first, tuple(edges[first])) for first in edge_order),
            tuple(times),
        )

    def _meet(
        self,
        one: Word,
        other: Word,
        effect: EffectLine,
        pairs: dict[tuple[int, int], list[EffectLine]],
        edges: dict[int, list[EffectLine]],
        edge_order: list[int],
        times: list[TimeRule],
    ) -> None:
        words = (one.text.upper(), other.text.upper())
        for special in (EDGE, TIME):
            if special in words:
                partner = one if words[1] == special else other
                number = self._sprite(partner)
                if number is None:
                    return
                if special == EDGE:
                    edges.setdefault(number, []).append(effect)
                    edge_order.append(number)
                else:
                    times.append(TimeRule(number, effect))
                return
        first, second = self._sprite(one), self._sprite(other)
        if first is not None and second is not None:
            pairs.setdefault((first, second), []).append(effect)

    def ends(self, lines: list[Line]) -> tuple[EndRule, ...]:
        """What ends the game, in the order of the text."""
        found = []
        for line in lines:
            self._no_children(line)
            name = line.first
            word = ENDS.get(name.text)
            if word is None:
                self._values.fault(f"there is no way to end {name}{near(name.text, ENDS)}", name)
                continue
            given = {setting.name: setting for setting in settings(line.words[1:])[1]}
            if not self._has_all(word.needed, given, name):
                continue
            stypes = [
                self._values.name(given[key], self._numbers, "sprite")
                for key in ("stype", "stype1", "stype2", "stype3")
                if key in given and key in word.settings
            ]
            if -1 in stypes:
                continue
            found.append(
                EndRule(
                    word.number,
                    win="win" in given and self._values.flag(given["win"]),
                    stypes=tuple(stypes),
                    limit=self._values.whole(given["limit"]) if "limit" in given else 0,
                    at_least="min" in given and "min" in word.settings and self._values.flag(given["min"]),
                    line=name.line,
                )
            )
        return tuple(found)

    def _effect(self, words: list[Word], timed: bool) -> EffectLine | None:
        plain, found = settings(words)
        if not plain:
            self._values.fault("there is no effect after the >", words[0])
            return None
        for extra in plain[1:]:
            self._values.fault(f"a line has one effect; {extra} is another, or lacks its =", extra)
        return self._effect_of(plain[0].text, plain[0], found, timed)

    def _effect_of(self, name: str, at: Word, found: list[Setting], timed: bool) -> EffectLine | None:
        word = EFFECTS.get(name)
        if word is None:
            self._values.fault(f"there is no effect {name}{near(name, EFFECTS)}", at)
            return None
        given = {setting.name: setting for setting in found}
        if not self._has_all(word.needed, given, at):
            return None
        known = {**word.settings, **ANY_EFFECT, **(TIMED if timed else {})}
        fields: dict[str, Any] = dict(OTHER_DEFAULTS.get(word.number, {}))
        for key, kind in known.items():
            if key not in given:
                continue
            setting = given[key]
            if key in ("scoreChange", "scoreChangeIfKilled"):
                scores = self._values.wholes(setting)
                fields["score" if key == "scoreChange" else "score_if_killed"] = scores[0] if scores else 0
            elif kind is Kind.EFFECT:
                if word.number is Effect.ADD_TIMER:
                    fields["inner"] = self._effect_of(setting.value, setting.word, found, False)
                    if fields["inner"] is None:
                        return None
                else:
                    shielded = EFFECTS.get(setting.value)
                    if shielded is None:
                        message = f"there is no effect {setting.value}{near(setting.value, EFFECTS)}"
                        self._values.fault(message, setting.word)
                        return None
                    fields["shielded"] = int(shielded.number)
            else:
                value = self._value(kind, setting)
                if kind is Kind.SPRITE and value == -1:
                    return None
                fields[FIELDS.get(key, key)] = value
        return EffectLine(word.number, line=at.line, **fields)

    def _value(self, kind: Kind, setting: Setting) -> Any:
        if kind is Kind.NUMBER:
            return self._values.number(setting, 0.0)
        if kind is Kind.WHOLE:
            return self._values.whole(setting)
        if kind is Kind.FLAG:
            return self._values.flag(setting)
        return self._values.name(setting, self._numbers, "sprite")

    def _has_all(self, needed: Sequence[str], given: Mapping[str, Setting], at: Word) -> bool:
        missing = [key for key in needed if key not in given]
        for key in missing:
            self._values.fault(f"{at} needs a setting {key}=", at)
        return not missing

    def _sprite(self, word: Word) -> int | None:
        number = self._numbers.get(word.text)
        if number is None:
            self._values.fault(f"there is no sprite {word}{near(word.text, self._numbers)}", word)
        return number

    def _no_children(self, line: Line) -> None:
        for child in line.children:
            self._values.fault(f"{child.first} is indented, but nothing can stand below {line.first}", child.first)
