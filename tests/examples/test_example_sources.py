"""The examples are sources without a finding, and what the README promises of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from lang.semantics.check import check_file
from lang.source import SourceText
from lang.syntax import parse_file, unparse
from tests.lang.semantics.library import library_view
from workspace.project import Project, SourceSet, open_project

EXAMPLES = Path(__file__).parents[2] / "examples"
PROJECTS = sorted(each.parent for each in EXAMPLES.glob("*/beamtalk.toml"))


@pytest.mark.parametrize("root", PROJECTS, ids=lambda root: root.name)
def test_every_source_parses_without_a_finding(root: Path) -> None:
    project = open_project(root)
    assert isinstance(project, Project)
    assert project.reading.lines() == ()
    paths = project.sources(SourceSet.ALL)
    world = library_view()
    for path in paths:
        world = world.with_file(parse_file(SourceText((root / path).read_text("utf-8"), path)))
    assert any(path.startswith("test/") for path in paths)
    for path in paths:
        source = SourceText((root / path).read_text("utf-8"), path)
        parsed = parse_file(source)
        found = check_file(parsed, world).all_diagnostics()
        assert [f"{path}: {each.message}" for each in found] == []
        assert unparse(parsed) == source.text


def test_the_account_of_the_bank_is_used_all_over_it() -> None:
    using = [
        path for path in (EXAMPLES / "bank" / "src").rglob("*.bt") if "Account" in path.read_text("utf-8")
    ]
    assert len(using) > 6


def test_all_are_there() -> None:
    assert [root.name for root in PROJECTS] == ["bank", "chatroom", "counter", "shapes", "workerpool"]
