"""What a process sets up that runs nothing but the product; a library that is imported must not do this.

Comes in: the environment. Guarantees: nothing of it changes what a program says. Leaves: the command to `cli`.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Mapping
from typing import Final

from repl.caches import library_cache

YOUNG_OBJECTS: Final = 50_000
"""So many new objects may come before the collector looks for cycles: parsing makes many and few cycles
(47,300 lines/s at Python's 700, 51,200 at this)."""


def set_up(environment: Mapping[str, str]) -> None:
    """Called once, before anything else is imported."""
    gc.set_threshold(YOUNG_OBJECTS, 20, 20)
    keep_bytecode(environment)


def keep_bytecode(environment: Mapping[str, str]) -> None:
    """Let Python keep the bytecode of the product in its cache, where it may keep none beside the sources.

    Containers commonly set `PYTHONDONTWRITEBYTECODE`; each start would then compile every module anew, which
    takes longer than all the rest of it.
    """
    if sys.dont_write_bytecode and sys.pycache_prefix is None:
        sys.pycache_prefix = str(library_cache(environment) / "bytecode")
        sys.dont_write_bytecode = False
