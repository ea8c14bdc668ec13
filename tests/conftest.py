"""What all tests share: golden cases, and how examples of properties are chosen.

`make accept` (`pytest --accept`) writes what came out; the diff is reviewed. The examples are the same in each run,
so that a failure belongs to the change that is tested; `HYPOTHESIS_PROFILE=search` draws new ones.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("steady", derandomize=True, deadline=None)
settings.register_profile("search", deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--accept", action="store_true", help="rewrite the expected output of golden cases")


@pytest.fixture
def matches_golden(request: pytest.FixtureRequest) -> Callable[[Path, str], None]:
    """A check that a text equals the content of a file, or makes it so under `--accept`."""
    accept = bool(request.config.getoption("--accept"))

    def check(expected: Path, actual: str) -> None:
        if accept:
            expected.write_text(actual, "utf-8", newline="")
        assert expected.is_file(), f"{expected} is missing; pytest --accept writes it"
        assert actual == expected.read_bytes().decode("utf-8")

    return check
