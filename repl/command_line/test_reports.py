"""What a run of tests prints and writes: text, JSON lines, JUnit's XML (workspace.md 6.9).

Comes in: records of tests, class by class. Guarantees: JSON is one object a line, ended by a
summary; XML is valid whatever a test printed, and written by a temporary file and a rename.
"""

from __future__ import annotations

import enum
import json
import re
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from lang.dataclass import dataclass
from lang.stdlib.testing import TestStatus
from repl.command_line.file_output import write_whole
from repl.paint import Palette, Style
from repl.writing import say, tell

_NOT_IN_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class Format(enum.Enum):
    """What stands on standard output."""

    TEXT = "text"
    JSON = "json"


class Detail(enum.Enum):
    """How much of the text is shown."""

    FAILURES = "failures"
    """Failures and the summary alone."""
    CLASSES = "classes"
    OUTPUT = "output"
    """Also what each test wrote to the Transcript."""


@dataclass(frozen=True, slots=True)
class TestRecord:
    """One test; `path` and `line` are where its method stands, `output` what it wrote to the Transcript."""

    class_name: str
    selector: str
    status: TestStatus
    duration: float
    message: str
    path: str
    line: int
    frames: tuple[str, ...]
    output: str

    @property
    def has_failed(self) -> bool:
        """Whether it counts as failed."""
        return self.status in (TestStatus.FAIL, TestStatus.ERROR)


@dataclass(frozen=True, slots=True)
class ClassRecord:
    """The tests of one class; `began` in seconds since the epoch."""

    name: str
    tests: tuple[TestRecord, ...]
    duration: float
    began: float

    @property
    def has_passed(self) -> bool:
        """Whether no test failed."""
        return not any(each.has_failed for each in self.tests)


class Reporter:
    """Tells of a run as it goes on."""

    def __init__(self, format: Format, detail: Detail, palette: Palette) -> None:
        self._format = format
        self._detail = detail
        self._palette = palette

    @property
    def _is_talking(self) -> bool:
        return self._format is Format.TEXT and self._detail is not Detail.FAILURES

    def nothing_found(self) -> None:
        """There is no test to run, which is no failure."""
        if self._format is Format.TEXT:
            say("No tests found")

    def begin(self) -> None:
        """The first test is about to run."""
        if self._is_talking:
            say("Running tests...\n")

    def class_done(self, record: ClassRecord) -> None:
        """The tests of a class have run."""
        if self._format is Format.JSON:
            for each in record.tests:
                say(json.dumps(_as_json(each), ensure_ascii=False))
        elif self._is_talking:
            good = record.has_passed
            sign = self._palette.paint("✓" if good else "✗", Style.GOOD if good else Style.ERROR)
            say(f"  {record.name}: {_counts(record.tests)} {sign}")
            if self._detail is Detail.OUTPUT:
                for each in record.tests:
                    _say_output(each)

    def end(self, classes: Sequence[ClassRecord], duration: float) -> None:
        """Everything has run."""
        tests = [test for each in classes for test in each.tests]
        if self._format is Format.JSON:
            say(json.dumps(_summary_json(tests, len(classes), duration)))
        if not tests:
            return
        if self._is_talking:
            say()
        failed = [test for test in tests if test.has_failed]
        summary = _summary_text(tests, len(classes), duration)
        if failed:
            lines = [line for test in failed for line in _failure_lines(test, self._detail)]
            tell("\n".join([*lines, "", summary]))
        elif self._format is Format.TEXT:
            say(summary)


def _say_output(test: TestRecord) -> None:
    for line in test.output.splitlines():
        say(f"    {test.selector}: {line}")


def _failure_lines(test: TestRecord, detail: Detail) -> list[str]:
    message = test.message.replace("\n", "\n    ")
    lines = [f"FAIL {test.class_name} {test.selector}: {message}", *(f"  {frame}" for frame in test.frames)]
    if not test.frames and test.path:
        lines.append(f"  at {test.class_name}>>{test.selector} ({test.path}:{test.line})")
    if test.output and detail is not Detail.OUTPUT:
        lines += ["  output:", *(f"    {line}" for line in test.output.splitlines())]
    return lines


def _counts(tests: Sequence[TestRecord]) -> str:
    """`3 tests, 2 passed, 1 failed`; skips are mentioned when nothing failed."""
    found = Counter(test.status for test in tests)
    failed = found[TestStatus.FAIL] + found[TestStatus.ERROR]
    parts = [f"{len(tests)} tests", f"{found[TestStatus.PASS]} passed"]
    if failed:
        parts.append(f"{failed} failed")
    elif found[TestStatus.SKIP]:
        parts.append(f"{found[TestStatus.SKIP]} skipped")
    return ", ".join(parts)


def _summary_text(tests: Sequence[TestRecord], files: int, duration: float) -> str:
    found = Counter(test.status for test in tests)
    failed = found[TestStatus.FAIL] + found[TestStatus.ERROR]
    skipped = f", {found[TestStatus.SKIP]} skipped" if found[TestStatus.SKIP] else ""
    counts = f"{len(tests)} tests, {found[TestStatus.PASS]} passed, {failed} failed{skipped}"
    return f"{files} file(s), {counts} ({duration:.1f}s)"


# ---------------------------------------------------------------- JSON


def _as_json(test: TestRecord) -> dict[str, str | int | float]:
    return {
        "class": test.class_name,
        "name": test.selector,
        "status": test.status.value,
        "duration_ms": round(test.duration * 1000, 1),
        "message": "\n".join([test.message, *test.frames]).strip(),
        "file": test.path,
        "line": test.line,
        "output": test.output,
    }


def _summary_json(tests: Sequence[TestRecord], files: int, duration: float) -> dict[str, str | int | float]:
    found = Counter(test.status for test in tests)
    return {
        "type": "summary",
        "files": files,
        "total": len(tests),
        "passed": found[TestStatus.PASS],
        "failed": found[TestStatus.FAIL] + found[TestStatus.ERROR],
        "skipped": found[TestStatus.SKIP],
        "duration_ms": round(duration * 1000, 1),
    }


# ---------------------------------------------------------------- JUnit


def written_junit(path: Path, classes: Sequence[ClassRecord]) -> None:
    """Write the report; raises `OSError`."""
    text = "\n".join(
        ['<?xml version="1.0" encoding="UTF-8"?>', "<testsuites>", *map(_suite, classes), "</testsuites>", ""]
    )
    write_whole(path, text.encode())


def _suite(record: ClassRecord) -> str:
    found = Counter(test.status for test in record.tests)
    began = datetime.fromtimestamp(record.began, UTC).replace(tzinfo=None).isoformat(timespec="seconds")
    attributes = _attributes(
        name=record.name,
        tests=len(record.tests),
        failures=found[TestStatus.FAIL],
        errors=found[TestStatus.ERROR],
        skipped=found[TestStatus.SKIP],
        time=f"{record.duration:.3f}",
        timestamp=began,
    )
    return "\n".join([f"  <testsuite{attributes}>", *map(_case, record.tests), "  </testsuite>"])


def _case(test: TestRecord) -> str:
    attributes = _attributes(
        classname=test.class_name,
        name=test.selector,
        time=f"{test.duration:.3f}",
        file=test.path,
        line=test.line,
    )
    inside = [each for each in (_verdict(test), _output(test)) if each]
    if not inside:
        return f"    <testcase{attributes}/>"
    return "\n".join([f"    <testcase{attributes}>", *inside, "    </testcase>"])


def _verdict(test: TestRecord) -> str:
    match test.status:
        case TestStatus.PASS:
            return ""
        case TestStatus.SKIP:
            return f"      <skipped{_attributes(message=test.message)}/>"
        case TestStatus.FAIL | TestStatus.ERROR:
            tag = "failure" if test.status is TestStatus.FAIL else "error"
            text = escape(_xml_text("\n".join([test.message, *test.frames])))
            return f"      <{tag}{_attributes(type=test.status.value, message=test.message)}>{text}</{tag}>"


def _output(test: TestRecord) -> str:
    return f"      <system-out>{escape(_xml_text(test.output))}</system-out>" if test.output else ""


def _attributes(**values: str | int) -> str:
    return "".join(f" {name}={quoteattr(_xml_text(str(value)))}" for name, value in values.items())


def _xml_text(text: str) -> str:
    """What XML 1.0 cannot hold is replaced."""
    return _NOT_IN_XML.sub("\ufffd", text)
