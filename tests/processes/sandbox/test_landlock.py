"""What an engine under Landlock is told that it may do."""

from __future__ import annotations

import marshal
from pathlib import Path

from ggtp.processes.sandbox.landlock import Landlock, shown, terms
from ggtp.processes.sandbox.layout import HOME, Layout


def test_what_is_masked_is_left_out_and_everything_beside_it_is_shown(tmp_path: Path) -> None:
    for name in ("etc/ssh/key", "etc/hosts", "etc/shadow", "usr/bin"):
        (tmp_path / name).mkdir(parents=True)
    masked = (f"{tmp_path}/etc/shadow", f"{tmp_path}/etc/ssh/key")
    found = shown((f"{tmp_path}/etc", f"{tmp_path}/usr"), masked)
    assert sorted(found) == [f"{tmp_path}/etc/hosts", f"{tmp_path}/usr"]


def test_an_engine_without_a_folder_starts_in_its_private_one(tmp_path: Path) -> None:
    def told(start: str) -> dict[str, object]:
        layout = Layout(("/usr",), ("/logs",), (), (), (), start)
        told = terms(layout, {"A": "1"}, str(tmp_path), network=False, port=7, sockets=("/tmp/wire",))
        loaded: dict[str, object] = marshal.loads(told)
        return loaded

    found = told(HOME)
    assert found["start"] == str(tmp_path)
    assert found["reads"] == ["/usr", "/proc", "/tmp/wire"]
    assert found["writes"] == [str(tmp_path), "/logs"]
    assert told("/usr")["start"] == "/usr"
    assert told("/nowhere")["start"] == str(tmp_path)


def test_older_versions_keep_engines_from_less() -> None:
    assert "TCP" not in Landlock(7).lacks()
    assert "use TCP and send signals" in Landlock(3).lacks()
