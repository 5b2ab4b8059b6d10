"""What a case file says of a program is what the program is."""

from __future__ import annotations

import os
import sys
from hashlib import sha256
from pathlib import Path

import pytest

from ggtp.arena import programs
from ggtp.arena.programs import program_lines
from ggtp.catalogue import Catalogue, EngineSpec


def test_every_file_of_the_command_line_has_its_hash(tmp_path: Path) -> None:
    (tmp_path / "my engine").write_text("#!/bin/sh\n")
    (tmp_path / "my engine").chmod(0o755)
    (tmp_path / "net.bin").write_bytes(bytes(1000))
    spec = EngineSpec("E", ("./my engine", "{endpoint}", "net.bin", "--deep"), cwd=tmp_path, source="e.toml")
    assert program_lines(spec) == (
        "'./my engine' '{endpoint}' net.bin --deep",
        "described in e.toml",
        f"run in {tmp_path}",
        f"sha256 {sha256(b'#!/bin/sh' + bytes([10])).hexdigest()} {tmp_path / 'my engine'}",
        f"sha256 {sha256(bytes(1000)).hexdigest()} {tmp_path / 'net.bin'}",
    )


def test_a_changed_program_has_another_hash(tmp_path: Path) -> None:
    program = tmp_path / "engine"
    spec = EngineSpec("E", ("{python}", str(program)))
    hashes = []
    for text in ("one", "two and more", "two and more"):
        program.write_text(text)
        hashes.append(program_lines(spec)[-1])
    assert hashes[0] != hashes[1] == hashes[2]


def test_a_module_of_python_is_found_without_importing_it(tmp_path: Path) -> None:
    package = tmp_path / "guests"
    package.mkdir()
    (package / "__init__.py").write_text("raise SystemExit\n")
    (package / "player.py").write_text("pass\n")
    (package / "other").mkdir()
    (package / "other" / "__main__.py").write_text("pass\n")
    for name, file in (("guests.player", "player.py"), ("guests.other", "other/__main__.py")):
        lines = program_lines(EngineSpec("E", ("{python}", "-m", name), env={"PYTHONPATH": str(tmp_path)}))
        assert lines[-1].endswith(f" {package / file}")
        assert lines[-2].endswith(f" {Path(sys.executable).resolve()}")


def test_an_engine_of_the_house_is_known() -> None:
    spec = Catalogue.from_environment(os.environ).find_engine("Random")
    assert program_lines(spec)[-1].endswith("random_mover.py")


def test_what_can_not_be_hashed_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = program_lines(EngineSpec("E", (str(tmp_path / "gone"),), cwd=tmp_path))
    assert gone == (str(tmp_path / "gone"), f"run in {tmp_path}")
    assert program_lines(EngineSpec("E", ("gone", "x" * 999), cwd=tmp_path))[-1] == f"run in {tmp_path}"
    (tmp_path / "large").write_bytes(bytes(20))
    monkeypatch.setattr(programs, "MOST_BYTES", 10)
    assert program_lines(EngineSpec("E", ("gone", "large"), cwd=tmp_path))[-1] == (
        f"no hash, 20 bytes {tmp_path / 'large'}"
    )
