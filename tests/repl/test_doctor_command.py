"""`doctor`: what is here, what is sound, and what is not (workspace.md 6.13)."""

from __future__ import annotations

from pathlib import Path

import pytest

from repl.cli import main
from tests.workspace.lab import library_cache


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(library_cache()))
    monkeypatch.setenv("EDITOR", "sh -e")
    monkeypatch.setenv("TERM", "xterm")
    (tmp_path / "src").mkdir()
    (tmp_path / "beamtalk.toml").write_text('[package]\nname = "a"\nversion = "0.1.0"\n')
    (tmp_path / "src" / "A.bt").write_text("Object subclass: A\n\n  a => 1\n")
    return tmp_path


def lines(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return capsys.readouterr().out.splitlines()


def test_a_sound_project_passes_and_nothing_is_written(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["doctor"]) == 0
    shown = lines(capsys)
    assert shown[-2:] == ["", "All checks passed!"]
    assert "✅ project: a 0.1.0" in shown
    assert not (project / ".beamtalk").exists()
    assert main(["repl", "-e", "A >> a => 2"]) == 0
    capsys.readouterr()
    assert main(["doctor"]) == 0
    shown = lines(capsys)
    assert any(line.startswith("✅ change log: 1 entries, ") for line in shown)
    assert "✅ lock: free" in shown
    assert "✅ flush: none unfinished" in shown


def test_what_is_broken_is_a_failure(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "beamtalk.toml").write_text("[package]\n")
    assert main(["doctor"]) == 1
    shown = lines(capsys)
    assert "❌ beamtalk.toml:1:1: error: [package] needs 'name'" in shown
    assert shown[-1] == "Some checks failed. See above for details."


def test_a_torn_log_and_a_cut_flush_are_warnings(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["repl", "-e", "A >> a => 2"]) == 0
    log = project / ".beamtalk" / "changes" / "changes.jsonl"
    torn = log.read_bytes() + b'{"torn'
    log.write_bytes(torn)
    (project / ".beamtalk" / "flush" / "1").mkdir()
    capsys.readouterr()
    assert main(["doctor"]) == 0
    shown = lines(capsys)
    assert any(line.startswith("⚠️  change log: the change log ended in a torn line") for line in shown)
    assert "⚠️  flush: one was cut off (1); the next start ends it" in shown
    assert shown[-1] == "All required checks passed (with warnings)."
    assert log.read_bytes() == torn


def test_a_dependency_that_is_not_as_locked_is_a_failure(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with (project / "beamtalk.toml").open("a") as file:
        file.write('[dependencies]\nb = { git = "https://x.invalid/b", tag = "v1" }\n')
    assert main(["doctor"]) == 1
    assert "❌ dependencies: b is not in beamtalk.lock" in lines(capsys)


def test_words_stand_for_signs_where_they_cannot_be_shown(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("repl.command_line.doctor_command._shows_signs", lambda: False)
    assert main(["doctor"]) == 0
    shown = lines(capsys)
    assert all(line.startswith(("ok ", "warn ")) for line in shown[:-2])
