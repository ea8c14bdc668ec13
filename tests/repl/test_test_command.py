"""`test` and `test-script` in this process (workspace.md 6.9, 6.10)."""

from __future__ import annotations

import io
import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from repl.cli import main
from tests.workspace.lab import library_cache

TILL = Path(__file__).parent.parent / "cases" / "command_line" / "till"

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    root = tmp_path / "till"
    shutil.copytree(TILL, root)
    monkeypatch.chdir(root)
    monkeypatch.setenv("XDG_CACHE_HOME", str(library_cache()))
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))

    def command(*arguments: str) -> tuple[int, str, str]:
        try:
            code = main(arguments)
        except SystemExit as leaving:
            code = leaving.code if isinstance(leaving.code, int) else 1
        shown = capsys.readouterr()
        return code, shown.out, shown.err

    return command


def test_failures_show_both_values_file_and_line(run: Run) -> None:
    code, out, err = run("test")
    assert code == 1
    assert out == "Running tests...\n\n  TillTest: 4 tests, 1 passed, 2 failed ✗\n\n"
    assert err.splitlines()[:8] == [
        "FAIL TillTest testBroken: bad arithmetic operation",
        "  at Till>>broken (src/Till.bt:6)",
        "  at TillTest>>testBroken (test/TillTest.bt:10)",
        "FAIL TillTest testWrong: Expected 3, got 2",
        "  at TillTest>>testWrong (test/TillTest.bt:8)",
        "  output:",
        "    on the way <&>",
        "",
    ]
    assert err.splitlines()[8].startswith("1 file(s), 4 tests, 1 passed, 2 failed, 1 skipped (0.")


@pytest.mark.parametrize(
    ("arguments", "code", "counts"),
    [
        (["TillTest"], 1, "4 tests, 1 passed, 2 failed"),
        (["TillTest>>testRing"], 0, "1 tests, 1 passed"),
        (["test/TillTest.bt"], 1, "4 tests"),
        (["TillTest.bt"], 1, "4 tests"),
        (["./test/"], 1, "4 tests"),
        (["--filter", "Ring|Skip"], 0, "2 tests, 1 passed, 1 skipped ✓"),
        (["--fail-fast"], 1, "1 tests, 0 passed, 1 failed"),
    ],
)
def test_tests_are_chosen(run: Run, arguments: list[str], code: int, counts: str) -> None:
    ended, out, _err = run("test", *arguments)
    assert ended == code
    assert counts in out


def test_quiet_is_failures_and_the_summary(run: Run) -> None:
    assert run("test", "-q", "--filter", "Ring")[1].startswith("1 file(s), 1 tests, 1 passed, 0 failed (")
    code, out, err = run("test", "-q", "--fail-fast")
    assert (code, out) == (1, "")
    assert err.startswith("FAIL TillTest testBroken")


def test_output_of_passing_tests_is_shown_on_demand(run: Run) -> None:
    assert "    testWrong: on the way <&>" in run("test", "--show-output")[1]


def test_nothing_to_run_is_no_failure_but_a_wrong_name_is(run: Run) -> None:
    assert run("test", "--filter", "NoSuch")[:2] == (0, "No tests found\n")
    assert run("test", "Nowhere")[::2] == (1, "error: no tests match: Nowhere\n")
    assert run("test", "--filter", "(")[0] == 2


def test_json_is_one_object_a_line(run: Run) -> None:
    code, out, _err = run("test", "--format", "json")
    *tests, summary = map(json.loads, out.splitlines())
    assert code == 1
    assert [(t["name"], t["status"]) for t in tests] == [
        ("testBroken", "error"),
        ("testRing", "pass"),
        ("testSkip", "skip"),
        ("testWrong", "fail"),
    ]
    assert (tests[3]["file"], tests[3]["line"], tests[3]["output"]) == (
        "test/TillTest.bt",
        6,
        "on the way <&>",
    )
    assert summary | {"duration_ms": 0} == {
        "type": "summary",
        "files": 1,
        "total": 4,
        "passed": 1,
        "failed": 2,
        "skipped": 1,
        "duration_ms": 0,
    }


def test_junit_is_written_though_tests_fail(run: Run, tmp_path: Path) -> None:
    report = tmp_path / "report.xml"
    assert run("test", "--junit", str(report))[0] == 1
    suite = ET.fromstring(report.read_text("utf-8"))[0]
    assert [suite.get(key) for key in ("name", "tests", "failures", "errors", "skipped")] == [
        "TillTest", "4", "1", "1", "1",
    ]  # fmt: skip
    cases = {case.get("name"): case for case in suite}
    failure = cases["testWrong"].find("failure")
    assert failure is not None
    assert failure.get("message") == "Expected 3, got 2"
    assert failure.text == "Expected 3, got 2\nat TillTest>>testWrong (test/TillTest.bt:8)"
    assert cases["testWrong"].findtext("system-out") == "on the way <&>"
    assert cases["testSkip"].find("skipped") is not None
    assert run("test", "--junit", "no/such/folder/x.xml")[0] == 1


def test_transcripts_pass_and_fail(run: Run) -> None:
    code, out, err = run("test-script", "scripts/good.btscript")
    assert (code, err) == (0, "")
    assert out.startswith("Running tests...\n\n  good.btscript: 7 tests, 7 passed ✓\n\n1 file(s), 7 tests")
    code, out, err = run("test-script", "-q", "scripts")
    assert (code, out) == (1, "")
    assert "FAIL scripts/wrong.btscript:4\n    3 + 4\n  expected '8', got '7'\n" in err
    assert "FAIL scripts/wrong.btscript:7\n  expression will not be executed (missing assertion)\n" in err
    assert "FAIL scripts/wrong.btscript:1\n    x\n" in err
    assert "2 file(s), 10 tests, 7 passed, 3 failed" in err


def test_an_isolated_transcript_passes_alone(run: Run) -> None:
    assert run("test-script", "--isolated", "scripts/good.btscript")[0] == 0
    assert run("test-script", "nowhere.btscript")[0] == 1


def test_a_test_that_takes_too_long_fails_and_the_rest_goes_on(run: Run) -> None:
    Path("test/SlowTest.bt").write_text(
        "TestCase subclass: SlowTest\n\n  testA => [true] whileTrue: []\n\n"
        "  testB => Timer sleep: 60000\n\n  testC => self assert: true\n"
    )
    code, out, err = run("test", "SlowTest", "--timeout", "0.2")
    assert code == 1
    assert "  SlowTest: 3 tests, 1 passed, 2 failed ✗\n" in out
    assert "FAIL SlowTest testA: timeout: the test took longer than 0.2 s\n" in err
    assert "FAIL SlowTest testB: timeout: the test took longer than 0.2 s\n" in err


def test_an_order_of_chance_is_told_and_had_again(run: Run) -> None:
    for letter in "abcd":
        Path(f"test/{letter.upper()}Test.bt").write_text(
            f"TestCase subclass: {letter.upper()}Test\n\n  testA => nil\n\n  testB => nil\n\n  testC => nil\n"
        )

    def order(*more: str) -> list[str]:
        _code, out, _err = run("test", "ATest", "BTest", "CTest", "DTest", "--format", "json", *more)
        return [line.split('"name"')[0] + line.split('"status"')[0] for line in out.splitlines()[:-1]]

    assert order("--shuffle", "7") == order("--shuffle", "7")
    assert sorted(order("--shuffle", "7")) == sorted(order())
    assert len({tuple(order("--shuffle", str(seed))) for seed in range(4)}) > 1
    assert run("test", "ATest", "--shuffle")[2].startswith("Shuffled with seed ")
