"""Random video games, and a comparison of two players on them."""

from __future__ import annotations

import random

from support.vgdl import text

from ggtp.vgdl.language.level import survey_level
from ggtp.vgdl.language.parse import parse
from ggtp.vgdl.language.vocabulary import CLASSES, EFFECTS, Action, Kind
from ggtp.vgdl.world.traces import Compiled, Interpreted

WAYS = ("UP", "DOWN", "LEFT", "RIGHT")
NAMES = [f"s{index}" for index in range(8)]
AVATARS = [name for name, word in CLASSES.items() if word.avatar]
OTHERS = [name for name, word in CLASSES.items() if not word.avatar]


def random_game(rng: random.Random) -> tuple[str, str]:
    """The texts of a game that makes no sense but means something, and of a level."""
    sprites = [f"avatar > {rng.choice(AVATARS)} {_settings(rng)} healthPoints=3"]
    sprites += [f"hero > {rng.choice(AVATARS)} {_settings(rng)}"]
    names = list(NAMES)
    for index, name in enumerate(names):
        indent = "  " if index and rng.random() < 0.25 and not sprites[-1].startswith("  ") and index > 1 else ""
        sprites.append(f"{indent}{name} > {rng.choice([*OTHERS, 'Resource', 'Passive'])} {_settings(rng)}")
    rules = []
    for _ in range(rng.randint(6, 16)):
        everyone = ["avatar", "avatar", "wall", "hero", *names]
        left = [rng.choice(everyone), *(rng.choice([*everyone, "EOS"]) for _ in range(rng.randint(1, 2)))]
        rules.append(f"{' '.join(left)} > {_effect(rng)}")
    for name in ("avatar", "hero", *names):
        if rng.random() < 0.8:
            rules.append(f"{name} EOS > {rng.choice(['stepBack', 'wrapAround', 'killSprite', 'reverseDirection'])}")
    if rng.random() < 0.3:
        rules.append(f"{rng.choice(names)} TIME > {_effect(rng)} timer={rng.randint(1, 9)} repeating=True")
    ends = f"SpriteCounter stype={rng.choice(names)} limit=0 win=True\nTimeout limit={rng.randint(20, 60)} win=False"
    mapping = "".join(f"{index} > {name}\n" for index, name in enumerate(names)) + ". > f\n"
    square = rng.choice((10, 10, 7, 24))
    source = text("\n".join([*sprites, "f > Immovable"]), "\n".join(rules), ends, mapping,
                  head=f"square_size={square} obs=wall")  # fmt: skip
    wide, high = rng.randint(4, 9), rng.randint(3, 7)
    cells = [rng.choices("w01234567.", [3, *[1] * 8, 12], k=wide) for _ in range(high)]
    cells[rng.randrange(high)][rng.randrange(wide)] = "A"
    return source, "\n".join("".join(row) for row in cells)


def _settings(rng: random.Random) -> str:
    """Settings for any class; those that it does not know mean nothing."""
    some = [
        f"speed={rng.choice(('0.1', '0.3', '0.5', '1', '1', '2'))}",
        f"cooldown={rng.randint(1, 4)}",
        f"orientation={rng.choice(WAYS)}",
        f"stype={rng.choice([*NAMES, 'avatar'])}",
        f"stype1=avatar stype2={rng.choice(NAMES)}",
        f"prob={rng.choice(('0.1', '0.5', '1'))}",
        f"total={rng.randint(1, 4)}",
        f"limit={rng.randint(1, 5)}",
        f"value={rng.randint(1, 3)}",
        f"cons={rng.randint(0, 3)}",
        f"spawnorientation={rng.choice(WAYS)}",
        "spreadprob=0.4",
        f"maxDistance={rng.randint(5, 60)}",
        "epsilon=0.3",
        "singleton=True",
        f"rotateInPlace={rng.choice(('True', 'False'))}",
        f"ammo={rng.choice(NAMES)}",
        "healthPoints=2",
        "limitHealthPoints=5",
    ]
    return " ".join(rng.sample(some, rng.randint(2, 7)))


def _effect(rng: random.Random, inner: bool = True) -> str:
    name = rng.choice(list(EFFECTS)) if inner else "transformToAll"
    words = [name]
    for key, kind in EFFECTS[name].settings.items():
        if key == "ftype":
            value = "transformToAll stype=s1 stypeTo=s2" if name == "addTimer" else rng.choice(list(EFFECTS))
        elif kind is Kind.SPRITE:
            value = rng.choice([*NAMES, "hero"])
        elif kind is Kind.FLAG:
            value = rng.choice(("True", "False"))
        elif kind is Kind.NUMBER:
            value = rng.choice(("0", "0.4", "1"))
        else:
            value = str(rng.randint(0, 3))
        if key in EFFECTS[name].needed or rng.random() < 0.6:
            words.append(f"{key}={value}")
    words.append(f"scoreChange={rng.randint(-2, 3)}")
    if rng.random() < 0.1 and name not in ("cloneSprite", "spawn", "spawnIfHasMore", "spawnIfHasLess"):
        words.append("repeat=3")
    return " ".join(words)


def first_difference(seed: int, ticks: int = 25) -> str:
    """Where interpreter and kernel differ on the random game of a seed; empty where they never do."""
    rng = random.Random(seed)
    source, level_text = random_game(rng)
    game = parse(source)
    level, _ = survey_level(level_text, game)
    assert level is not None
    one, other = Interpreted(game, level, seed), Compiled(game, level, seed)
    for tick in range(ticks):
        action = rng.choice(list(Action))
        one.advance(action)
        other.advance(action)
        for name in ("figures", "avatar"):
            mine, yours = getattr(one, name)(), getattr(other, name)()
            if mine != yours:
                return f"tick {tick}: {name} {mine} and {yours}"
        if sorted(one.places()) != sorted(other.places()):
            extra = set(one.places()) ^ set(other.places())
            return f"tick {tick}: {sorted(extra)[:6]}"
        if one.figures()["end"] or len(one.places()) > 120:
            break
    return ""
