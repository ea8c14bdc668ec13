"""The list of checks that do not pass yet, with the reasons above them.

One check id a line, `folder/file:line` or the path of a case that is one check; a comment holds for the ids below it, up to an empty line.
"""

from __future__ import annotations

from collections.abc import Iterable

HEADING = "# Not looked into yet."


def known_ids(text: str) -> frozenset[str]:
    """The ids of a list."""
    lines = (line.strip() for line in text.split("\n"))
    return frozenset(line for line in lines if line and not line.startswith("#"))


def accepted(text: str, passed: Iterable[str], failed: Iterable[str]) -> str:
    """The list without what passes and with what fails; reasons stay while an id stands below them."""
    gone = frozenset(passed)
    blocks = [_without(block.split("\n"), gone) for block in text.split("\n\n")]
    new = sorted(frozenset(failed) - known_ids(text), key=_order)
    kept = [block for block in blocks if block and block[0] != HEADING]
    unexplained = [line for block in blocks if block and block[0] == HEADING for line in block[1:]]
    unexplained = sorted({*unexplained, *new}, key=_order)
    if unexplained:
        kept.append([HEADING, *unexplained])
    return "\n\n".join("\n".join(block) for block in kept) + "\n" if kept else ""


def _without(block: list[str], gone: frozenset[str]) -> list[str]:
    """The block less the ids that pass; nothing when no id is left."""
    lines = [line.strip() for line in block if line.strip() and line.strip() not in gone]
    return lines if any(not line.startswith("#") for line in lines) else []


def _order(check: str) -> tuple[str, int]:
    path, _, line = check.partition(":")
    return path, int(line or 0)
