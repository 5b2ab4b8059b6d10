"""Where we look, in which order, and what counts as a guest's file."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from ggtp.catalogue import paths
from ggtp.catalogue.paths import (
    absence,
    bundled,
    expand,
    folders,
    given_file,
    list_files,
    open_regular,
    read_file,
    read_regular,
)
from ggtp.errors import EngineFileError, RulesError

HOME = {"HOME": "/home/anna"}


def where(environ: dict[str, str], kind: paths.Kind = "rules") -> list[str]:
    return [str(folder.path) for folder in folders(environ, kind)]


@pytest.mark.parametrize("kind", ["rules", "engines"])
def test_named_folders_come_before_data_before_config(kind: paths.Kind) -> None:
    environ = HOME | {f"GGTP_{kind.upper()}_PATH": os.pathsep.join(["/b", "/a"])}
    assert where(environ, kind) == [
        "/b",
        "/a",
        f"/home/anna/.local/share/ggtp/{kind}",
        f"/home/anna/.config/ggtp/{kind}",
    ]


def test_folders_say_what_they_are_and_which_were_promised() -> None:
    found = folders(HOME | {"GGTP_RULES_PATH": "/b"}, "rules")
    assert [(folder.source, folder.promised) for folder in found] == [
        ("GGTP_RULES_PATH", True),
        ("the user's data folder", False),
        ("the user's config folder", False),
    ]


def test_each_kind_has_its_own_variable() -> None:
    assert where(HOME | {"GGTP_ENGINES_PATH": "/b"}, "rules") == where(HOME, "rules")


def test_xdg_folders_replace_the_usual_ones() -> None:
    environ = HOME | {"XDG_DATA_HOME": "/data", "XDG_CONFIG_HOME": "/config"}
    assert where(environ) == ["/data/ggtp/rules", "/config/ggtp/rules"]


@pytest.mark.parametrize("value", ["", "relative/data"])
def test_xdg_folders_that_are_not_absolute_are_ignored(value: str) -> None:
    assert where(HOME | {"XDG_DATA_HOME": value}) == where(HOME)


def test_empty_parts_of_a_search_path_are_no_folders() -> None:
    assert where(HOME | {"GGTP_RULES_PATH": f"{os.pathsep}/a{os.pathsep}"})[0] == "/a"
    assert where(HOME | {"GGTP_RULES_PATH": ""}) == where(HOME)


def test_a_tilde_is_the_home_of_the_environment() -> None:
    assert expand("~/rules", HOME) == Path("/home/anna/rules")
    assert expand("~", HOME) == Path("/home/anna")
    assert expand("a~b", HOME) == Path("a~b")


def test_without_a_home_the_system_knows_one() -> None:
    assert expand("~", {}) == Path(os.path.expanduser("~"))


def test_making_the_list_looks_at_no_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(*_: object) -> None:
        raise AssertionError("looked at the disk")

    monkeypatch.setattr(os, "scandir", forbidden)
    monkeypatch.setattr(os, "stat", forbidden)
    assert len(folders(HOME, "rules")) == 2


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("hex.py", "sub/hex.py", "plain", "sub/plain"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.touch()
    return tmp_path


@pytest.mark.parametrize("text", ["hex.py", "./hex.py", "sub/hex.py", "sub/plain", "sub/../hex.py"])
def test_a_path_is_an_existing_file_with_a_separator_or_a_known_suffix(here: Path, text: str) -> None:
    assert given_file(text, (".py",), {}) == here / text


def test_an_absolute_path_and_one_from_home(here: Path) -> None:
    assert given_file(str(here / "hex.py"), (".py",), {}) == here / "hex.py"
    assert given_file("~/hex.py", (".py",), {"HOME": str(here)}) == here / "hex.py"


@pytest.mark.parametrize(
    "text", ["", "hex", "plain", "sub", "./sub", "gone.py", "sub/gone", "/", "a\0/b", "x" * 5000 + ".py"]
)
@pytest.mark.usefixtures("here")
def test_anything_else_is_only_a_name(text: str) -> None:
    assert given_file(text, (".py",), {}) is None


def test_files_are_listed_with_their_sub_folders_and_without_private_ones(tmp_path: Path) -> None:
    for name in (
        "b.py",
        "A.PY",
        "gdl/chess.py",
        "gdl/_help.py",
        "_x.py",
        "__init__.py",
        ".x.py",
        "_deep/y.py",
        "c.txt",
    ):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.touch()
    assert [name for name, _ in list_files(tmp_path, (".py",))] == ["A", "b", "gdl/chess"]


def test_a_folder_that_is_one_plugin_gives_its_own_name(tmp_path: Path) -> None:
    for name in ("a/main.py", "a/part.py", "b/c/main.py", "b/x.py"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()

    def main(folder: Path) -> Path | None:
        return path if (path := folder / "main.py").exists() else None

    listed = {name: str(path.relative_to(tmp_path)) for name, path in list_files(tmp_path, (".py",), inside=main)}
    assert listed == {"a": "a/main.py", "b/c": "b/c/main.py", "b/x": "b/x.py"}
    assert [name for name, _ in list_files(tmp_path, (".py",), levels=1, inside=main)] == ["a"]
    assert given_file(f"{tmp_path}/a", (".py",), {}, main) == tmp_path / "a/main.py"
    assert given_file(f"{tmp_path}/b", (".py",), {}, main) is None


def test_the_depth_of_a_search_is_bounded(tmp_path: Path) -> None:
    deep = tmp_path
    for number in range(1, 7):
        (deep / f"x{number}.py").touch()
        deep = deep / "d"
        deep.mkdir()
    assert [path.name for _, path in list_files(tmp_path, (".py",))] == ["x4.py", "x3.py", "x2.py", "x1.py"]
    assert [path.name for _, path in list_files(tmp_path, (".py",), levels=1)] == ["x1.py"]


def test_a_folder_that_is_not_there_has_no_files_and_a_reason(tmp_path: Path) -> None:
    assert list(list_files(tmp_path / "gone", (".py",))) == []
    assert "No such file or directory" in (absence(tmp_path / "gone") or "")
    assert absence(tmp_path) is None


def test_dangling_links_are_no_files(tmp_path: Path) -> None:
    (tmp_path / "x.py").symlink_to(tmp_path / "gone")
    assert list(list_files(tmp_path, (".py",))) == []


def test_a_file_that_cannot_be_read_is_an_error_of_the_class_asked_for(tmp_path: Path) -> None:
    with pytest.raises(EngineFileError, match=r"can't be read: No such file") as caught:
        read_file(tmp_path / "gone", EngineFileError)
    assert caught.value.path == str(tmp_path / "gone")
    with pytest.raises(RulesError, match=r"null"):
        read_file(Path("a\0b"), RulesError)


@pytest.mark.parametrize("kind", ["fifo", "device", "socket"])
def test_a_file_that_may_never_end_is_refused_at_once(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "x"
    if kind == "fifo":
        os.mkfifo(path)
    elif kind == "device":
        path = Path("/dev/zero")
    else:
        with socket.socket(socket.AF_UNIX) as one:
            one.bind(str(path))
    with pytest.raises(OSError, match=r"Not a regular file|No such device") as caught:
        read_regular(path, 10)
    assert caught.value.filename == str(path)
    with pytest.raises(RulesError, match=r"can't be read: (Not a regular file|No such device)"):
        read_file(path, RulesError)


def test_what_was_opened_in_vain_is_closed(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "x")
    before = os.listdir("/proc/self/fd")
    for path in (tmp_path / "x", tmp_path):
        with pytest.raises(OSError, match=r"regular|directory"):
            open_regular(path)
    assert os.listdir("/proc/self/fd") == before


def test_a_file_that_is_too_long_is_not_read_to_its_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paths, "MOST_BYTES", 3)
    path = tmp_path / "x"
    path.write_bytes(b"123")
    assert read_file(path, RulesError) == b"123"
    path.write_bytes(b"1234")
    with pytest.raises(RulesError, match="more than 3 bytes"):
        read_file(path, RulesError)


@pytest.mark.parametrize("package", ["no_such_package", "no_such_package.rules", "ggtp.no_such_package", "ggtp.errors"])
def test_a_package_that_is_not_installed_is_not_bundled(package: str) -> None:
    assert bundled(package) is None


@pytest.mark.parametrize("package", ["ggtp.rules", "ggtp.engines"])
def test_our_own_guests_are_bundled(package: str) -> None:
    folder = bundled(package)
    assert folder is not None
    assert folder.package == package
    assert (folder.path / "__init__.py").is_file()


def test_a_huge_file_is_refused_without_reading_it(tmp_path: Path) -> None:
    path = tmp_path / "sparse"
    with path.open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(ValueError, match="more than 1000 bytes"):
        read_regular(path, 1000)
