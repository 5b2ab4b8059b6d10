"""`ggtp serve` from outside; see also tests/process/test_network.py."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import Any

from support.network import Keys


def test_it_is_ggtp_with_an_open_door(run: Any, tmp_path: Path) -> None:
    keys = Keys(tmp_path, "alice")
    play = tmp_path / "play.ggtp"
    play.write_text("set_rule TicTacToe\nstart\nforce_play Cross A1\n")
    words = ("--key", str(keys.ring.own), "--known", str(keys.ring.known), "--anyone")
    done = run("serve", "127.0.0.1:0", str(play), *words, stdin="list_connections\nlist_played_moves\nquit\n")
    lines = done.out.splitlines()
    assert done.status == 0
    assert lines[0].startswith("-> Listening at tcp://127.0.0.1:")
    assert lines[0].endswith(f"with the key {keys.referee.public.hex()}")
    assert lines[1] == "-> Anyone may connect, whether the key is known or not"
    assert lines[-3:] == ["= none", "= Cross A1", "= Done"]


def test_where_it_can_not_listen_it_ends(run: Any, tmp_path: Path) -> None:
    keys = Keys(tmp_path)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        done = run("serve", address, "--key", str(keys.ring.own), "--known", str(keys.ring.known), stdin="quit\n")
    assert done.status == 1
    assert done.out.splitlines() == [f"? It can't be listened there: {address}: Address already in use."]
