"""The package as others get it: a wheel, and an editable install, each in an environment of its own.

Nothing here needs a network: what the program depends on is lent by the environment that
runs the tests.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tomllib
import venv
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.paths import ROOT, RULES

GUESTS = ("rules", "engines")
LITTER = shutil.ignore_patterns("__pycache__", "*.py[co]", "*.egg-info", ".*", "build", "dist")

CHECKS = """
import json, os, sys
import ggtp
from ggtp.catalogue import Catalogue
catalogue = Catalogue.from_environment({"HOME": "/nonexistent"})
print(json.dumps({
    "at": ggtp.__file__,
    "rules": {e.name: e.problem for e in catalogue.list_rules()},
    "loaded": [catalogue.find_rules(e.name).name for e in catalogue.list_rules()],
    "engines": {e.name: e.problem for e in catalogue.list_engines()},
    "commands": [e.spec.command("tcp://127.0.0.1:1", "127.0.0.1", 1) for e in catalogue.list_engines() if e.spec],
}))
"""


def run(*words: str | Path, cwd: Path, check: bool = True) -> subprocess.CompletedProcess[str]:
    """Runs a program to its end, without the variables that would change what Python imports."""
    environ = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "PIP_"))}
    environ |= {"PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_NO_INDEX": "1", "PIP_NO_INPUT": "1"}
    done = subprocess.run(
        [str(word) for word in words], cwd=cwd, env=environ, capture_output=True, text=True, timeout=100, check=False
    )
    assert not check or done.returncode == 0, f"{words}\n{done.stdout}\n{done.stderr}"
    return done


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the checkout, so that building leaves nothing behind in the real one."""
    target = tmp_path_factory.mktemp("checkout") / "ggtp"
    target.mkdir()
    for name in ("ggtp", "man", *GUESTS):
        shutil.copytree(ROOT / name, target / name, ignore=LITTER)
    for path in ROOT.iterdir():
        if path.name in ("pyproject.toml", "LICENSE", "MANIFEST.in") or path.suffix == ".md":
            shutil.copy(path, target / path.name)
    return target


@pytest.fixture(scope="module")
def wheel(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "pip", "wheel", "--no-build-isolation", "--no-deps", "-w", target, checkout, cwd=target)
    (path,) = target.glob("*.whl")
    return path


@pytest.fixture(scope="module", params=["wheel", "editable"])
def python(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The interpreter of an environment in which ggtp is installed, from the wheel or editable."""
    home = tmp_path_factory.mktemp(request.param)
    venv.create(home / "venv", with_pip=False, symlinks=True)
    interpreter = home / "venv" / "bin" / "python"
    site = run(interpreter, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=home).stdout.strip()
    # Folders named in a .pth file are searched, but their own .pth files are not read: what is
    # installed editable in the environment of the tests, ggtp itself, stays out of sight.
    lent = [path for path in sys.path if path.endswith(("site-packages", "dist-packages"))]
    (Path(site) / "lent.pth").write_text("\n".join(lent) + "\n")
    if request.param == "wheel":
        what = [str(request.getfixturevalue("wheel"))]
    else:
        what = ["--no-build-isolation", "--editable", str(request.getfixturevalue("checkout"))]
    # By the new interpreter, with the pip that is lent; what is lent must not count as installed.
    run(interpreter, "-m", "pip", "install", "--no-deps", "--ignore-installed", *what, cwd=home)
    yield interpreter
    shutil.rmtree(home)


def settings() -> dict[str, dict[str, object]]:
    tool: dict[str, dict[str, dict[str, object]]] = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]
    return tool["setuptools"]


def files_below(folder: Path) -> list[Path]:
    """Every file of a package that is meant to be shipped."""
    return [
        path
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not any(part.startswith((".", "__pycache__")) for part in path.relative_to(ROOT).parts)
    ]


def test_every_package_on_disk_is_listed() -> None:
    on_disk = []
    for top in ("ggtp", *GUESTS):
        for path in (ROOT / top).rglob("__init__.py"):
            parts = path.parent.relative_to(ROOT).parts
            on_disk.append(".".join(parts if top == "ggtp" else ("ggtp", *parts)))
    packages = settings()["packages"]
    assert isinstance(packages, list)
    assert packages == sorted(packages)
    assert packages == sorted(on_disk)


def test_no_folder_of_the_house_lacks_its_init() -> None:
    for path in (ROOT / "ggtp").rglob("*.py"):
        assert (path.parent / "__init__.py").exists(), path


@pytest.mark.process
def test_the_wheel_has_one_top_level_name(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.split("/")[0] for name in names}
    assert {top for top in tops if not top.endswith((".dist-info", ".data"))} == {"ggtp"}


@pytest.mark.process
def test_the_wheel_has_every_file(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    wanted = [path.relative_to(ROOT).as_posix() for path in files_below(ROOT / "ggtp")]
    for guest in GUESTS:
        wanted += [f"ggtp/{path.relative_to(ROOT).as_posix()}" for path in files_below(ROOT / guest)]
    assert [name for name in wanted if name not in names] == []
    assert "ggtp/py.typed" in names


@pytest.mark.process
def test_the_wheel_has_every_man_page_and_the_licence(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    for path in files_below(ROOT / "man"):
        assert any(name.endswith(f".data/data/share/man/man{path.suffix[1:]}/{path.name}") for name in names), path
    assert any(name.endswith("LICENSE") for name in names)


@pytest.mark.process
@pytest.mark.parametrize("name", ["rules", "engines", "tests", "sessions"])
def test_nothing_else_becomes_importable(python: Path, tmp_path: Path, name: str) -> None:
    done = run(python, "-I", "-c", f"import {name}", cwd=tmp_path, check=False)
    assert done.returncode != 0
    assert f"No module named '{name}'" in done.stderr


@pytest.mark.process
def test_the_catalogue_finds_what_is_bundled(python: Path, tmp_path: Path) -> None:
    found = json.loads(run(python, "-I", "-c", CHECKS, cwd=tmp_path).stdout)
    assert not Path(found["at"]).is_relative_to(ROOT)
    rules = [path for path in RULES.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()]
    rules.remove(RULES / "__init__.py")
    assert len(found["rules"]) >= len(rules) > 0
    assert set(found["rules"].values()) == {None}
    assert found["loaded"] == list(found["rules"])
    engines = [path for path in files_below(ROOT / "engines") if path.suffix == ".toml"]
    assert len(found["engines"]) == len(engines) > 0
    assert set(found["engines"].values()) == {None}


@pytest.mark.process
def test_an_engine_starts(python: Path, tmp_path: Path) -> None:
    done = run(python, "-I", "-m", "ggtp.engines.random_mover", "--version", cwd=tmp_path)
    assert done.stdout.strip()


@pytest.mark.process
def test_the_program_starts(python: Path, tmp_path: Path) -> None:
    version = run(python, "-I", "-c", "import ggtp; print(ggtp.__version__)", cwd=tmp_path).stdout.strip()
    assert version in run(python.parent / "ggtp", "--version", cwd=tmp_path).stdout
    assert version in run(python, "-I", "-m", "ggtp", "--version", cwd=tmp_path).stdout


@pytest.mark.process
@pytest.mark.parametrize("python", ["editable"], indirect=True)
def test_an_editable_install_is_live(python: Path, checkout: Path, tmp_path: Path) -> None:
    text = (checkout / "rules" / "tictactoe.py").read_text().replace('"TicTacToe"', '"Noughts"')
    added = checkout / "rules" / "noughts.py"
    added.write_text(text)
    try:
        found = json.loads(run(python, "-I", "-c", CHECKS, cwd=tmp_path).stdout)
    finally:
        added.unlink()
    assert Path(found["at"]).is_relative_to(checkout)
    assert "Noughts" in found["loaded"]
