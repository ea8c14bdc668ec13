"""`:doctor`: is this workspace well (workspace.md 6.13)."""

from __future__ import annotations

from typing import Final

from repl.commands.desk import Desk, usage
from repl.events import Shown, Steps
from repl.paint import visible
from workspace.doctor import Verdict, closing_line, examine

_SIGNS: Final = {Verdict.OK: "✅", Verdict.WARNING: "⚠️ ", Verdict.FAILED: "❌"}


def doctor(desk: Desk, arguments: str) -> Steps:
    """`:doctor`: a line for each check, and what it comes to; nothing is repaired."""
    if arguments:
        raise usage(":doctor")
    checks = examine(desk.workspace)
    for check in checks:
        yield Shown(f"{_SIGNS[check.verdict]} {check.name}: {visible(check.text)}")
    yield Shown(closing_line(checks))
