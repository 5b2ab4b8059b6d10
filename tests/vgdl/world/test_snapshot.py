"""Worlds that are kept as numbers are the same worlds again."""

from __future__ import annotations

import gc
import random

import pytest
from support.vgdl import play, world
from support.vgdl_random import random_game

from ggtp.game import Position
from ggtp.vgdl.language.level import survey_level
from ggtp.vgdl.language.parse import parse
from ggtp.vgdl.language.vocabulary import Action
from ggtp.vgdl.world.rules import VideoPosition
from ggtp.vgdl.world.snapshot import RECENT, Shelf, Snapshot
from ggtp.vgdl.world.tick import advance
from ggtp.vgdl.world.world import Sprite, World


def told(sprite: Sprite) -> tuple[object, ...]:
    return tuple(getattr(sprite, name) for name in Sprite.__slots__)


def everything(made: World) -> tuple[object, ...]:
    sprites = [[told(sprite) for sprite in group] for group in made.groups]
    timers = [(timer.first, timer.effect, timer.due) for timer in made.timers]
    place = [(number, group.index(made.avatar)) for number, group in enumerate(made.groups) if made.avatar in group]
    avatar = None if made.avatar is None else told(made.avatar)
    chance = (made.chance.state, made.chance.calls)
    scalars = (made.tick, made.score, made.winner, made.ended, made.count, made.next_identity)
    return (sprites, timers, place, avatar, chance, scalars)


@pytest.mark.parametrize("seed", range(20))
def test_random_games_go_on_as_if_they_had_never_been_numbers(seed: int) -> None:
    rng = random.Random(seed)
    source, plan = random_game(rng)
    game = parse(source)
    level, _ = survey_level(plan, game)
    if level is None:
        return
    made = World(game, level, seed)
    shelf = Shelf(made)
    for _ in range(25):
        made = made.twin()
        advance(made, rng.choice(list(Action)))
        if made.count > 200:  # some of these games breed
            break
        before, kept = everything(made), Snapshot(made, shelf)
        kept.pack()
        assert kept.world is not made
        assert everything(kept.world) == before
        made = kept.world


def test_large_numbers_are_kept_too() -> None:
    made = world("Ag", "g > Resource", mapping="g > g\n")
    made.groups[2][0].resources[2] = 1 << 40
    kept = Snapshot(made, Shelf(made))
    kept.pack()
    assert kept.world.groups[2][0].resources == {2: 1 << 40}


def test_only_the_latest_are_at_hand_and_the_others_come_back() -> None:
    made = world("A..........", "f > Immovable", "avatar EOS > stepBack", mapping=". > f\n")
    shelf = Shelf(made)
    kept = []
    for _ in range(RECENT + 5):
        made = play(made.twin(), "r")
        kept.append(Snapshot(made, shelf))
    assert [one._world is None for one in kept] == [True] * 5 + [False] * RECENT
    assert kept[3].world.tick == 3
    assert kept[3].world is kept[3].world
    assert kept[5]._world is None  # another had to go


@pytest.mark.slow
def test_a_long_play_leaves_few_objects() -> None:
    made = world("A" + "b" * 60, "b > Passive", "b avatar > bounceForward", mapping="b > b\n")
    position: Position = VideoPosition(Snapshot(made, Shelf(made)), False, None)
    played = [position]
    for _ in range(100):
        position = position.play({"Avatar": "nil"}).position
        played.append(position)
    gc.collect()
    alive = sum(isinstance(one, Sprite) for one in gc.get_objects())
    assert alive < 100 * 60 / 2
    middle = played[50]
    assert isinstance(middle, VideoPosition)
    assert middle.world.tick == 49
