"""`test-script --docs`: examples in doc comments and Markdown are tests (workspace.md 6.10)."""

from __future__ import annotations

from pathlib import Path

import pytest

from repl.cli import main
from tests.workspace.lab import library_cache

SOURCE = """\
/// A number of plums.
///
/// ```beamtalk
/// b := Bowl new
/// b plums // => 3
/// b plums
/// // => 4
/// b zork // => ERROR: does_not_understand
/// b zork // => ERROR:
/// ```
Value subclass: Bowl

  /// ```beamtalk
  /// Bowl new plums + 1 // => 4
  /// ```
  plums => 3
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(library_cache()))
    (tmp_path / "src").mkdir()
    (tmp_path / "beamtalk.toml").write_text('[package]\nname = "a"\nversion = "0.1.0"\n')
    (tmp_path / "src" / "Bowl.bt").write_text(SOURCE.replace("/// b zork // => ERROR:\n", ""))
    return tmp_path


def test_examples_of_a_class_are_a_group_with_lines_of_the_file(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["test-script", "--docs", "src"]) == 1
    shown = capsys.readouterr()
    assert "  BowlDocTest: 5 tests, 4 passed, 1 failed ✗\n" in shown.out
    assert "FAIL src/Bowl.bt:6\n    b plums\n" in shown.err


def test_markdown_shares_variables_and_loads_its_fixtures(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "page.md").write_text(
        "# Plums\n\n<!-- btfixture: extra/Pear.bt -->\n```beamtalk\np := Pear new\n// => _\n```\n\n"
        "```beamtalk\np juice // => 7\n```\n\n```beamtalk\nnot run at all\n```\n\n```\n1 // => 2\n```\n"
    )
    (project / "extra").mkdir()
    (project / "extra" / "Pear.bt").write_text("Value subclass: Pear\n\n  juice => 7\n")
    assert main(["test-script", "--docs", "page.md"]) == 0
    assert "  page.md: 2 tests, 2 passed ✓\n" in capsys.readouterr().out
