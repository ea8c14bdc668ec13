"""Primitives of TestResult (stdlib.md 6.3, 6.4)."""

from __future__ import annotations

from lang.runtime.collections.lists import BtList, list_from
from lang.runtime.collections.mappings import dictionary_of
from lang.runtime.primitive import PrimitiveTable
from lang.runtime.symbols import symbol
from lang.stdlib.testing import TestReport, result_text

TEST_RESULT = PrimitiveTable("TestResult")


@TEST_RESULT.primitive("passed")
def passed(self: TestReport) -> int:
    return self.passed


@TEST_RESULT.primitive("failed")
def failed(self: TestReport) -> int:
    return self.failed


@TEST_RESULT.primitive("skipped")
def skipped(self: TestReport) -> int:
    return self.skipped


@TEST_RESULT.primitive("total")
def total(self: TestReport) -> int:
    return self.total


@TEST_RESULT.primitive("duration")
def duration(self: TestReport) -> float:
    return self.duration


@TEST_RESULT.primitive("failures")
def failures(self: TestReport) -> BtList:
    return list_from(
        dictionary_of([(symbol("name"), symbol(f.selector)), (symbol("error"), f.message)])
        for f in self.failures
    )


@TEST_RESULT.primitive("hasPassed")
def has_passed(self: TestReport) -> bool:
    return self.has_passed


@TEST_RESULT.primitive("summary")
def summary(self: TestReport) -> str:
    return self.summary


@TEST_RESULT.primitive("printString")
def print_string(self: TestReport) -> str:
    return result_text(self)
