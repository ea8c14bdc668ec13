"""Copies of the examples for tests, without what a workspace that somebody opened there keeps for itself."""

from __future__ import annotations

import shutil
from pathlib import Path

EXAMPLES = Path(__file__).parents[2] / "examples"


def copy_of(name: str, place: Path) -> Path:
    """A copy of an example at `place`, which must not be there yet."""
    return Path(shutil.copytree(EXAMPLES / name, place, ignore=shutil.ignore_patterns(".beamtalk")))
