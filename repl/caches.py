"""Where this user's caches of the product lie (workspace.md 1.9).

Comes in: the environment. Guarantees: nothing is made here. Leaves: filling and reading them to their owners.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

from lang.version import VERSION


def library_cache(environment: Mapping[str, str]) -> Path:
    """The folder for the compiled library."""
    base = environment.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "beamtalk" / VERSION


def keep_bytecode(environment: Mapping[str, str]) -> None:
    """Let Python keep the bytecode of the product in its cache, where it may keep none beside the sources.

    Containers commonly set `PYTHONDONTWRITEBYTECODE`; each start would then compile every module anew, which
    takes longer than all the rest of it. Called once, for a process of the product's own.
    """
    if sys.dont_write_bytecode and sys.pycache_prefix is None:
        sys.pycache_prefix = str(library_cache(environment) / "bytecode")
        sys.dont_write_bytecode = False
