"""`deps`, against repositories in folders (workspace.md 1.3, 6.12)."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from repl.cli import main
from workspace.checkouts import Git, GitFailed
from workspace.lock_file import LOCK_NAME, Pin, read_lock

MANIFEST = '[package]\nname = "{name}"\nversion = "0.3.0"\n'


class Origin:
    """A bare repository of a package, and a working copy that pushes to it."""

    def __init__(self, folder: Path, name: str) -> None:
        self.bare, self.work = folder / f"{name}.git", folder / f"{name}-work"
        git("init", "--quiet", "--bare", "--initial-branch=main", str(self.bare))
        git("clone", "--quiet", str(self.bare), str(self.work))
        self.commit("beamtalk.toml", MANIFEST.format(name=name))

    def commit(self, path: str, text: str) -> str:
        (self.work / path).parent.mkdir(exist_ok=True)
        (self.work / path).write_text(text)
        git("add", "-A", folder=self.work)
        git("commit", "--quiet", "-m", "more", folder=self.work)
        git("push", "--quiet", "origin", "HEAD:main", folder=self.work)
        return git("rev-parse", "HEAD", folder=self.work)

    def tag(self, name: str) -> None:
        git("tag", "-f", name, folder=self.work)
        git("push", "--quiet", "--force", "origin", name, folder=self.work)


def git(*arguments: str, folder: Path | None = None) -> str:
    done = subprocess.run(["git", *arguments], cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout.strip()


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for key in ("GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL"):
        monkeypatch.setenv(key, "a@b")
    root = tmp_path / "mine"
    (root / "src").mkdir(parents=True)
    (root / "beamtalk.toml").write_text(MANIFEST.format(name="mine"))
    monkeypatch.chdir(root)
    return root


@pytest.fixture
def shapes(tmp_path: Path, mine: Path) -> Origin:
    origin = Origin(tmp_path, "shapes")
    origin.tag("v1")
    return origin


def package(folder: Path, name: str, more: str = "") -> Path:
    folder.mkdir()
    (folder / "beamtalk.toml").write_text(MANIFEST.format(name=name) + more)
    return folder


def pins(root: Path) -> tuple[Pin, ...]:
    found = read_lock((root / LOCK_NAME).read_text())
    assert isinstance(found, tuple)
    return found


def test_a_folder_is_added_listed_and_removed(mine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    package(mine.parent / "deep", "deep")
    package(mine.parent / "gadgets", "gadgets", '[dependencies]\ndeep = { path = "../deep" }\n')
    assert main(["deps", "add", "gadgets", "--path", "../gadgets"]) == 0
    assert main(["deps", "list"]) == 0
    assert main(["deps", "verify"]) == 0
    assert main(["deps", "remove", "gadgets"]) == 0
    assert capsys.readouterr().out == (
        "Added dependency 'gadgets' (path: ../gadgets)\n"
        "gadgets  0.3.0  (path: ../gadgets)\n"
        "  deep   0.3.0  (path: ../deep)\n"
        "0 dependencies are as beamtalk.lock has them\n"
        "Removed dependency 'gadgets'\n"
    )
    assert (mine / "beamtalk.toml").read_text().startswith(MANIFEST.format(name="mine"))
    assert not (mine / LOCK_NAME).exists()


def test_a_repository_is_added_at_a_tag(
    mine: Path, shapes: Origin, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["deps", "add", "shapes", "--git", str(shapes.bare), "--tag", "v1"]) == 0
    head = git("rev-parse", "HEAD", folder=shapes.work)
    assert pins(mine) == (Pin("shapes", str(shapes.bare), "v1", head),)
    assert git("rev-parse", "HEAD", folder=mine / ".beamtalk" / "deps" / "shapes") == head
    assert main(["deps", "list"]) == 0
    shown = str(shapes.bare).removesuffix(".git")
    assert capsys.readouterr().out == (
        f"Added dependency 'shapes' (git: {shown} @ v1)\nshapes  v1  (git: {shown} @ {head[:7]})\n"
    )


def test_update_moves_a_branch_and_says_so(
    mine: Path, shapes: Origin, capsys: pytest.CaptureFixture[str]
) -> None:
    old = git("rev-parse", "HEAD", folder=shapes.work)
    assert main(["deps", "add", "shapes", "--git", str(shapes.bare), "--branch", "main"]) == 0
    new = shapes.commit("src/A.bt", "Object subclass: A\n")
    capsys.readouterr()
    assert main(["deps", "update"]) == 0
    assert main(["deps", "update", "shapes"]) == 0
    assert capsys.readouterr().out == f"shapes {old[:7]} -> {new[:7]}\nshapes unchanged\n"
    assert pins(mine)[0].sha == new


def test_a_warm_project_needs_no_repository(
    mine: Path, shapes: Origin, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["deps", "add", "shapes", "--git", str(shapes.bare), "--tag", "v1"]) == 0
    shutil.rmtree(shapes.bare)
    assert main(["check"]) == 0
    assert main(["deps", "verify"]) == 0
    shutil.rmtree(mine / ".beamtalk" / "deps")
    assert main(["deps", "verify"]) == 1
    assert main(["run", "Main", "go"]) == 1
    assert "error: Dependency 'shapes' cannot be fetched: " in capsys.readouterr().err


def test_a_missing_checkout_is_made_at_the_locked_commit(mine: Path, shapes: Origin) -> None:
    assert main(["deps", "add", "shapes", "--git", str(shapes.bare), "--branch", "main"]) == 0
    locked = pins(mine)[0].sha
    shapes.commit("src/A.bt", "Object subclass: A\n")
    shutil.rmtree(mine / ".beamtalk" / "deps")
    assert main(["run", "Main", "go"]) == 1
    assert git("rev-parse", "HEAD", folder=mine / ".beamtalk" / "deps" / "shapes") == locked
    assert pins(mine)[0].sha == locked


def test_a_lock_that_disagrees_is_resolved_again_for_that_entry(
    mine: Path, shapes: Origin, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["deps", "add", "shapes", "--git", str(shapes.bare), "--tag", "v1"]) == 0
    new = shapes.commit("src/A.bt", "Object subclass: A\n")
    shapes.tag("v2")
    manifest = mine / "beamtalk.toml"
    manifest.write_text(manifest.read_text().replace('"v1"', '"v2"'))
    assert main(["run", "Main", "go"]) == 1
    assert (
        "beamtalk.lock does not agree with the manifest on 'shapes': resolving it again"
        in capsys.readouterr().err
    )
    assert pins(mine)[0] == Pin("shapes", str(shapes.bare), "v2", new)


def test_verify_finds_what_was_changed(
    mine: Path, shapes: Origin, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["deps", "add", "shapes", "--git", str(shapes.bare), "--tag", "v1"]) == 0
    (mine / ".beamtalk" / "deps" / "shapes" / "beamtalk.toml").write_text("")
    assert main(["deps", "verify"]) == 1
    assert "error: shapes: beamtalk.toml is not as it was committed\n" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["Gadgets", "--path", "x"], "package name must start with a lowercase letter, found 'G'"),
        (["mine", "--path", "x"], "Cannot add 'mine' as a dependency — it is this package itself"),
        (["gadgets", "--path", "../none"], "Dependency 'gadgets' is not there: no such folder ../none"),
        (["gadgets", "--path", "../empty"], "Dependency 'gadgets' has no beamtalk.toml in ../empty"),
        (["gadgets"], "Dependency 'gadgets' must specify either 'path' or 'git' as a source"),
        (
            ["gadgets", "--git", "https://x.invalid/a"],
            "Dependency 'gadgets' is a git dependency but has no ref",
        ),
        (
            ["gadgets", "--git", "ext::sh -c true", "--tag", "v1"],
            "Dependency 'gadgets' has a git URL that is not allowed",
        ),
        (["gadgets", "--git", "../none.git", "--tag", "v1"], "Dependency 'gadgets' cannot be fetched: "),
        (["shapes", "--git", "../shapes.git", "--tag", "v9"], "../shapes.git has no tag 'v9'"),
        (["other", "--git", "../shapes.git", "--tag", "v1"], "Expected: 'other', Found: 'shapes'"),
    ],
)
def test_a_failed_add_leaves_both_files_as_they_were(
    mine: Path, shapes: Origin, capsys: pytest.CaptureFixture[str], arguments: list[str], problem: str
) -> None:
    (mine.parent / "empty").mkdir()
    before = (mine / "beamtalk.toml").read_bytes()
    assert main(["deps", "add", *arguments]) == 1
    shown = capsys.readouterr()
    assert problem.replace("../shapes.git", str(shapes.bare)) in shown.err or problem in shown.err
    assert shown.out == ""
    assert (mine / "beamtalk.toml").read_bytes() == before
    assert not (mine / LOCK_NAME).exists()


def test_a_dependency_is_added_once_and_only_a_known_one_is_removed(
    mine: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    package(mine.parent / "gadgets", "gadgets")
    assert main(["deps", "add", "gadgets", "--path", "../gadgets"]) == 0
    assert main(["deps", "add", "gadgets", "--path", "../gadgets"]) == 1
    assert "Dependency 'gadgets' already exists in beamtalk.toml." in capsys.readouterr().err
    assert main(["deps", "remove", "gadget"]) == 1
    assert "hint: did you mean 'gadgets'?" in capsys.readouterr().err


def test_nothing_of_a_repository_is_run(mine: Path, shapes: Origin, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hooks of a template, of a configuration and of the clone itself."""
    marker = mine.parent / "ran"
    hooks = mine.parent / "hooks"
    hooks.mkdir()
    for name in ("post-checkout", "post-merge", "reference-transaction"):
        (hooks / name).write_text(f"#!/bin/sh\ntouch {marker}\n")
        (hooks / name).chmod(0o755)
    (mine.parent / "config").write_text(f"[core]\n  hooksPath = {hooks}\n")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(mine.parent / "config"))
    assert main(["deps", "add", "shapes", "--git", str(shapes.bare), "--tag", "v1"]) == 0
    assert not marker.exists()


def test_an_interrupted_clone_leaves_nothing(
    mine: Path, shapes: Origin, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_arguments: object, **_more: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Git, "run", interrupt)
    assert main(["deps", "add", "shapes", "--git", str(shapes.bare), "--tag", "v1"]) == 130
    monkeypatch.undo()
    assert not any((mine / ".beamtalk" / "deps").iterdir())
    assert not (mine / LOCK_NAME).exists()


def test_without_git_it_is_said(mine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _name: None)
    with pytest.raises(GitFailed, match="git is not installed"):
        Git().run("version")
