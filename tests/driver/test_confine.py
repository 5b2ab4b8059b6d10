"""On which terms engines of the catalogue are started."""

from __future__ import annotations

from pathlib import Path

from ggtp.catalogue import EngineSpec
from ggtp.driver.confine import terms_for
from ggtp.referee.effects import Bounds


def bounds(sandbox: str = "standard", network: str = "asked") -> Bounds:
    return Bounds(1 << 20, 1 << 30, 8, 1.0, sandbox, network)


def test_an_engine_is_given_few_variables_and_those_of_its_description() -> None:
    spec = EngineSpec("E", ("e",), env={"BOOK": "1"})
    environ = {"HOME": "/home/me", "PATH": "/bin", "SSH_AUTH_SOCK": "/agent"}
    terms = terms_for(spec, bounds(), environ)
    assert terms.env == {"PATH": "/bin", "GGTP_SHARED_CACHE": "/home/me/.cache/ggtp/gdl", "BOOK": "1"}
    assert terms_for(spec, bounds("off"), environ).env == {**environ, "BOOK": "1"}


def test_it_finds_the_rules_of_the_user(tmp_path: Path) -> None:
    own, named = tmp_path / "share/ggtp/rules", tmp_path / "named"
    own.mkdir(parents=True)
    named.mkdir()
    environ = {"HOME": "/home/me", "XDG_DATA_HOME": str(tmp_path / "share"), "GGTP_RULES_PATH": f"{named}:/missing"}
    terms = terms_for(EngineSpec("E", ("e",)), bounds(), environ)
    assert terms.env["GGTP_RULES_PATH"] == f"{named}:{own}"
    assert str(tmp_path / "share/ggtp") in terms.confinement.referee.private


def test_its_folder_and_that_of_a_rule_with_a_path_are_shown() -> None:
    spec = EngineSpec("E", ("e",), folder=Path("/engines"))
    terms = terms_for(spec, bounds(), {"HOME": "/home/me"}, rule="/games/mine.py", sockets=("/tmp/wire",))
    assert terms.confinement.folders == ("/engines", "/games")
    assert terms.confinement.sockets == ("/tmp/wire",)
    assert terms_for(spec, bounds(), {"HOME": "/"}, rule="TicTacToe").confinement.folders == ("/engines",)


def test_wishes_that_are_not_granted_are_said() -> None:
    spec = EngineSpec("E", ("e",), sandbox="off", network=True)
    terms = terms_for(spec, bounds("standard", "off"), {"HOME": "/home/me"})
    assert terms.confinement.sandbox.level == "standard"
    assert len(terms.overruled) == 2


def test_an_open_play_file_is_hidden() -> None:
    terms = terms_for(EngineSpec("E", ("e",)), bounds(), {"HOME": "/home/me"}, hides=("/engines/open.ggtp",))
    assert terms.confinement.sandbox.hides == ("/engines/open.ggtp",)
