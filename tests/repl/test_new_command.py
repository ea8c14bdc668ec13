"""`new`: a project that is right as it comes (workspace.md 6.2)."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from repl.cli import main
from repl.command_line.project_template import class_stem
from tests.workspace.lab import library_cache

SHARED = {"beamtalk.toml", "README.md", ".gitignore", "AGENTS.md", ".mcp.json", "src", "test"}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(library_cache()))
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    return tmp_path


@pytest.mark.parametrize(
    ("options", "kind", "last", "files"),
    [
        ([], "library", "beamtalk repl", {"src/Orchard.bt", "test/OrchardTest.bt"}),
        (
            ["--app"],
            "application",
            "beamtalk run .",
            {"src/OrchardAppSup.bt", "src/Main.bt", "test/MainTest.bt"},
        ),
    ],
)
def test_a_new_project_builds_is_formatted_and_passes_its_tests(
    here: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    options: list[str],
    kind: str,
    last: str,
    files: set[str],
) -> None:
    assert main(["new", "orchard", *options]) == 0
    assert capsys.readouterr().out == (
        f"Created {kind} package 'orchard'\n\nNext steps:\n  cd orchard\n  beamtalk test\n  {last}\n"
    )
    root = here / "orchard"
    assert {path.name for path in root.iterdir()} - {".git"} == SHARED
    assert {path.relative_to(root).as_posix() for path in root.rglob("*.bt")} == files
    assert (root / ".git").is_dir()
    monkeypatch.chdir(root)
    for command in (["build"], ["check"], ["fmt", "--check"], ["test"]):
        assert main(command) == 0, command
    shown = capsys.readouterr()
    assert "1 passed, 0 failed" in shown.out
    assert "would be reformatted" not in shown.err


def test_git_may_be_left_out(here: Path) -> None:
    assert main(["new", "orchard", "--vcs", "none"]) == 0
    assert not (here / "orchard" / ".git").exists()


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("Orchard", "package name must start with a lowercase letter, found 'O'"),
        ("test", "'test' is a reserved package name"),
        ("../orchard", "package name must start with a lowercase letter, found '.'"),
        ("taken", "Directory 'taken' already exists"),
    ],
)
def test_a_name_that_cannot_be_is_refused_and_nothing_is_made(
    here: Path, capsys: pytest.CaptureFixture[str], name: str, problem: str
) -> None:
    (here / "taken").mkdir()
    assert main(["new", name]) == 1
    assert capsys.readouterr().err == f"error: {problem}\n"
    assert [path.name for path in here.iterdir()] == ["taken"]


def test_a_project_that_cannot_be_finished_leaves_nothing(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_arguments: object, **_more: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    assert main(["new", "orchard"]) == 1
    assert list(here.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "stem"),
    [
        ("orchard", "Orchard"),
        ("my_pond", "MyPond"),
        ("list", "ListPackage"),
        ("date_time", "DateTimePackage"),
    ],
)
def test_class_names_follow_the_package_and_keep_clear_of_the_library(name: str, stem: str) -> None:
    assert class_stem(name) == stem


def test_without_git_there_is_a_project_all_the_same(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _name: None)
    assert main(["new", "orchard"]) == 0
    assert (here / "orchard" / "beamtalk.toml").is_file()
