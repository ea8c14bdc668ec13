"""The reference of commands says what the prompt's table says."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from repl.commands.table import COMMANDS
from tests.docs.commands_page import commands_page

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "commands.md"


def test_the_page_is_the_table(matches_golden: Callable[[Path, str], None]) -> None:
    matches_golden(PAGE, commands_page(COMMANDS))


def test_every_command_has_its_row() -> None:
    page = PAGE.read_text("utf-8")
    assert all(f"| `:{each.name}" in page for each in COMMANDS)
