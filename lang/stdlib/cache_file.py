"""Files of compiled code: one record a file, never trusted (workspace.md 1.9).

Comes in: a magic, a key of 32 bytes, and a payload. Guarantees: a record is written by a temporary
name and a rename, so that readers take no lock; one whose magic, key, length or hash is off, or that
others could have written, reads as absent. Leaves: what goes into key and payload.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from lang.deferred import deferred

if TYPE_CHECKING:
    import shutil
    import tempfile
else:
    shutil = deferred("shutil")
    tempfile = deferred("tempfile")

_A_DAY: Final = 24 * 3600
_UNUSED: Final = 30 * _A_DAY
_PRUNED: Final = ".pruned"
_LANGUAGE: Final = Path(__file__).parent.parent


def read_record(path: Path, magic: bytes, key: bytes) -> bytes | None:
    """The payload of a record, or None when anything about it is off."""
    try:
        status = path.stat()
        if status.st_uid != os.getuid() or status.st_mode & 0o022:
            return None
        data = path.read_bytes()
    except OSError:
        return None
    size = len(magic) + 32 + 8 + 32
    payload = data[size:]
    return payload if data[:size] == _head(magic, key, payload) else None


def write_record(path: Path, magic: bytes, key: bytes, payload: bytes) -> None:
    """Write a record. Raises `OSError`; then there is none, or the one of before."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(_head(magic, key, payload) + payload)
        Path(temporary).replace(path)
    except OSError:
        with suppress(OSError):
            Path(temporary).unlink()
        raise


def prune_daily(folder: Path, used: Iterable[Path]) -> None:
    """At most daily: note which records of a folder are in use, and delete those unused for 30 days.

    Raises `OSError`.
    """
    marker = folder / _PRUNED
    with suppress(FileNotFoundError):
        if time.time() - marker.stat().st_mtime < _A_DAY:
            return
    folder.mkdir(parents=True, exist_ok=True)
    marker.touch()
    for path in used:
        os.utime(path)
    limit = time.time() - _UNUSED
    for path in folder.glob("??/*.btc"):
        if path.stat().st_mtime < limit:
            path.unlink()


def _head(magic: bytes, key: bytes, payload: bytes) -> bytes:
    return magic + key + len(payload).to_bytes(8) + hashlib.sha256(payload).digest()


def _modules_below(folder: str) -> list[str]:
    """The Python files of a folder and those below, in order; as texts, for a start has 200 of them to read."""
    return sorted(
        f"{where}/{name}"
        for where, _folders, names in os.walk(folder)
        for name in names
        if name.endswith(".py")
    )


def compiler_digest() -> bytes:
    """Of all that compiled code depends on besides its source: the compiler's own text, and the host's format."""
    digest = hashlib.sha256(importlib.util.MAGIC_NUMBER)
    for folder in ("codegen", "syntax", "semantics", "ast"):
        for path in _modules_below(f"{_LANGUAGE}/{folder}"):
            with open(path, "rb") as file:  # noqa: PTH123 - as texts
                digest.update(file.read())
    return digest.digest()


def remove_cache(folder: Path) -> None:
    """Take a cache away, as far as that can be done; it is made anew when somebody writes to it."""
    shutil.rmtree(folder, ignore_errors=True)
