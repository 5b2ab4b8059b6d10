"""Which protection an engine of this machine is going to have, found out without starting it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ggtp.catalogue import EngineSpec
from ggtp.driver.confine import terms_for
from ggtp.errors import EngineFailedToStart
from ggtp.processes.sandbox.available import available
from ggtp.processes.sandbox.box import boxed
from ggtp.processes.sandbox.cgroup import delegated
from ggtp.processes.sandbox.landlock import Landlock, tried
from ggtp.processes.sandbox.policy import Protection, Sandbox
from ggtp.referee.effects import Bounds

NO_GROUPS = (
    "none that we may use, so the referee looks twice a second what engines use: with systemd, start ggtp by"
    " `systemd-run --user --scope`"
)


@dataclass(frozen=True, slots=True)
class Expected:
    """The protection that an engine is going to have."""

    protection: Protection
    sandbox: Sandbox
    """The sandbox that the description and the supervisor agree on."""
    overruled: tuple[str, ...] = ()
    """Sentences about wishes of its description that are not granted."""
    problem: str = ""
    """Why it can't be started on these terms."""

    @property
    def private(self) -> bool:
        """Whether nothing that it learns can reach an engine of another game."""
        return not self.problem and is_private(self.protection, self.sandbox.writes)


def expected(
    spec: EngineSpec, environ: Mapping[str, str], sandbox: str = "standard", network: str = "asked"
) -> Expected:
    """Return what is going to hold for an engine if the options `sandbox` and `engine_network` have these values."""
    terms = terms_for(spec, Bounds(0, 0, 0, 0.0, sandbox=sandbox, network=network), environ)
    wanted = terms.confinement.sandbox
    try:
        box = boxed(spec.argv, terms.env, spec.cwd, terms.confinement, {})
    except (EngineFailedToStart, OSError) as error:
        protection = Protection("none", wanted.level, network=wanted.network)
        return Expected(protection, wanted, terms.overruled, str(error))
    box.close()
    box.remove()
    return Expected(box.protection, wanted, terms.overruled)


def is_private(protection: Protection, writes: tuple[str, ...]) -> bool:
    """Return whether an engine with this protection can pass nothing on to engines of other games.

    Namespaces keep it from all that outlives it, if it has no network and may not write anywhere. Landlock does not:
    there are other ways between processes than those that it closes.
    """
    return protection.kind == "bubblewrap" and not protection.network and not writes


def sandboxes() -> list[tuple[str, str, str]]:
    """Return the sandboxes from the best on, and control groups: the name, what there is, or else why there is none,
    with the remedy."""
    wrap, landlock = available(), tried()
    found = [("bubblewrap", "", wrap.missing)]
    if wrap.bubblewrap is not None:
        found = [("bubblewrap", f"{wrap.bubblewrap.path}, the best protection", "")]
    if isinstance(landlock, Landlock):
        found.append(("Landlock", f"version {landlock.version}, used without bubblewrap", ""))
    else:
        found.append(("Landlock", "", landlock))
    groups = delegated()
    if groups is None:
        return [*found, ("control groups", "", NO_GROUPS)]
    limits = " and ".join(groups.bounded)
    return [*found, ("control groups", f"{groups.path}, kernel limits for {limits} with bubblewrap", "")]
