"""What fails while nobody waits: contained, logged once, shown once, and the rest runs on (actors.md 5, 8, 12, 15)."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from lang.runtime.processes.pid import Pid
from lang.runtime.processes.process import Process, ProcessKind
from lang.runtime.processes.reasons import KILLED
from lang.stdlib.services import LogRecord
from tests.workspace.lab import MANIFEST, library_cache, project
from workspace.opening import Opening, open_workspace
from workspace.process_reports import SHOWN_A_SECOND, ProcessReports
from workspace.runtime_log import KEPT_FILES, MAX_BYTES, RuntimeLog

CLASSES = """Server subclass: Glass
  state: full = 0
  fill => self.full := self.full + 1
  full => self.full
  spill =>
    self.full := 99
    self error: "spilled"
  handleInfo: message => self error: "cracked"
  terminate: reason => self error: "shards"
  later => Timer after: 1 do: [self error: "late"]
  often => Timer every: 2 do: [nil whistle]

Actor subclass: Faulty
  initialize => self error: "no glass"

Announcement subclass: Toast

DynamicSupervisor subclass: Shelf
  class childClass => Faulty

Actor subclass: Flicker
  state: boots = 0
  initialize => (AtomicCounter named: #boots) increment > 1 ifTrue: [self error: "dark"]

Supervisor subclass: Lamp
  class children => #(Flicker supervisionSpec withRestart: #permanent, Glass)
  class maxRestarts => 3
"""


class Prompt:
    """A workspace, the lines shown above its prompt, and the records in its log."""

    def __init__(self, root: Path) -> None:
        project(root, {f"src/c{n}.bt": text for n, text in enumerate(CLASSES.split("\n\n"))})
        self.root = root
        self.lines: list[str] = []
        self.workspace = open_workspace(
            Opening(root, library_cache=library_cache(), background=self.lines.append)
        )
        self.session = self.workspace.sessions.open("repl")
        self("Workspace sync")

    def __call__(self, text: str) -> object:
        outcome = self.workspace.evaluator.run(lambda: self.session.evaluate(text))
        if outcome.error is not None:
            raise outcome.error
        return self.session.last_values[0]

    def records(self) -> list[dict[str, str]]:
        path = self.root / ".beamtalk" / "log" / "beamtalk.log"
        return [json.loads(line) for line in path.read_text("utf-8").splitlines()]

    def wait_for(self, holds: Callable[[], bool]) -> None:
        end = time.monotonic() + 5
        while not holds():
            assert time.monotonic() < end, self.lines
            time.sleep(0.005)


@pytest.fixture
def prompt(tmp_path: Path) -> Iterator[Prompt]:
    made = Prompt(tmp_path)
    yield made
    made.workspace.close()


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("g spill!", "failed in 'spill': Error: spilled"),
        ("g hop!", "failed in 'hop': RuntimeError: Glass does not understand 'hop'"),
        ("Erlang erlang send: g pid msg: #ding", "failed in 'handleInfo:': Error: cracked"),
        ("g later", "Timer failed in 'Timer': Error: late"),
        ("Glass spawn stop", "failed in 'terminate:': Error: shards"),
        ("h := Glass spawn. h onExit: [:r | nil whistle]. h kill", "failed in 'onExit:': RuntimeError: "),
        ("Glass spawn pid exit: #boom", "stopped: #boom"),
        ("b announce: Toast new", "Announcement handler failed in 'when: Toast': RuntimeError: "),
        ("b announceAndWait: Toast new", "Announcement handler failed in 'when: Toast': RuntimeError: "),
    ],
)
def test_a_failure_is_told_once_and_hurts_nobody(prompt: Prompt, text: str, shown: str) -> None:
    setup = (
        "g := Glass spawn. g fill. b := Announcer new. b when: Toast do: [:t | nil whistle]. "
        if "b ann" in text
        else ""
    )
    prompt(setup + ("" if setup else "g := Glass spawn. g fill. ") + text)
    prompt.wait_for(lambda: bool(prompt.lines))
    assert prompt("g full") == 1
    time.sleep(0.02)
    (line,) = prompt.lines
    assert shown in line
    (record,) = prompt.records()
    assert (record["level"], record["message"]) == ("warn", line)


def test_a_failed_start_is_told_to_who_asked(prompt: Prompt) -> None:
    assert prompt("[Faulty spawn] on: Error do: [:e | e kind]").name == "instantiation_error"  # type: ignore[attr-defined]
    assert prompt("(Shelf supervise) unwrap startChild isError") is True
    assert prompt.lines == []
    assert ["no glass" in record["message"] for record in prompt.records()] == [True, True]


def test_a_repeating_timer_goes_on(prompt: Prompt) -> None:
    prompt("g := Glass spawn. g often")
    prompt.wait_for(lambda: len(prompt.lines) >= 3)
    assert prompt("g isAlive") is True


def test_a_supervisor_whose_child_fails_in_a_loop_gives_up(prompt: Prompt) -> None:
    prompt("AtomicCounter new: #boots. lamp := (Lamp supervise) unwrap. glass := (lamp which: Glass) unwrap")
    prompt("bystander := Glass spawn")
    prompt("(lamp which: Flicker) unwrap kill")
    prompt.wait_for(lambda: any("gave up" in line for line in prompt.lines))
    assert prompt("Lamp current isNil") is True
    assert prompt("glass isAlive") is False
    assert prompt("bystander fill") == 1
    restarts = [line for line in prompt.lines if "'restart'" in line]
    assert len(restarts) == 3
    assert prompt.lines[-2 if "terminate" in prompt.lines[-1] else -1].startswith(
        "Lamp gave up: more than 3 restarts"
    )


def test_no_stack_is_left_behind(prompt: Prompt) -> None:
    scheduler = prompt.workspace.image.actors.scheduler
    prompt("g := Glass spawn. 200 timesRepeat: [g spill!. g hop!. Glass spawn pid exit: #boom]. g full")
    assert scheduler.stack_count <= 70
    assert len(scheduler.processes.live) < 10


def test_who_only_looks_writes_no_log(tmp_path: Path) -> None:
    (tmp_path / "beamtalk.toml").write_text(MANIFEST)
    looking = open_workspace(Opening(tmp_path, library_cache=library_cache(), is_read_only=True))
    assert looking.runtime_log.path is None
    looking.close()


# ---------------------------------------------------------------- parts


def test_the_log_is_rotated(tmp_path: Path) -> None:
    log = RuntimeLog(tmp_path / "log" / "x.log")
    for number in range(6):
        log.record(LogRecord(number, "warn", "x" * (MAX_BYTES - 200), ()))
    log.close()
    names = sorted(path.name for path in (tmp_path / "log").iterdir())
    assert names == ["x.log", *(f"x.log.{n}" for n in range(1, KEPT_FILES + 1))]


def test_records_below_the_threshold_open_nothing(tmp_path: Path) -> None:
    RuntimeLog(tmp_path / "log" / "x.log").record(LogRecord(0, "debug", "quiet", ()))
    assert list(tmp_path.iterdir()) == []


def test_a_storm_of_failures_is_cut() -> None:
    shown: list[str] = []
    now = [10.0]
    reports = ProcessReports(RuntimeLog(None), shown.append, lambda: 0, lambda: now[0])
    process = Process(Pid(7), ProcessKind.ACTOR, "Till", 5.0)
    for _ in range(SHOWN_A_SECOND + 50):
        reports.failed_message(process, "put:", ValueError("no"))
    assert len(shown) == SHOWN_A_SECOND
    now[0] = 11.0
    reports.ended(process, KILLED)
    reports.failed_message(process, "put:", ValueError("no"))
    assert shown[SHOWN_A_SECOND] == "… 50 lines dropped, see the log"
    assert len(shown) == SHOWN_A_SECOND + 2
