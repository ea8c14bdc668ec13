"""`run .`: a service in the foreground, in a process of its own (workspace.md 6.4)."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.workspace.lab import library_cache

MANIFEST = '[package]\nname = "lamp"\nversion = "0.1.0"\n'
APPLICATION = '\n[application]\nsupervisor = "LampSup"\n'
SUPERVISOR = "Supervisor subclass: LampSup\n\n  class children -> List => #(Lamp supervisionSpec withRestart: #permanent)\n"
LAMP = """\
Actor subclass: Lamp
  state: lit :: Boolean = false

  initialize =>
    Transcript show: "lit"; cr
    self.lit := true

  terminate: _reason => Transcript show: "out"; cr
"""


@pytest.fixture
def lamp(tmp_path: Path) -> Path:
    (tmp_path / "src").mkdir()
    (tmp_path / "beamtalk.toml").write_text(MANIFEST + APPLICATION)
    (tmp_path / "src" / "LampSup.bt").write_text(SUPERVISOR)
    (tmp_path / "src" / "Lamp.bt").write_text(LAMP)
    return tmp_path


@pytest.fixture
def started() -> Iterator[list[subprocess.Popen[str]]]:
    running: list[subprocess.Popen[str]] = []
    yield running
    for each in running:
        each.kill()
        each.communicate()


def start(root: Path, running: list[subprocess.Popen[str]]) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-m", "repl.cli", "--project", str(root), "run", "."],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "XDG_CACHE_HOME": str(library_cache())},
        cwd=Path(__file__).parents[2],
    )
    running.append(process)
    return process


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_a_service_in_order(
    lamp: Path, started: list[subprocess.Popen[str]], number: signal.Signals
) -> None:
    process = start(lamp, started)
    assert process.stdout is not None
    assert process.stdout.readline() == "lit\n"
    # The supervisor answers after its children: the signal must find it waiting.
    time.sleep(0.3)
    process.send_signal(number)
    output, errors = process.communicate(timeout=20)
    assert (process.returncode, output) == (0, "out\n")
    assert errors == "Building...\nRunning LampSup...\n"


def test_a_program_ends_its_service(lamp: Path, started: list[subprocess.Popen[str]]) -> None:
    (lamp / "src" / "Lamp.bt").write_text(
        LAMP.replace("self.lit := true", "Timer after: 20 do: [Program exit: 7]")
    )
    process = start(lamp, started)
    process.communicate(timeout=20)
    assert process.returncode == 7


def test_a_supervisor_that_gives_up_ends_its_service(
    lamp: Path, started: list[subprocess.Popen[str]]
) -> None:
    (lamp / "src" / "Lamp.bt").write_text(LAMP.replace("self.lit := true", "Timer after: 5 do: [self stop]"))
    process = start(lamp, started)
    _output, errors = process.communicate(timeout=20)
    assert process.returncode == 1
    assert "error: LampSup ended: " in errors


@pytest.mark.parametrize(
    ("manifest", "problem"),
    [
        (MANIFEST, "error: No entry point defined for `beamtalk run .`\n"),
        (MANIFEST + APPLICATION.replace("LampSup", "NoSuch"), "Class 'NoSuch' not found"),
    ],
)
def test_a_service_that_cannot_start_says_why(
    lamp: Path, started: list[subprocess.Popen[str]], manifest: str, problem: str
) -> None:
    (lamp / "beamtalk.toml").write_text(manifest)
    process = start(lamp, started)
    _output, errors = process.communicate(timeout=20)
    assert process.returncode == 1
    assert problem in errors
