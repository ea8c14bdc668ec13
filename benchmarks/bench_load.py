"""Loading a project of 1,000 classes: cold, from the compile cache, and after one file has changed.

Run: `python -m benchmarks.bench_load [classes]`. Each load is a process of its own, as a start is; the
times are of the load alone, on the wall and of the processor (other work on the machine shows in the first).
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.bench_rename import write_project
from workspace.opening import Opening, open_workspace
from workspace.workspace import Workspace

_ROUNDS = 3


def main(classes: int = 1000) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "bench"
        write_project(root, classes, classes * 3 // 10)
        lines = sum(len(path.read_text().splitlines()) for path in root.glob("src/*.bt"))
        print(f"{classes} classes, {lines} lines")
        print(f"{'load':<34}{'wall ms':>10}{'cpu ms':>10}{'must':>8}{'aim':>8}")
        _row("cold", _in_process(root, "load"), 6000, 3000)
        cached = min(_in_process(root, "load") for _ in range(_ROUNDS))
        _row("cached", cached, 600, 300)
        part = root / "src/Part7.bt"
        part.write_text(part.read_text().replace("* 7", "* 7007") + "\n")
        _row("cached, one body changed since", _in_process(root, "load"), 0, 0)
        _row("reload, one file changed", _in_process(root, "reload"), 60, 20)
        empty = Path(folder) / "empty"
        empty.mkdir()
        print(f"{'most memory':<34}{'MB':>10}{'':>10}{'must':>8}{'aim':>8}")
        for name, place, must, aim in (("no project", empty, 80, 60), (f"{classes} classes", root, 250, 150)):
            print(f"{name:<34}{_in_process(place, 'load')[2]:>10.0f}{'':>10}{must:>8}{aim:>8}")


def _row(name: str, times: tuple[float, float, float], must: int, aim: int) -> None:
    targets = f"{must:>8}{aim:>8}" if must else ""
    print(f"{name:<34}{times[0] * 1000:>10.0f}{times[1] * 1000:>10.0f}{targets}")


def _in_process(root: Path, what: str) -> tuple[float, float, float]:
    """Wall and processor seconds of one measured step in a fresh process, and the most MB that it had."""
    command = [sys.executable, "-m", "benchmarks.bench_load", what, str(root)]
    wall, cpu, size = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    return float(wall), float(cpu), float(size)


def _measured(root: Path, what: str) -> None:
    has_project = (root / "beamtalk.toml").exists()
    workspace = open_workspace(Opening(root if has_project else None, library_cache=root.parent / "library"))
    try:
        if what == "reload":
            workspace.evaluator.run(workspace.loader.sync)
            part = root / "src/Part8.bt"
            part.write_text(part.read_text().replace("* 7", "* 8008"))
        wall, cpu = workspace.evaluator.run(lambda: _timed(workspace))
        print(wall, cpu, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
    finally:
        workspace.close()


def _timed(workspace: Workspace) -> tuple[float, float]:
    wall, cpu = time.perf_counter(), time.thread_time()
    report = workspace.loader.sync()
    assert not report.problems
    return time.perf_counter() - wall, time.thread_time() - cpu


if __name__ == "__main__":
    if sys.argv[1:2] in (["load"], ["reload"]):
        _measured(Path(sys.argv[2]), sys.argv[1])
    else:
        main(*map(int, sys.argv[1:]))
