from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest


def _shared(name: str, file: str) -> ModuleType:
    """Test folders are no packages: what their modules share is imported by its path, under one name."""
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, Path(__file__).parent / file)
        assert spec is not None
        assert spec.loader is not None
        module = sys.modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    return sys.modules[name]


_shared("process_ground", "ground.py")
_shared("process_image", "image.py")

from process_ground import Ground  # noqa: E402
from process_image import Image  # noqa: E402


@pytest.fixture
def ground() -> Iterator[Ground]:
    made = Ground()
    yield made
    made.scheduler.close()
    assert not made.scheduler.processes.live
    assert not made.scheduler._stacks


@pytest.fixture
def image() -> Iterator[Image]:
    made = Image()
    yield made
    made.system.scheduler.close()
    assert not made.system.scheduler.processes.live
    assert not made.system.scheduler._stacks


@pytest.fixture(scope="session")
def library_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One compiled library for all tests of a run."""
    return tmp_path_factory.mktemp("library")
