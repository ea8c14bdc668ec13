"""`:git`, `:commit`, and the warning before files are written over that git does not have (changes.md 10)."""

from __future__ import annotations

import re
from pathlib import Path

from tests.repl.command_lab import CommandLab
from tests.workspace.git_lab import git, git_lab, in_commit
from tests.workspace.lab import lab_with

PATCH = "Counter >> increment => self.value := self.value + 2"


def test_status_tells_flushed_files_from_others(tmp_path: Path) -> None:
    with git_lab(tmp_path) as lab:
        run = CommandLab(lab)
        assert "nothing differs from the last commit" in run(":git").text
        lab.write("notes.txt", "mine")
        lab(PATCH)
        lab("Workspace flush")
        first, *rest = run(":git status").text.split("\n")
        assert re.fullmatch(r"on branch main, [0-9a-f]{7,}", first)
        assert rest == [
            "flushed, for :commit:",
            "  modified   src/Counter.bt",
            "other changes:",
            "  untracked  notes.txt",
        ]
        assert "+  increment => self.value := self.value + 2" in run(":git diff").text
        assert run(":git log").text.endswith("Ada <ada@example.org>  begin")
        assert run(":git push").text == "Usage: :git [status|diff|log [N]]"


def test_commit_shows_the_hash_and_the_files(tmp_path: Path) -> None:
    with git_lab(tmp_path) as lab:
        run = CommandLab(lab)
        lab(PATCH)
        lab("Workspace flush")
        assert re.fullmatch(r"[0-9a-f]{7,}  1 file: src/Counter\.bt", run(':commit "count by two"').text)
        assert run(":git log 1").text.endswith("count by two")
        assert "nothing was flushed" in run(':commit "again"').text
        assert run(":commit").text == 'Usage: :commit "MESSAGE"'


def test_commit_asks_first_when_a_file_was_edited_besides(tmp_path: Path) -> None:
    with git_lab(tmp_path) as lab:
        run = CommandLab(lab)
        lab(PATCH)
        lab("Workspace flush")
        lab.write("src/Counter.bt", lab.read("src/Counter.bt").replace('"counter"', '"mine"'))
        # Also when memory has taken the edit in.
        for take_in in ("nil", "Workspace sync"):
            lab(take_in)
            said = run(':commit "count by two"', "n")
            assert said.text == (
                "src/Counter.bt holds edits besides what was flushed; they would be committed too.\n"
                "Aborted: nothing was committed."
            )
        assert len(in_commit(tmp_path)) == 3
        run(':commit "count by two"', "y")
        assert in_commit(tmp_path) == ["M src/Counter.bt"]


def test_without_a_repository(tmp_path: Path) -> None:
    with lab_with(tmp_path) as lab:
        run = CommandLab(lab)
        assert "not a git repository" in run(":git").text
        assert "not a git repository" in run(':commit "x"').text
        lab("Meter removeFromSystem")
        assert "git" not in run(":flush-destructive", "n").text


def test_what_git_cannot_bring_back_is_said_before_it_is_deleted(tmp_path: Path) -> None:
    with git_lab(tmp_path) as lab:
        run = CommandLab(lab)
        git(tmp_path, "rm", "--cached", "--quiet", "src/Meter.bt")
        git(tmp_path, "commit", "--quiet", "--message=forget")
        lab("Meter removeFromSystem")
        assert run(":flush-destructive", "n").text.split("\n")[:2] == [
            "delete src/Meter.bt",
            "⚠ never committed, so git cannot bring back: src/Meter.bt",
        ]
