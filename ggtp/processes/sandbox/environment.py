"""The variables that an engine is given: those that programs need to run, and none that may hold a secret."""

from __future__ import annotations

from collections.abc import Mapping

KEPT = frozenset(
    (
        *("PATH", "LANG", "LANGUAGE", "TZ", "TZDIR", "LD_LIBRARY_PATH", "JAVA_HOME", "CUDA_VISIBLE_DEVICES"),
        *("PYTHONPATH", "PYTHONHASHSEED", "PYTHONUNBUFFERED", "PYTHONDONTWRITEBYTECODE", "PYTHONWARNINGS"),
        *("PYTHONUTF8", "PYTHONIOENCODING", "PYTHONFAULTHANDLER", "PYTHONDEVMODE", "VIRTUAL_ENV", "SOURCE_DATE_EPOCH"),
        *("GGTP_ENGINE", "GGTP_RULES_PATH", "GGTP_CHECK_NATIVE"),
    )
)
"""The variables that are handed on as they are."""
BEGINNINGS = ("LC_",)
ENDINGS = ("_NUM_THREADS", "_THREAD_LIMIT")
"""Variables for the language and for the threads of libraries are handed on, too; their names begin or end so."""


def scrubbed(environ: Mapping[str, str]) -> dict[str, str]:
    """Return the variables of the environment that an engine in a sandbox is given."""
    return {name: value for name, value in environ.items() if _kept(name)}


def _kept(name: str) -> bool:
    return name in KEPT or name.startswith(BEGINNINGS) or name.endswith(ENDINGS)
