"""Texts that have shown something new are kept, and found again by the next run."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from ggtp.bench.attack.fuzz import corpus as module
from ggtp.bench.attack.fuzz.corpus import Corpus, corpus_folder, decoded, encoded, skeleton


def test_only_what_is_new_is_kept(tmp_path: Path) -> None:
    corpus = Corpus(tmp_path / "texts", ["seed"])
    assert corpus.keep("one \ud800", "an error")
    assert not corpus.keep("two", "an error")
    assert Corpus(tmp_path / "texts", ["seed"]).texts == ["seed", "one \ud800"]
    assert {corpus.choose(random.Random(number)) for number in range(20)} == {"seed", "one \ud800"}


def test_the_oldest_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_KEPT", 2)
    corpus = Corpus(tmp_path, ["seed"])
    for number in range(4):
        corpus.keep(f"text {number}", f"shown {number}")
    assert corpus.texts == ["seed", "text 2", "text 3"]
    assert len(list(tmp_path.glob("*.txt"))) == 2


def test_a_cache_that_can_not_be_written_is_none(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    corpus = Corpus(tmp_path / "file" / "texts", ["seed"])
    assert corpus.keep("text", "shown")
    corpus.finding("text")


def test_a_finding_is_written_down(tmp_path: Path) -> None:
    path = Corpus(tmp_path, []).finding("bad \ud800")
    assert decoded(path.read_bytes()) == "bad \ud800"
    assert decoded(encoded("\U0001d7d9é\ud800\n")) == "\U0001d7d9é\ud800\n"


def test_the_same_error_of_another_place_is_nothing_new() -> None:
    one = skeleton("file:3:14: There is no relation 'cell' here.", "(cell 1)")
    other = skeleton("file:4:1: There is no relation 'control' here.", "(control x)")
    assert one == other
    assert one != skeleton("file:4:1: There is no role 'control' here.", "(control x)")


def test_the_folder_is_in_the_user_s_cache() -> None:
    assert corpus_folder({"XDG_CACHE_HOME": "/c"}, "gdl") == Path("/c/ggtp/attack/gdl")
