"""Primitives of TestRunner (stdlib.md 6.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lang.runtime.classes import ClassObject
from lang.runtime.errors import BeamtalkError
from lang.runtime.primitive import PrimitiveTable
from lang.runtime.symbols import Symbol
from lang.stdlib import testing

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime

TEST_RUNNER = PrimitiveTable("TestRunner")


@TEST_RUNNER.runtime_primitive("runAll", class_side=True)
def run_all(runtime: Runtime, self: ClassObject) -> testing.TestReport:
    return testing.run_tests(runtime, testing.test_classes(runtime))


@TEST_RUNNER.runtime_primitive("runAll:", class_side=True)
def run_all_side_by_side(runtime: Runtime, self: ClassObject, jobs: object) -> testing.TestReport:
    if type(jobs) is not int or jobs < 0:
        hint = "The number of jobs is an Integer, not negative."
        raise BeamtalkError("invalid_argument", class_name="TestRunner", selector="runAll:", hint=hint)
    return testing.run_side_by_side(runtime, testing.test_classes(runtime), jobs)


@TEST_RUNNER.runtime_primitive("run:", class_side=True)
def run_class(runtime: Runtime, self: ClassObject, test_class: object) -> testing.TestReport:
    return testing.run_class(runtime, _test_class(test_class, "run:"))


@TEST_RUNNER.runtime_primitive("run:method:", class_side=True)
def run_method(
    runtime: Runtime, self: ClassObject, test_class: object, selector: object
) -> testing.TestReport:
    found = _test_class(test_class, "run:method:")
    if type(selector) is not Symbol:
        raise _type_error("run:method:", "A test is named by a Symbol.")
    return testing.run_class(runtime, found, [selector.name])


def _test_class(value: object, selector: str) -> ClassObject:
    if not isinstance(value, ClassObject) or not testing.is_test_class(value):
        raise _type_error(selector, "Expected a subclass of TestCase.")
    return value


def _type_error(selector: str, hint: str) -> BeamtalkError:
    return BeamtalkError("type_error", class_name="TestRunner", selector=selector, hint=hint)
