"""`--no-ffi` on the command line: closed for the whole process (workspace.md 8.4)."""

from __future__ import annotations

from pathlib import Path

import pytest

from repl.cli import main
from tests.workspace.lab import library_cache


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(library_cache()))
    (tmp_path / "src").mkdir()
    (tmp_path / "beamtalk.toml").write_text('[package]\nname = "a"\nversion = "0.1.0"\n')
    (tmp_path / "src" / "A.bt").write_text("Object subclass: A\n\n  a => 1\n")
    return tmp_path


def test_host_access_is_refused(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = '[File readAll: "x"] on: Error do: [:e | e kind]'
    assert main(["repl", "--no-ffi", "-e", asked]) == 0
    assert main(["--no-ffi", "repl", "-e", "Session current info at: #noFfi"]) == 0
    assert main(["repl", "-e", "Session current info at: #noFfi"]) == 0
    assert capsys.readouterr().out == "#permission_denied\ntrue\nfalse\n"


@pytest.mark.parametrize(
    "wish",
    [
        "Workspace flush",
        'Workspace moveClass: A to: "src/b/A.bt"',
        "Workspace git status",
        "Workspace autoflush: true",
    ],
)
def test_what_writes_sources_is_refused(project: Path, capsys: pytest.CaptureFixture[str], wish: str) -> None:
    assert main(["--no-ffi", "repl", "-e", "A >> a => 2", "-e", wish]) == 1
    shown = capsys.readouterr()
    assert shown.out == "A>>a\n"
    assert "forbidden by --no-ffi" in shown.err
    assert (project / "src" / "A.bt").read_text() == "Object subclass: A\n\n  a => 1\n"
