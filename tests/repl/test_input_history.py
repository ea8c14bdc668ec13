from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from repl.prompt.history import KEPT, InputHistory


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "state" / "history"


def loaded(file: Path) -> list[str]:
    return list(InputHistory(file).load_history_strings())


def test_an_input_is_one_line_of_json(file: Path) -> None:
    InputHistory(file, lambda: 12.5).append_string("a\nb")
    assert json.loads(file.read_text()) == {"ts": 12.5, "text": "a\nb"}
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_the_newest_comes_first(file: Path) -> None:
    history = InputHistory(file)
    for text in ("one", "two", "two", " secret", "", "three"):
        history.append_string(text)
    assert loaded(file) == ["three", "two", "one"]


def test_sessions_share_the_file(file: Path) -> None:
    first, second = InputHistory(file), InputHistory(file)
    first.append_string("a")
    second.append_string("b")
    first.append_string("c")
    assert loaded(file) == ["c", "b", "a"]


def test_a_torn_line_is_skipped(file: Path) -> None:
    InputHistory(file).append_string("whole")
    with file.open("a") as opened:
        opened.write('{"ts": 1, "te')
    assert loaded(file) == ["whole"]


def test_a_long_file_is_compacted_at_start(file: Path) -> None:
    file.parent.mkdir()
    file.write_text(
        "".join(json.dumps({"ts": n, "text": f"input {n}"}) + "\n" for n in range(KEPT + KEPT // 2))
    )
    assert loaded(file)[0] == f"input {KEPT + KEPT // 2 - 1}"
    assert file.read_bytes().count(b"\n") == KEPT


def test_nothing_is_written_where_nothing_can_be(tmp_path: Path) -> None:
    InputHistory(None).append_string("a")
    blocked = tmp_path / "file"
    blocked.write_text("")
    InputHistory(blocked / "history").append_string("a")
    assert loaded(blocked / "history") == []
