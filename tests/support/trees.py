"""Games as trees that are written out, for searches and for their judges.

A leaf is a tuple of scores; a place where somebody decides is `[seat, child, ...]`, and one where
chance does is `["chance", (weight, child), ...]`. A child may be a leaf's scores at once.
"""

from ggtp.search.minimax.walk import DRAWN, OVER

CHANCE = "chance"


class TreeWalk:
    """A walk through a tree; `goals` says what points a place would give, by its place in the tree."""

    def __init__(self, tree, goals=None, moves=None):
        self.path = [tree]
        self.steps = []
        self.visited = []
        self.goals = goals or {}
        self.extra_moves = moves or {}

    def mover(self):
        node = self.path[-1]
        if isinstance(node, tuple):
            return OVER
        return DRAWN if node[0] == CHANCE else node[0]

    def moves(self):
        node = self.path[-1]
        return () if isinstance(node, tuple) else range(len(node) - 1)

    def weights(self):
        return [weight for weight, _ in self.path[-1][1:]]

    def play(self, move):
        node = self.path[-1]
        child = node[1 + move]
        self.path.append(child[1] if node[0] == CHANCE else child)
        self.steps.append(move)
        self.visited.append(tuple(self.steps))

    def undo(self):
        self.path.pop()
        self.steps.pop()

    def scores(self):
        return self.path[-1]

    def partial(self):
        return self.goals.get(tuple(self.steps))

    def key(self):
        return tuple(self.steps)

    def text(self, move):
        return str(move)

    def number(self, text):
        return int(text)


def random_tree(rng, players, depth, chance=0.0, scores=(0, 25, 50, 75, 100), opposed=False):
    """A tree of at most that depth."""
    if depth == 0 or (depth < 3 and rng.random() < 0.15):
        points = [rng.choice(scores) for _ in range(players)]
        return (points[0], 100 - points[0]) if opposed else tuple(points)
    children = [random_tree(rng, players, depth - 1, chance, scores, opposed) for _ in range(rng.choice((1, 2, 2, 3)))]
    if rng.random() < chance:
        return [CHANCE, *((rng.choice((1, 2, 3)), child) for child in children)]
    return [rng.randrange(players), *children]


def worst_case(node, me):
    """What the player can have for sure, where all others do their worst and chance is averaged."""
    if isinstance(node, tuple):
        return node[me]
    if node[0] == CHANCE:
        total = sum(weight for weight, _ in node[1:])
        return sum(weight * worst_case(child, me) for weight, child in node[1:]) / total
    return (max if node[0] == me else min)(worst_case(child, me) for child in node[1:])


def everybody(node, me):
    """What everybody gets where everybody wants most, and among equals least for one."""
    if isinstance(node, tuple):
        return node
    if node[0] == CHANCE:
        total = sum(weight for weight, _ in node[1:])
        found = [(weight, everybody(child, me)) for weight, child in node[1:]]
        return tuple(sum(weight * points[seat] for weight, points in found) / total for seat in range(len(found[0][1])))
    return max((everybody(child, me) for child in node[1:]), key=lambda points: (points[node[0]], -points[me]))
