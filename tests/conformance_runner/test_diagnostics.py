"""The runner of the cases of static analysis; and every case of the corpus that is not known to fail."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from lang.diagnostics import Diagnostic, Severity
from lang.source import Span
from tests.conformance_runner.diagnostics import (
    DiagnosticRunner,
    cases_of,
    conveys,
    read_expected,
)
from tests.conformance_runner.known import known_ids

HERE = Path(__file__).parent
CORPUS = HERE.parent / "conformance" / "diagnostics"
KNOWN = known_ids((HERE / "known_failures.txt").read_text("utf-8"))
MANIFEST = '[package]\nname = "case"\nversion = "0.1.0"\n'


@cache
def runner() -> DiagnosticRunner:
    return DiagnosticRunner(CORPUS)


def project(root: Path, manifest: str = MANIFEST, **sources: str) -> Path:
    (root / "src").mkdir(parents=True)
    (root / "beamtalk.toml").write_text(manifest, "utf-8")
    for name, text in sources.items():
        (root / "src" / f"{name}.bt").write_text(text, "utf-8")
    return root


def test_comments_are_expectations() -> None:
    text = (
        'Object subclass: A //! warning unresolved-class name=B suggestion="A b" //! error -\n//! rules D-1\n'
    )
    expected = read_expected(text, "//!")
    assert [each.place for each in expected.findings] == [
        (1, "warning", "unresolved_class"),
        (1, "error", "none"),
    ]
    assert expected.findings[0].facts == (("name", "B"), ("suggestion", "A b"))
    assert read_expected("#! run strict fails\n", "#!").runs == {"strict": "fails"}


def test_cases_are_files_and_projects(tmp_path: Path) -> None:
    (tmp_path / "topic").mkdir()
    (tmp_path / "topic" / "A.bt").write_text("", "utf-8")
    project(tmp_path / "topic" / "whole", A="")
    project(tmp_path / "topic" / "parts" / "app", A="")
    project(tmp_path / "topic" / "parts" / "red", A="")
    found = [each.relative_to(tmp_path / "topic").as_posix() for each in cases_of(tmp_path)]
    assert found == ["A.bt", "parts", "whole"]


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("Object subclass: A\n  run => Gone x //! warning unresolved-class name=Gone\n", None),
        ("Object subclass: A\n  run => Gone x //! warning unresolved-class name=Other\n", "is not in"),
        (
            "Object subclass: A\n  run => 3 //! warning unresolved-class\n",
            "src/A.bt:2: no warning[unresolved_class]",
        ),
        ("Object subclass: A\n  run => Gone x\n", "src/A.bt:2: unexpected warning[unresolved_class]"),
        ("Object subclass: A\n  run => 3 //! error -\n", "the build should end with 'fails', not 'ok'"),
    ],
)
def test_what_a_case_says(tmp_path: Path, text: str, wrong: str | None) -> None:
    verdict = runner().verdict(project(tmp_path / "case", A=text))
    assert verdict is None if wrong is None else wrong in str(verdict)


def test_a_strict_build_is_judged_by_its_own_line(tmp_path: Path) -> None:
    text = "Object subclass: A\n  run: x => 3 //! warning unused\n"
    right = project(tmp_path / "right", f"{MANIFEST}#! run strict fails\n", A=text)
    wrong = project(tmp_path / "wrong", f"{MANIFEST}#! run strict ok\n", A=text)
    assert runner().verdict(right) is None
    assert runner().verdict(wrong) == "the strict build should end with 'ok', not 'fails'"


def test_nil_has_two_names() -> None:
    found = Diagnostic(Severity.HINT, "it is `Nil`", Span(0, 1), data={"actual": "UndefinedObject | String"})
    assert conveys(found, (("actual", "Nil | String"), ("reason", "UndefinedObject")))
    assert not conveys(found, (("actual", "Nil"),))


@pytest.mark.parametrize("case", cases_of(CORPUS), ids=lambda each: str(each.relative_to(CORPUS)))
def test_cases_that_are_not_known_to_fail_pass(case: Path) -> None:
    verdict = runner().verdict(case)
    if f"diagnostics/{case.relative_to(CORPUS).as_posix()}" not in KNOWN:
        assert verdict is None
