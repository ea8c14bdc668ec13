"""The library's cache: plain data, ignored when anything about it is off (workspace.md 1.9)."""

from __future__ import annotations

from pathlib import Path

import pytest

from lang.runtime.runtime import Runtime
from lang.stdlib import load
from lang.stdlib.load import load_library


@pytest.fixture
def folder(tmp_path: Path, library_cache: Path) -> Path:
    load_library(Runtime(), library_cache)
    for file in library_cache.glob("*.btc"):
        (tmp_path / file.name).write_bytes(file.read_bytes())
        (tmp_path / file.name).chmod(0o600)
    return tmp_path


@pytest.fixture
def compiles(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How often the sources were compiled."""
    seen: list[int] = []
    compile_sources = load._compile
    monkeypatch.setattr(load, "_compile", lambda *given: seen.append(1) or compile_sources(*given))
    return seen


def sum_of(folder: Path | None) -> object:
    runtime = Runtime()
    load_library(runtime, folder)
    return runtime.send(3, "max:", 4)


def test_a_warm_start_compiles_nothing(folder: Path, compiles: list[int]) -> None:
    assert sum_of(folder) == 4
    assert compiles == []


@pytest.mark.parametrize("damage", ["cut", "flipped", "empty", "readable_by_writers"])
def test_a_bad_file_is_replaced(folder: Path, compiles: list[int], damage: str) -> None:
    file = next(folder.glob("*.btc"))
    data = file.read_bytes()
    match damage:
        case "cut":
            file.write_bytes(data[:-7])
        case "flipped":
            file.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
        case "empty":
            file.write_bytes(b"")
        case _:
            file.chmod(0o666)
    assert sum_of(folder) == 4
    assert compiles == [1]
    assert sum_of(folder) == 4
    assert compiles == [1]


def test_without_a_folder_there_is_no_cache(compiles: list[int]) -> None:
    assert sum_of(None) == 4
    assert compiles == [1]


def test_a_folder_that_cannot_be_made_is_no_failure(tmp_path: Path, compiles: list[int]) -> None:
    (tmp_path / "file").write_text("")
    assert sum_of(tmp_path / "file" / "cache") == 4
    assert compiles == [1]
