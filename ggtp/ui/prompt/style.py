"""How the prompt looks. Plain colours of the terminal, so that they suit dark and light ones."""

from __future__ import annotations

from prompt_toolkit.styles import Style

STYLE = Style.from_dict(
    {
        "prompt": "bold",
        "prompt.idle": "",
        "auto-suggestion": "ansibrightblack",
        "bottom-toolbar": "noreverse bg:ansibrightblack ansiwhite",
        "bottom-toolbar.text": "",
        "toolbar.rule": "bold",
        "toolbar.player": "",
        "toolbar.turn": "bold underline",
        "toolbar.thinking": "bold ansibrightyellow",
        "toolbar.gone": "bold ansibrightred",
        "toolbar.held": "bold ansibrightyellow",
        "toolbar.result": "bold",
        "toolbar.busy": "bold ansibrightyellow",
        "toolbar.quiet": "",
    }
)
