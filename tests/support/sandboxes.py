"""What engines are kept from on this machine."""

from __future__ import annotations

from ggtp.processes.sandbox.cgroup import delegated
from ggtp.processes.sandbox.policy import Protection


def wrapped(*, network: bool = False) -> str:
    """In bubblewrap, in words: what the kernel limits depends on whether we may make control groups."""
    groups = delegated()
    bounded = groups.bounded if groups else ()
    return Protection("bubblewrap", "standard", network, bounded=bounded).sentence()
