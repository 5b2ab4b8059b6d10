"""The page of a single play file: every line of its tree to step through."""

from __future__ import annotations

from html import escape
from pathlib import PurePath
from typing import Any

from ggtp.game.model import Rules
from ggtp.game.record import Node
from ggtp.play.play import Play
from ggtp.ui.report.album import Album, picture_nodes, viewers
from ggtp.ui.report.page import page, viewer


def play_html(play: Play, text: str, path: str, version: str) -> str:
    """The page of a game and the text of its play file.

    Raises:
        CommandError: no game is started in it.
    """
    record = play.need_record()
    rules = play.need_rules()
    album = Album()
    leaves = [node for node in record.nodes if not node.children]
    # Where the file leaves the play comes first.
    leaves.sort(key=lambda leaf: record.cursor not in (leaf, *leaf.path()))
    games, replays = [], []
    names = [play.seats[player].engine for player in play.players]
    for number, leaf in enumerate(leaves):
        found = picture_nodes(album, [record.nodes[0], *leaf.path()], viewers(play))
        replays.append({**found.data(), "m": []})
        games.append(_game(number, len(leaves), leaf, rules, play))
    body = f"""<header><h1>{escape(PurePath(path).name)}</h1>
<button type="button" class="plain" id="theme" hidden>Theme</button>
<p class="about">{escape(rules.title or rules.name)}</p></header>
<main><noscript><p>The play needs JavaScript.</p></noscript>
<section aria-label="The play">{viewer(dialog=False)}</section></main>"""
    index = {
        "players": names,
        "rules": [rules.name],
        "heads": [text if text.endswith("\n") else text + "\n"],
        "games": games,
    }
    data = {"index": index, "games0": replays, "slots": album.data()}
    return page(PurePath(path).name, body, album.templates(), data, version=version, dialog=False)


def _game(number: int, lines: int, leaf: Node, rules: Rules, play: Play) -> dict[str, Any]:
    result = leaf.result()
    seats = [
        [player, i, None if result is None else float(result.scores.get(player, 0)) if result.scores else None,
         "" if result is None else result.standings[player].value]
        for i, player in enumerate(play.players)
    ]  # fmt: skip
    return {
        "id": str(leaf.number),
        "number": number,
        "title": rules.name if lines == 1 else f"{rules.name}, line {number + 1} of {lines}",
        "chunk": "games0",
        "place": number,
        "rule": 0,
        "head": 0,
        "seats": seats,
        "end": "",
        "reason": "" if result is None else result.reason,
        "length": leaf.depth,
        "faults": 0,
    }
