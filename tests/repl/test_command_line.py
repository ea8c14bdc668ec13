"""The command line, in this process: arguments in, streams and exit codes out (workspace.md 6)."""

from __future__ import annotations

import io
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from repl.cli import main
from tests.workspace.lab import library_cache
from workspace.opening import Opening, open_workspace

CASES = Path(__file__).parent.parent / "cases" / "repl"


@dataclass
class Ran:
    code: int
    output: str
    errors: str


Run = Callable[..., Ran]


@pytest.fixture
def orchard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "orchard"
    shutil.copytree(CASES / "orchard", root)
    monkeypatch.chdir(root)
    return root


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    monkeypatch.setenv("XDG_CACHE_HOME", str(library_cache()))

    def command(*arguments: str, typed: str = "") -> Ran:
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        try:
            code = main(arguments)
        except SystemExit as leaving:
            code = leaving.code if isinstance(leaving.code, int) else 1
        shown = capsys.readouterr()
        return Ran(code, shown.out, shown.err)

    return command


# ---------------------------------------------------------------- pipes


def test_a_pipe_is_a_script_that_stops_at_the_first_error(run: Run, orchard: Path) -> None:
    ran = run("repl", typed="n := 2\nn + 1\nn pear\n4")
    assert ran == Ran(
        1,
        "2\n3\n",
        "Error: RuntimeError: Integer does not understand 'pear'\n --> <stdin>:3:3\n  |\n3 | n pear\n  |   ^^^^\n",
    )


def test_a_pipe_prints_values_but_nil(run: Run, orchard: Path) -> None:
    assert run("repl", typed="Coin new\nnil\n").output == 'Coin(currency: "GBP", pence: 0)\n'


def test_windows_line_ends_and_a_byte_order_mark_are_no_part_of_a_script(run: Run, orchard: Path) -> None:
    assert run("repl", typed="\ufeff1 +\r\n 2\r\n:version\r\n").output == "3\nbeamtalk 0.1.0\n"


def test_an_input_that_the_end_breaks_off_is_an_error(run: Run, orchard: Path) -> None:
    ran = run("repl", typed="1\n#(2,\n")
    assert (ran.code, ran.output) == (1, "1\n")
    assert "<stdin>:2" in ran.errors


def test_every_failure_of_a_script_names_its_line(run: Run, orchard: Path) -> None:
    for typed in ("\n:flsh", "\nNoSuch >> x => 1", "\n:remove-class Desk"):
        ran = run("repl", typed=typed)
        assert ran.code == 1
        assert "<stdin>:2" in ran.errors


def test_a_question_needs_yes_where_nobody_can_be_asked(run: Run, orchard: Path) -> None:
    ran = run("repl", typed=":remove-class Desk\n")
    assert ran.errors.startswith(":remove-class needs confirmation; use Desk removeFromSystem or --yes\n")
    ran = run("repl", typed=":remove-class Desk --yes\n:flush-destructive --yes\n")
    assert ran.code == 0
    assert not (orchard / "src" / "Desk.bt").exists()


def test_yes_answers_only_the_first_question_of_a_rename(run: Run, orchard: Path) -> None:
    ran = run("repl", typed=":rename-class Till Register --yes\n:changes\n")
    assert "Till -> Register renamed in memory" in ran.output
    assert "ChangeLog with 1 entry" in ran.output
    assert "Actor subclass: Till" in (orchard / "src" / "Till.bt").read_text()


def test_exit_ends_a_script(run: Run, orchard: Path) -> None:
    assert run("repl", typed="1\n:exit\n2\n") == Ran(0, "1\nGoodbye!\n", "")


# ---------------------------------------------------------------- -e, run


def test_expressions_of_the_command_line(run: Run, orchard: Path) -> None:
    assert run("repl", "-e", "x := 3 + 4", "-e", "x * 2") == Ran(0, "7\n14\n", "")
    ran = run("-e", "3 zork")
    assert ran.code == 1
    assert ran.errors == "Error: RuntimeError: Integer does not understand 'zork'\n    3 zork\n      ^^^^\n"


def test_a_script_file_prints_what_it_prints_and_no_values(run: Run, orchard: Path) -> None:
    (orchard / "a.btscript").write_text('x := 4\nTranscript show: "x is {x}"; cr\nConsole printLine: "too"\n')
    assert run("run", "a.btscript") == Ran(0, "x is 4\ntoo\n", "")
    (orchard / "b.btscript").write_text("1\n\n  2 zork\n")
    ran = run("run", "b.btscript")
    assert ran.code == 1
    assert " --> b.btscript:3:5\n" in ran.errors
    assert run("run", "none.btscript") == Ran(1, "", "error: none.btscript: No such file or directory\n")


def test_a_class_is_sent_a_message(run: Run, orchard: Path) -> None:
    (orchard / "src" / "Main.bt").write_text(
        "Object subclass: Main\n"
        '  class go => Transcript show: "went"; cr\n'
        '  class greet: names => Transcript show: (names join: "+"); cr\n'
        "  class leave => Program exit: 7\n"
        "  class fail => 3 zork\n"
    )
    assert run("run", "Main", "go") == Ran(0, "went\n", "Building...\nRunning Main>>go...\n")
    assert run("run", "Main", "greet:", "a", "{b}").output == "a+{b}\n"
    assert run("run", "Main", "leave").code == 7
    ran = run("run", "Main", "fail")
    assert ran.code == 1
    assert (
        "Error: RuntimeError: Integer does not understand 'zork'\n  in Main class>>fail (src/Main.bt:5)\n"
        in ran.errors
    )
    assert run("run", "Main").code == 2
    assert run("run", "Main", "go", "x").code == 2


# ---------------------------------------------------------------- test, check


def test_tests_are_run_and_counted(run: Run, orchard: Path) -> None:
    ran = run("test")
    assert ran.code == 0
    assert ran.output.startswith(
        "Running tests...\n\n  TillTest: 2 tests, 2 passed ✓\n\n1 file(s), 2 tests, 2 passed, 0 failed ("
    )
    (orchard / "test" / "BadTest.bt").write_text(
        "TestCase subclass: BadTest\n  testNo => self assert: 1 equals: 2\n"
    )
    ran = run("test")
    assert ran.code == 1
    assert "  BadTest: 1 tests, 0 passed, 1 failed ✗\n" in ran.output
    assert ran.errors.startswith("FAIL BadTest testNo: ")
    assert run("test", "TillTest>>testRing").output.count("1 passed") == 2
    assert run("test", "NoTest").code == 1


def test_check_names_file_line_and_column(run: Run, orchard: Path) -> None:
    assert run("check") == Ran(0, "Checked 4 files: no problems\n", "")
    (orchard / "src" / "Bad.bt").write_text("Object subclass: Bad\n  total => cuont + 1\n")
    ran = run("check")
    assert (ran.code, ran.output) == (1, "")
    assert ran.errors.startswith("error: Undefined variable: cuont\n --> src/Bad.bt:2:12\n")
    assert run("check", "src/Till.bt").code == 0
    assert run("build", "src/Bad.bt").code == 1


# ---------------------------------------------------------------- what cannot be


def test_usage_errors_have_code_2(run: Run, orchard: Path) -> None:
    for arguments in (("nonsense",), ("run",), ("repl", "--no-such-flag"), ("--project",)):
        ran = run(*arguments)
        assert ran.code == 2
        assert ran.errors.startswith("usage: beamtalk")


def test_the_version(run: Run) -> None:
    assert run("--version") == Ran(0, "beamtalk 0.1.0\n", "")


def test_a_missing_or_broken_project_is_one_message(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("build") == Ran(1, "", f"error: No beamtalk.toml found in: {tmp_path}\n")
    assert run("--project", "nowhere", "-e", "1") == Ran(1, "", "error: no such folder: nowhere\n")
    (tmp_path / "beamtalk.toml").write_text('[package]\nname = "A"\nversion = "0.1.0"\n')
    ran = run("-e", "1")
    assert ran.code == 1
    assert ran.errors.startswith("beamtalk.toml:2:")


def test_a_workspace_that_is_in_use_is_one_message(run: Run, orchard: Path) -> None:
    holder = open_workspace(Opening(orchard, library_cache=library_cache()))
    try:
        ran = run("-e", "1")
        assert ran.code == 1
        assert ran.errors.startswith("error: the workspace is open in process ")
        assert run("--read-only", "-e", "1") == Ran(0, "1\n", "")
        assert run("test").code == 0
    finally:
        holder.close()


def test_no_traceback_unless_it_is_asked_for(
    run: Run, orchard: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_arguments: object) -> int:
        raise KeyError("lost")

    monkeypatch.setattr("repl.command_line.evaluate.run_pipe", fail)
    assert run("repl") == Ran(1, "", "error: internal error: KeyError: 'lost'\nhint: -vv shows where\n")
    with pytest.raises(KeyError):
        run("-vv", "repl")
