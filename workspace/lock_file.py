"""`beamtalk.lock`: the commits that git dependencies are pinned to (workspace.md 1.3).

Comes in: the text of a lock file. Guarantees: what it pins, or why it cannot be read; a text that is the
same for the same pins. Leaves: reading and writing the file, and asking git.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass

LOCK_NAME = "beamtalk.lock"
_HEAD = "# Made by beamtalk: the commits of git dependencies. Commit this file.\n"
_COMMIT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_KEYS = ("name", "url", "reference", "sha")


@dataclass(frozen=True, slots=True)
class Pin:
    """One git dependency: where it comes from, what was asked for, and the commit that it was."""

    name: str
    url: str
    reference: str
    sha: str

    @property
    def short(self) -> str:
        """The commit as people read it."""
        return self.sha[:7]


@dataclass(frozen=True, slots=True)
class BrokenLock:
    """The lock file cannot be used."""

    problem: str

    def reason(self) -> str:
        """The text for people."""
        return f"{LOCK_NAME}: {self.problem}"


def read_lock(text: str) -> tuple[Pin, ...] | BrokenLock:
    """The pins of a lock file, by name; never raises."""
    try:
        tables = tomllib.loads(text).get("package", [])
    except tomllib.TOMLDecodeError as error:
        return BrokenLock(str(error))
    if not isinstance(tables, list):
        return BrokenLock("'package' must be a list of tables")
    pins: dict[str, Pin] = {}
    for table in tables:
        values = [table.get(key) for key in _KEYS] if isinstance(table, dict) else []
        if not values or not all(isinstance(value, str) and value for value in values):
            return BrokenLock(f"each [[package]] needs {', '.join(_KEYS)}")
        pin = Pin(*map(str, values))
        if not _COMMIT.fullmatch(pin.sha):
            return BrokenLock(f"'{pin.sha}' is not a commit")
        pins[pin.name] = pin
    return tuple(pins[name] for name in sorted(pins))


def lock_text(pins: Iterable[Pin]) -> str:
    """The text of a lock file with these pins."""
    tables = [
        "\n[[package]]\n"
        + "".join(f"{key} = {toml_string(value)}\n" for key, value in zip(_KEYS, _values(pin), strict=True))
        for pin in sorted(pins, key=lambda pin: pin.name)
    ]
    return _HEAD + "".join(tables)


def _values(pin: Pin) -> tuple[str, str, str, str]:
    return pin.name, pin.url, pin.reference, pin.sha


def toml_string(text: str) -> str:
    """A text as TOML writes it."""
    escaped = "".join(
        _ESCAPES.get(c) or (f"\\u{ord(c):04x}" if ord(c) < 32 or ord(c) == 127 else c) for c in text
    )
    return f'"{escaped}"'


_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}
