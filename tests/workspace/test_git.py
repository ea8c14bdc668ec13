"""Git after a flush (changes.md 10): which files a commit takes, and that it takes no others."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from tests.workspace.git_lab import git, git_lab, in_commit, repository
from tests.workspace.lab import COUNTER, P0, Lab, lab_with, project

PATCH = "Counter >> increment => self.value := self.value + 2"
COMMIT = '(Workspace git commit: "change") at: #files'


def commit(lab: Lab) -> str:
    """Commit, and what was committed."""
    return lab(COMMIT)


def test_a_commit_takes_the_flushed_files_and_no_others(tmp_path: Path) -> None:
    with git_lab(tmp_path) as lab:
        lab.write("notes.txt", "mine")
        lab.write("src/Meter.bt", lab.read("src/Meter.bt") + "\n")
        git(tmp_path, "add", "notes.txt")
        lab(PATCH)
        lab("Workspace flush")
        assert commit(lab) == '#("src/Counter.bt")'
        assert in_commit(tmp_path) == ["M src/Counter.bt"]
        # What else was staged still is.
        assert git(tmp_path, "status", "--porcelain").splitlines() == ["A  notes.txt", " M src/Meter.bt"]


def test_a_rename_is_committed_as_delete_and_add(tmp_path: Path) -> None:
    with git_lab(tmp_path) as lab:
        lab("Counter renameTo: #Accumulator")
        lab.flush_all()
        commit(lab)
        assert in_commit(tmp_path) == ["A src/Accumulator.bt", "D src/Counter.bt", "M src/Meter.bt"]
        assert git(tmp_path, "status", "--porcelain") == ""


def test_a_second_commit_takes_what_was_flushed_since(tmp_path: Path) -> None:
    with git_lab(tmp_path) as lab:
        lab(PATCH)
        lab("Workspace flush")
        commit(lab)
        lab("Meter class >> make => 7")
        lab("Workspace flush")
        assert commit(lab) == '#("src/Meter.bt")'
        error = lab.error(COMMIT)
        assert (error.kind, error.message) == ("runtime_error", "nothing was flushed since the last commit")


def test_a_file_that_was_committed_by_hand_is_not_taken_again(tmp_path: Path) -> None:
    with git_lab(tmp_path) as lab:
        lab(PATCH)
        lab("Workspace flush")
        git(tmp_path, "commit", "--quiet", "--all", "--message=by hand", at="2090-01-01T00:00:00Z")
        lab.write("src/Counter.bt", lab.read("src/Counter.bt") + "\n// edited later\n")
        assert lab.error(COMMIT).message == "nothing was flushed since the last commit"


def test_flushes_of_earlier_sessions_count(tmp_path: Path) -> None:
    with git_lab(tmp_path) as lab:
        lab(PATCH)
        lab("Workspace flush")
        lab.restart()
        assert commit(lab) == '#("src/Counter.bt")'


def test_a_new_class_and_a_removed_one_are_committed(tmp_path: Path) -> None:
    with git_lab(tmp_path) as lab:
        lab('Workspace newClass: "Object subclass: Kite" at: "src/Kite.bt"')
        lab("Meter removeFromSystem")
        lab.flush_all()
        commit(lab)
        assert in_commit(tmp_path) == ["A src/Kite.bt", "D src/Meter.bt"]


def test_without_a_repository_only_git_says_so(tmp_path: Path) -> None:
    with lab_with(tmp_path) as lab:
        lab(PATCH)
        assert lab("Workspace flush") == "flushed 1 method across 1 file"
        for asked in ("status", "diff", "log: 3", 'commit: "x"'):
            error = lab.error(f"Workspace git {asked}")
            assert (error.kind, error.message) == ("runtime_error", "not a git repository")


def test_a_repository_without_a_commit(tmp_path: Path) -> None:
    project(tmp_path, P0)
    git(tmp_path, "init", "--quiet", "--initial-branch=main")
    git(tmp_path, "config", "user.name", "Ada")
    git(tmp_path, "config", "user.email", "ada@example.org")
    lab = Lab(tmp_path)
    try:
        lab.sync()
        lab(PATCH)
        assert lab("Workspace flushPlan neverCommitted") == '#("src/Counter.bt")'
        lab("Workspace flush")
        assert lab("(Workspace git status) at: #head") == "nil"
        assert lab("Workspace git log: 3") == "#()"
        commit(lab)
        assert in_commit(tmp_path) == ["A src/Counter.bt"]
    finally:
        lab.close()


def test_a_hook_that_refuses_leaves_the_index_as_it_was(tmp_path: Path) -> None:
    with git_lab(tmp_path) as lab:
        hook = tmp_path / ".git/hooks/pre-commit"
        hook.parent.mkdir(exist_ok=True)
        hook.write_text("#!/bin/sh\necho too late in the day >&2\nexit 1\n")
        hook.chmod(hook.stat().st_mode | stat.S_IXUSR)
        lab('Workspace newClass: "Object subclass: Kite" at: "src/Kite.bt"')
        lab(PATCH)
        lab("Workspace flush")
        before = git(tmp_path, "status", "--porcelain")
        assert lab.error(COMMIT).message == "too late in the day"
        assert git(tmp_path, "status", "--porcelain") == before
        hook.unlink()
        commit(lab)
        assert in_commit(tmp_path) == ["A src/Kite.bt", "M src/Counter.bt"]


def test_a_project_below_the_top_of_its_repository(tmp_path: Path) -> None:
    project(tmp_path / "lab", P0)
    (tmp_path / "README").write_text("top")
    repository(tmp_path)
    (tmp_path / "README").write_text("edited")
    lab = Lab(tmp_path / "lab")
    try:
        lab.sync()
        lab("Counter renameTo: #Accumulator")
        lab.flush_all()
        assert lab("(Workspace git status) at: #files").count("#path") == 3
        commit(lab)
        assert in_commit(tmp_path) == [
            "A lab/src/Accumulator.bt",
            "D lab/src/Counter.bt",
            "M lab/src/Meter.bt",
        ]
    finally:
        lab.close()


def test_ignored_files_are_flushed_and_not_committed(tmp_path: Path) -> None:
    with git_lab(tmp_path, {".gitignore": "src/Counter.bt\n", **P0}) as lab:
        lab(PATCH)
        lab("Workspace flush")
        assert lab.read("src/Counter.bt") == COUNTER.replace("+ 1", "+ 2")
        said = lab.error(COMMIT).message
        assert said == "nothing was flushed since the last commit; src/Counter.bt is ignored by git"


def test_files_of_a_submodule_are_left_to_it(tmp_path: Path) -> None:
    with git_lab(tmp_path, {"src/Meter.bt": P0["src/Meter.bt"]}) as lab:
        inner = tmp_path / "src/inner"
        (inner).mkdir()
        lab.write("src/inner/Counter.bt", COUNTER)
        repository(inner)
        lab.sync()
        lab(PATCH)
        lab("Workspace flush")
        said = lab.error(COMMIT).message
        assert said.endswith("src/inner/Counter.bt belongs to another repository")


def test_a_linked_source_is_committed_under_the_name_that_git_has(tmp_path: Path) -> None:
    project(tmp_path, P0)
    (tmp_path / "real").mkdir()
    (tmp_path / "src/Counter.bt").rename(tmp_path / "real/Counter.bt")
    (tmp_path / "src/Counter.bt").symlink_to("../real/Counter.bt")
    repository(tmp_path)
    lab = Lab(tmp_path)
    try:
        lab.sync()
        lab(PATCH)
        lab("Workspace flush")
        commit(lab)
        assert in_commit(tmp_path) == ["M real/Counter.bt"]
    finally:
        lab.close()


@pytest.mark.parametrize("name", ["src/Zähler.txt", "src/a b[1]*.txt"])
def test_names_are_names_and_no_patterns(tmp_path: Path, name: str) -> None:
    with git_lab(tmp_path) as lab:
        lab.write(name, "x")
        assert f'"{name}"' in lab("(Workspace git status) at: #files")


def test_the_repository_runs_nothing_when_it_is_only_looked_at(tmp_path: Path) -> None:
    with git_lab(tmp_path) as lab:
        trap = tmp_path / ".git/trap"
        trap.write_text("#!/bin/sh\ntouch .git/sprung\n")
        trap.chmod(0o755)
        for key in ("core.fsmonitor", "diff.external"):
            git(tmp_path, "config", key, ".git/trap")
        lab(PATCH)
        lab("Workspace flush")
        lab("Workspace git status")
        assert "+ 2" in lab("Workspace git diff")
        lab("Workspace git log: 1")
        assert not (tmp_path / ".git/sprung").exists()


def test_the_log_answers_what_touched_the_project(tmp_path: Path) -> None:
    with git_lab(tmp_path) as lab:
        assert lab("(Workspace git log: 5) size") == "1"
        assert lab("((Workspace git log: 5) at: 1) at: #subject") == '"begin"'
        assert lab.error('Workspace git log: "x"').kind == "type_error"


def test_a_plan_names_what_git_cannot_bring_back(tmp_path: Path) -> None:
    with git_lab(tmp_path) as lab:
        lab.write("src/Fresh.bt", "Object subclass: Fresh\n")
        lab.sync()
        lab("Fresh removeFromSystem")
        lab("Meter removeFromSystem")
        assert lab("Workspace flushPlanIncludingDestructive neverCommitted") == '#("src/Fresh.bt")'
