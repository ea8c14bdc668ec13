"""How long it takes to start: the process, a script, the prompt in a terminal (workspace.md 3.1, targets.md).

Each row is the best and the median of several rounds, in milliseconds; `python -c pass` is the floor of the machine.
The cache of the library is warm. Run: `python -m benchmarks.bench_start`.
"""

from __future__ import annotations

import os
import pty
import select
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

ROUNDS = 9
ROOT = Path(__file__).parent.parent
PROMPT = b"bt> "
BEAMTALK = (sys.executable, "-m", "repl.cli")
PROMPT_COMMAND = (*BEAMTALK, "repl")


def run(command: tuple[str, ...], folder: Path) -> float:
    """Seconds until a process has ended."""
    start = time.perf_counter()
    subprocess.run(
        command, cwd=folder, env=environment(), stdin=subprocess.DEVNULL, capture_output=True, check=True
    )
    return time.perf_counter() - start


def environment() -> dict[str, str]:
    """Bytecode is kept, as it is for users."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPATH": str(ROOT), "TERM": "xterm"}


def write_hello(root: Path) -> None:
    """A project of one class and one test."""
    for name, text in {
        "beamtalk.toml": '[package]\nname = "hello"\nversion = "0.1.0"\n',
        "src/Main.bt": 'Object subclass: Main\n  class main => Transcript show: "hello"; cr\n',
        "test/MainTest.bt": "TestCase subclass: MainTest\n  testSum => self assert: 1 + 1 equals: 2\n",
    }.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)


def until(folder: Path, typed: bytes, wanted: bytes, command: tuple[str, ...] = PROMPT_COMMAND) -> float:
    """Seconds from the start of the prompt's process until `wanted` is drawn; `typed` is typed at the first prompt."""
    start = time.perf_counter()
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(folder)
        os.execve(command[0], command, environment())
    seen, typed_at = b"", 0
    try:
        while wanted not in seen[typed_at:]:
            if not select.select([terminal], [], [], 20)[0]:
                raise TimeoutError(seen.decode(errors="replace"))
            piece = os.read(terminal, 65536)
            if b"\x1b[6n" in piece:  # where the cursor is: a terminal answers
                os.write(terminal, b"\x1b[3;1R")
            seen += piece
            if typed and not typed_at and PROMPT in seen:
                typed_at = len(seen)
                os.write(terminal, typed)
        return time.perf_counter() - start
    finally:
        os.kill(child, 9)
        os.close(terminal)
        os.waitpid(child, 0)


def measured(name: str, once: Callable[[], float]) -> None:
    """Print one row."""
    once()
    times = [once() * 1000 for _ in range(ROUNDS)]
    print(f"{name:<44} best {min(times):7.0f} ms   median {statistics.median(times):7.0f} ms", flush=True)


def main() -> None:
    with tempfile.TemporaryDirectory() as scratch:
        bank = Path(scratch, "bank")
        shutil.copytree(ROOT / "examples" / "bank", bank, ignore=shutil.ignore_patterns(".beamtalk"))
        empty = Path(scratch, "empty")
        empty.mkdir()
        (empty / "hello.btscript").write_text('Transcript show: "hello"; cr\n')
        measured("python -c pass", lambda: run((sys.executable, "-c", "pass"), empty))
        write_hello(hello := Path(scratch, "hello"))
        measured("run Main main, built project", lambda: run((*BEAMTALK, "run", "Main", "main"), hello))
        measured("test of one file, built project", lambda: run((*BEAMTALK, "test"), hello))
        measured("run hello.btscript", lambda: run((*BEAMTALK, "run", "hello.btscript"), empty))
        if find_spec("IPython") is not None:
            ipython = (sys.executable, "-m", "IPython", "--simple-prompt", "--no-banner")
            measured("IPython, first prompt", lambda: until(empty, b"", b"In [1]: ", ipython))
        measured("prompt, no project", lambda: until(empty, b"", PROMPT))
        measured("prompt, examples/bank", lambda: until(bank, b"", PROMPT))
        measured("value of 1 + 1, examples/bank", lambda: until(bank, b"1 + 1\r", b"\r\n2\r"))


if __name__ == "__main__":
    main()
