"""Where the project is, told without importing the image."""

from __future__ import annotations

import os
from pathlib import Path

from lang.dataclass import dataclass

MANIFEST = "beamtalk.toml"


@dataclass(frozen=True, slots=True)
class Found:
    """The project's folder; None outside of any."""

    root: Path | None


def find_place(wanted: str | None) -> Found | str:
    """The project of `--project`, else the one around the working directory; an error text when there is none."""
    if wanted is None:
        here = Path.cwd()
        return Found(next((each for each in (here, *here.parents) if (each / MANIFEST).is_file()), None))
    root = Path(wanted).expanduser().absolute()
    if not root.is_dir():
        return f"error: no such folder: {wanted}"
    if not (root / MANIFEST).is_file():
        return f"error: No {MANIFEST} found in: {root}"
    return Found(root)


def may_be_held(found: Found) -> bool:
    """Whether the process that last held the workspace lives; only opening tells whether it still holds it."""
    if found.root is None:
        return False
    try:
        os.kill(int((found.root / ".beamtalk" / "lock").read_bytes()), 0)
    except (OSError, ValueError, OverflowError):
        return False
    return True
