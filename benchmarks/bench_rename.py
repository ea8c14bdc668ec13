"""Renames over a project of 1,000 classes, one of them used in 300 files: preview, apply, undo, flush, queries.

Run: `python -m benchmarks.bench_rename [classes] [users]`. The flush is compared with writing the same files
by hand: temp, fsync, rename, for each.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, TypeVar

from lang.syntax.units import Side
from workspace.flush.plan import FlushRequest
from workspace.flush.selection import Everything, Gesture
from workspace.opening import Opening, open_workspace
from workspace.refactor.rename_class import rename_class
from workspace.refactor.rename_method import MethodRename, rename_method
from workspace.workspace import Workspace

T = TypeVar("T")

MANIFEST = '[package]\nname = "bench"\nversion = "0.1.0"\n'
METHODS = 10


def class_text(number: int, users: int) -> str:
    """A class of ten methods; the first `users` of them use `Target`."""
    lines = [f"/// Number {number}.", f"Value subclass: Part{number}", "  field: count :: Integer = 0", ""]
    for method in range(METHODS):
        body = f"self.count + {method} * (self step{(method + 1) % METHODS}: each)"
        if number < users and method == 3:
            body = "(Target new: #{#count => each}) measure: self.count"
        elif method == 5:
            body = f"Part{(number + 1) % max(users, 1)} new step{method}: each"
        elif method == METHODS - 1:
            body = "each"
        lines += [
            f"  /// Step {method}.",
            f"  step{method}: each =>",
            f"    total := {body}",
            "    total",
            "",
        ]
    return "\n".join(lines)


TARGET = "Value subclass: Target\n  field: count :: Integer = 0\n  measure: x => self twice: x\n  twice: x => x * 2\n"


def write_project(root: Path, classes: int, users: int) -> None:
    """The project on disk."""
    (root / "src").mkdir(parents=True)
    (root / "beamtalk.toml").write_text(MANIFEST)
    (root / "src/Target.bt").write_text(TARGET)
    for number in range(classes - 1):
        (root / f"src/Part{number}.bt").write_text(class_text(number, users))


class Spent(NamedTuple):
    """Milliseconds on the clock, and those that the measured thread had a processor."""

    wall: float
    cpu: float


class Table:
    """Rows of the result, printed as they come."""

    def row(self, name: str, spent: Spent, must: float, aim: float) -> None:
        """One figure with what it must and should be."""
        verdict = "ok" if spent.wall <= must else "TOO SLOW"
        figures = f"{spent.wall:>9.2f} ms  cpu {spent.cpu:>8.2f}"
        print(f"{name:<40} {figures}   must {must:>5g}   aim {aim:>5g}   {verdict}", flush=True)


def timed(work: Callable[[], T]) -> tuple[Spent, T]:
    """What a piece of work took, and its answer."""
    start, cpu = time.perf_counter(), time.thread_time()
    answer = work()
    return Spent((time.perf_counter() - start) * 1e3, (time.thread_time() - cpu) * 1e3), answer


def by_hand(paths: list[Path]) -> Spent:
    """The same bytes by temp, fsync, rename for each file."""
    texts = [path.read_bytes() for path in paths]

    def write() -> None:
        for path, text in zip(paths, texts, strict=True):
            temporary = path.with_suffix(".tmp")
            with temporary.open("wb") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            temporary.rename(path)
        folder = os.open(paths[0].parent, os.O_RDONLY)
        os.fsync(folder)
        os.close(folder)

    return timed(write)[0]


class Bench:
    """One workspace being measured."""

    def __init__(self, root: Path, cache: Path) -> None:
        self.table = Table()
        self.workspace: Workspace = open_workspace(Opening(root, library_cache=cache))
        self.session = self.workspace.sessions.open("bench")
        self.root = root

    def run(self, work: Callable[[], T]) -> tuple[Spent, T]:
        """Work on the evaluator, timed there."""
        return self.workspace.evaluator.run(lambda: timed(work))

    def evaluate(self, text: str) -> Spent:
        """Time of an input."""
        spent, outcome = self.run(lambda: self.session.evaluate(text))
        if outcome.error is not None:
            raise outcome.error
        return spent

    def best(self, text: str, times: int = 5) -> Spent:
        """The best of several, for what is fast and warm."""
        return min(self.evaluate(text) for _ in range(times))

    def load(self) -> None:
        """Loading, the first time and with a warm cache."""
        self.table.row("load 1,000 classes, cold", self.evaluate("Workspace sync"), 6000, 3000)
        self.table.row("sync, nothing changed", self.evaluate("Workspace sync"), 60, 20)
        path = self.root / "src/Part7.bt"
        path.write_text(path.read_text().replace("* (self", "+ (self"))
        self.table.row("reload after one file changed", self.evaluate("Workspace sync"), 60, 20)
        patches = [self.evaluate(f"Part9 >> step2: each => each + {number}") for number in range(5)]
        self.table.row("patch one method, with its fsync", min(patches), 3, 1)
        for _ in patches:
            self.evaluate("Workspace undo")

    def queries(self) -> None:
        """Senders and references."""
        index = self.workspace.state.index
        self.table.row(
            "senders of a selector (300 rows)", self.run(lambda: index.senders_of("measure:"))[0], 5, 0.1
        )
        self.table.row(
            "references to a class (300 rows)", self.run(lambda: index.references_to("Target"))[0], 5, 0.1
        )
        self.table.row("the same again", self.run(lambda: index.references_to("Target"))[0], 5, 0.1)
        self.table.row(
            "SystemNavigation referencesTo:",
            self.best("(SystemNavigation default referencesTo: Target) size"),
            5,
            0.1,
        )

    def previews(self) -> None:
        """Previews of both renames, warm."""
        state, exists = self.workspace.state, self.workspace.exists
        self.evaluate("Target previewRenameTo: #Goal")
        self.run(lambda: rename_class("Target", "Goal", exists)(state))
        preview = "Target previewRenameTo: #Goal"
        self.table.row("class rename: preview", self.best(preview), 60, 15)
        self.table.row("class rename: preview with diff", self.best(f"({preview}) diff size"), 60, 15)
        wish = MethodRename("Target", Side.INSTANCE, "measure:", "gauge:")
        self.table.row("method rename: preview", self.run(lambda: rename_method(wish)(state))[0], 100, 30)

    def renames(self, paths: list[Path]) -> None:
        """The rename in memory, back, again, and to disk."""
        self.table.row("class rename: in memory", self.evaluate("Target renameTo: #Goal"), 1500, 500)
        self.table.row("undo of it", self.evaluate("Workspace undo"), 1500, 500)
        self.table.row("redo of it", self.evaluate("Workspace redo"), 1500, 500)
        self.table.row("pending changes", self.evaluate("Workspace changes size"), 200, 50)
        self.table.row(
            "method rename: in memory", self.evaluate("Goal renameSelector: #twice: to: #double:"), 1500, 500
        )
        hand = by_hand(paths)
        request = FlushRequest(Everything(), Gesture.DESTRUCTIVE)
        planning, planned = self.run(lambda: self.workspace.flush_plan(request))
        again, _planned = self.run(lambda: self.workspace.flush_plan(request))
        flush, result = self.run(lambda: self.workspace.flush(request))
        if result.conflicts or result.failure is not None or not planned.rows:
            raise RuntimeError(result.print_string())
        self.table.row("flush: plan alone", planning, 2000, 800)
        self.table.row("flush: the same plan again", again, 2000, 800)
        self.table.row("flush: all of it", flush, 2000, 800)
        self.table.row("  by hand: temp, fsync, rename", hand, 2000, 800)
        print(f"  ratio {flush.wall / hand.wall:.2f} (at most 1.5)")

    def undos(self, count: int = 500) -> None:
        """Undos over a log that is already long: each must cost what the first did."""
        for number in range(count):
            self.evaluate(f"Part{number % 250} >> step2: each => each + {number}")
        spent = [self.evaluate("Workspace undo") for _ in range(count)]
        first, last = (sum(each.wall for each in part) / len(part) for part in (spent[:50], spent[-50:]))
        total = sum(each.wall for each in spent)
        print(
            f"{count} undos: {total / 1e3:.2f} s; mean of the first 50 {first:.2f} ms, of the last 50 {last:.2f} ms"
        )

    def close(self) -> None:
        """End the workspace."""
        self.workspace.close()


def main(classes: int = 1000, users: int = 300) -> None:
    """Everything, one after the other."""
    with tempfile.TemporaryDirectory() as folder:
        root, cache = Path(folder) / "project", Path(folder) / "cache"
        write_project(root, classes, users)
        bench = Bench(root, cache)
        bench.load()
        bench.queries()
        bench.previews()
        bench.renames([root / f"src/Part{number}.bt" for number in range(users)])
        bench.undos()
        bench.close()
        again = Bench(root, cache)
        again.table.row("load 1,000 classes, cached", again.evaluate("Workspace sync"), 600, 300)
        again.close()


if __name__ == "__main__":
    main(*(int(each) for each in sys.argv[1:]))
