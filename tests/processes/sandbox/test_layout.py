"""What an engine sees of the file system, by where it lies."""

from __future__ import annotations

from pathlib import Path

import pytest

from ggtp.processes.sandbox.layout import HOME, Layout, Referee, lay_out
from ggtp.processes.sandbox.policy import Sandbox
from ggtp.processes.sandbox.system import System

BARE = System(("/usr",), (), (), (("usr/bin", "/bin"),), ("/etc/shadow",))
TRUE = ["/usr/bin/true"]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home folder with an engine, and with what no engine should see."""
    for folder in ("engine", "course/plays", ".ssh", "deep"):
        (tmp_path / folder).mkdir(parents=True)
    for file in ("engine/book.bin", "course/engine.py", "course/mine.ggtp", "course/plays/old.ggtp", ".ssh/key"):
        (tmp_path / file).write_text("x")
    (tmp_path / "course/notes").write_text("# GGTP play file\n")
    (tmp_path / "course/cup").write_text('{"seq":1,"kind":"header"}')
    (tmp_path / "course/.env").write_text("TOKEN=1")
    return tmp_path


def laid(
    home: Path,
    argv: list[str],
    *,
    cwd: str | None = None,
    folders: tuple[str, ...] = (),
    here: str = "elsewhere",
    sandbox: Sandbox = Sandbox(),  # noqa: B008 (it is frozen)
) -> Layout:
    (home / here).mkdir(exist_ok=True)
    return lay_out(argv, cwd, folders, {"PATH": "/usr/bin"}, sandbox, BARE, Referee(str(home), str(home / here), ()))


def test_an_engine_sees_its_own_folder_and_starts_in_a_private_one(home: Path) -> None:
    layout = laid(home, TRUE, folders=(f"{home}/engine",))
    assert layout.reads == ("/usr", f"{home}/engine")
    assert layout.start == HOME
    assert layout.masked == ("/etc/shadow",)


@pytest.mark.parametrize("folder", ["", "/course", "/.."])
def test_of_a_folder_with_more_in_it_nothing_of_ours_is_seen(home: Path, folder: str) -> None:
    layout = laid(home, TRUE, folders=(str(Path(f"{home}{folder}").resolve()),), here="course")
    seen = [path for path in layout.reads if path.startswith(str(home))]
    assert seen == ([f"{home}/course/engine.py"] if folder == "/course" else [])


def test_of_the_home_folder_only_what_the_command_names_is_seen(home: Path) -> None:
    (home / "engine.py").write_text("")
    layout = laid(home, ["/usr/bin/python3", f"{home}/engine.py"], folders=(str(home),))
    assert [path for path in layout.reads if path.startswith(str(home))] == [f"{home}/engine.py"]


def test_a_play_file_is_not_seen_when_the_command_names_it(home: Path) -> None:
    layout = laid(home, ["/usr/bin/cat", f"{home}/course/mine.ggtp", f"--cup={home}/course/cup"], here="course")
    assert not any("mine" in path or "cup" in path for path in layout.reads)


def test_the_folder_to_run_in_is_private_and_shows_what_is_there(home: Path) -> None:
    (home / "engine/link").symlink_to("/somewhere")
    layout = laid(home, ["/usr/bin/true"], cwd=f"{home}/engine", folders=(f"{home}/engine",))
    assert layout.start == f"{home}/engine"
    assert layout.private == (f"{home}/engine",)
    assert f"{home}/engine/book.bin" in layout.reads
    assert ("/somewhere", f"{home}/engine/link") in layout.links, "what it leads to is not shown"


def test_a_folder_to_run_in_that_is_written_to_is_not_private(home: Path) -> None:
    layout = laid(home, TRUE, cwd=f"{home}/engine", sandbox=Sandbox(writes=(f"{home}/engine",)))
    assert (layout.start, layout.private) == (f"{home}/engine", ())


def test_a_command_with_relative_names_runs_where_they_lie(home: Path) -> None:
    layout = laid(home, ["/usr/bin/python3", "engine.py"], here="course")
    assert layout.start == f"{home}/course"
    assert f"{home}/course/engine.py" in layout.reads


def test_what_is_asked_for_is_seen_and_what_is_to_be_hidden_is_not(home: Path) -> None:
    asked = Sandbox(reads=(f"{home}/deep",), writes=(f"{home}/engine",), hides=(f"{home}/deep", "/nowhere"))
    layout = laid(home, TRUE, sandbox=asked)
    assert f"{home}/deep" in layout.reads
    assert layout.writes == (f"{home}/engine",)
    assert layout.masked == ("/etc/shadow", f"{home}/deep")


def test_the_interpreter_that_a_script_names_is_seen_with_what_it_is_installed_with(home: Path) -> None:
    for folder in ("python/bin", "python/lib"):
        (home / folder).mkdir(parents=True)
    interpreter = home / "python/bin/python3"
    interpreter.write_text("")
    script = home / "engine/run"
    script.write_text(f"#!{interpreter}\n")
    layout = laid(home, [str(script)])
    assert {f"{home}/engine", f"{home}/python/bin", f"{home}/python/lib"} <= set(layout.reads)


def test_play_files_deep_in_the_folder_of_an_engine_are_not_seen(home: Path) -> None:
    (home / "engine/data/old").mkdir(parents=True)
    (home / "engine/data/old/cup.journal").write_text("")
    (home / "engine/data/net").write_text("")
    layout = laid(home, TRUE, folders=(f"{home}/engine",))
    seen = [path for path in layout.reads if path.startswith(str(home))]
    assert sorted(seen) == [f"{home}/engine/book.bin", f"{home}/engine/data/net"]


def test_a_program_that_is_looked_up_by_a_script_is_seen_with_all_versions_of_it(home: Path) -> None:
    (home / ".pyenv/shims").mkdir(parents=True)
    shim = home / ".pyenv/shims/python9"
    shim.write_text("#!/usr/bin/env bash\n")
    shim.chmod(0o755)
    referee = Referee(str(home), "/elsewhere")
    layout = lay_out(["python9"], None, (), {"PATH": str(shim.parent)}, Sandbox(), BARE, referee)
    assert f"{home}/.pyenv" in layout.reads


def test_with_the_network_names_of_machines_can_be_looked_up(home: Path) -> None:
    names = str(Path("/etc/resolv.conf").resolve())
    assert names in laid(home, TRUE, sandbox=Sandbox(network=True)).reads
    assert names not in laid(home, TRUE).reads


def test_links_that_an_engine_may_have_made_show_nothing(home: Path) -> None:
    for folder in ("engine/learn", "engine/learn/deep"):
        (home / folder).mkdir()
    key = home / ".ssh/key"
    (home / "engine/learn/book").symlink_to(key)
    (home / "engine/learn/more").symlink_to(key.parent)
    (home / "engine/book").symlink_to("learn/book")
    (home / "engine/learn/run").write_text(f"#!{key}\n")
    learn = f"{home}/engine/learn"
    sandbox = Sandbox(reads=(f"{learn}/more", f"{home}/engine/book"), writes=(f"{learn}/more", learn, f"{learn}/deep"))
    layout = laid(home, [f"{learn}/run", f"--book={learn}/book", f"{learn}/more"], sandbox=sandbox)
    assert layout.writes == (learn,)
    assert not any(str(path).startswith(learn) or ".ssh" in path or path.endswith("book") for path in layout.reads)


def test_what_is_to_be_hidden_is_so_in_what_an_engine_writes_to(home: Path) -> None:
    play = f"{home}/course/mine.ggtp"
    layout = laid(home, TRUE, sandbox=Sandbox(writes=(f"{home}/course",), hides=(play,)))
    assert play in layout.masked


def test_a_folder_to_write_to_may_be_named_by_a_link(home: Path) -> None:
    (home / "logs").symlink_to("deep")
    layout = laid(home, TRUE, sandbox=Sandbox(reads=(f"{home}/deep",), writes=(f"{home}/logs", "/nowhere")))
    assert layout.writes == (f"{home}/logs",)
    assert f"{home}/deep" in layout.reads


def test_a_link_into_what_an_engine_writes_to_grants_nothing(home: Path) -> None:
    (home / "far").symlink_to("engine/sub")
    (home / "engine/sub").symlink_to("../.ssh")
    layout = laid(home, TRUE, sandbox=Sandbox(writes=(f"{home}/far", f"{home}/engine")))
    assert layout.writes == (f"{home}/engine",)


def test_a_plan_is_not_seen_if_the_dice_follow_from_it(home: Path) -> None:
    (home / "course/cup.toml").write_text('name = "Cup"\n"seed" = 5\n[[player]]\nengine = "engine.toml"\n')
    (home / "course/chance.toml").write_text('name = "Cup"\n[[player]]\nengine = "engine.toml"\n')
    (home / "course/engine.toml").write_text("seed = 5\n")
    layout = laid(home, ["/usr/bin/python3", "engine.py"], here="course")
    assert f"{home}/course/cup.toml" not in layout.reads
    assert {f"{home}/course/chance.toml", f"{home}/course/engine.toml"} <= set(layout.reads)
