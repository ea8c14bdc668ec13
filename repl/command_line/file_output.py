"""Whole files as commands write them: all of the new text, or the old (workspace.md 6.8, 6.9, 8.3)."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

_NEW_FILE_MODE = 0o644


def write_whole(path: Path, data: bytes) -> None:
    """Put `data` in the place of a file; a link stays a link, and the mode stays. Raises `OSError`."""
    target = path.resolve()
    mode = target.stat().st_mode & 0o7777 if target.exists() else _NEW_FILE_MODE
    handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).chmod(mode)
        Path(temporary).replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(temporary).unlink()
        raise
