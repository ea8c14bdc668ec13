"""`check`, `build` and `lint`: what they print, in both forms, and how they end (workspace.md 6.1, 6.5 to 6.7)."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from repl.cli import main
from tests.workspace.lab import library_cache

Command = Callable[..., tuple[int, str, str]]
MANIFEST = '[package]\nname = "pier"\nversion = "0.1.0"\n'


@pytest.fixture
def pier(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(library_cache().parent))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "src").mkdir()
    (tmp_path / "beamtalk.toml").write_text(MANIFEST, "utf-8")
    (tmp_path / "src" / "Crane.bt").write_text("Value subclass: Crane\n  lift => 3\n", "utf-8")
    return tmp_path


@pytest.fixture
def command(capfd: pytest.CaptureFixture[str]) -> Command:
    def run(*arguments: str) -> tuple[int, str, str]:
        code = main(["--no-color", *arguments])
        output, errors = capfd.readouterr()
        return code, output, errors

    return run


def write(pier: Path, name: str, text: str) -> Path:
    path = pier / "src" / f"{name}.bt"
    path.write_text(text, "utf-8")
    return path


def test_a_clean_project(pier: Path, command: Command) -> None:
    assert command("check") == (0, "Checked 1 file: no problems\n", "")
    assert command("lint") == (0, "Checked 1 file: no problems\n", "")


def test_warnings_are_told_and_do_not_fail(pier: Path, command: Command) -> None:
    write(pier, "Desk", "Value subclass: Desk\n  sum: x => Zeppelin new\n")
    code, output, errors = command("check")
    assert (code, output) == (0, "")
    assert "warning[unused]: Unused parameter: x\n --> src/Desk.bt:2:8\n" in errors
    assert "warning[unresolved-class]: Unresolved class: Zeppelin\n" in errors
    assert errors.endswith(
        "\nDiagnostic summary (2 files):\n"
        "  Unresolved class   1 warning\n"
        "  Unused             1 warning\n"
        "  Total              2  (2 warning)\n"
    )


def test_promotion_leaves_excluded_categories_alone(pier: Path, command: Command) -> None:
    write(pier, "Desk", "Value subclass: Desk\n  sum => Zeppelin new\n")
    assert command("check", "--warnings-as-errors")[0] == 0
    write(pier, "Desk", "Value subclass: Desk\n  sum: x => 3\n")
    code, _output, errors = command("check", "--warnings-as-errors")
    assert code == 1
    assert "error[unused]: " in errors
    assert command("build", "--warnings-as-errors", "--no-warnings")[0] == 1
    assert command("build", "--no-warnings")[0] == 0


def test_a_file_with_an_error_costs_the_others_nothing(pier: Path, command: Command) -> None:
    write(pier, "Torn", "Value subclass: Torn\n  fine => 3\n  torn => 3 + )\n")
    write(pier, "User", "Object subclass: User\n  go: t :: Torn => t fine\n")
    code, _output, errors = command("check")
    assert code == 1
    assert errors.count("error") == 3  # the finding, and twice in the summary
    assert "src/User.bt" not in errors
    assert command("check", "src/User.bt") == (0, "Checked 1 file: no problems\n", "")


def test_json_is_one_object_a_line(pier: Path, command: Command) -> None:
    write(pier, "Desk", "// ä\nValue subclass: Desk\n  sum: x => 3\n")
    code, output, errors = command("check", "--format", "json")
    assert (code, errors) == (0, "")
    found, summary = map(json.loads, output.splitlines())
    assert found == {
        "file": "src/Desk.bt",
        "severity": "warning",
        "category": "unused",
        "code": "unused",
        "message": "Unused parameter: x",
        "line": 3,
        "column": 8,
        "end_line": 3,
        "end_column": 9,
        "span_start": 34,
        "span_end": 35,
        "hint": found["hint"],
        "notes": [],
    }
    assert summary == {
        "type": "summary",
        "files_checked": 2,
        "totals_by_severity": {"error": 0, "warning": 1, "lint": 0, "hint": 0},
        "totals_by_category": {"Unused": {"error": 0, "warning": 1, "lint": 0, "hint": 0, "total": 1}},
        "total": 1,
    }


def test_a_bad_table_fails_check_and_build(pier: Path, command: Command) -> None:
    (pier / "beamtalk.toml").write_text(f'{MANIFEST}\n[diagnostics]\ndnus = "off"\n', "utf-8")
    for name in ("check", "build"):
        code, _output, errors = command(name)
        assert code == 1
        assert "error: unknown diagnostic category 'dnus'\n --> beamtalk.toml:6:1\n" in errors


def test_dependencies_are_in_sight_and_not_judged(pier: Path, command: Command, tmp_path: Path) -> None:
    rope = tmp_path / "rope"
    (rope / "src").mkdir(parents=True)
    (rope / "beamtalk.toml").write_text(MANIFEST.replace("pier", "rope"), "utf-8")
    (rope / "src" / "Rope.bt").write_text("Value subclass: Rope\n  knot: x => 3\n", "utf-8")
    (pier / "beamtalk.toml").write_text(f'{MANIFEST}\n[dependencies]\nrope = {{ path = "rope" }}\n', "utf-8")
    write(pier, "Desk", "Value subclass: Desk\n  go => Rope new knot: 1\n")
    assert command("check") == (0, "Checked 2 files: no problems\n", "")
    (rope / "beamtalk.toml").unlink()
    code, _output, errors = command("check")
    assert code == 1
    assert "error: Dependency 'rope' has no beamtalk.toml in rope\n --> beamtalk.toml:6:1\n" in errors


def test_build_says_what_it_compiles(pier: Path, command: Command) -> None:
    write(pier, "Desk", "Value subclass: Desk\n  go => 3\n")
    assert command("build") == (0, "", "Compiling 2 of 2 files\n")
    assert command("build") == (0, "", "All 2 files unchanged — nothing to compile\n")
    write(pier, "Desk", "Value subclass: Desk\n  go => 4\n")
    assert command("build") == (0, "", "Compiling 1 of 2 files (1 unchanged)\n")
    assert command("build", "--force") == (0, "", "Compiling 2 of 2 files\n")
    assert command("build", "--clean") == (0, "", "Compiling 2 of 2 files\n")


def test_lint_fails_on_lints_and_not_on_stale_directives(pier: Path, command: Command) -> None:
    write(pier, "Desk", "Value subclass: Desk\n  go =>\n    @expect unused\n    3\n")
    code, _output, errors = command("lint")
    assert code == 0
    assert "warning: Stale @expect unused" in errors
    write(pier, "Desk", "Value subclass: Desk\n  go => ^3\n  stop => (4)\n")
    code, _output, errors = command("lint")
    assert code == 1
    assert errors.endswith("error: 2 lint diagnostics found in 2 file(s)\n")
    assert command("check")[0] == 0


def test_fixes_take_the_safe_lints_away(pier: Path, command: Command) -> None:
    text = (
        "Value subclass: Desk\r\n"
        "  go => ^(3)\r\n"
        "  stop: x =>\r\n"
        "    y := (x + 1).\r\n"
        "    @expect unused\r\n"
        "    (y * 2) // twice\r\n"
        "  keep: x => (x + 1) * 2\r\n"
    )
    path = pier / "src" / "Desk.bt"
    path.write_bytes(text.encode())
    code, output, errors = command("lint", "--fix")
    assert (code, errors) == (0, "")
    assert output == "fixed 6\nChecked 2 files: no problems\n"
    assert path.read_bytes().decode() == (
        "Value subclass: Desk\r\n"
        "  go => 3\r\n"
        "  stop: x =>\r\n"
        "    y := x + 1\r\n"
        "    y * 2 // twice\r\n"
        "  keep: x => (x + 1) * 2\r\n"
    )


def test_a_file_outside_of_a_project(
    tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "Lone.bt").write_text("Object subclass: Lone\n  go: x => 3\n", "utf-8")
    code, _output, errors = command("check", "Lone.bt")
    assert code == 0
    assert "warning[unused]: Unused parameter: x\n --> Lone.bt:2:7\n" in errors
    assert command("check", "gone.bt") == (1, "", "error: gone.bt: no such file or folder\n")


COVERED = "Value subclass: Desk\n  sum: n :: Integer -> Integer => n + 1\n  loose: x => x foo\n"


def test_coverage_is_a_table(pier: Path, command: Command) -> None:
    write(pier, "Desk", COVERED)
    code, output, errors = command("type-coverage", "--class", "Desk", "--detail")
    assert (code, errors) == (0, "")
    assert output == (
        "Type Coverage Report\n====================\n\n"
        "File         Class  Coverage\n"
        "src/Desk.bt  Desk   60.0%  (3/5 expressions)\n"
        + "─"
        * 70
        + "\nTotal               60.0%  (3/5 expressions)\n\n"
        "Dynamic expressions:\n"
        "  src/Desk.bt:3:15 (dynamic receiver)\n"
        "  src/Desk.bt:3:15 (unannotated parameter)\n"
    )


def test_coverage_below_the_threshold_fails(pier: Path, command: Command) -> None:
    write(pier, "Desk", COVERED)
    code, output, errors = command("type-coverage", "src/Desk.bt", "--at-least", "75", "--format", "json")
    assert code == 1
    assert errors == "error: type coverage 60.0% is below threshold 75.0%\n"
    report = json.loads(output)
    assert report == {
        "total_expressions": 5,
        "typed_expressions": 3,
        "coverage_percent": 60.0,
        "threshold": 75.0,
        "passed": False,
        "classes": [
            {"name": "Desk", "file": "src/Desk.bt", "total": 5, "typed": 3, "coverage_percent": 60.0}
        ],
    }
    assert command("type-coverage", "--at-least", "50")[0] == 0
