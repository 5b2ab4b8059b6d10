"""One self-contained page: the frame around a report, its data, its script and the policy that lets nothing else run.

The page loads nothing and sends nothing. Its content security policy names the hashes of its one script and its one
style sheet, so that even a text that were not escaped could do nothing. Data is JSON, compressed, in blocks that are
unpacked when they are needed.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
from collections.abc import Iterable, Mapping
from html import escape
from importlib.resources import files

KEYS = (
    "<kbd>←</kbd> <kbd>→</kbd> one move, <kbd>Home</kbd> <kbd>End</kbd> first and last, "
    "<kbd>Space</kbd> play, <kbd>p</kbd> <kbd>n</kbd> previous and next game"
)

BUTTONS = {
    "previous-game": ("Previous game", "M2 2h2v12H2zM9 2v12L4 8zM14 2v12L9 8z"),
    "first": ("First position", "M3 2h2v12H3zM13 2v12L5 8z"),
    "back": ("One move back", "M11 2v12L4 8z"),
    "play": ("Play", "M4 2v12l10-6z"),
    "forward": ("One move forward", "M5 2v12l7-6z"),
    "last": ("Last position", "M11 2h2v12h-2zM3 2v12l8-6z"),
    "next-game": ("Next game", "M12 2h2v12h-2zM7 2v12l5-6zM2 2v12l5-6z"),
}
"""What the viewer's buttons do, and what is drawn on them: no font has all such signs."""


def page(
    title: str, body: str, layouts: Iterable[str], data: Mapping[str, object], *, version: str, dialog: bool
) -> str:
    """The whole page. `data` is what the script unpacks, by name."""
    script, style = _own("report.js"), _own("report.css")
    policy = (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )
    templates = "\n".join(
        f'<template id="layout-{number}">{layout}</template>' for number, layout in enumerate(layouts)
    )
    blocks = "\n".join(
        f'<script type="text/plain" id="data-{escape(name)}">{packed(value)}</script>' for name, value in data.items()
    )
    shown = f'<dialog id="dialog" aria-labelledby="viewer-title">{viewer(dialog=True)}</dialog>' if dialog else ""
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>{escape(title)}</title>
<style>{style}</style>
</head>
<body>
{body}
{shown}
<footer><p>Made by ggtp {escape(version)}. This page is complete: it loads nothing from anywhere.</p></footer>
{templates}
{blocks}
<script>{script}</script>
</body>
</html>
"""


def viewer(*, dialog: bool) -> str:
    """What steps through a game."""
    close = '<button type="button" class="plain" id="close">Close</button>' if dialog else ""
    buttons = "".join(
        f'<button type="button" id="{name}" aria-label="{label}" title="{label}">'
        f'<svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true"><path d="{path}"/></svg></button>'
        for name, (label, path) in BUTTONS.items()
    )
    return f"""<div class="viewer" id="viewer">
<div class="top"><h2 id="viewer-title" tabindex="-1">Game</h2>
<button type="button" class="plain" id="copy">Copy play file</button>{close}</div>
<ul class="seats" id="seats"></ul>
<p id="seen" hidden><label>Seen by <select id="view"></select></label></p>
<p class="soft" id="outcome"></p>
<div class="stage">
<div><div class="screen" id="screen"></div>
<p class="caption" id="caption" aria-live="polite"></p>
<p class="remark" id="remark"></p>
<div class="controls">{buttons}
<input type="range" id="slider" min="0" value="0" aria-label="Move"></div></div>
<ol class="moves" id="moves" aria-label="Moves"></ol>
</div>
<p class="small"><span id="copied" role="status"></span> {KEYS}</p>
</div>"""


def packed(value: object) -> str:
    """A value as JSON, compressed, in characters that no markup has. Equal values give equal texts."""
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    data = gzip.compress(text.encode("utf-8", "backslashreplace"), 9, mtime=0)
    return base64.b64encode(data).decode("ascii")


def _own(name: str) -> str:
    return files("ggtp.ui.report").joinpath("page", name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii")
