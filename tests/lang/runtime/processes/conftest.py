from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

# Test folders are no packages: the shared ground is imported by its path, under one name.
_path = Path(__file__).parent / "ground.py"
if "process_ground" not in sys.modules:
    _spec = importlib.util.spec_from_file_location("process_ground", _path)
    assert _spec is not None
    assert _spec.loader is not None
    _module = importlib.util.module_from_spec(_spec)
    sys.modules["process_ground"] = _module
    _spec.loader.exec_module(_module)

from process_ground import Ground  # noqa: E402


@pytest.fixture()
def ground() -> Iterator[Ground]:
    made = Ground()
    yield made
    made.scheduler.close()
    assert not made.scheduler.table
    assert not made.scheduler._stacks
