"""Files at the edges: very long sources, names at the limit of the file system, files one may not write (changes.md 5)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.workspace.lab import P0, lab_with

LIMIT = 255
"""Bytes that a file name may have on the common file systems."""


def test_a_name_at_the_limit_is_written_and_comes_back(tmp_path: Path) -> None:
    longest = "C" + "o" * (LIMIT - len(".bt") - 1)
    with lab_with(tmp_path) as lab:
        before = lab.tree()
        lab(f"Counter renameTo: #{longest}")
        lab.flush_all()
        assert lab.path(f"src/{longest}.bt").is_file()
        assert not lab.path("src/Counter.bt").exists()
        lab(f"{longest} >> increment => self.value := self.value + 2")
        lab.flush_all()
        for _ in range(2):
            lab("Workspace undo")
        lab.flush_all()
        assert lab.tree() == before


def test_a_name_beyond_the_limit_writes_nothing_and_says_why(tmp_path: Path) -> None:
    too_long = "C" + "o" * LIMIT
    with lab_with(tmp_path) as lab:
        before = lab.tree()
        lab(f"Counter renameTo: #{too_long}")
        result = lab.flush()
        assert result.entries == ()
        assert result.failure is not None or result.conflicts
        assert lab.tree() == before
        assert list((tmp_path / ".beamtalk/flush").iterdir()) == []
        # Memory is well, and the way back is open.
        lab("Workspace undo")
        assert lab("Workspace changes size") == "0"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everything")
def test_a_file_without_permission_is_a_conflict_and_holds_all_up(tmp_path: Path) -> None:
    with lab_with(tmp_path) as lab:
        lab.path("src/Meter.bt").chmod(0o444)
        lab("Counter renameTo: #Tally")
        before = lab.tree()
        result = lab.flush()
        assert [each.reason.value for each in result.conflicts] == ["not_writable"]
        assert lab.tree() == before


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_source_of_50_000_lines(tmp_path: Path) -> None:
    methods = "".join(
        f"  /// Step {n}.\n  step{n}: each =>\n    {'nil' if n % 10 else 'Counter spawn'}\n    each + {n}\n"
        for n in range(12_500)
    )
    files = {**P0, "src/Long.bt": f"Object subclass: Long\n\n{methods}"}
    assert files["src/Long.bt"].count("\n") > 50_000
    with lab_with(tmp_path, files) as lab:
        before = lab.tree()
        lab("Long >> step7000: each => each + Counter spawn getValue")
        lab("Counter renameTo: #Tally")
        lab.flush_all()
        text = lab.read("src/Long.bt")
        assert text.count("Tally spawn") == 1_250
        assert "Counter" not in text
        assert "  step7000: each => each + Tally spawn getValue\n" in text
        for _ in range(2):
            lab("Workspace undo")
        lab.flush_all()
        assert lab.tree() == before
