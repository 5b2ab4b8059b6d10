"""Shortest ways around obstacles, for sprites that find paths."""

from __future__ import annotations

from collections import deque

from ggtp.vgdl.language.vocabulary import DOWN, LEFT, NOWHERE, RIGHT, UP, Vector
from ggtp.vgdl.world.world import Sprite, World

ORDER = (UP, DOWN, LEFT, RIGHT)
"""Among ways of the same length the one that begins with an earlier direction is taken."""


def path_step(world: World, sprite: Sprite, target: Sprite) -> Vector:
    """The first step of a shortest way to a target, or to where the last target that could be reached was."""
    way = first_step(world, (sprite.x, sprite.y), (target.x, target.y))
    if way is None and sprite.goal is not None:
        way = first_step(world, (sprite.x, sprite.y), sprite.goal)
    else:
        sprite.goal = (target.x, target.y)
    return NOWHERE if way is None else way


def first_step(world: World, one: tuple[int, int], other: tuple[int, int]) -> Vector | None:
    """The first step of a shortest way over squares without obstacles; None if there is none to make."""
    block = world.block
    start, goal = (one[0] // block, one[1] // block), (other[0] // block, other[1] // block)
    if start == goal:
        return None
    wide, high = world.level.width, world.level.height
    blocked = {(wall.x // block, wall.y // block) for number in world.game.obstacles for wall in world.kin(number)}
    if goal in blocked or not (0 <= goal[0] < wide and 0 <= goal[1] < high):
        return None
    # From the goal outwards, so that all shortest first steps are known at the start.
    steps = {goal: 0}
    waiting = deque([goal])
    while waiting and start not in steps:
        column, row = here = waiting.popleft()
        for x, y in ORDER:
            there = (column + x, row + y)
            if there in steps or there in blocked or not (0 <= there[0] < wide and 0 <= there[1] < high):
                continue
            steps[there] = steps[here] + 1
            waiting.append(there)
    for way in ORDER:
        there = (start[0] + way[0], start[1] + way[1])
        if start in steps and steps.get(there, -1) == steps[start] - 1:
            return way
    return None
