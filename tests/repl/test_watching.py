"""`--watch`: again when sources change, until Ctrl-C (workspace.md 6.1)."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

from repl.command_line.watching import changed, stamps
from tests.workspace.lab import library_cache


def test_a_watch_runs_again_and_ends_with_the_last_code(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "beamtalk.toml").write_text('[package]\nname = "a"\nversion = "0.1.0"\n')
    source = tmp_path / "src" / "A.bt"
    source.write_text("Object subclass: A\n\n  a => 1\n")
    process = subprocess.Popen(
        [sys.executable, "-m", "repl.cli", "--project", str(tmp_path), "check", "--watch"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "XDG_CACHE_HOME": str(library_cache())},
        cwd=Path(__file__).parents[2],
    )
    try:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == "Checked 1 file: no problems\n"
        source.write_text("Object subclass: A\n\n  a => (1\n")
        assert process.stdout.readline().endswith(" src/A.bt ──\n")
        assert process.stderr.readline().startswith("error")
        while not process.stderr.readline().startswith("  Total"):
            pass
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=20)
        assert process.returncode in (0, 1)
    finally:
        process.kill()
        process.communicate()


def test_what_changed_is_told_by_path(tmp_path: Path) -> None:
    for name in ("a.bt", "b.bt", "c.btscript", "d.txt", ".e.bt"):
        (tmp_path / name).write_text("1")
    before = stamps(tmp_path)
    assert set(before) == {"a.bt", "b.bt", "c.btscript"}
    (tmp_path / "a.bt").write_text("12")
    (tmp_path / "b.bt").unlink()
    (tmp_path / "d.txt").write_text("12")
    (tmp_path / "beamtalk.toml").write_text("")
    assert changed(before, stamps(tmp_path)) == ["a.bt", "b.bt", "beamtalk.toml"]
