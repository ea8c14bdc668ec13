"""Files and programs of the host: big ones, slow ones, and who waits for them (stdlib.md 4.12, 4.13)."""

from __future__ import annotations

import os
import threading
import time
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.lang.codegen.image import Image
from tests.lang.stdlib.examples import Live


@pytest.fixture
def live(tmp_path: Path) -> Iterator[Live]:
    opened = Live(tmp_path / "cache")
    yield opened
    opened.close()


def test_a_big_file_streams(tmp_path: Path) -> None:
    image = Image(tmp_path)
    place = tmp_path / "big.txt"
    with place.open("wb") as file:
        for _ in range(16):
            file.write((b"0123456789abcde" * 16 + b"\n") * 4_096)
    tracemalloc.start()
    try:
        shown = image.show(f'(File lines: "{place}") unwrap inject: 0 into: [:n :line | n + line byteSize]')
        _size, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert shown == str(16 * 4_096 * 240)
    assert peak < 4_000_000


def test_a_pipe_parks_its_reader_only(live: Live, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    def write() -> None:
        time.sleep(0.3)
        pipe.write_text("late")

    writer = threading.Thread(target=write)
    writer.start()
    live.show(
        "box := AtomicCounter new: #turns. t := Timer every: 10 do: [(AtomicCounter named: #turns) increment]. 0"
    )
    assert live.show(f'(File readAll: "{pipe}") unwrap') == '"late"'
    writer.join()
    assert live.show("t cancel. (AtomicCounter named: #turns) value > 5") == "true"


def test_a_long_command_parks_its_caller_only(live: Live) -> None:
    source = '(Parallel all: #([OS run: "sleep 0.3"], [OS run: "sleep 0.3"], [OS run: "sleep 0.3"])) size'
    began = time.monotonic()
    assert live.show(source) == "3"
    assert time.monotonic() - began < 0.8


def test_big_writes_and_reads_come_back(live: Live, tmp_path: Path) -> None:
    place = tmp_path / "blob"
    live.show('text := "0123456789" repeat: 100000. 0')
    assert live.show(f'(File writeAll: "{place}" contents: text) isOk') == "true"
    assert live.show(f'(File readAll: "{place}") unwrap =:= text') == "true"
    assert live.show(f'(File open: "{place}" do: [:h | h readAll unwrap byteSize]) unwrap') == "1000000"
    assert live.show(f'(File open: "{place}" do: [:h | (h read: 600000) unwrap byteSize]) unwrap') == "600000"
    appended = f'(File open: "{place}" mode: #append do: [:h | h write: text. h sync]) unwrap isOk'
    assert live.show(appended) == "true"
    assert place.stat().st_size == 2_000_000


def test_a_command_that_writes_without_end_is_stopped_at_the_limit(live: Live) -> None:
    assert live.show('[OS run: "yes"] on: Error do: [:e | e kind]') == "#output_too_large"


def test_a_command_that_goes_on_without_output_is_ended(live: Live) -> None:
    began = time.monotonic()
    assert live.show('[OS run: "exec >&-; sleep 20" timeout: 100] on: Error do: [:e | e kind]') == "#timeout"
    assert time.monotonic() - began < 5


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        ('File readAll: "no/such"', "file_not_found"),
        ('File readAll: "."', "io_error"),
        ('File listDirectory: "no"', "file_not_found"),
        ('File lines: "no"', "file_not_found"),
        ('File delete: "no"', "file_not_found"),
        ('File rename: "no" to: "yes"', "file_not_found"),
        ('File lastModified: "no"', "file_not_found"),
        ('File open: "no" do: [:h | h]', "file_not_found"),
        ('File open: "." do: [:h | h]', "io_error"),
        ('File mkdir: "no/such/place"', "file_not_found"),
        ('File open: "x" mode: #sideways', "type_error"),
    ],
)
def test_ordinary_failures_are_results(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str, kind: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert _SHARED.show(f"({source}) error kind") == f"#{kind}"


@pytest.mark.parametrize(
    "source", ["File readAll: 9", 'File open: "x" do: 3', 'File writeAll: "x" contents: 3']
)
def test_misuse_raises(source: str) -> None:
    assert _SHARED.show(f"[{source}] on: TypeError do: [:e | e kind]") == "#type_error"


_SHARED = Image()
