from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.lang.runtime.processes.ground import Ground
from tests.lang.runtime.processes.image import Image


@pytest.fixture
def ground() -> Iterator[Ground]:
    made = Ground()
    yield made
    made.scheduler.close()
    assert not made.scheduler.processes.live
    assert not made.scheduler.stacks


@pytest.fixture
def image() -> Iterator[Image]:
    made = Image()
    yield made
    made.system.scheduler.close()
    assert not made.system.scheduler.processes.live
    assert not made.system.scheduler.stacks


@pytest.fixture(scope="session")
def library_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One compiled library for all tests of a run."""
    return tmp_path_factory.mktemp("library")
