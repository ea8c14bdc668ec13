"""Dependencies put into a manifest and taken out of it, as edits of its text (workspace.md 6.12).

Comes in: the text of a manifest that can be read. Guarantees: comments, order and layout of all else stay;
an edit that would not say what was asked is a refusal. Leaves: reading and writing the file.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from workspace.lock_file import toml_string
from workspace.manifest import Dependency, GitSource, PathSource, read_manifest
from workspace.toml_places import TomlPlaces

_TABLE = "dependencies"


@dataclass(frozen=True, slots=True)
class CannotEdit:
    """The manifest is written in a way that this does not change."""

    reason: str


def with_dependency(text: str, name: str, keys: Mapping[str, str]) -> str:
    """The manifest with one more dependency, behind the others."""
    newline = "\r\n" if "\r\n" in text else "\n"
    line = f"{name} = {{ {', '.join(f'{key} = {toml_string(value)}' for key, value in keys.items())} }}"
    lines = text.splitlines(keepends=True)
    at = _end_of_table(lines)
    if at is not None:
        before = "".join(lines[:at])
        return _ended(before, newline) + line + newline + "".join(lines[at:])
    begun = _ended(text, newline)
    gap = newline if begun.strip() else ""
    return f"{begun}{gap}[{_TABLE}]{newline}{line}{newline}"


def without_dependency(text: str, dependency: Dependency) -> str | CannotEdit:
    """The manifest without a dependency; a comment on its line goes with it."""
    lines = text.splitlines(keepends=True)
    at = text.count("\n", 0, dependency.span.start)
    sub_table = re.match(rf"\s*\[\s*{_TABLE}\s*\.", lines[at])
    end = _end_of_sub_table(lines, at) if sub_table else at + 1
    rest = "".join(lines[:at] + lines[end:])
    if _says(rest, dependency.name) is None and _others(rest) == _others(text) - {dependency.name}:
        return rest
    return CannotEdit(
        f"Dependency '{dependency.name}' is not on a line of its own in beamtalk.toml; take it out by hand"
    )


def _says(text: str, name: str) -> PathSource | GitSource | None:
    manifest = read_manifest(text).manifest
    found = manifest.dependencies if manifest is not None else ()
    return next((each.source for each in found if each.name == name), None)


def _others(text: str) -> set[str]:
    manifest = read_manifest(text).manifest
    return {each.name for each in manifest.dependencies} if manifest is not None else set()


def _ended(text: str, newline: str) -> str:
    return text if not text or text.endswith("\n") else text + newline


def _end_of_table(lines: list[str]) -> int | None:
    """Behind the last line with something on it of `[dependencies]`; None when there is no such table."""
    text = "".join(lines)
    places = TomlPlaces(text)
    span = places.span((_TABLE,))
    if not re.match(rf"\[\s*{_TABLE}\s*\]", text[span.start :]):
        return None
    first = text.count("\n", 0, span.start)
    last = first
    for number in range(first + 1, len(lines)):
        stripped = lines[number].strip()
        if _is_header(lines[number]):
            break
        if stripped and not stripped.startswith("#"):
            last = number
    return last + 1


def _end_of_sub_table(lines: list[str], at: int) -> int:
    return next((n for n in range(at + 1, len(lines)) if _is_header(lines[n])), len(lines))


def _is_header(line: str) -> bool:
    return re.match(r"\s*\[\[?[^\[\]]+\]\]?\s*(#.*)?$", line) is not None and "=" not in line
