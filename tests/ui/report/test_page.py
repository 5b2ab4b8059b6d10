"""The frame of the page: nothing from outside, nothing that could run but its own script."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
from html import unescape

from ggtp.ui.report.page import BUTTONS, packed, page, viewer

PAGE = page(
    "<b>A title</b>", "<main>body</main>", ["<p>one</p>"], {"index": {"a": "</script>"}}, version="0", dialog=True
)


def test_the_policy_has_the_hashes_of_what_is_there() -> None:
    found = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', PAGE)
    assert found is not None
    policy = unescape(found[1])
    for tag, name in (("style", "style-src"), ("script", "script-src")):
        (text,) = re.findall(rf"<{tag}>(.*?)</{tag}>", PAGE, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{name} 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none'")


def test_nothing_is_loaded_from_anywhere() -> None:
    assert not re.search(r"""(?:src|href)\s*=\s*["']?(?:https?:)?//|@import|url\(""", PAGE)
    assert " on" not in {match.lower() for match in re.findall(r"<[^>]*\s(on)\w+=", PAGE)}
    assert " style=" not in PAGE


def test_the_title_is_escaped() -> None:
    assert "<title>&lt;b&gt;A title&lt;/b&gt;</title>" in PAGE


def test_data_is_packed_so_that_no_markup_can_be_in_it() -> None:
    value = {"evil": "</script><script>alert(1)</script>", "lone": "\udc80", "n": [1, 2]}
    text = packed(value)
    assert re.fullmatch(r"[A-Za-z0-9+/=]+", text)
    assert json.loads(gzip.decompress(base64.b64decode(text)))["evil"] == value["evil"]
    assert packed(value) == text, "equal reports are equal, byte by byte"


def test_the_viewer_can_be_used_without_seeing_or_a_mouse() -> None:
    text = viewer(dialog=True)
    for name, (label, _) in BUTTONS.items():
        assert f'id="{name}" aria-label="{label}"' in text
    assert 'aria-live="polite"' in text
    assert 'id="close"' in text
    assert 'id="close"' not in viewer(dialog=False)
