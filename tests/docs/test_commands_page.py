"""The reference of commands says what the prompt's table says."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from repl.commands.table import COMMANDS, find_command
from tests.docs.commands_page import commands_page

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "reference" / "commands.md"


def test_the_page_is_the_table(matches_golden: Callable[[Path, str], None]) -> None:
    matches_golden(PAGE, commands_page(COMMANDS))


def test_every_command_has_its_row() -> None:
    page = PAGE.read_text("utf-8")
    assert all(f"| `:{each.name}" in page for each in COMMANDS)


@pytest.mark.parametrize(
    "page", [ROOT / "README.md", *(ROOT / "docs" / "guide").glob("*.md")], ids=lambda page: page.stem
)
def test_a_page_names_only_commands_that_exist(page: Path) -> None:
    text = page.read_text("utf-8")
    named = re.findall(r"(?:`|^bt> |:help ):([a-z][a-z-]*!?)", text, re.MULTILINE)
    assert [name for name in named if find_command(name) is None] == []
