"""Primitives of TestCase (stdlib.md 6.1)."""

from __future__ import annotations

from types import FunctionType
from typing import TYPE_CHECKING

from lang.runtime.classes import ClassObject
from lang.runtime.errors import BeamtalkError, as_beamtalk_error
from lang.runtime.primitive import PrimitiveTable
from lang.runtime.processes.actor_system import actors_of
from lang.runtime.symbols import Symbol
from lang.stdlib import testing
from lang.syntax.units import Side

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime

TEST_CASE = PrimitiveTable("TestCase")


@TEST_CASE.runtime_primitive("runAll", class_side=True)
def run_all(runtime: Runtime, self: ClassObject) -> str:
    report = testing.run_class(runtime, self)
    if not report.total:
        return f"No test methods found in {self.name}"
    return testing.class_report_text(report)


@TEST_CASE.runtime_primitive("run:", class_side=True)
def run_one(runtime: Runtime, self: ClassObject, selector: object) -> str:
    name = selector.name if type(selector) is Symbol else str(selector)
    if self.lookup(name, Side.INSTANCE) is None or ":" in name:
        return f"Method '{name}' not found in {self.name}"
    return testing.class_report_text(testing.run_class(runtime, self, [name]))


@TEST_CASE.runtime_primitive("suiteFixture")
def suite_fixture(runtime: Runtime, self: object) -> object:
    system = actors_of(runtime)
    return system.fixtures.get(system.scheduler.current.pid)


@TEST_CASE.runtime_primitive("should:raise:")
def should_raise(runtime: Runtime, self: object, block: object, wanted: object) -> None:
    if type(block) is not FunctionType or block.__code__.co_argcount or type(wanted) is not Symbol:
        raise BeamtalkError(
            "type_error",
            class_name="TestCase",
            selector="should:raise:",
            hint="Expected a block without arguments and a Symbol.",
        )
    try:
        block()
    except Exception as fault:  # noqa: BLE001 (any error has a kind)
        _check_kind(as_beamtalk_error(fault), wanted.name)
        return
    raise _failure(f"Expected block to raise {wanted.name} but it completed normally")


def _check_kind(error: BeamtalkError, wanted: str) -> None:
    """A deadlock also counts as the time-out that it would have become (actors.md 7)."""
    kinds = {error.raw_kind, error.kind}
    if error.kind == "deadlock_detected":
        kinds.add("timeout")
    if wanted not in kinds:
        raise _failure(f"Expected error kind {wanted} but got {error.raw_kind}") from error


@TEST_CASE.runtime_primitive("fail:")
def fail(runtime: Runtime, self: object, message: object) -> object:
    raise _failure(message if type(message) is str else runtime.display_string(message))


def _failure(message: str) -> BeamtalkError:
    return BeamtalkError("assertion_failed", message, class_name="TestCase")


@TEST_CASE.runtime_primitive("skip:")
def skip(runtime: Runtime, self: object, reason: object) -> object:
    system = actors_of(runtime)
    if system.scheduler.current.pid not in system.fixtures:
        hint = "A test skips itself while a TestRunner runs it."
        raise BeamtalkError("unsupported_operation", class_name="TestCase", selector="skip:", hint=hint)
    raise testing.TestSkipped(reason if type(reason) is str else runtime.display_string(reason))
