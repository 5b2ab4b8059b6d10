"""The table of loaders: every line is complete, and keyed as files are looked up."""

from __future__ import annotations

from pathlib import Path

from ggtp.catalogue.loaders import RuleFile, Sketch
from ggtp.catalogue.rules import LOADERS


def test_suffixes_are_lower_case_and_begin_with_a_dot() -> None:
    for suffix in LOADERS:
        assert suffix == suffix.casefold()
        assert Path(f"hex{suffix}").suffix == suffix


def test_a_sketch_never_raises() -> None:
    for suffix, loader in LOADERS.items():
        for content in (b"", b"\xff\xfe\0", b"(" * 1000):
            assert isinstance(loader.sketch(Path(f"hex{suffix}"), content), Sketch)


def test_a_rule_file_is_in_no_package_unless_it_says_so() -> None:
    assert RuleFile(Path("hex.py"), "hex").module is None
