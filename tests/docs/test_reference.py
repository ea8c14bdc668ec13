"""The pages of the reference name everything that there is, and nothing else."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest

from lang.runtime import errors
from repl.cli import COMMANDS
from tests.docs.command_line_page import command_line_page
from workspace.manifest import _PACKAGE_KEYS, CATEGORY_KEYS, read_manifest

ROOT = Path(__file__).parents[2]
REFERENCE = ROOT / "docs" / "reference"


def rows(page: str) -> list[str]:
    """What stands in code in the first cells of the tables of a page."""
    text = (REFERENCE / page).read_text("utf-8")
    cells = [line.split("|")[1] for line in text.splitlines() if line.startswith("| `")]
    return [name for cell in cells for name in re.findall(r"`([^`]+)`", cell)]


def test_every_category_has_its_row() -> None:
    assert sorted(rows("diagnostics.md")) == sorted(CATEGORY_KEYS)


@pytest.mark.slow
def test_every_kind_that_the_product_raises_has_its_row() -> None:
    raised = {
        kind
        for folder in ("lang", "workspace", "repl")
        for path in (ROOT / folder).rglob("*.py")
        for kind in re.findall(r'BeamtalkError\(\s*"([a-z_]+)"', path.read_text("utf-8"))
    }
    known = set(rows("errors.md"))
    assert raised | set(errors.RUNTIME_ERROR_KINDS) <= known
    assert len(known) == len(rows("errors.md"))


def test_every_key_of_the_manifest_has_its_row() -> None:
    named = " ".join(rows("manifest.md"))
    assert all(f"[package] {key}" in named for key in _PACKAGE_KEYS)
    assert all(f"[{table}]" in named for table in ("dependencies", "application", "diagnostics", "registry"))


def test_the_manifest_of_the_page_can_be_read() -> None:
    text = (REFERENCE / "manifest.md").read_text("utf-8")
    reading = read_manifest(text.split("```toml\n")[1].split("```")[0])
    assert (reading.problems, reading.table_problems) == ((), ())


def parsers() -> dict[str, argparse.ArgumentParser]:
    """Those of all commands, by name; a synonym has none of its own."""
    found: dict[str, argparse.ArgumentParser] = {}
    for name in COMMANDS:
        if name != "fmt-check":
            found[name] = argparse.ArgumentParser(prog=f"beamtalk {name}", add_help=False)
            import_module(f"repl.command_line.{name.replace('-', '_')}_command").add_arguments(found[name])
    return found


def test_the_page_of_the_command_line_names_only_what_exists() -> None:
    known = set(command_line_page(COMMANDS, parsers()).splitlines())
    page = (REFERENCE / "command-line.md").read_text("utf-8").splitlines()
    assert [line for line in page if line.startswith("## ") and line not in known] == []


@pytest.mark.slow
def test_the_page_of_the_command_line_is_what_the_parsers_say(
    matches_golden: Callable[[Path, str], None],
) -> None:
    matches_golden(REFERENCE / "command-line.md", command_line_page(COMMANDS, parsers()))


@pytest.mark.parametrize("page", sorted((ROOT / "docs").glob("[!s]*/*.md")), ids=lambda page: page.stem)
def test_links_lead_somewhere(page: Path) -> None:
    targets = re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text("utf-8"))
    assert [each for each in targets if not (page.parent / each).exists()] == []
