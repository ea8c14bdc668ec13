"""Where this user's caches of the product lie (workspace.md 1.9).

Comes in: the environment. Guarantees: nothing is made here. Leaves: filling and reading them to their owners.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from lang.version import VERSION


def library_cache(environment: Mapping[str, str]) -> Path:
    """The folder for the compiled library."""
    base = environment.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "beamtalk" / VERSION
