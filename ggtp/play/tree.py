"""The play tree drawn as text: a row for each stretch of play without a fork."""

from __future__ import annotations

from ggtp.game import Player
from ggtp.game.record import GameRecord, Node, step_text

UNKNOWN = "?"
"""A step of which a viewer knows nothing."""


def step_seen(node: Node, viewer: Player | None) -> str:
    """What a viewer knows of the step to a node, for people, as `step_text` says it; None knows everything."""
    if viewer is None or node.parent is None or node.forfeit is not None:
        return step_text(node)
    before = node.parent.position
    texts = [f"{actor} {before.spoken(actor, move, viewer)}".rstrip() for actor, move in node.made]
    texts += [f"{refusal.player} tries {refusal.move}" for refusal in node.verdict.refused if refusal.player == viewer]
    return " + ".join(texts) or UNKNOWN


def tree_lines(record: GameRecord, viewer: Player | None = None) -> list[str]:
    """The tree as a viewer knows it, indented at every fork.

    `*` marks where we are; numbers are those of `goto_node`.
    """
    lines: list[str] = []
    stack: list[tuple[Node, int]] = [(record.nodes[0], 0)]
    while stack:
        first, indent = stack.pop()
        stretch = [first]
        while len(stretch[-1].children) == 1:
            stretch.append(next(iter(stretch[-1].children.values())))
        lines.append("  " * indent + ", ".join(_label(node, record, viewer) for node in stretch))
        lines += ["  " * (indent + 1) + f"# {node.number}: {node.comment}" for node in stretch if node.comment]
        stack += [(child, indent + 1) for child in reversed(stretch[-1].children.values())]
    return lines


def _label(node: Node, record: GameRecord, viewer: Player | None) -> str:
    text = step_seen(node, viewer) or "start"
    name = f" [{node.name}]" if node.name else ""
    here = " *" if node is record.cursor else ""
    return f"{node.number} {text}{name}{here}"
