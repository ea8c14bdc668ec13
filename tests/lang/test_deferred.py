"""A deferred module is imported by the first attribute that is asked of it, and not before."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from lang.deferred import deferred


@pytest.fixture
def late(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    (tmp_path / "late_module.py").write_text("answer = 42\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "late_module", raising=False)
    return "late_module"


def test_it_is_imported_when_first_used(late: str) -> None:
    module = deferred(late)
    assert repr(module) == "<deferred late_module>"
    assert late not in sys.modules
    assert module.answer == 42
    assert late in sys.modules


def test_it_follows_what_the_module_says_now(late: str, monkeypatch: pytest.MonkeyPatch) -> None:
    module = deferred(late)
    assert module.answer == 42
    monkeypatch.setattr(sys.modules[late], "answer", 43)
    assert module.answer == 43


def test_what_the_module_has_not_is_an_attribute_error(late: str) -> None:
    with pytest.raises(AttributeError, match="nothing"):
        _ = deferred(late).nothing
