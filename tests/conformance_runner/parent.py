"""Run files of the corpus in child processes, two at a time, each input with a time limit.

Guarantees: one verdict for each check, whatever the child does: an input that takes too
long or ends the process fails, and the file is run again without it.
"""

from __future__ import annotations

import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROCESSES = 2
MAX_RUNS = 6
"""How often a file is begun: each hanging input costs one run; after the last, the rest fails."""


@dataclass(frozen=True, slots=True)
class FileOutcome:
    """The verdicts of one file by line; None is a pass."""

    file: Path
    verdicts: dict[int, str | None]


@dataclass(slots=True)
class _Run:
    """What one child has said so far; line 0 stands for opening the session and the loads."""

    verdicts: dict[int, str | None] = field(default_factory=dict)
    at: int = 0
    done: bool = False
    ending: str = ""


@dataclass(frozen=True, slots=True)
class Runner:
    """How children are run. `module` is the child's main module; `limit` is in seconds an input.

    `cache` is where children keep compiled code; without it each starts with none.
    """

    checks_of: Callable[[Path], tuple[int, ...]]
    limit: float = 20.0
    module: str = "tests.conformance_runner.product_child"
    cache: Path | None = None

    def run(self, files: list[Path]) -> Iterator[FileOutcome]:
        """The outcome of each file, in the given order."""
        with ThreadPoolExecutor(PROCESSES) as pool:
            yield from pool.map(self.run_file, files)

    def run_file(self, file: Path) -> FileOutcome:
        """All verdicts of a file, over as many runs as its hanging inputs need."""
        wanted = self.checks_of(file)
        verdicts: dict[int, str | None] = {}
        skipped: set[int] = set()
        ending = "not reached"
        for _ in range(MAX_RUNS):
            run = self._run_once(file, skipped)
            verdicts = run.verdicts | {line: verdicts[line] for line in skipped}
            if run.done:
                break
            ending = run.ending
            # A file whose second run gives nothing either hangs for a reason of its own.
            if run.at not in wanted or (skipped and not run.verdicts):
                break
            skipped.add(run.at)
            verdicts[run.at] = run.ending
        return FileOutcome(file, {line: verdicts.get(line, ending) for line in {*wanted, *verdicts}})

    def _run_once(self, file: Path, skipped: set[int]) -> _Run:
        with tempfile.TemporaryDirectory(prefix="conformance") as scratch:
            folder = Path(scratch) / "corpus"
            _copy_writable(file.parent, folder)
            (Path(scratch) / "home").mkdir()
            with self._child(folder / file.name, Path(scratch), skipped) as (process, pipe):
                return _followed(process, pipe, self.limit)

    @contextmanager
    def _child(
        self, file: Path, scratch: Path, skipped: set[int]
    ) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
        reading, writing = os.pipe()
        home = str(scratch / "home")
        arguments = [str(file), str(scratch), str(writing), ",".join(map(str, sorted(skipped)))]
        with (scratch / "errors").open("wb") as errors:
            process = subprocess.Popen(
                [sys.executable, "-m", self.module, *arguments],
                cwd=file.parent,
                env={
                    **os.environ,
                    "HOME": home,
                    "XDG_CACHE_HOME": str(self.cache or home),
                    "PYTHONPATH": str(ROOT),
                },
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=errors,
                pass_fds=[writing],
            )
        os.close(writing)
        try:
            yield process, reading
        finally:
            process.kill()
            process.wait()
            os.close(reading)


def _followed(process: subprocess.Popen[bytes], pipe: int, limit: float) -> _Run:
    """Read a child's reports until it is done, ends, or is silent for longer than the limit."""
    run = _Run()
    rest = b""
    deadline = time.monotonic() + limit
    while not run.done:
        ready, _, _ = select.select([pipe], [], [], max(0.0, deadline - time.monotonic()))
        if not ready:
            run.ending = f"timed out after {limit:g} s"
            return run
        data = os.read(pipe, 65536)
        if not data:
            run.ending = f"the process ended ({process.wait()})"
            return run
        *lines, rest = (rest + data).split(b"\n")
        for line in lines:
            _note(run, json.loads(line))
        deadline = time.monotonic() + limit
    return run


def _note(run: _Run, report: dict[str, object]) -> None:
    match report:
        case {"at": int(line)}:
            run.at = line
        case {"line": int(line), "failure": str() | None as failure}:
            run.verdicts[line] = failure
        case {"done": True}:
            run.done = True


def _copy_writable(corpus: Path, folder: Path) -> None:
    """A corpus may lie where nobody may write; the product rightly keeps from files that it may not write."""
    shutil.copytree(corpus, folder, copy_function=shutil.copyfile)
    for each in (folder, *folder.rglob("*")):
        if each.is_dir():
            each.chmod(0o755)
