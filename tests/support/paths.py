"""Where the project's files are, for tests of any depth."""

from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
ROOT = TESTS.parent
FAKES = TESTS / "fakes"
RULES = ROOT / "rules"
SHARED = ROOT.parent / "shared"
"""A further set of foreign games and reference traces; tests skip what needs them where they are missing."""
