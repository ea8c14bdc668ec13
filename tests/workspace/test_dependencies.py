"""Path dependencies: which packages a project is made of, and what is wrong with those that cannot be had."""

from __future__ import annotations

from pathlib import Path

import pytest

from workspace.dependencies import ResolvedProject, problem_lines, resolve_dependencies
from workspace.project import Project, open_project


def package(root: Path, name: str, dependencies: str = "", *, folder: str | None = None) -> Path:
    """A package whose manifest declares the given lines of `[dependencies]`."""
    home = root / (folder or name)
    (home / "src").mkdir(parents=True)
    text = f'[package]\nname = "{name}"\nversion = "0.1.0"\n\n[dependencies]\n{dependencies}'
    (home / "beamtalk.toml").write_text(text, "utf-8")
    return home


def resolved(root: Path) -> ResolvedProject:
    project = open_project(root)
    assert isinstance(project, Project)
    return resolve_dependencies(project)


def on(*names: str) -> str:
    return "".join(f'{name} = {{ path = "../{name}" }}\n' for name in names)


def test_each_package_comes_once_and_after_what_it_needs(tmp_path: Path) -> None:
    package(tmp_path, "deep")
    package(tmp_path, "left", on("deep"))
    package(tmp_path, "right", on("deep", "left"))
    found = resolved(package(tmp_path, "app", on("right", "left")))
    assert [each.name for each in found.packages] == ["deep", "left", "right", "app"]
    assert found.problems == ()
    assert [str(each) for each in found.main.dependencies] == ["right", "left"]


@pytest.mark.parametrize(
    ("dependencies", "text"),
    [
        (on("gone"), "Dependency 'gone' is not there: no such folder ../gone"),
        (on("bare"), "Dependency 'bare' has no beamtalk.toml in ../bare"),
        ('json = { path = "../xml" }\n', "Expected: 'json', Found: 'xml'"),
        (on("ring"), "Circular dependency detected: ring -> loop -> ring"),
        (on("app"), "Circular dependency detected: app -> app"),
        ('xml = { path = "../xml" }\nuser = { path = "../user" }\n', "is required from two sources"),
        ('far = { git = "https://example.org/far", tag = "v1" }\n', "is not checked out"),
        (on("broken"), "[package] needs 'version'"),
    ],
)
def test_what_cannot_be_had_is_told_at_its_key(tmp_path: Path, dependencies: str, text: str) -> None:
    (tmp_path / "bare").mkdir()
    package(tmp_path, "xml")
    package(tmp_path, "xml", folder="other")
    package(tmp_path, "user", 'xml = { path = "../other" }\n')
    package(tmp_path, "ring", on("loop"))
    package(tmp_path, "loop", on("ring"))
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "beamtalk.toml").write_text('[package]\nname = "broken"\n', "utf-8")
    found = resolved(package(tmp_path, "app", dependencies))
    assert len(found.problems) == 1
    (line,) = problem_lines(found)
    assert text in line
    assert ": error: " in line
    assert found.main.name == "app"


def test_a_problem_below_names_the_manifest_below(tmp_path: Path) -> None:
    package(tmp_path, "middle", on("gone"))
    found = resolved(package(tmp_path, "app", on("middle")))
    (line,) = problem_lines(found)
    assert line.startswith(f"{tmp_path / 'middle' / 'beamtalk.toml'}:6:1: error: ")


def test_git_dependencies_are_found_where_they_are_checked_out(tmp_path: Path) -> None:
    app = package(tmp_path, "app", 'far = { git = "https://example.org/far", tag = "v1" }\n')
    package(app / ".beamtalk" / "deps", "far")
    assert [each.name for each in resolved(app).packages] == ["far", "app"]
