"""Nothing that a program may send reaches the host under `--no-ffi` (workspace.md 8.4)."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


@pytest.mark.slow
def test_no_public_selector_reaches_files_programs_sockets_or_modules(tmp_path: Path) -> None:
    (tmp_path / "files").mkdir()
    command = [
        sys.executable,
        "-m",
        "tests.lang.stdlib.no_ffi_probe",
        str(tmp_path / "files"),
        str(tmp_path / "cache"),
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600, check=False)
    *found, last = done.stdout.splitlines() or [""]
    assert found == []
    assert int(last.split()[0]) > 1500, done.stderr
    assert list((tmp_path / "files").iterdir()) == []
