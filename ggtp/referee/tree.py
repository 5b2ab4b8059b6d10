"""The play tree drawn as text: a row for each stretch of play without a fork."""

from __future__ import annotations

from ggtp.game.record import GameRecord, Node, step_text


def tree_lines(record: GameRecord) -> list[str]:
    """The tree, indented at every fork. `*` marks where we are; numbers are those of `goto_node`."""
    lines: list[str] = []
    stack: list[tuple[Node, int]] = [(record.nodes[0], 0)]
    while stack:
        first, indent = stack.pop()
        stretch = [first]
        while len(stretch[-1].children) == 1:
            stretch.append(next(iter(stretch[-1].children.values())))
        lines.append("  " * indent + ", ".join(_label(node, record) for node in stretch))
        lines += ["  " * (indent + 1) + f"# {node.number}: {node.comment}" for node in stretch if node.comment]
        stack += [(child, indent + 1) for child in reversed(stretch[-1].children.values())]
    return lines


def _label(node: Node, record: GameRecord) -> str:
    text = step_text(node) or "start"
    name = f" [{node.name}]" if node.name else ""
    here = " *" if node is record.cursor else ""
    return f"{node.number} {text}{name}{here}"
