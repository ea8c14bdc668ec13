"""A live workspace that is killed at any call of a flush comes back whole (changes.md 5, 11)."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.faults.killed_flush_child import INPUTS
from tests.faults.test_flush_sigkill import STRIDE
from tests.workspace.lab import P0, Files, Lab, Tree, library_cache, project, tree_of
from tests.workspace.laws import assert_whole

FILES: Files = {
    **P0,
    "src/Lone.bt": "Value subclass: Lone\n  x => 1\n",
    "src/Kin.bt": b"Counter subclass: Kin\r\n  more => self increment\r\n",
    "test/CounterTest.bt": "TestCase subclass: CounterTest\n  testOne => Counter spawn",
}


def endings(folder: Path, moments: Iterable[int]) -> dict[int, str]:
    """Kill one process at each moment; how each ended."""
    for moment in moments:
        project(folder / str(moment), FILES)
    cache = library_cache()
    Lab(project(folder.parent / "warm", FILES)).close()
    run = subprocess.run(
        [sys.executable, "-m", "tests.faults.killed_flush_child", str(folder), str(cache)],
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[2],
        timeout=900,
        check=True,
    )
    found = dict(line.split(" ", 1) for line in run.stdout.splitlines())
    assert "failed" not in run.stdout, run.stdout
    return {int(moment): ending for moment, ending in found.items()}


def tree_after(folder: Path) -> Tree:
    """The tree that an undisturbed flush leaves."""
    lab = Lab(project(folder, FILES))
    for text in INPUTS:
        lab(text)
    lab.flush_all()
    lab.close()
    return tree_of(folder)


def assert_all_or_nothing(root: Path, after: Tree) -> bool:
    """Open the killed workspace again; whether the flush had reached the disk."""
    before = tree_of(project(root.parent.parent / "before", FILES))
    lab = Lab(root)
    try:
        now = lab.tree()
        assert now in (before, after), root.name
        lab.sync()
        restored = lab.workspace.evaluator.run(lab.workspace.history.restore)
        assert restored.skipped == ()
        assert len(restored.restored) == (0 if now == after else len(INPUTS) - 1)
        assert_whole(lab)
        lab.flush_all()
        assert lab.tree() == after
        assert [p for p in (root / ".beamtalk/flush").iterdir() if p.name != "kept"] == []
        return now == after
    finally:
        lab.close()


def check(tmp_path: Path, moments: Iterable[int]) -> None:
    ends = endings(tmp_path / "copies", moments)
    after = tree_after(tmp_path / "whole")
    assert "killed" in ends.values()
    written = [assert_all_or_nothing(tmp_path / "copies" / str(moment), after) for moment in sorted(ends)]
    assert written == sorted(written), "once committed, always committed"
    assert written[0] is False


def test_killed_at_some_calls(tmp_path: Path) -> None:
    check(tmp_path, range(0, 320, 43))


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_killed_at_many_calls(tmp_path: Path) -> None:
    check(tmp_path, range(0, 340, STRIDE))
