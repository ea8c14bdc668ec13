"""`fmt` and `fmt-check`: files in, files and differences out (workspace.md 6.8)."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from repl.cli import main

UNTIDY = "Object subclass:A\n  a   => 1\n"
TIDY = "Object subclass: A\n  a => 1\n"
BROKEN = "Object subclass: B\n  b => (1\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "A.bt").write_text(UNTIDY)
    return tmp_path


def test_a_file_is_written_in_canonical_layout(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "src" / "C.bt").write_text(TIDY)
    assert main(["fmt", "src"]) == 0
    assert (folder / "src" / "A.bt").read_text() == TIDY
    assert capsys.readouterr().err == "Formatted 1 file (1 unchanged)\n"
    assert main(["fmt-check"]) == 0


def test_a_check_writes_nothing_and_shows_the_difference(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "src" / "B.bt").write_text(BROKEN)
    for arguments in (["fmt", "--check", "src"], ["fmt-check", "src"]):
        assert main(arguments) == 1
        shown = capsys.readouterr()
        assert shown.out == (
            "--- a/src/A.bt\n+++ b/src/A.bt\n@@ -1,2 +1,2 @@\n"
            "-Object subclass:A\n-  a   => 1\n+Object subclass: A\n+  a => 1\n"
        )
        assert shown.err.endswith(
            "error: 1 file would be reformatted; 1 file could not be checked (parse errors)\n"
        )
    assert (folder / "src" / "A.bt").read_text() == UNTIDY


def test_a_difference_is_no_failure(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fmt", "--diff"]) == 0
    assert "+  a => 1\n" in capsys.readouterr().out
    assert (folder / "src" / "A.bt").read_text() == UNTIDY


def test_a_file_with_mistakes_is_named_and_left_alone(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "src" / "B.bt").write_text(BROKEN)
    (folder / "src" / "D.bt").write_bytes(b'a := "\xff"\n')
    assert main(["fmt", "src"]) == 0
    shown = capsys.readouterr().err
    assert "warning: skipping 'src/B.bt' (has parse errors)\n --> src/B.bt:2:8: " in shown
    assert "warning: skipping 'src/D.bt' (not UTF-8: invalid byte at offset 6)\n" in shown
    assert (folder / "src" / "B.bt").read_text() == BROKEN


def test_mode_and_links_stay(folder: Path) -> None:
    file, link = folder / "src" / "A.bt", folder / "src" / "L.bt"
    file.chmod(0o640)
    link.symlink_to("A.bt")
    assert main(["fmt", "src/L.bt"]) == 0
    assert link.is_symlink()
    assert file.read_text() == TIDY
    assert file.stat().st_mode & 0o777 == 0o640
    assert {each.name for each in (folder / "src").iterdir()} == {"A.bt", "L.bt"}


def test_what_projects_skip_and_links_that_lead_out_are_left_alone(folder: Path) -> None:
    outside = folder.parent / "outside.bt"
    outside.write_text(UNTIDY)
    (folder / "src" / "L.bt").symlink_to(outside)
    for name in ("_a", ".b"):
        (folder / "src" / name).mkdir()
        (folder / "src" / name / "A.bt").write_text(UNTIDY)
    (folder / "beamtalk.toml").write_text("")
    (folder / "src" / "other").mkdir()
    (folder / "src" / "other" / "beamtalk.toml").write_text("")
    (folder / "src" / "other" / "A.bt").write_text(UNTIDY)
    assert main(["fmt", "src"]) == 0
    changed = [p for p in (folder / "src").rglob("*.bt") if p.read_text() == TIDY]
    assert changed == [folder / "src" / "A.bt"]
    assert outside.read_text() == UNTIDY


def test_a_folder_outside_of_any_project_may_hold_several(folder: Path) -> None:
    (folder / "src" / "beamtalk.toml").write_text("")
    assert main(["fmt", "."]) == 0
    assert (folder / "src" / "A.bt").read_text() == TIDY


def test_standard_input_goes_to_standard_output(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    def typed(text: str) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))

    typed(UNTIDY.replace("\n", "\r\n"))
    assert main(["fmt", "--stdin"]) == 0
    assert capsysbinary.readouterr().out == TIDY.replace("\n", "\r\n").encode()
    typed(BROKEN)
    assert main(["fmt", "--stdin"]) == 1
    shown = capsysbinary.readouterr()
    assert (shown.out, shown.err[:18]) == (b"", b" --> <stdin>:2:8: ")
    typed(UNTIDY)
    assert main(["fmt", "--stdin", "--check"]) == 1
    assert b"+  a => 1\n" in capsysbinary.readouterr().out


def test_transcripts_are_only_checked(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script = folder / "t.btscript"
    script.write_text("x:=1\n// => 1\n:load a.bt\n// => _\nx foo: )\n// => ERROR: expected\n")
    assert main(["fmt", "t.btscript"]) == 0
    assert script.read_text().startswith("x:=1\n")
    script.write_text("x foo: )\n")
    assert main(["fmt", "--check", "t.btscript"]) == 1
    assert " --> t.btscript:1\n" in capsys.readouterr().err


def test_nothing_to_do_is_an_error(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "src" / "A.bt").unlink()
    assert main(["fmt"]) == 1
    assert capsys.readouterr().err == "error: No .bt or .btscript files found\n"
    assert main(["fmt", "none.bt"]) == 1
    assert capsys.readouterr().err == "error: none.bt: no such file or folder\n"
