"""The tests and transcripts of the examples pass."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from repl.transcripts import mismatch, read_script
from tests.conformance_runner.driver import Session
from tests.conformance_runner.product import product_driver
from tests.examples.copies import copy_of

EXAMPLES = Path(__file__).parents[2] / "examples"
DRIVER = product_driver()
LEAST_TESTS = {"bank": 38, "chatroom": 11, "counter": 5, "shapes": 6, "workerpool": 7}


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache of compiled library classes that the sessions share."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(params=sorted(LEAST_TESTS))
def opened(
    request: pytest.FixtureRequest, tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[str, Session]]:
    """A session in a copy of an example, its sources loaded."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
    copy_of(request.param, tmp_path / "project")
    session = DRIVER.open_project(tmp_path / "project")
    yield request.param, session
    session.close()


def test_the_tests_pass(opened: tuple[str, Session]) -> None:
    name, session = opened
    assert session.load("test") is None
    report = session.evaluate("Workspace test").displays[0]
    passed = re.fullmatch(r"TestResult\((\d+) tests, \1 passed \(.*\)\)", report)
    assert passed is not None, report
    assert int(passed[1]) >= LEAST_TESTS[name]


def test_the_transcripts_pass(opened: tuple[str, Session]) -> None:
    name, session = opened
    for file in sorted((EXAMPLES / name).rglob("*.btscript")):
        script = read_script(file.read_text("utf-8"), DRIVER.is_complete)
        assert script.malformed == ()
        assert [mismatch(each.expected, session.evaluate(each.text)) for each in script.checks] == [
            None
        ] * len(script.checks)
