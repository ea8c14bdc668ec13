"""Flush of 300 files against temp + fsync + rename by hand, in one run (at most 1.5 times)."""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from pathlib import Path

from workspace.flush.commit import FlushRequest, write
from workspace.flush.disk import RealDisk
from workspace.flush.journal import FlushFolder, Journal
from workspace.flush.outcome import Committed
from workspace.flush.rows import Content, Row, UnitEdit

FILES, FOLDERS, ROUNDS = 300, 10, 9
BODY = "".join(f"  method{n} => self.value := self.value + {n}\n\n" for n in range(40))
BEFORE = f"Actor subclass: Thing\n  state: value = 0\n\n{BODY}  make => Counter spawn\n"
AFTER = BEFORE.replace("Counter", "Accumulator")


class NoMarks:
    def exist(self, _flush_id: str) -> bool:
        return False

    def append(self, _journal: Journal) -> None:
        pass


def lay_out(root: Path) -> list[str]:
    names = [f"src/part{n % FOLDERS}/Thing{n}.bt" for n in range(FILES)]
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(BEFORE)
    (root / ".beamtalk").mkdir()
    os.sync()
    return names


def by_hand(root: Path, names: list[str]) -> float:
    after = AFTER.encode()
    begun = time.perf_counter()
    for name in names:
        path = f"{root}/{name}"
        descriptor = os.open(path + ".tmp", os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
        os.write(descriptor, after)
        os.fsync(descriptor)
        os.close(descriptor)
        os.rename(path + ".tmp", path)  # noqa: PTH104 - the bare calls are what is measured
    return time.perf_counter() - begun


def by_flush(root: Path, names: list[str]) -> float:
    edits = (UnitEdit(None, "  make => Counter spawn\n", None, "  make => Accumulator spawn\n"),)
    before, after = Content(BEFORE.encode()), Content(AFTER.encode())
    rows = tuple(Row(name, before, after, name, edits) for name in names)
    area = FlushFolder(str(root), f"{root}/.beamtalk/flush")
    begun = time.perf_counter()
    outcome = write(RealDisk(), area, FlushRequest("7f3a", rows, (1,)), NoMarks(), lambda: None)
    took = time.perf_counter() - begun
    if not isinstance(outcome, Committed):
        raise SystemExit(f"the flush failed: {outcome}")
    return took


def measure() -> tuple[float, float]:
    """Medians in seconds, the two taken by turns."""
    hand: list[float] = []
    flush: list[float] = []
    for _ in range(ROUNDS):
        for take, times in ((by_hand, hand), (by_flush, flush)):
            with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:
                names = lay_out(Path(folder))
                times.append(take(Path(folder), names))
    return statistics.median(hand), statistics.median(flush)


def main() -> None:
    hand, flush = measure()
    print(f"{'flush of 300 files, by hand':44} {hand * 1000:8.1f} ms")
    print(f"{'flush of 300 files':44} {flush * 1000:8.1f} ms   {flush / hand:.2f} x by hand (must 1.5)")


if __name__ == "__main__":
    main()
