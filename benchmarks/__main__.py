"""All benchmarks, one after the other: `python -m benchmarks [NAME …]`, or `make bench`.

Comes in: names of benchmarks (`language`, `start`); none means all. Guarantees: each runs in a process of its
own, so that none is slowed by the garbage of another; together they end within the limit; the code is 1 if
one failed. Leaves: what is measured, and against whom, to each `bench_*.py`.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

FOLDER = Path(__file__).parent
LIMIT_SECONDS = 300
"""For all of them."""
WIDTH = 96


def main(wanted: list[str]) -> int:
    """Run the benchmarks; the exit code of the process."""
    names = wanted or [path.stem.removeprefix("bench_") for path in sorted(FOLDER.glob("bench_*.py"))]
    end = time.monotonic() + LIMIT_SECONDS
    failed = [name for name in names if not is_measured(name, end)]
    print("─" * WIDTH)
    print(
        f"{len(names) - len(failed)} benchmarks ran, {len(failed)} failed{': ' if failed else ''}{', '.join(failed)}"
    )
    return 1 if failed else 0


def is_measured(name: str, end: float) -> bool:
    """Run one benchmark and let it print its rows; whether it came to its end in time."""
    print(f"── {name} {'─' * (WIDTH - len(name) - 4)}", flush=True)
    start = time.monotonic()
    command = [sys.executable, "-m", f"benchmarks.bench_{name}"]
    try:
        code = subprocess.run(command, cwd=FOLDER.parent, timeout=max(end - start, 0), check=False).returncode
    except subprocess.TimeoutExpired:
        print(f"stopped: all together may take {LIMIT_SECONDS} s")
        return False
    print(f"{'':{WIDTH - 10}}{time.monotonic() - start:8.1f} s", flush=True)
    return code == 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
