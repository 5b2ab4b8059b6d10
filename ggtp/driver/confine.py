"""What an engine of the catalogue may do on this machine, and which variables it is given."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ggtp.catalogue import EngineSpec
from ggtp.catalogue.compile.cache import SHARED, cache_folder
from ggtp.catalogue.paths import folders, user_folder
from ggtp.processes.sandbox.box import Confinement
from ggtp.processes.sandbox.environment import scrubbed
from ggtp.processes.sandbox.layout import Referee
from ggtp.processes.sandbox.policy import Sandbox, agree
from ggtp.referee.effects import Bounds

RULES = "GGTP_RULES_PATH"
USER_FOLDERS = (
    ("XDG_DATA_HOME", ".local/share"),
    ("XDG_CONFIG_HOME", ".config"),
    ("XDG_STATE_HOME", ".local/state"),
    ("XDG_CACHE_HOME", ".cache"),
)


@dataclass(frozen=True, slots=True)
class Terms:
    """On which terms an engine is started."""

    confinement: Confinement
    env: Mapping[str, str]
    overruled: tuple[str, ...]
    """Sentences about wishes of its description that are not granted."""


def terms_for(
    spec: EngineSpec,
    bounds: Bounds,
    environ: Mapping[str, str],
    *,
    rule: str = "",
    sockets: tuple[str, ...] = (),
    port: int = 0,
    hides: tuple[str, ...] = (),
) -> Terms:
    """Return the terms for an engine.

    Args:
        spec: its description.
        bounds: what the supervisor allows.
        environ: our own variables.
        rule: the name or path of the rules that it is to play.
        sockets: folders with the socket files that it connects to.
        port: of this machine, to which it connects; 0 for none.
        hides: files that it must not see.
    """
    cache = os.path.realpath(cache_folder(environ))
    asked = Sandbox(network=spec.network, reads=(*spec.reads, cache), writes=spec.writes, hides=hides)
    agreement = agree(asked, spec.sandbox, bounds.sandbox, bounds.network)
    if agreement.sandbox.level == "off":
        env = {**environ, **spec.env}
    else:
        # The private home has no folders of the user; those with rules are named one by one.
        places = [str(folder.path.absolute()) for folder in folders(environ, "rules")]
        found = os.pathsep.join(place for place in places if os.path.isdir(place))
        env = {**scrubbed(environ), **({RULES: found} if found else {}), SHARED: cache, **spec.env}
    shown = [str(spec.folder)] if spec.folder is not None else []
    if os.path.isabs(rule):
        shown.append(os.path.dirname(os.path.abspath(rule)))
    confinement = Confinement(agreement.sandbox, referee_folders(environ), tuple(shown), sockets, port)
    return Terms(confinement, env, agreement.overruled)


def referee_folders(environ: Mapping[str, str]) -> Referee:
    """Return the folders of the user whose programs we are."""
    private = (user_folder(environ, variable, default) / "ggtp" for variable, default in USER_FOLDERS)
    home = environ.get("HOME") or str(Path("~").expanduser())
    return Referee(os.path.realpath(home), str(Path.cwd()), tuple(map(os.path.realpath, private)))
