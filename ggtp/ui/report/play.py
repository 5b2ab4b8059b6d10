"""The page of a single play file: every line of its tree to step through."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from pathlib import PurePath
from typing import Any

from ggtp.errors import CommandError, GgtpError
from ggtp.game.model import Rules
from ggtp.game.record import Node
from ggtp.play.play import Play
from ggtp.protocol.codec import parse_supervisor
from ggtp.referee.commands.files import Replay
from ggtp.ui.report.page import page, viewer
from ggtp.ui.report.replay import Album, replay_nodes, viewers

ENGINES = ("set_engine", "set_engine_option")
"""What a page has no use for: nobody plays on in it, so no engine need be there."""


def play_of(text: str, path: str, find: Callable[[str], Rules]) -> tuple[Play, dict[str, str]]:
    """The play that a file holds, and the engines that it names for players.

    Raises:
        CommandError: a line can't be followed; the text says which.
    """
    replay = Replay(find)
    seats: dict[str, str] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        try:
            command = parse_supervisor(line)
            if command is not None and command.name in ENGINES:
                if command.name == "set_engine":
                    seats[command.args[0]] = command.args[1]
                continue
            replay.run(line)
        except GgtpError as error:
            raise CommandError(f"{path}, line {number}: {error}") from error
    if replay.play.record is None:
        raise CommandError(f"{path}: no play is started in it.")
    return replay.play, seats


def play_html(text: str, path: str, find: Callable[[str], Rules], version: str) -> str:
    """The page.

    Raises:
        GgtpError: the file can't be followed, or its rules are not there.
    """
    play, seats = play_of(text, path, find)
    record = play.need_record()
    rules = play.need_rules()
    album = Album()
    leaves = [node for node in record.nodes if not node.children]
    # Where the file leaves the play comes first.
    leaves.sort(key=lambda leaf: record.cursor not in (leaf, *leaf.path()))
    games, replays = [], []
    engines = {player.casefold(): engine for player, engine in seats.items()}
    names = [engines.get(player.casefold(), "human") for player in play.players]
    for number, leaf in enumerate(leaves):
        found = replay_nodes(album, [record.nodes[0], *leaf.path()], viewers(play))
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
        "seats": seats,
        "end": "",
        "reason": "" if result is None else result.reason,
        "length": leaf.depth,
        "faults": 0,
    }
