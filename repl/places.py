"""Findings in the file that they belong to (workspace.md 3.7, 6.1).

Comes in: a finding whose span belongs to a unit's text. Guarantees: line and column are those
of the file as it is now, when the unit's line still stands there; else the unit is shown with
the file's line numbers. Leaves: rendering.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from lang.deferred import deferred
from lang.diagnostics import Diagnostic
from lang.source import SourceText
from lang.syntax.units import Side
from workspace import drafting
from workspace.change import Finding
from workspace.state import ImageState

if TYPE_CHECKING:
    from workspace.refactor import sites
else:
    sites = deferred("workspace.refactor.sites")


def in_its_file(root: Path, finding: Finding) -> tuple[SourceText, Diagnostic]:
    """The text to show, and the finding with a span in it."""
    position = finding.source.position(finding.diagnostic.span.start)
    unit_line = finding.source.line_text(position.line)
    file = _read(root, finding.path)
    if file is not None and finding.line <= file.line_count:
        line = file.line_text(finding.line)
        if unit_line and line.endswith(unit_line):
            start = file.line_start(finding.line) + len(line) - len(unit_line) + position.column - 1
            return file, finding.diagnostic.shifted(start - finding.diagnostic.span.start)
    above = finding.first_line - 1
    padded = SourceText("\n" * above + finding.source.text, finding.path or finding.source.name)
    return padded, finding.diagnostic.shifted(above)


def place_of_method(state: ImageState, owner: str, side: Side, selector: str) -> tuple[str, int] | None:
    """The file and line on which a method begins, doc comment aside; None when it stands in no file."""
    unit = state.method_unit(owner, side, selector)
    if unit is None or unit.path is None:
        return None
    node = drafting.parsed(unit).node
    above = 0 if node is None else unit.text.count("\n", 0, node.span.start)
    return unit.path, sites.first_line(state, unit) + above


def _read(root: Path, path: str | None) -> SourceText | None:
    if path is None:
        return None
    try:
        text = (root / path).read_bytes().decode("utf-8-sig")
    except (OSError, UnicodeDecodeError):
        return None
    return SourceText(text.replace("\r\n", "\n"), path)
