"""Host functions that wait, and patterns that take long, keep nobody else waiting (language.md 4.19, actors.md 21.3)."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from lang.runtime.errors import BeamtalkError
from lang.runtime.processes.signals import Interrupted
from lang.stdlib.host_calls import BLOCKING, origin_of
from tests.workspace.lab import Lab, lab_with

TICKS = """Actor subclass: Ticks
  state: n = 0
  start => Timer every: 5 do: [self tick!]
  tick => self.n := self.n + 1
  n => self.n
"""


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[Lab]:
    with lab_with(tmp_path, {"src/Ticks.bt": TICKS}) as made:
        made("Workspace bind: Ticks spawn as: #ticks. ticks start")
        yield made


@pytest.mark.parametrize(
    "waiting",
    [
        "Python time sleep: 0.25",
        "Python time inThread sleep: 0.25",
        "(Python builtins getattr: (Python time) with: #sleep) callWith: #(0.25)",
        "(Python builtins getattr: (Python time) with: #sleep) inThread callWith: #(0.25)",
        'Python os system: "sleep 0.25"',
        'Python subprocess run: #("sleep", "0.25")',
    ],
)
def test_others_go_on_while_a_host_function_waits(lab: Lab, waiting: str) -> None:
    before = int(lab("ticks n"))
    started = time.monotonic()
    lab(waiting)
    assert time.monotonic() - started >= 0.24
    assert int(lab("ticks n")) - before > 5


def test_a_waiting_host_function_is_interrupted_at_once(lab: Lab) -> None:
    session = lab.workspace.sessions.open("waiting")
    evaluation = lab.workspace.evaluator.submit(lambda: session.evaluate("Python time sleep: 60"), session.id)
    time.sleep(0.1)
    lab.workspace.evaluator.interrupt(evaluation)
    with pytest.raises(Interrupted):
        evaluation.future.result(timeout=5)


def test_a_fault_in_a_thread_is_an_error_of_the_language(lab: Lab) -> None:
    assert lab("[Python time sleep: -1] on: Error do: [:e | #(e kind, e errorClass)]") == (
        "#(#python_error, #ValueError)"
    )
    assert lab("[Python math inThread sqrt: -1] on: Error do: [:e | e kind]") == "#python_error"


def test_a_block_is_not_called_from_a_thread(lab: Lab) -> None:
    shown = lab(
        "[((Python builtins) inThread sorted: #(2, 1) with: nil) size] on: Error do: [:e | e errorClass]"
    )
    assert shown == "#TypeError"
    assert "thread" in lab(
        "[(Python functools) inThread reduce: [:a :b | a] with: #(1, 2)] on: Error do: [:e | e message]"
    )


def test_the_table_names_functions_that_exist() -> None:
    """An entry that names nothing would silently block: modules of the standard library are asked."""
    for entry in BLOCKING:
        if entry.startswith(("requests.", "select.epoll", "select.poll")):
            continue
        module, names = _imported(entry)
        found: object = module
        for name in names:
            found = getattr(found, name)
        assert callable(found), entry
        if not entry.startswith("_socket.socket"):
            assert origin_of(found) == entry


def _imported(entry: str) -> tuple[object, list[str]]:
    parts = entry.split(".")
    for size in range(len(parts) - 1, 0, -1):
        try:
            module = __import__(".".join(parts[:size]), fromlist=["x"])
        except ModuleNotFoundError:
            continue
        return module, parts[size:]
    raise AssertionError(entry)


def test_methods_of_sockets_and_processes_are_found_in_the_table() -> None:
    with socket.socket() as one:
        assert origin_of(one.recv) in BLOCKING
        assert origin_of(one.accept) in BLOCKING
        assert origin_of(one.getsockname) not in BLOCKING
    assert origin_of(threading.Event().wait) in BLOCKING


def test_a_pattern_that_takes_long_keeps_nobody_waiting(lab: Lab) -> None:
    lab('text := "a" repeat: 26')
    before = int(lab("ticks n"))
    session = lab.workspace.sessions.open("matching")
    # Only the engine's memory of failures saves this one; a hundred more characters would take years.
    evaluation = lab.workspace.evaluator.submit(
        lambda: session.evaluate('(("a" repeat: 5000) ++ "!") matchesRegex: "^(a|a|aa)+(b|aa)*\\1$"'),
        session.id,
    )
    time.sleep(0.4)
    assert int(lab("ticks n")) > before
    lab.workspace.evaluator.interrupt(evaluation)


def test_a_short_match_is_made_in_place(lab: Lab) -> None:
    assert lab('"ab12" firstMatch: "[0-9]+"') == '"12"'
    assert lab('"a1b2" replaceAllRegex: "[0-9]" with: "-"') == '"a-b-"'
    assert lab('"a1b2" splitRegex: "[0-9]"') == '#("a", "b")'
    with pytest.raises((BeamtalkError, AssertionError)):
        lab('"a" matchesRegex: "("')


@pytest.mark.slow
@pytest.mark.parametrize(
    "long",
    [
        "(Json parse: text) isOk",
        "(Json generate: things) size",
        "things printString size",
        "things sort size",
    ],
)
def test_others_go_on_during_long_work_of_the_library(lab: Lab, long: str) -> None:
    lab("things := (1 to: 30000) asList collect: [:n | Tuple withAll: #(n * 7919 % 60007, n)]")
    lab("text := Json generate: ((1 to: 200000) asList)")
    before = int(lab("ticks n"))
    started = time.monotonic()
    lab(long.replace("(Json generate: things)", "(Json generate: (things collect: [:t | t asList]))"))
    elapsed = time.monotonic() - started
    # A tenth of the ticks that are due, and one at the least, on however quick a machine.
    assert int(lab("ticks n")) - before >= max(1.0, elapsed / 0.005 / 10)
